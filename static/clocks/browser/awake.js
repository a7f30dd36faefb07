const TAP_OVER_MS = 400; // after a finger was lifted: its click has been dealt with by then

/** Keep the screen on, where the phone lets a page ask for it: asked on the first gesture and on every return. */
export class Awake {
  /** `changed(held)` is called when it becomes known whether the screen stays on, not while a tap is under way: what it
   * draws may move a button from under the finger, and the tap would be lost. */
  constructor(changed) {
    this.changed = changed;
    this.lock = null;
    const ask = () => this.#ask();
    addEventListener('pointerup', ask, { once: true });
    addEventListener('keydown', ask, { once: true });
    document.addEventListener('visibilitychange', () => document.hidden || ask());
  }

  get held() {
    return this.lock !== null && !this.lock.released;
  }

  async #ask() {
    if (this.held) return;
    try {
      this.lock = await navigator.wakeLock.request('screen');
    } catch {
      this.lock = null; // not there (http, an older phone) or refused (low battery)
    }
    setTimeout(() => this.changed(this.held), TAP_OVER_MS);
  }
}

/** Call `wake` whenever the page or the network comes back, as long as `signal` lets it. */
export function onWake(wake, signal) {
  document.addEventListener('visibilitychange', () => document.hidden || wake(), { signal });
  addEventListener('pageshow', (event) => event.persisted && wake(), { signal });
  addEventListener('online', wake, { signal });
}
