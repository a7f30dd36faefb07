/**
 * Apply events of play: confirmations, hits, stops, resumes, undone hits. A port of
 * `clocks/engine/evolve/turn_events.py` for pages that work without the server. Pure.
 */
import { indexOf, must, otherSeat, usedAt } from '../match/clocks.js';
import * as clocks from './clock.js';
import { withSeat } from './clock.js';
/** @import { Cube, Halt, Lag, Match, Pair, Party, Reason, Seat, SetAside } from '../match/protocol.d.ts' */

/** @type {Lag} */
const NO_LAG = { used_ms: [0, 0], credited: [0, 0], presses: [0, 0] };
/** @param {Party} by @param {Reason} reason @param {number} at @returns {Halt} */
export const haltOf = (by, reason, at) => ({ by, reason, at, hall: null, note: '' });
/** @param {Pair} pair @param {Seat} seat @returns {Pair} */
export const plusOne = (pair, seat) => withSeat(pair, seat, pair[indexOf(seat)] + 1);
/** @param {Lag} lag @param {Seat} seat @returns {Lag} */
const oneMore = (lag, seat) => ({ ...lag, presses: plusOne(lag.presses, seat) });

/** Lag budget after a press, which does not count if its turn began with a resume that switched seats.
 * @param {Match} match @param {Seat} seat @returns {Lag} */
export const lagAfter = ({ lag, set_aside }, seat) => set_aside?.uncredited ? lag : oneMore(lag, seat);

/** Pending delay forfeits after the turn: that of the seat on turn is served if the turn used up its delay.
 * @param {Pick<Match, 'clock' | 'forfeit'>} given @param {number} used @returns {[boolean, boolean]} */
export function served({ clock, forfeit }, used) {
  return !clock.turn || used < clock.control.delay_ms ? forfeit : withSeat(forfeit, clock.turn, false);
}

/** @param {Match} match @param {Seat[]} seats @param {number} at @returns {Match} */
export function confirmed(match, seats, at) {
  const [left, right] = match.confirmed;
  const all = /** @type {[boolean, boolean]} */ ([left || seats.includes('left'), right || seats.includes('right')]);
  const ready = all.every(Boolean);
  return { ...match, at, confirmed: all, status: ready ? 'ready' : 'setup', halt: ready ? null : match.halt };
}

/** Drop the last hit of a turn set aside: otherwise the kept states would nest without limit.
 * @param {SetAside | null | undefined} aside @returns {SetAside | null} */
export const withoutLastHit = (aside) => aside ? { ...aside, last_hit: null } : null;

/** End the turn of `seat` (or start the game, when nobody is on turn) and begin the other's.
 * @param {Match} match @param {Seat} seat @param {number} at @param {Cube} [cube] @returns {Match} */
export function passTurn(match, seat, at, cube = match.cube) {
  const { clock } = match;
  const begun = clock.turn !== null;
  const used = usedAt(clock, at);
  const { turn_number, hits, forfeit, last_end } = match;
  return {
    ...match,
    at,
    status: 'running',
    clock: begun ? clocks.switched(clock, at) : clocks.started(clock, otherSeat(seat), at),
    turn_number: turn_number + 1,
    cube,
    halt: null,
    call_note: match.called ? match.call_note : '',
    owed_hit: null,
    last_hit: {
      seat,
      clock: { ...clock, used_ms: used, since: null },
      cube: match.cube,
      turn_number,
      hits,
      forfeit,
      last_end,
      set_aside: withoutLastHit(match.set_aside),
    },
    last_end: null,
    set_aside: null,
    declined: null,
    forfeit: served(match, used),
    hits: plusOne(hits, seat),
    lag: begun ? lagAfter(match, seat) : oneMore(NO_LAG, seat),
  };
}

/** @param {Match} match @param {Party} by @param {Reason} reason @param {number} at @returns {Match} */
export function stopped(match, by, reason, at) {
  const halt = haltOf(by, reason, at);
  if (match.status === 'ready') return { ...match, at, status: 'setup', confirmed: [false, false], halt };
  return { ...match, at, status: 'stopped', clock: clocks.stopped(match.clock, at), halt };
}

/** @param {Match} match @param {Reason} reason @param {number} at @returns {Match} */
export const stopExplained = (match, reason, at) => ({ ...match, at, halt: { ...must(match.halt), reason } });

/** Mark the stop as contested: the other player denies that the dice were picked up.
 * @param {Match} match @param {number} at @returns {Match} */
export const stopContested = (match, at) => stopExplained(match, 'dice-contested', at);

/** Run the clock of `seat`, which is on turn; `fresh` restarts its delay.
 * @param {Match} match @param {Seat} seat @param {boolean} fresh @param {number} at @returns {Match} */
export function resumed(match, seat, fresh, at) {
  const { clock } = match;
  const runs = running(match, at);
  if (!fresh) return { ...runs, clock: clocks.resumed(clock, at) };
  return {
    ...runs,
    clock: clocks.started(clock, seat, at),
    forfeit: served(match, clock.used_ms),
    last_hit: null,
  };
}

/** @param {Match} match @param {number} at @returns {Match} */
function running(match, at) {
  const note = match.called ? match.call_note : '';
  return { ...match, at, status: 'running', halt: null, owed_hit: null, call_note: note };
}

/**
 * Set the interrupted turn aside, charged as if by a hit, and begin a turn of `seat` or, with `back`, continue its
 * earlier one. `by` is the party that resumed.
 * @param {Match} match @param {Seat} seat @param {Party} by @param {boolean} back @param {number} at
 * @returns {Match}
 */
export function swapped(match, seat, by, back, at) {
  const clock = clocks.setAside(match.clock, at);
  const { turn_number, forfeit, last_hit } = match;
  const after = {
    ...running(match, at),
    clock: clocks.started(clock, seat, at),
    turn_number: turn_number + 1,
    forfeit: served(match, clock.used_ms),
    last_hit: null,
    set_aside: { by, clock, turn_number, forfeit, last_hit, uncredited: true },
  };
  if (!back) return after;
  const earlier = must(match.set_aside || last_hit);
  after.clock = clocks.goneOn(clock, earlier.clock, at);
  after.forfeit = withSeat(after.forfeit, seat, earlier.forfeit[indexOf(seat)]);
  if (!match.set_aside) return after; // the seat had ended its turn itself, and that press is not undone
  return { ...after, turn_number: earlier.turn_number, last_hit: match.set_aside.last_hit };
}

/** @param {Match} match @param {Party} by @param {number} at @returns {Match} */
export function hitUndone(match, by, at) {
  const { clock, cube, turn_number, hits, forfeit, last_end, set_aside = null } = must(match.last_hit);
  const begun = clock.turn !== null;
  const halt = match.halt?.reason === 'dice-contested' ? null : match.halt; // moot: the contested turn is taken back
  return {
    ...match,
    at,
    status: begun ? 'stopped' : 'ready',
    clock,
    cube,
    turn_number,
    hits,
    forfeit,
    last_hit: null,
    last_end,
    owed_hit: null,
    halt: begun ? halt || haltOf(by, 'undo', at) : null,
    set_aside,
  };
}
