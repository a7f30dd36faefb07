/** Synthesised signals: a soft tone, or a knock on wood. */
/** @import { Signal } from './feedback.js' */
/**
 * @typedef {(context: BaseAudioContext, frequency: number, from: number, length: number, loud: number) => void} Voice
 */

/** Notes of each signal: [frequency in Hz, start in s, length in s].
 * @type {Record<Signal, [number, number, number][]>} */
const SOUNDS = {
  press: [[1250, 0, 0.03]],
  turn: [[660, 0, 0.09], [990, 0.1, 0.12]],
  reserve: [[520, 0, 0.05]],
  refused: [[220, 0, 0.12]],
  alert: [[784, 0, 0.12], [1047, 0.15, 0.2]],
  low: [[880, 0, 0.1], [880, 0.18, 0.1], [880, 0.36, 0.1]],
  flag: [[440, 0, 0.25], [330, 0.27, 0.25], [262, 0.54, 0.5]],
};
const USUAL_VOLUME = 3;
const KNOCK_S = 0.09;
const KNOCK_GAIN = 6; // the filter passes little of the noise, and less at lower frequencies
const KNOCK_PLAIN_HZ = 1250;

/** Play a signal in a voice, at a volume from 1 to 5.
 * @param {BaseAudioContext} context @param {Signal} name @param {Voice} voice @param {number} volume */
export function play(context, name, voice, volume) {
  for (const [frequency, start, length] of SOUNDS[name]) {
    voice(context, frequency, context.currentTime + start, length, ((volume || USUAL_VOLUME) / 6) ** 2);
  }
}

/** @type {Voice} */
export function tone(context, frequency, from, length, loud) {
  const oscillator = context.createOscillator();
  oscillator.frequency.value = frequency;
  oscillator.connect(fading(context, from, 0.01, length, loud));
  oscillator.start(from);
  oscillator.stop(from + length + 0.02);
}

/** A short burst of noise through a narrow band-pass filter, an octave up, because small speakers have no bass.
 * @type {Voice} */
export function knock(context, frequency, from, _length, loud) {
  const noise = context.createBufferSource();
  const filter = context.createBiquadFilter();
  noise.buffer = noiseOf(context);
  filter.type = 'bandpass';
  filter.frequency.value = 2 * frequency;
  filter.Q.value = 9;
  const gain = loud * KNOCK_GAIN * Math.sqrt(KNOCK_PLAIN_HZ / frequency);
  noise.connect(filter).connect(fading(context, from, 0.002, KNOCK_S, gain));
  noise.start(from);
}

/** Buffer of noise, always the same, so that no knock is louder than another. Firefox needs it filled before it is
 * used.
 * @param {BaseAudioContext} context */
function noiseOf(context) {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * KNOCK_S), context.sampleRate);
  let random = 1;
  buffer.getChannelData(0).forEach((_, at, samples) => {
    random = (random * 16807) % 2147483647;
    samples[at] = random / 1073741823 - 1;
  });
  return buffer;
}

/** Gain node with an envelope: loudest `attack` s after `from`, silent `length` s after it.
 * @param {BaseAudioContext} context @param {number} from @param {number} attack @param {number} length
 * @param {number} loud */
function fading(context, from, attack, length, loud) {
  const node = context.createGain();
  node.gain.setValueAtTime(0.0001, from);
  node.gain.exponentialRampToValueAtTime(loud, from + attack);
  node.gain.exponentialRampToValueAtTime(0.0001, from + length);
  node.connect(context.destination);
  return node;
}
