/**
 * Apply events to a match: a port of `clocks/engine/evolve/` for pages that work without the server. Pure.
 *
 * decide.js has already checked that they are allowed.
 */
import { indexOf, must, otherSeat, SEATS, usedAt } from '../match/clocks.js';
import * as clocks from './clock.js';
import { withSeat } from './clock.js';
import { haltOf, lagAfter, plusOne, served, withoutLastHit } from './turns.js';
/** @import { Actor } from './match.js' */
/** @import { Book, Clock, Consequence, Crawford, GiveTime, LastEnd, LastHit, Match } from '../match/protocol.d.ts' */
/** @import { Pair, Party, Proposal, Seat, SetAside, SetCube, Terms, Win, WonBy } from '../match/protocol.d.ts' */

// Listed by name, because the rewriting of imports to hashed file names misses a minified `export*from`.
export {
  confirmed,
  haltOf,
  hitUndone,
  passTurn,
  plusOne,
  resumed,
  served,
  stopContested,
  stopExplained,
  stopped,
  swapped,
  withoutLastHit,
} from './turns.js';

/** @typedef {'withdrawn' | 'ended' | 'standing'} Fate of a declined proposal */

const KEPT = /** @type {(keyof LastEnd)[]} */ ((
  'status clock score crawford turn_number game control cube halt last_hit owed_hit confirmed offences graced ' +
  'forfeit hits freeze_next last_end lag set_aside'
).split(' '));

/** Set a new or changed proposal, under the next number.
 * @param {Match} match @param {Proposal} proposal @returns {Match} */
const numbered = (match, proposal) => ({ ...match, proposal, proposals: (match.proposals ?? 0) + 1 });

/** @param {Match} match @param {Party} by @param {Terms} terms @param {number} at @returns {Match} */
export const proposed = (match, by, terms, at) => ({
  ...numbered(match, { by, terms, agreed: [], disputed: false }),
  at,
  declined: null,
});

/** Mark a call as answered if the director acted or the match has no director.
 * @param {Match} match @param {Party} by @returns {Match} */
const attended = (match, by) =>
  by === 'director' || match.setup.director === false ? { ...match, called: false, call_note: '' } : match;

/** @param {Match} match @param {Actor} by @param {boolean} done @param {number} at @returns {Match} */
export function agreed(match, by, done, at) {
  const proposal = must(match.proposal);
  if (!done) return { ...numbered(match, { ...proposal, agreed: [...proposal.agreed, /** @type {Seat} */ (by)] }), at };
  return { ...attended(match, proposal.disputed ? 'director' : by), at, proposal: null };
}

/**
 * @param {Match} match @param {Actor} by @param {string} note @param {Fate} left @param {number} at
 * @param {Seat | null} [owed] @returns {Match}
 */
export function declined(match, by, note, left, at, owed = null) {
  const before = must(match.proposal);
  match = { ...match, declined: left === 'withdrawn' ? null : { by, proposal: before, at } };
  if (left === 'standing') {
    const proposal = {
      ...before,
      agreed: before.agreed.filter((seat) => seat !== by),
      disputed: true,
    };
    return called(numbered(match, proposal), by, note, at);
  }
  return {
    ...attended(match, by),
    at,
    status: match.status === 'flagged' ? 'stopped' : match.status,
    proposal: null,
    flagged: null,
    owed_hit: owed || match.owed_hit,
  };
}

/** @param {Match} match @param {Actor} seat @param {number} at @returns {Match} */
export function agreementWithdrawn(match, seat, at) {
  const proposal = must(match.proposal);
  return { ...numbered(match, { ...proposal, agreed: proposal.agreed.filter((one) => one !== seat) }), at };
}

/** @param {Match} match @param {Party} by @param {string} note @param {number} at @returns {Match} */
export const called = (match, by, note, at) => ({
  ...match,
  at,
  called: true,
  called_by: by,
  called_at: at,
  call_note: note,
});

/**
 * @typedef {{ last_hit?: LastHit | null, last_end?: LastEnd | null, set_aside?: SetAside | null }} Kept
 * @typedef {{ forfeit: [boolean, boolean], clock: Clock } & Kept} Held
 */

/** Apply a ruling to a match and to the states kept for undo, so that an undo does not revert it.
 * @template {Held} T @param {T} held @param {(held: Held) => Partial<Held>} ruling @returns {T} */
function ruled(held, ruling) {
  /** @type {T & Kept} */
  const after = { ...held, ...ruling(held) };
  if (held.last_hit) after.last_hit = ruled(held.last_hit, ruling);
  if (held.last_end) after.last_end = ruled(held.last_end, ruling);
  if (held.set_aside) after.set_aside = ruled(held.set_aside, ruling);
  return after;
}

/** @param {Match} match @param {Seat} seat @param {boolean} pending @param {number} at @returns {Match} */
export const forfeitRuled = (match, seat, pending, at) => ({
  ...ruled(match, ({ forfeit }) => ({ forfeit: withSeat(forfeit, seat, pending) })),
  at,
});

/** @param {Match} match @param {GiveTime} terms @param {number} at @returns {Match} */
export const timeGiven = (match, { seat, by_ms }, at) => ({
  ...ruled(match, ({ clock }) => ({ clock: clocks.given(clock, seat, by_ms) })),
  at,
});

/** @param {Match} match @param {SetCube} terms @param {number} at @returns {Match} */
export const cubeSet = (match, { value, owner }, at) => ({
  ...match,
  at,
  cube: { value, owner, offered_by: null, frozen: match.cube.frozen },
  last_hit: null,
  set_aside: withoutLastHit(match.set_aside),
});

/** Crawford state implied by a score.
 * @param {Pair} score @param {number} length @returns {Crawford} */
export function crawfordOf(score, length) {
  const close = score.filter((points) => points === length - 1).length;
  return /** @type {const} */ (['none', 'now', 'done'])[close];
}

/** State to keep when a game or match ends at `at`, so that it can be reopened.
 * @param {Match} match @param {number} at @returns {LastEnd | null} */
function beforeEnd(match, at) {
  if (match.status === 'over') return match.last_end;
  const kept = /** @type {LastEnd} */ (Object.fromEntries(KEPT.map((name) => [name, match[name]])));
  if (match.clock.turn) Object.assign(kept, { status: 'stopped', clock: clocks.stopped(match.clock, at) });
  if (match.last_hit) kept.last_hit = { ...match.last_hit, last_end: null };
  kept.set_aside = withoutLastHit(match.set_aside);
  return kept;
}

/** Charge and end the turn, stop both clocks and clear whatever is pending.
 * @param {Match} match @param {number} at @returns {Match} */
function settled(match, at) {
  return {
    ...match,
    at,
    clock: clocks.settled(match.clock, at),
    forfeit: served(match, usedAt(match.clock, at)),
    halt: null,
    proposal: null,
    flagged: null,
    last_hit: null,
    owed_hit: null,
    set_aside: null,
    declined: null,
  };
}

/**
 * @param {Match} match @param {Seat} winner @param {LastEnd | null} last_end @param {WonBy | null} [won_by]
 * @returns {Match}
 */
const over = (match, winner, last_end, won_by = null) => ({
  ...match,
  status: 'over',
  winner,
  won_by,
  cube: { ...match.cube, offered_by: null },
  called: false,
  call_note: '',
  last_end,
});

/** Score with `points` for the winner, capped at the length of the match.
 * @param {Match} match @param {Seat} winner @param {number} points @returns {Pair} */
function scored({ score, setup }, winner, points) {
  return withSeat(score, winner, Math.min(setup.length, score[indexOf(winner)] + points));
}

/** How a game was won; null if the points are not one, two or three times the cube.
 * @param {Match} match @param {number} points @param {boolean} passed @returns {Win | 'pass' | null} */
export function wonBy({ cube }, points, passed) {
  return passed
    ? 'pass'
    : /** @type {const} */ (['single', 'gammon', 'backgammon']).find((_, index) =>
      points === (index + 1) * cube.value
    ) ?? null;
}

/** End the game: `winner` scores `points`; `passed` if the other player passed a double.
 * @param {Match} match @param {Seat} winner @param {number} points @param {number} at @returns {Match} */
export function gameEnded(match, winner, points, at, passed = false) {
  const { length } = match.setup;
  const score = scored(match, winner, points);
  const counted = passed ? { ...match, lag: lagAfter(match, otherSeat(winner)) } : match;
  const last_end = beforeEnd(counted, at);
  const ended = { ...settled(counted, at), score };
  if (score[indexOf(winner)] === length) return over(ended, winner, last_end, wonBy(match, points, passed));
  return {
    ...ended,
    last_end,
    status: 'ready',
    game: match.game + 1,
    crawford: match.crawford === 'none' ? crawfordOf(score, length) : 'done',
    cube: { value: 1, owner: null, offered_by: null, frozen: match.freeze_next },
    freeze_next: false,
  };
}

/** @param {Match} match @param {Seat} winner @param {number} at @returns {Match} */
export const matchEnded = (match, winner, at) => over(settled(match, at), winner, beforeEnd(match, at), 'ended');

/** Take back the end of the match or of the last game.
 * @param {Match} match @param {number} at @returns {Match} */
export function reopened(match, at) {
  const last = must(match.last_end);
  const by = match.setup.director === false ? 'server' : 'director';
  const halt = last.clock.turn ? haltOf(by, 'reopen', at) : last.halt;
  const open = {
    ...match,
    at,
    proposal: null,
    flagged: null,
    winner: null,
    won_by: null,
    called: false,
    call_note: '',
  };
  return { ...open, ...last, halt };
}

/** @param {Match} match @param {Pair} score @param {Crawford} crawford @param {number} at @returns {Match} */
export function scoreSet(match, score, crawford, at) {
  const { length } = match.setup;
  const frozen = match.cube.frozen && score.includes(length - 1);
  const corrected = {
    ...match,
    at,
    score,
    crawford,
    cube: { ...match.cube, frozen },
    freeze_next: match.freeze_next && frozen,
  };
  const winner = SEATS.find((seat) => score[indexOf(seat)] === length);
  return winner ? over(settled(corrected, at), winner, beforeEnd(match, at)) : corrected;
}

/** @param {Match} match @param {Seat} seat @param {Consequence} consequence @param {number} at @returns {Match} */
export function flagFell(match, seat, consequence, at) {
  /** @type {Match} */
  const fallen = {
    ...numbered(match, { by: 'server', terms: { seat, consequence, what: 'expiry' }, agreed: [], disputed: false }),
    status: 'flagged',
    clock: clocks.stopped(match.clock, at),
    halt: haltOf('server', 'flag', at),
    flagged: seat,
  };
  return called(fallen, 'server', '', at);
}

/** End a match by a flag with these reserves: a Bronstein delay is not paid back, so the expired clock stays at 0.
 * @param {Match} match @param {Pair} reserves @param {number} at @returns {Match} */
function lostOnTime(match, reserves, at) {
  const ended = settled(match, at);
  return { ...ended, clock: { ...ended.clock, reserve_ms: reserves } };
}

/** Apply the agreed consequence of `seat`'s flag.
 * @param {Match} match @param {Book} book @param {Seat} seat @param {Consequence} consequence @param {number} at
 * @returns {Match} */
export function expiryApplied(match, book, seat, { kind, points, reserve_ms: reserves, cube_frozen: freezes }, at) {
  const other = otherSeat(seat);
  if (kind === 'lose-match') return over(lostOnTime(match, reserves, at), other, beforeEnd(match, at), 'time');
  const score = scored(match, other, points);
  const offends = kind !== 'grace' && kind !== 'next-control';
  /** @type {Match} */
  const applied = {
    ...match,
    at,
    status: 'stopped',
    flagged: null,
    last_hit: null,
    set_aside: null,
    called: false,
    call_note: '',
    score,
    forfeit: served(match, match.clock.used_ms),
    offences: offends ? plusOne(match.offences, seat) : match.offences,
  };
  if (score[indexOf(other)] === match.setup.length) {
    return over(lostOnTime(applied, reserves, at), other, beforeEnd(match, at), 'time');
  }
  if (freezes && !match.cube.frozen) {
    applied.cube = { ...match.cube, frozen: true, offered_by: null };
    applied.freeze_next = book.features.freezes_next;
  }
  applied.clock = { ...match.clock, reserve_ms: reserves, used_ms: 0, since: null };
  if (kind === 'grace') applied.graced = withSeat(match.graced, seat, true);
  if (kind === 'next-control') {
    const { kind: next, delay_ms, precredit } = book.flag.second;
    Object.assign(applied.clock, { control: { kind: next, delay_ms }, precredit });
    applied.control = 2;
  }
  return applied;
}
