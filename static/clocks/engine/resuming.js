/**
 * Handler of `resume` commands: which turn continues, and whether the opponent must agree. A port of
 * `clocks/engine/decide/resuming.py` for pages that work without the server. Pure.
 */
import { must, otherSeat } from '../match/clocks.js';
import { spent } from './clock.js';
import * as does from './evolve.js';
import { limits } from './match.js';
import { refuseIf } from './refused.js';
/** @import { Actor } from './match.js' */
/** @import { Book, Clock, Match, Party, Seat } from '../match/protocol.d.ts' */

/** @param {Match} match */
export function mustBeUnderWay({ status }) {
  refuseIf(status === 'over', 'match-over');
  refuseIf(status === 'setup', 'setup-not-confirmed');
  refuseIf(status === 'flagged', 'flagged');
}

/** Reject starting a clock with no time left, if time is limited.
 * @param {Match} match @param {Book} book @param {Clock} clock */
export function mustHaveTime(match, book, clock) {
  refuseIf(spent(clock) && limits(match, book), 'flagged');
}

/** True if the player on turn has claimed the right to move with the clocks stopped (US 4.2).
 * @param {Match} match @param {Book} book */
export const movesStopped = ({ halt }, { features }) =>
  halt !== null && halt.reason === 'dice-picked-up' && features.dice_picked_up;

/** True if the other player contests that claim.
 * @param {Match} match */
export const isContested = ({ halt }) => halt?.reason === 'dice-contested';

/** Resume the clocks. A player's request for a full delay, or to resume after a contested stop, becomes a proposal.
 * @param {Match} match @param {Book} book @param {{ turn_of?: Seat | null, fresh_delay?: boolean }} command
 * @param {Actor} by @param {number} at @returns {Match} */
export function resume(match, book, { turn_of: wanted = null, fresh_delay: fresh = false }, by, at) {
  mustBeResumable(match, book, fresh, by);
  const turn = must(match.clock.turn); // the clocks were stopped within a game
  const moved = movesStopped(match, book) && !match.cube.offered_by; // a double is still to be answered
  const seat = wanted || (moved ? otherSeat(turn) : turn);
  const asks = by !== 'director' && (fresh || isContested(match));
  mustBeStartable(match, book, seat, fresh, by, asks, at);
  return asks
    ? does.proposed(match, by, { turn_of: seat, fresh_delay: fresh, what: 'resume' }, at)
    : resumedWith(match, book, seat, fresh, by, at);
}

/** Resume with a new or continued turn of `seat`; always a new one after a move with the clocks stopped (US 4.2).
 * @param {Match} match @param {Book} book @param {Seat} seat @param {boolean} fresh @param {Party} by
 * @param {number} at @returns {Match} */
export function resumedWith(match, book, seat, fresh, by, at, agreed = false) {
  if (seat === match.clock.turn) return does.resumed(match, seat, fresh, at);
  const isNew = fresh || movesStopped(match, book) || isContested(match);
  const back = !isNew && (match.set_aside || (!agreed && hadEndedItsTurn(match, seat, by)));
  return does.swapped(match, seat, by, Boolean(back), at);
}

/** True if a player takes back their own turn after ending it: without agreement, it gets no second delay.
 * @param {Match} match @param {Seat} seat @param {Party} by */
const hadEndedItsTurn = ({ last_hit: last }, seat, by) =>
  by === seat && last !== null && last.seat === seat && last.clock.turn === seat;

/** Reject unless the clocks are stopped and this party may resume them, or propose to.
 * @param {Match} match @param {Book} book @param {boolean} fresh @param {Actor} by */
export function mustBeResumable(match, book, fresh, by) {
  mustBeUnderWay(match);
  refuseIf(match.proposal, 'proposal-pending');
  refuseIf(match.status !== 'stopped', 'not-stopped');
  if (by === 'director') return;
  refuseIf(match.halt?.by === 'director', 'not-director');
  refuseIf(fresh && !book.features.fresh_delay, 'not-director');
  refuseIf(movesStopped(match, book) && by !== match.clock.turn, 'not-your-turn');
}

/** Reject switching to the other seat while a double is pending, and starting a clock with no time left.
 * @param {Match} match @param {Book} book @param {Seat} seat @param {boolean} fresh @param {Actor} by
 * @param {boolean} agreed @param {number} at */
export function mustBeStartable(match, book, seat, fresh, by, agreed, at) {
  const swaps = seat !== match.clock.turn;
  refuseIf(swaps && match.cube.offered_by, 'double-pending');
  const runs = swaps ? resumedWith(match, book, seat, fresh, by, at, agreed) : match;
  mustHaveTime(match, book, runs.clock);
}
