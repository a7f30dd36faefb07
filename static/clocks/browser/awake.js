const TAP_OVER_MS = 400; // after a finger was lifted, when its click has been handled

/**
 * True if a lock that is granted keeps the screen on. An app on the home screen is granted one before iOS 18.4, and the
 * screen goes dark all the same.
 *
 * @param {{ userAgent: string, standalone?: boolean }} phone what Safari's `navigator` says
 */
function lockWorks({ userAgent, standalone }) {
  const [, major, minor] = userAgent.match(/(?:iPhone|iPad|iPod).* OS (\d+)_(\d+)/) ?? [];
  return !standalone || major === undefined || Number(major) > 18 || (Number(major) === 18 && Number(minor) >= 4);
}

/**
 * Wake lock: keeps the screen on, if the phone can. Requested at every gesture and return until granted, and again once
 * lost.
 */
export class Awake {
  /** `changed(held)` is called when it becomes known whether the screen stays on, not while a tap is under way: what it
   * draws may move a button from under the finger, and the tap would be lost.
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
      this.lock = null; // not there (http, an older phone) or refused (low battery)
    }
    this.asking = false;
    setTimeout(() => this.changed(this.held), TAP_OVER_MS);
  }
}
