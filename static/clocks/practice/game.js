/** A practice match as a game for a `LocalSource`: commands go through the engine, and every state is kept. */
import { afterFlag, perform } from '../engine/decide.js';
import { flagAt } from '../engine/match.js';
import { otherSeat } from '../match/clocks.js';
import { keepMatch } from './kept-match.js';
import { snapshotOf } from './match.js';
/** @import { DoFrame, Match, Seat } from '../match/protocol.d.ts' */
/** @import { Practice } from './practice.d.ts' */

export class PracticeMatch {
  constructor(/** @type {Practice} */ match) {
    this.offset = 0;
    this.match = match;
    this.#keep();
  }

  #keep() {
    keepMatch(this.match);
  }

  #next(/** @type {Match} */ state) {
    this.match = { ...this.match, state, v: this.match.v + 1 };
    this.#keep();
  }

  get flagAt() {
    return flagAt(this.match.state, this.match.book);
  }

  /**
   * Carry out a command of `seat`. Returns the refusal of the rules, or null.
   * @param {DoFrame} frame
   * @param {Seat} seat
   */
  ask(frame, seat) {
    const { state, book } = this.match;
    const at = Math.max(frame.at ?? 0, state.at);
    let done = perform(state, book, frame, seat, at);
    // Both players read on one phone what the flag means, so one of them agrees for both.
    const expires = frame.do === 'agree' && done.match.status === 'flagged';
    if (expires && !done.refusal) done = perform(done.match, book, { do: 'agree' }, otherSeat(seat), at);
    if (!done.refusal) this.#next(done.match);
    return done.refusal;
  }

  /** Let a flag fall that is due at `now`. Returns whether one fell. */
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
