/**
 * What each thing that happens makes of a match: `clocks/engine/evolve/` for a page that works without the server.
 * Pure.
 *
 * Nothing here asks whether it may happen: decide.js does.
 */
import { indexOf, otherSeat, SEATS, usedAt } from '../match/clocks.js';
import * as clocks from './clock.js';
import { withSeat } from './clock.js';

const KEPT = (
  'status clock score crawford turn_number game control cube halt last_hit owed_hit confirmed offences graced ' +
  'forfeit hits freeze_next last_end lag'
).split(' ');

const NO_LAG = { used_ms: [0, 0], credited: [0, 0], presses: [0, 0] };
const haltOf = (by, reason, at) => ({ by, reason, at, hall: null, note: '' });
const plusOne = (pair, seat) => withSeat(pair, seat, pair[indexOf(seat)] + 1);
const oneMore = (lag, seat) => ({ ...lag, presses: plusOne(lag.presses, seat) });

/** Return the pending forfeits once the turn ends: one is served when the turn outlasted its delay. */
function served({ clock, forfeit }, used) {
  return !clock.turn || used < clock.control.delay_ms ? forfeit : withSeat(forfeit, clock.turn, false);
}

export function confirmed(match, seats, at) {
  const all = match.confirmed.map((was, index) => was || seats.includes(SEATS[index]));
  const ready = all.every(Boolean);
  return { ...match, at, confirmed: all, status: ready ? 'ready' : 'setup', halt: ready ? null : match.halt };
}

/** End the turn of `seat` (or start the game, when nobody is on turn) and begin the other's. */
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
    },
    last_end: null,
    forfeit: served(match, used),
    hits: plusOne(hits, seat),
    lag: oneMore(begun ? match.lag : NO_LAG, seat),
  };
}

export function stopped(match, by, reason, at) {
  const halt = haltOf(by, reason, at);
  if (match.status === 'ready') return { ...match, at, status: 'setup', confirmed: [false, false], halt };
  return { ...match, at, status: 'stopped', clock: clocks.stopped(match.clock, at), halt };
}

export const stopExplained = (match, reason, at) => ({ ...match, at, halt: { ...match.halt, reason } });

export function resumed(match, seat, fresh, at) {
  const { clock } = match;
  const note = match.called ? match.call_note : '';
  const runs = { ...match, at, status: 'running', halt: null, owed_hit: null, call_note: note };
  if (seat === clock.turn && !fresh) return { ...runs, clock: clocks.resumed(clock, at) };
  return {
    ...runs,
    clock: clocks.started(clock, seat, at),
    turn_number: match.turn_number + (seat === clock.turn ? 0 : 1),
    forfeit: served(match, clock.used_ms),
    last_hit: null,
  };
}

export function hitUndone(match, by, at) {
  const { clock, cube, turn_number, hits, forfeit, last_end } = match.last_hit;
  const begun = clock.turn !== null;
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
    halt: begun ? match.halt || haltOf(by, 'undo', at) : null,
  };
}

/** Return the match with a proposal that is new or has changed, under the next number. */
const numbered = (match, proposal) => ({ ...match, proposal, proposals: (match.proposals ?? 0) + 1 });

export const proposed = (match, by, terms, at) => ({
  ...numbered(match, { by, terms, agreed: [], disputed: false }),
  at,
});

/** The director settles something, or there is none: the call is answered. */
const attended = (match, by) =>
  by === 'director' || match.setup.director === false ? { ...match, called: false, call_note: '' } : match;

export function agreed(match, by, done, at) {
  const { proposal } = match;
  if (!done) return { ...numbered(match, { ...proposal, agreed: [...proposal.agreed, by] }), at };
  return { ...attended(match, proposal.disputed ? 'director' : by), at, proposal: null };
}

export function declined(match, by, note, left, at, owed = null) {
  if (left === 'standing') {
    const proposal = {
      ...match.proposal,
      agreed: match.proposal.agreed.filter((seat) => seat !== by),
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

export function agreementWithdrawn(match, seat, at) {
  const { proposal } = match;
  return { ...numbered(match, { ...proposal, agreed: proposal.agreed.filter((one) => one !== seat) }), at };
}

export const called = (match, by, note, at) => ({
  ...match,
  at,
  called: true,
  called_by: by,
  called_at: at,
  call_note: note,
});

/** Return a match with what a ruling changes of it, and of what is kept of an earlier one. */
function ruled(held, ruling) {
  const after = { ...held, ...ruling(held) };
  for (const name of ['last_hit', 'last_end']) if (held[name]) after[name] = ruled(held[name], ruling);
  return after;
}

export const forfeitRuled = (match, seat, pending, at) => ({
  ...ruled(match, ({ forfeit }) => ({ forfeit: withSeat(forfeit, seat, pending) })),
  at,
});

export const timeGiven = (match, { seat, by_ms }, at) => ({
  ...ruled(match, ({ clock }) => ({ clock: clocks.given(clock, seat, by_ms) })),
  at,
});

export const cubeSet = (match, { value, owner }, at) => ({
  ...match,
  at,
  cube: { value, owner, offered_by: null, frozen: match.cube.frozen },
  last_hit: null,
});

/** Return the Crawford state that a score says by itself. */
export function crawfordOf(score, length) {
  const close = score.filter((points) => points === length - 1).length;
  return ['none', 'now', 'done'][close];
}

/** Return what is to be kept of a match that ends at `at`. */
function beforeEnd(match, at) {
  if (match.status === 'over') return match.last_end;
  const kept = Object.fromEntries(KEPT.map((name) => [name, match[name]]));
  if (match.clock.turn) Object.assign(kept, { status: 'stopped', clock: clocks.stopped(match.clock, at) });
  if (match.last_hit) kept.last_hit = { ...match.last_hit, last_end: null };
  return kept;
}

/** Return the match with its turn charged and ended, both clocks stopped and nothing pending. */
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
  };
}

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

/** Return the score with `points` more for `winner`, at most the length. */
function scored({ score, setup }, winner, points) {
  return withSeat(score, winner, Math.min(setup.length, score[indexOf(winner)] + points));
}

/** Return what a game was won by; null for points that its cube gives in no way. */
function wonBy({ cube }, points, passed) {
  return passed
    ? 'pass'
    : ['single', 'gammon', 'backgammon'].find((_, index) => points === (index + 1) * cube.value) ?? null;
}

/** The game is over: `winner` scores `points`, by a pass of the other where `passed`. */
export function gameEnded(match, winner, points, at, passed = false) {
  const { length } = match.setup;
  const score = scored(match, winner, points);
  const counted = passed ? { ...match, lag: oneMore(match.lag, otherSeat(winner)) } : match;
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

export const matchEnded = (match, winner, at) => over(settled(match, at), winner, beforeEnd(match, at), 'ended');

/** The end of the match, or of the last game, is taken back. */
export function reopened(match, at) {
  const last = match.last_end;
  const by = match.setup.director === false ? 'server' : 'director';
  const halt = last.clock.turn && !last.halt ? haltOf(by, 'reopen', at) : last.halt;
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

export function flagFell(match, seat, consequence, at) {
  const fallen = {
    ...numbered(match, { by: 'server', terms: { seat, consequence, what: 'expiry' }, agreed: [], disputed: false }),
    status: 'flagged',
    clock: clocks.stopped(match.clock, at),
    halt: haltOf('server', 'flag', at),
    flagged: seat,
  };
  return called(fallen, 'server', '', at);
}

/** What ran out stays at 0: no delay is paid back. */
function lostOnTime(match, reserves, at) {
  const ended = settled(match, at);
  return { ...ended, clock: { ...ended.clock, reserve_ms: reserves } };
}

/** What follows from the flag of `seat` was agreed. */
export function expiryApplied(match, book, seat, { kind, points, reserve_ms: reserves, cube_frozen: freezes }, at) {
  const other = otherSeat(seat);
  if (kind === 'lose-match') return over(lostOnTime(match, reserves, at), other, beforeEnd(match, at), 'time');
  const score = scored(match, other, points);
  const offends = kind !== 'grace' && kind !== 'next-control';
  const applied = {
    ...match,
    at,
    status: 'stopped',
    flagged: null,
    last_hit: null,
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
