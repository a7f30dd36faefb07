/** What this device keeps between pages. Nothing depends on it: where nothing can be kept, nothing is found. */
export class Store {
  /** `area()` gives a Storage; it may throw or give null, as in a private window.
   * @param {() => Storage} area */
  constructor(area) {
    this.area = area;
  }

  /** Return what is kept under `key`, or null: nothing, what is not ours, or nowhere to keep.
   * @param {string} key */
  get(key) {
    try {
      return JSON.parse(this.area().getItem(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** Keep a value under `key`; null forgets it. Returns whether that was possible.
   * @param {string} key @param {unknown} value */
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

/**
 * What a player at this phone prefers.
 * @type {Record<string, boolean | string | number>}
 */
const PLAYER_DEFAULTS = {
  sound: true,
  voice: 'soft',
  volume: 3,
  vibration: true,
  facing: true,
  leftHanded: false, // the player at this phone, or each of two
  leftHandedLeft: false,
  leftHandedRight: false,
};

/**
 * What the person at this device prefers, kept on it under `key`; `defaults` name every preference. One of another type
 * is not taken.
 */
export class Prefs {
  /** @param {Store} store */
  constructor(store, key = 'clock:prefs', defaults = PLAYER_DEFAULTS) {
    this.store = store;
    this.key = key;
    const kept = store.get(key);
    this.kept = kept !== null; // whether anything was kept here before
    this.wishes = { ...defaults };
    for (const name of Object.keys(defaults)) {
      if (typeof kept?.[name] === typeof defaults[name]) this.wishes[name] = kept[name];
    }
  }

  /** What the person wants.
   * @param {string} name */
  get(name) {
    return this.wishes[name];
  }

  /** @param {string} name @param {boolean | string | number} value */
  set(name, value) {
    this.wishes[name] = value;
    this.store.set(this.key, this.wishes);
  }
}
