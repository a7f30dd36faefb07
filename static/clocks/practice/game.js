/** Practice match, as the game of a `LocalSource`: each state is stored on this phone; commands wait until the rules
 * have loaded. */
import { flagAt, lookAt } from '../engine/match.js';
import { keepMatch } from './kept-match.js';
/** @import { DoFrame, Seat, Why } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { Practice, Rules } from './practice.d.ts' */

/** Constant fields of a practice snapshot: both seats held, no table, no tournament. */
const AROUND = /** @satisfies {Partial<ShownMatch>} */ ({
  t: 'match',
  match: 1,
  practice: true,
  table: '',
  code: '',
  tournament: '',
  round: '',
  round_number: null,
  made_at: 0,
  between: true,
  lag_credit_ms: 0,
  late: null,
  lent_at: [null, null],
  seats: [{ held: true, seen_at: null }, { held: true, seen_at: null }],
});

/** Longest time in ms that a command waits for the rules; then it is dropped. */
export const PATIENCE_MS = 3000;

export class PracticeMatch {
  constructor(/** @type {Practice} */ match) {
    this.offset = 0;
    this.match = match;
    /** @type {Rules | null} */
    this.rules = null;
    /** @type {[DoFrame, Seat][]} */
    this.early = []; // commands given before the rules had loaded
    keepMatch(match);
  }

  /** Set and store the match. True if it changed. */
  #become(/** @type {Practice} */ match) {
    if (match === this.match) return false;
    this.match = match;
    keepMatch(match);
    return true;
  }

  /** Summary of the match; null until the rules have loaded, and if an older version kept no tally. */
  get summary() {
    return this.rules?.summaryOf(this.match) ?? null;
  }

  get flagAt() {
    return flagAt(this.match.state, this.match.book);
  }

  /**
   * Carry out a command of `seat`, or queue it until the rules have loaded. Returns the refusal's code, or null.
   * @param {DoFrame} frame
   * @param {Seat} seat
   * @returns {Why | null}
   */
  ask(frame, seat) {
    if (!this.rules) {
      this.early.push([frame, seat]);
      return null;
    }
    const { practice, refusal } = this.rules.asked(this.match, frame, seat);
    this.#become(practice);
    return refusal;
  }

  /** Carry out queued commands, then let the flag fall if it is due at `now`. True if the match changed. */
  letFall(/** @type {number} */ now) {
    if (!this.rules) return false;
    const before = this.match;
    for (const [frame, seat] of this.early.splice(0)) {
      if (now - (frame.at ?? now) < PATIENCE_MS) this.ask(frame, seat);
    }
    this.#become(this.rules.fallen(this.match, now));
    return this.match !== before;
  }

  /** Snapshot of the match at `now`. */
  look(/** @type {number} */ now) {
    return snapshotOf(this.match, now);
  }
}

/** Snapshot of a practice match at `now`.
 * @param {Practice} practice @param {number} now @returns {ShownMatch} */
export function snapshotOf({ state, book, v }, now) {
  const { name, features } = book;
  return { ...AROUND, v, now, ...lookAt(state, book, now), rules_name: name, features };
}
