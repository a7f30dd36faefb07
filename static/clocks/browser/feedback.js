/**
 * Sounds and vibration. Each can be switched off, and nothing depends on either. The synthesiser is loaded at the first
 * tap or key press, because browsers allow no sound before it.
 */
import { load } from './events.js';

/** Vibration pattern of each signal, in ms. */
const PATTERNS = {
  press: [12],
  turn: [60],
  reserve: [30],
  refused: [25, 60, 25],
  alert: [200],
  low: [120, 80, 120],
  flag: [400, 120, 400],
};

/** @typedef {keyof typeof PATTERNS} Signal */

export class Feedback {
  /** `prefs.get(name)` gives `sound`, `vibration`, `voice` and `volume`.
   * @param {{ get: (name: string) => unknown }} prefs */
  constructor(prefs) {
    this.prefs = prefs;
    this.context = /** @type {AudioContext | null} */ (null);
    this.voices = /** @type {typeof import('./voices.js') | null} */ (null);
    this.coming = /** @type {Promise<unknown> | null} */ (null);
    // iOS starts sound only in these events, and interrupts it for a phone call (state 'interrupted').
    for (const name of ['pointerup', 'click', 'keydown']) addEventListener(name, () => this.unlock());
  }

  async unlock() {
    const Context = globalThis.AudioContext || /** @type {{ webkitAudioContext?: typeof AudioContext }} */
      (globalThis).webkitAudioContext;
    if (!this.prefs.get('sound') || !Context) return;
    if (!this.context) this.context = new Context();
    if (this.context.state !== 'running') this.context.resume().catch(() => {});
    if (!this.voices) await (this.coming ??= this.#load());
  }

  async #load() {
    this.voices = await load('browser/voices.js', () => import('./voices.js')).catch(() => null);
    this.coming = null; // after a failure, the next tap or key press loads them
  }

  /** Play a signal and vibrate, as far as the preferences and the browser allow.
   * @param {Signal} name */
  give(name) {
    if (this.prefs.get('vibration') && navigator.vibrate) navigator.vibrate(PATTERNS[name]);
    const { context, prefs, voices } = this;
    if (!prefs.get('sound') || context?.state !== 'running') return;
    voices?.play(
      context,
      name,
      prefs.get('voice') === 'wood' ? voices.knock : voices.tone,
      Number(prefs.get('volume')),
    );
  }
}
