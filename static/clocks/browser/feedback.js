/**
 * What is heard and felt: short tones and, where the phone can, vibration. Each has an off switch, and nothing depends
 * on either.
 */

/** Each signal: tones as [frequency in Hz, start in s, length in s], and a vibration pattern in ms. */
/** @satisfies {Record<string, { tones: [number, number, number][], buzz: number[] }>} */
const SIGNALS = {
  press: { tones: [[1250, 0, 0.03]], buzz: [12] },
  turn: { tones: [[660, 0, 0.09], [990, 0.1, 0.12]], buzz: [60] },
  refused: { tones: [[220, 0, 0.12]], buzz: [25, 60, 25] },
  alert: { tones: [[784, 0, 0.12], [1047, 0.15, 0.2]], buzz: [200] },
  low: { tones: [[880, 0, 0.1], [880, 0.18, 0.1], [880, 0.36, 0.1]], buzz: [120, 80, 120] },
  flag: { tones: [[440, 0, 0.25], [330, 0.27, 0.25], [262, 0.54, 0.5]], buzz: [400, 120, 400] },
};

export class Feedback {
  /** `prefs.get(name)` says whether `sound` and `vibration` are wanted.
   * @param {{ get: (name: string) => boolean }} prefs */
  constructor(prefs) {
    this.prefs = prefs;
    this.context = /** @type {AudioContext | null} */ (null);
    // iOS lets sound begin only from these events, and takes it away again after a call ('interrupted').
    for (const name of ['pointerup', 'click', 'keydown']) addEventListener(name, () => this.#unlock());
  }

  #unlock() {
    const Context = globalThis.AudioContext || /** @type {{ webkitAudioContext?: typeof AudioContext }} */
      (globalThis).webkitAudioContext;
    if (!this.prefs.get('sound') || !Context) return;
    if (!this.context) this.context = new Context();
    if (this.context.state !== 'running') this.context.resume().catch(() => {});
  }

  /** Give a signal by its name.
   * @param {keyof typeof SIGNALS} name */
  give(name) {
    const { tones, buzz } = SIGNALS[name];
    if (this.prefs.get('vibration') && navigator.vibrate) navigator.vibrate(buzz);
    if (!this.prefs.get('sound') || !this.context || this.context.state !== 'running') return;
    for (const tone of tones) this.#sound(this.context, ...tone);
  }

  /** @param {AudioContext} context @param {number} frequency @param {number} start @param {number} length */
  #sound(context, frequency, start, length) {
    const from = context.currentTime + start;
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0.0001, from);
    gain.gain.exponentialRampToValueAtTime(0.25, from + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(from + length + 0.02);
  }
}
