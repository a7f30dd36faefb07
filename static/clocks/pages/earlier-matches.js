/** Times of a player's turns in earlier matches, kept on this phone only, without names. */
/** @import { Store } from '../browser/storage.js' */

const KEY = 'clock:own-pace';
const MOST = 100; // matches; the oldest go first
const DAY_MS = 86_400_000;

/** @typedef {Record<string, [turns: number, ms: number]>} Turns count and total time of the turns, by phase */
/** @typedef {{ match: string, at: number, turns: Turns }} Kept */
/** @typedef {Kept & { over: boolean, forgotten: boolean, keep_days: number }} Played */

export class EarlierMatches {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** True unless the player of this phone has opted out. */
  get wanted() {
    return this.store.get(KEY)?.off !== true;
  }

  /** @returns {Kept[]} */
  get all() {
    const { matches } = this.store.get(KEY) ?? {};
    return Array.isArray(matches) ? matches : [];
  }

  /**
   * Store a finished match, unless its names were removed or the player has opted out; drop matches older than the
   * server keeps. False if this phone cannot store them.
   * @param {Played} played @param {number} now
   */
  keep({ match, at, over, forgotten, keep_days, turns }, now) {
    if (!this.wanted) return true;
    const others = this.all.filter((one) => one.match !== match && !(keep_days && now - one.at > keep_days * DAY_MS));
    const matches = over && !forgotten ? [...others, { match, at, turns }] : others;
    return this.store.set(KEY, { matches: matches.sort((one, other) => one.at - other.at).slice(-MOST) });
  }

  /** Remove all figures; with `off`, opt out, else opt in again.
   * @param {boolean} off */
  forget(off) {
    this.store.set(KEY, off ? { off: true } : null);
  }

  /** Count of the other matches, and the average time of their turns by phase, in ms.
   * @param {string} match @returns {{ number: number, each: Record<string, number> }} */
  averages(match) {
    const others = this.all.filter((one) => one.match !== match);
    /** @type {Turns} */
    const sums = {};
    for (const { turns } of others) {
      for (const [phase, [number, ms]] of Object.entries(turns)) {
        const [sum, total] = sums[phase] ?? [0, 0];
        sums[phase] = [sum + number, total + ms];
      }
    }
    const known = Object.entries(sums).filter(([, [number]]) => number);
    return {
      number: others.length,
      each: Object.fromEntries(known.map(([phase, [number, ms]]) => [phase, ms / number])),
    };
  }
}
