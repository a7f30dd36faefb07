const TAP_OVER_MS = 400; // after a finger was lifted; its click has been handled by then

/**
 * True if a granted wake lock really keeps the screen on. Before iOS 18.4, it does not in a home-screen app.
 *
 * @param {{ userAgent: string, standalone?: boolean }} phone Safari's `navigator`
 */
function lockWorks({ userAgent, standalone }) {
  const [, major, minor] = userAgent.match(/(?:iPhone|iPad|iPod).* OS (\d+)_(\d+)/) ?? [];
  return !standalone || major === undefined || Number(major) > 18 || (Number(major) === 18 && Number(minor) >= 4);
}

/**
 * Wake lock: keeps the screen on, if the phone can. Requested at every tap, key press and return to the page until
 * granted, and again once lost.
 */
export class Awake {
  /** `changed(held)` is called after each request, with whether the screen stays on. It waits until the tap is over: a
   * redraw may move a button from under the finger, and the tap would be lost.
   * @param {(held: boolean) => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.lock = null;
    this.asking = false;
    this.works = lockWorks(navigator);
    const ask = () => this.#ask();
    addEventListener('pointerup', ask);
    addEventListener('keydown', ask);
    document.addEventListener('visibilitychange', () => document.hidden || ask());
  }

  get held() {
    return this.works && this.#granted;
  }

  get #granted() {
    return this.lock !== null && !this.lock.released;
  }

  async #ask() {
    if (this.#granted || this.asking) return;
    this.asking = true;
    try {
      this.lock = await navigator.wakeLock.request('screen');
    } catch {
      this.lock = null; // missing (http, an older phone) or denied (low battery)
    }
    this.asking = false;
    setTimeout(() => this.changed(this.held), TAP_OVER_MS);
  }
}
