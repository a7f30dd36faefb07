/** What the person at this device prefers: on or off. */

/** What a player at this phone prefers. */
const OF_A_PLAYER = { sound: true, vibration: true, facing: true };

/** What the person at this device prefers, kept on it under `key`; `defaults` name all that can be preferred: on or off. */
export class Prefs {
  constructor(storage, key = 'clock:prefs', defaults = OF_A_PLAYER) {
    Object.assign(this, defaults);
    this.storage = storage;
    this.key = key;
    this.names = Object.keys(defaults);
    this.kept = false; // whether anything was kept here before
    try {
      const kept = JSON.parse(storage.getItem(key));
      for (const name of this.names) if (typeof kept[name] === 'boolean') this[name] = kept[name];
      this.kept = true;
    } catch {
      // no storage, nothing kept yet, or not ours: the defaults
    }
  }

  set(name, value) {
    this[name] = value;
    try {
      this.storage.setItem(this.key, JSON.stringify(Object.fromEntries(this.names.map((each) => [each, this[each]]))));
    } catch {
      // Without storage it holds as long as the page.
    }
  }
}
