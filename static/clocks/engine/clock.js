/**
 * Turn arithmetic of a match's clock: {control: {kind, delay_ms}, reserve_ms, turn, used_ms, since, precredit}. Pure.
 *
 * `reserve_ms` holds both reserves at the start of the turn. A port of `clocks/engine/clock.py`: tests play the same
 * matches on both.
 */
import { indexOf, must, otherSeat, usedAt } from '../match/clocks.js';
/** @import { Clock, Pair, Seat } from '../match/protocol.d.ts' */

/** Return `pair` with the value of `seat` replaced.
 * @template T @param {[T, T]} pair @param {Seat} seat @param {T} value @returns {[T, T]} */
export const withSeat = (pair, seat, value) => (seat === 'left' ? [value, pair[1]] : [pair[0], value]);

/** Total time in ms that this turn may use before its flag falls.
 * @param {Clock} clock @returns {number} */
function allowance({ control, reserve_ms: reserves, turn }) {
  if (!turn) return 0;
  return reserves[indexOf(turn)] + (control.kind === 'simple' ? control.delay_ms : 0);
}

/** Timestamp at which the running clock's flag falls; null while no clock runs.
 * @param {Clock} clock */
export const runsOutAt = (clock) => clock.since === null ? null : clock.since + allowance(clock) - clock.used_ms;

/** True if a stopped turn has no time left.
 * @param {Clock} clock */
export const spent = (clock) => clock.turn !== null && clock.used_ms >= allowance(clock);

/** Reserves after the turn has been charged for `used` milliseconds.
 * @param {Clock} clock @param {number} used @returns {Pair} */
function afterTurn({ control, reserve_ms: reserves, turn }, used) {
  if (!turn) return reserves;
  const charged = control.kind === 'none' ? used : Math.max(0, used - control.delay_ms);
  return withSeat(reserves, turn, Math.max(0, reserves[indexOf(turn)] - charged));
}

/** Start the current turn's clock at `at`; the first start of a precredited control adds the delay to both reserves.
 * @param {Clock} clock @param {number} at @returns {Clock} */
export function resumed(clock, at) {
  if (!clock.precredit) return { ...clock, since: at };
  const reserves = /** @type {Pair} */ (clock.reserve_ms.map((ms) => ms + clock.control.delay_ms));
  return { ...clock, reserve_ms: reserves, precredit: false, since: at };
}

/** Charge the current turn, if any, and start a turn of `seat` with a full delay.
 * @param {Clock} clock @param {Seat} seat @param {number} at @returns {Clock} */
export const started = (clock, seat, at) =>
  resumed({ ...clock, reserve_ms: afterTurn(clock, usedAt(clock, at)), turn: seat, used_ms: 0, since: null }, at);

/** Set the stopped turn aside, so that it can continue later; a pending precredit is added first.
 * @param {Clock} clock @param {number} at @returns {Clock} */
export const setAside = (clock, at) => ({ ...resumed(clock, at), since: null });

/** Charge the stopped turn as if it had ended with a hit, then continue an earlier turn and refund its charge.
 * @param {Clock} clock @param {Clock} earlier @param {number} at @returns {Clock} */
export function goneOn(clock, { turn, reserve_ms: reserves, used_ms }, at) {
  const seat = must(turn);
  const began = started(clock, seat, at);
  return { ...began, reserve_ms: withSeat(began.reserve_ms, seat, reserves[indexOf(seat)]), used_ms };
}

/** End the turn at `at` and begin the other seat's.
 * @param {Clock} clock @param {number} at @returns {Clock} */
export const switched = (clock, at) => ({
  ...clock,
  reserve_ms: afterTurn(clock, usedAt(clock, at)),
  turn: otherSeat(must(clock.turn)),
  used_ms: 0,
  since: at,
});

/** Stop the clock at `at`; the turn keeps the time that it has used.
 * @param {Clock} clock @param {number} at @returns {Clock} */
export const stopped = (clock, at) => ({ ...clock, used_ms: usedAt(clock, at), since: null });

/** End the turn, charged as if by a hit, without starting another: both clocks are stopped between games.
 * @param {Clock} clock @param {number} at @returns {Clock} */
export const settled = (clock, at) => ({
  ...clock,
  reserve_ms: afterTurn(clock, usedAt(clock, at)),
  turn: null,
  used_ms: 0,
  since: null,
});

/** Add `by_ms`, which may be negative, to a reserve; a running clock keeps running.
 * @param {Clock} clock @param {Seat} seat @param {number} by_ms @returns {Clock} */
export const given = (clock, seat, by_ms) => ({
  ...clock,
  reserve_ms: withSeat(clock.reserve_ms, seat, clock.reserve_ms[indexOf(seat)] + by_ms),
});
