/** The match of the practice clock on this phone, kept across reloads where the phone has storage. */
import { afterFlag, perform } from '../engine/decide.js';
import { flagAt } from '../engine/match.js';
import { otherSeat } from '../match/clocks.js';
import { snapshotOf } from './match.js';
import { onDevice } from '../browser/storage.js';
/** @import { DoFrame, Match, Seat } from '../match/protocol.d.ts' */
/** @import { Practice } from './practice.d.ts' */

const KEY = 'clock:practice';

/** Return the match that this phone keeps, or null: none, or one that an earlier program kept.
 * @returns {Practice | null} */
export function keptMatch() {
  const kept = onDevice.get(KEY);
  return kept && kept.state && kept.book ? kept : null;
}

/** Remove the match from this phone. */
export const forgetMatch = () => onDevice.set(KEY, null);

/** A game for a `LocalSource`. */
export class PracticeMatch {
  constructor(/** @type {Practice} */ match) {
    this.offset = 0;
    this.match = match;
    this.#keep();
  }

  #keep() {
    onDevice.set(KEY, this.match);
  }

  #next(/** @type {Match} */ state) {
    this.match = { ...this.match, state, v: this.match.v + 1 };
    this.#keep();
  }

  get flagAt() {
    return flagAt(this.match.state, this.match.book);
  }

  /**
   * Carry out a command of `seat`. Returns why the rules refuse it, or null.
   * @param {DoFrame} frame
   * @param {Seat} seat
   */
  ask(frame, seat) {
    const { state, book } = this.match;
    const at = Math.max(frame.at ?? 0, state.at);
    let done = perform(state, book, frame, seat, at);
    // What a flag means is read by both players on the one phone: one of them agrees for both.
    const expires = frame.do === 'agree' && done.match.status === 'flagged';
    if (expires && !done.refusal) done = perform(done.match, book, { do: 'agree' }, otherSeat(seat), at);
    if (!done.refusal) this.#next(done.match);
    return done.refusal;
  }

  /** Let a flag fall that is due at `now`; tell whether one did. */
  letFall(/** @type {number} */ now) {
    const { state, book } = this.match;
    const fallen = afterFlag(state, book, now);
    if (fallen === state) return false;
    this.#next(fallen);
    return true;
  }

  /** The match as of `now`, as a snapshot. */
  look(/** @type {number} */ now) {
    return snapshotOf(this.match, now);
  }
}
