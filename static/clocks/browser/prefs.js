/** What the person at this device prefers: on or off. */

/**
 * What a player at this phone prefers.
 * @type {Record<string, boolean>}
 */
const OF_A_PLAYER = { sound: true, vibration: true, facing: true };

/** What the person at this device prefers, kept on it under `key`; `defaults` name all that can be preferred: on or off. */
export class Prefs {
  constructor(store, key = 'clock:prefs', defaults = OF_A_PLAYER) {
    this.store = store;
    this.key = key;
    const kept = store.get(key);
    this.kept = kept !== null; // whether anything was kept here before
    this.wishes = { ...defaults };
    for (const name of Object.keys(defaults)) {
      if (typeof kept?.[name] === 'boolean') this.wishes[name] = kept[name];
    }
  }

  /** Tell whether the person wants it. */
  get(name) {
    return this.wishes[name] === true;
  }

  set(name, value) {
    this.wishes[name] = value;
    this.store.set(this.key, this.wishes);
  }
}
