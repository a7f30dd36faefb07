/**
 * Command handlers: a port of `clocks/engine/decide/` for pages that work without the server. Pure.
 *
 * Tests play the same matches on both engines, and compare the whole state and the refusal after each command.
 */
import { indexOf, must, otherSeat, SEATS } from '../match/clocks.js';
import { started, withSeat } from './clock.js';
import * as does from './evolve.js';
import { decides, flagAt, needs, reservesAt } from './match.js';
import { agree, decline, propose, withdraw } from './proposals.js';
import { Refused, refuseIf, refuseUnless } from './refused.js';
import { movesStopped, mustBeUnderWay, mustHaveTime, resume } from './resuming.js';
/** @import { Actor, Asked } from './match.js' */
/** @import { Book, Consequence, ConsequenceKind, Match, Pair, Reason, Seat, Why } from '../match/protocol.d.ts' */

/**
 * Let a due flag fall, then perform the command of `by` at `at`, which must not be earlier than the last event. Returns
 * the match, and the refusal's code or null.
 * @param {Match} match @param {Book} book @param {Asked} command @param {Actor} by @param {number} at
 * @returns {{ match: Match, refusal: Why | null }}
 */
export function perform(match, book, command, by, at) {
  const now = afterFlag(match, book, at);
  const decide = /** @type {Decide | undefined} */ (DECIDE[/** @type {keyof typeof DECIDE} */ (command.do)]);
  try {
    refuseUnless(decide, 'bad-message');
    return { match: decide(now, book, command, by, at), refusal: null };
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    return { match: now, refusal: refused.code };
  }
}

/** Let a flag that was due by `at` fall at its deadline; return the same match if none was due.
 * @param {Match} match @param {Book} book @param {number} at @returns {Match} */
export function afterFlag(match, book, at) {
  const due = flagAt(match, book);
  if (due === null || at < due) return match;
  const seat = must(match.clock.turn);
  return does.flagFell(match, seat, consequence(match, book, seat, due), due);
}

/** Consequence under the rule set if the flag of `seat` falls at `at`.
 * @param {Match} match @param {Book} given1 @param {Seat} seat @param {number} at @returns {Consequence} */
function consequence(match, { flag }, seat, at) {
  const reserves = reservesAt(match, at);
  const other = otherSeat(seat);
  const { frozen } = match.cube;
  /** @param {ConsequenceKind} kind @param {Partial<Consequence>} [more] @returns {Consequence} */
  const outcome = (kind, more) => ({ kind, points: 0, reserve_ms: reserves, cube_frozen: frozen, ...more });
  if (flag.policy === 'next-control' && match.control === 1) {
    const { reserve_ms: fresh } = flag.second;
    return outcome('next-control', {
      reserve_ms: withSeat([fresh, fresh], other, fresh + reserves[indexOf(other)]),
    });
  }
  if (flag.policy === 'overtime' && flag.overtime_ms && !match.offences[indexOf(seat)]) {
    return outcome('overtime', { reserve_ms: withSeat(reserves, seat, flag.overtime_ms) });
  }
  if (flag.policy !== 'penalty') return outcome('lose-match');
  const alone = withSeat(reserves, seat, flag.reset_ms);
  if (flag.deciding === 'grace' && decides(match) && !match.graced[indexOf(seat)]) {
    return outcome('grace', { reserve_ms: alone });
  }
  const points = flag.points[match.offences[indexOf(seat)] ? 1 : 0];
  const needed = needs(match, other) - points;
  if (needed <= 0) return outcome('penalty', { points });
  const reset = {
    expired: alone,
    add: withSeat(alone, other, reserves[indexOf(other)] + flag.reset_ms),
    set: /** @type {Pair} */ ([flag.reset_ms, flag.reset_ms]),
  }[flag.reset];
  return outcome('penalty', { points, reserve_ms: reset, cube_frozen: frozen || needed === 1 });
}

/** @typedef {(match: Match, book: Book, command: Asked, by: Actor, at: number) => Match} Decide */

const DECIDE = {
  confirm,
  hit,
  stop,
  resume,
  double,
  /**
   * @param {Match} match @param {Book} _book @param {{ turn_number?: number | null }} command @param {Actor} by
   * @param {number} at
   */
  take: (match, _book, command, by, at) => {
    answersDouble(match, command, by);
    return does.passTurn(match, by, at, {
      ...match.cube,
      value: 2 * match.cube.value,
      owner: by,
      offered_by: null,
    });
  },
  /**
   * @param {Match} match @param {Book} _book @param {{ turn_number?: number | null }} command @param {Actor} by
   * @param {number} at
   */
  pass: (match, _book, command, by, at) => {
    answersDouble(match, command, by);
    return does.gameEnded(match, otherSeat(by), match.cube.value, at, true);
  },
  propose,
  agree,
  decline,
  withdraw,
  call,
  /** @param {Match} match */
  look: (match) => match,
};

/** @param {Match} match */
function mustRun(match) {
  mustBeUnderWay(match);
  refuseIf(match.status === 'stopped', 'stopped');
  refuseIf(match.status === 'ready', 'not-running');
}

/** @param {Match} match @param {{ turn_number?: number | null }} command */
function mustBeCurrent(match, { turn_number: number = null }) {
  refuseIf(number !== null && number !== match.turn_number, 'stale');
}

/**
 * @param {Match} match @param {{ turn_number?: number | null }} command @param {Actor} seat
 * @returns {asserts seat is Seat}
 */
function mustBeOnTurn(match, command, seat) {
  mustRun(match);
  mustBeCurrent(match, command);
  refuseIf(match.clock.turn !== seat, 'not-your-turn');
}

/** Reject a press that would start a clock with no time left.
 * @param {Match} match @param {Book} book @param {Seat} seat */
function mustStart(match, book, seat) {
  const { clock } = match;
  mustHaveTime(match, book, seat === clock.turn ? clock : started(clock, seat, match.at));
}

/**
 * @param {Match} match @param {{ turn_number?: number | null }} command @param {Actor} seat
 * @returns {asserts seat is Seat}
 */
function answersDouble(match, command, seat) {
  mustBeOnTurn(match, command, seat);
  refuseIf(!match.cube.offered_by, 'no-double');
}

/**
 * @param {Match} match @param {Book} _book @param {Asked} _command @param {Actor} by @param {number} at
 * @returns {Match}
 */
function confirm(match, _book, _command, by, at) {
  refuseIf(match.status === 'over', 'match-over');
  refuseIf(match.status !== 'setup', 'not-ready');
  const seats = by === 'director' ? SEATS : [by];
  const missing = seats.filter((seat) => !match.confirmed[indexOf(seat)]);
  return missing.length ? does.confirmed(match, missing, at) : match;
}

/**
 * @param {Match} match @param {Book} book @param {{ turn_number?: number | null }} command @param {Actor} seat
 * @param {number} at @returns {Match}
 */
function hit(match, book, command, seat, at) {
  refuseUnless(seat !== 'director', 'no-seat');
  const other = otherSeat(seat);
  if (match.status === 'stopped' && match.owed_hit === seat && !match.proposal) {
    mustBeCurrent(match, command);
    mustStart(match, book, other);
    return match.clock.turn === seat ? does.passTurn(match, seat, at) : does.resumed(match, other, false, at);
  }
  if (match.status === 'ready') {
    refuseIf(match.proposal, 'proposal-pending');
    mustBeCurrent(match, command);
    mustStart(match, book, other);
  } else {
    mustBeOnTurn(match, command, seat);
    refuseIf(match.cube.offered_by, 'double-pending');
  }
  return does.passTurn(match, seat, at);
}

/**
 * @param {Match} match @param {Book} book @param {{ reason?: Reason }} command @param {Actor} by @param {number} at
 * @returns {Match}
 */
function stop(match, book, { reason = 'other' }, by, at) {
  if (reason === 'break' && match.status === 'ready') {
    refuseIf(match.proposal, 'proposal-pending');
    return does.stopped(match, by, 'break', at);
  }
  if (reason === 'contest' && mayContest(match, book, by)) {
    return does.called(does.stopContested(match, at), by, '', at);
  }
  const explains = reason !== 'other' && hasStoppedWithoutAReason(match, by);
  if (!explains) mustRun(match);
  const pickedUp = reason === 'dice-picked-up' && book.features.dice_picked_up;
  refuseIf(pickedUp && by !== 'director' && by !== match.clock.turn, 'not-your-turn');
  const stands = explains ? does.stopExplained(match, reason, at) : does.stopped(match, by, reason, at);
  return reason === 'director' && by !== 'director' ? does.called(stands, by, '', at) : stands;
}

/** True if `by` may contest the claim that the dice were picked up (US 4.2): the player not on turn may, once.
 * @param {Match} match @param {Book} book @param {Actor} by */
function mayContest(match, book, by) {
  const { turn } = match.clock;
  return match.status === 'stopped' && turn && movesStopped(match, book) && match.halt?.by === turn &&
    by === otherSeat(turn);
}

/** True if this player stopped the clocks, has given no reason and nothing is proposed.
 * @param {Match} match @param {Actor} by */
function hasStoppedWithoutAReason({ status, proposal, halt }, by) {
  return status === 'stopped' && !proposal && by !== 'director' && halt?.by === by && halt.reason === 'other';
}

/**
 * @param {Match} match @param {Book} _book @param {{ turn_number?: number | null }} command @param {Actor} seat
 * @param {number} at @returns {Match}
 */
function double(match, _book, command, seat, at) {
  mustBeOnTurn(match, command, seat);
  const { cube } = match;
  refuseIf(cube.offered_by, 'double-pending');
  refuseIf(match.crawford === 'now', 'crawford');
  refuseIf(cube.frozen, 'cube-frozen');
  refuseIf(cube.owner === otherSeat(seat), 'cube-not-yours');
  return does.passTurn(match, seat, at, { ...cube, offered_by: seat });
}

/**
 * @param {Match} match @param {Book} _book @param {{ note?: string }} command @param {Actor} seat @param {number} at
 * @returns {Match}
 */
function call(match, _book, { note = '' }, seat, at) {
  refuseUnless(seat !== 'director', 'no-seat');
  refuseIf(match.status === 'over', 'match-over');
  if (match.called && match.status !== 'running' && ['', match.call_note].includes(note)) return match; // nothing new
  const stands = match.status === 'running' ? does.stopped(match, seat, 'director', at) : match;
  return does.called(stands, seat, note, at);
}
