/** JSON storage on this device. Nothing depends on it: if it is unavailable, every key is missing. */
export class Store {
  /** `area()` returns a Storage; it may throw or return null, as in a private window.
   * @param {() => Storage} area */
  constructor(area) {
    this.area = area;
  }

  /** Value under `key`; null if it is missing or not JSON, or if there is no storage.
   * @param {string} key */
  get(key) {
    try {
      return JSON.parse(this.area().getItem(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** Store a value under `key`; null removes it. True if that worked.
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

  /** All keys. */
  keys() {
    try {
      return Object.keys(this.area());
    } catch {
      return [];
    }
  }
}

/** Storage of this device, which outlives the tab. */
export const onDevice = new Store(() => localStorage);

/** Storage of this tab. */
export const inTab = new Store(() => sessionStorage);

/**
 * Default preferences of a player.
 * @type {Record<string, boolean | string | number>}
 */
const PLAYER_DEFAULTS = {
  sound: true,
  voice: 'soft',
  volume: 3,
  vibration: true,
  facing: true,
  leftHanded: false, // the only player at this phone, or (below) each of two
  leftHandedLeft: false,
  leftHandedRight: false,
};

/**
 * Preferences of the person at this device, stored under `key`. `defaults` has every preference; stored values of
 * another type are ignored.
 */
export class Prefs {
  /** @param {Store} store */
  constructor(store, key = 'clock:prefs', defaults = PLAYER_DEFAULTS) {
    this.store = store;
    this.key = key;
    const kept = store.get(key);
    this.kept = kept !== null; // true if preferences were stored before
    this.wishes = { ...defaults };
    for (const name of Object.keys(defaults)) {
      if (typeof kept?.[name] === typeof defaults[name]) this.wishes[name] = kept[name];
    }
  }

  /** Value of a preference.
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
