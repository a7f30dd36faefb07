/** What this device keeps between pages. Nothing depends on it: with nowhere to keep, nothing is found. */
export class Store {
  /** `area()` gives a Storage; it may throw or give null, as in a private window. */
  constructor(area) {
    this.area = area;
  }

  /** Return what is kept under `key`, or null: nothing, what is not ours, or nowhere to keep. */
  get(key) {
    try {
      return JSON.parse(this.area().getItem(key));
    } catch {
      return null;
    }
  }

  /** Keep a value under `key`; null forgets it. Returns whether that was possible. */
  set(key, value) {
    try {
      if (value === null) this.area().removeItem(key);
      else this.area().setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false; // there is no storage, it is blocked, or full
    }
  }

  /** Return the names of all that is kept. */
  keys() {
    try {
      return Object.keys(this.area());
    } catch {
      return [];
    }
  }
}

/** What lasts on this device. */
export const onDevice = new Store(() => localStorage);

/** What lasts as long as this tab. */
export const inTab = new Store(() => sessionStorage);
