/**
 * A match on the practice clock: a snapshot as the socket would send it, and what becomes of it. Pure.
 *
 * The amounts are the server's (clocks/rulebook/practice.py); the arithmetic of a turn is clock.js's. Tests hold both to the engine.
 * What is refused returns null.
 */
import { clocksAt, indexOf, otherSeat, usedAt } from '../match/clocks.js';

/** Return `pair` with the number of `seat` replaced. */
const withSeat = (pair, seat, value) => (seat === 'left' ? [value, pair[1]] : [pair[0], value]);

const changed = (match, changes) => ({ ...match, v: match.v + 1, ...changes });

/** Return what a format of a rule set starts with: {reserve_ms, kind, delay_ms}; `own` are the players' own amounts. */
export function timing(book, { format, length, score, own = /** @type {Record<string, any>} */ ({}) }) {
  const found = book.formats[format] || book.formats.singles;
  const kind = own.kind || found.kind;
  const delay = kind === 'none' ? 0 : found.delay_ms;
  return {
    kind,
    reserve_ms: own.reserve_ms || found.reserve_ms[2 * length - score[0] - score[1]],
    delay_ms: kind !== 'none' && own.delay_ms !== undefined ? own.delay_ms : delay,
  };
}

/** Return a match that is ready to begin under `book`. */
export function begin(first, book, setting) {
  const { reserve_ms: each, kind, delay_ms: delay } = timing(book, setting);
  const match = {
    ...first,
    t: 'match',
    practice: true,
    rules: book.key,
    rules_name: book.name,
    features: book.features,
    flag: book.flag,
    flag_cite: book.cite,
    graced: [false, false],
    table: '',
    code: '',
    lag_credit_ms: 0,
    late: null,
    kind,
    turn_delay_ms: delay,
    delay_ms: [delay, delay],
    reserve_ms: [each, each],
    turn_reserve_ms: [each, each],
    format: setting.format,
    length: setting.length,
    score: setting.score,
    names: setting.names,
    setting, // to begin again with
  };
  return { ...match, limits: hasLimits(match) };
}

const needs = (match, seat) => match.length - match.score[indexOf(seat)];

/** Tell whether this game decides the match in any case: with the cube in the middle, when both need one point. */
const decides = (match) => needs(match, 'left') <= 1 && needs(match, 'right') <= 1;

const hasLimits = (match) => match.flag.deciding !== 'unlimited' || !decides(match);

/** Return the reserves once the turn has been charged for `used` milliseconds. */
function afterTurn(match, used) {
  if (!match.turn) return match.reserve_ms;
  const reserve = match.turn_reserve_ms[indexOf(match.turn)];
  const charged = match.kind === 'none' ? used : Math.max(0, used - match.turn_delay_ms);
  return withSeat(match.turn_reserve_ms, match.turn, Math.max(0, reserve - charged));
}

/** Return what both clocks are between games: the turn that has used `used` is charged as at a hit. */
function standing(match, used) {
  const reserves = afterTurn(match, used);
  return { turn: null, since: null, used_ms: 0, stop: null, reserve_ms: reserves, turn_reserve_ms: reserves };
}

/** Return the match with a turn of `seat` that begins at `at`; the one before is charged as at a hit. */
function startTurn(match, seat, at) {
  const reserves = afterTurn(match, usedAt(match, at));
  return changed(match, {
    status: 'running',
    turn: seat,
    reserve_ms: reserves,
    turn_reserve_ms: reserves,
    used_ms: 0,
    since: at,
    stop: null,
  });
}

/** `seat` presses: ends its turn, or starts the other's clock before the game. */
export function hit(match, seat, at) {
  const may = match.status === 'ready' || (match.status === 'running' && match.turn === seat);
  if (!may) return null;
  return { ...startTurn(match, otherSeat(seat), at), turn_number: match.turn_number + 1 };
}

/** Both clocks stop. */
export function stop(match, by, at, reason = 'other') {
  if (match.status !== 'running') return null;
  return changed(match, { status: 'stopped', used_ms: usedAt(match, at), since: null, stop: { by, reason } });
}

/** The interrupted turn resumes; another seat's, or `fresh`, is a new turn. */
export function resume(match, seat, at, fresh = false) {
  if (match.status !== 'stopped') return null;
  if (seat === match.turn && !fresh) return changed(match, { status: 'running', since: at, stop: null });
  const turn = startTurn(match, seat, at);
  return seat === match.turn ? turn : { ...turn, turn_number: match.turn_number + 1 };
}

/** Return what the rule set prescribes when the flag of `seat` falls: {kind, points, reserve_ms, cube_frozen}. */
function consequenceFor(match, seat) {
  const { flag, cube } = match;
  const reserves = withSeat(match.turn_reserve_ms, seat, 0);
  const other = otherSeat(seat);
  const outcome = (kind, changes) => ({ kind, points: 0, reserve_ms: reserves, cube_frozen: cube.frozen, ...changes });
  if (flag.policy === 'next-control' && match.control === 1) {
    const { reserve_ms: more } = flag.second;
    return outcome('next-control', {
      reserve_ms: withSeat(withSeat([0, 0], seat, more), other, more + reserves[indexOf(other)]),
    });
  }
  if (flag.policy !== 'penalty') return outcome('lose-match');
  const alone = withSeat(reserves, seat, flag.reset_ms);
  if (flag.deciding === 'grace' && decides(match) && !match.graced[indexOf(seat)]) {
    return outcome('grace', { reserve_ms: alone });
  }
  const points = flag.points[match.offences[indexOf(seat)] ? 1 : 0];
  const left = needs(match, other) - points;
  if (left <= 0) return outcome('penalty', { points });
  const reset = {
    expired: alone,
    add: withSeat(alone, other, reserves[indexOf(other)] + flag.reset_ms),
    set: [flag.reset_ms, flag.reset_ms],
  }[flag.reset];
  return outcome('penalty', { points, reserve_ms: reset, cube_frozen: cube.frozen || left === 1 });
}

/** A flag that is due at `at` falls at its own deadline; null where none is. */
export function fall(match, at) {
  const { flag_at: due } = clocksAt(match, at);
  if (match.status !== 'running' || due === null || at < due) return null;
  const seat = match.turn;
  const consequence = consequenceFor(match, seat);
  return changed(match, {
    status: 'flagged',
    flagged: seat,
    used_ms: usedAt(match, due),
    since: null,
    reserve_ms: withSeat(match.turn_reserve_ms, seat, 0),
    cite: match.flag_cite,
    proposal: { what: 'expiry', by: 'server', seat, consequence, agreed: [], disputed: false },
  });
}

/** The players have seen what the flag means: it takes effect. */
export function settle(match) {
  if (match.status !== 'flagged') return null;
  const { seat, consequence } = match.proposal;
  const { kind, points, reserve_ms: reserves } = consequence;
  const mine = indexOf(seat);
  const score = [...match.score];
  score[1 - mine] = Math.min(match.length, score[1 - mine] + points);
  const offences = match.offences.map((count, index) => count + (index === mine && kind === 'penalty' ? 1 : 0));
  const common = { flagged: null, proposal: null, cite: '', score, offences, limits: hasLimits({ ...match, score }) };
  const wins = kind === 'lose-match' || score[1 - mine] >= match.length;
  if (wins) {
    const clocks = { ...standing(match, match.used_ms), reserve_ms: reserves, turn_reserve_ms: reserves };
    // What ran out stays at 0: no delay is paid back.
    return changed(match, { ...common, ...clocks, status: 'over', winner: otherSeat(seat) });
  }
  const stands = {
    ...common,
    status: 'stopped',
    used_ms: 0,
    reserve_ms: reserves,
    turn_reserve_ms: reserves,
    stop: { by: 'server', reason: 'flag' },
  };
  if (kind === 'grace') {
    return changed(match, {
      ...stands,
      graced: match.graced.map((was, index) => was || index === mine),
    });
  }
  if (kind === 'next-control') {
    const { kind: next, delay_ms: delay } = match.flag.second;
    return changed(match, { ...stands, control: 2, kind: next, turn_delay_ms: delay, delay_ms: [delay, delay] });
  }
  return changed(match, { ...stands, cube: { ...match.cube, frozen: consequence.cube_frozen } });
}

/** The game is over with this score: both clocks stand, and the next begins; a full score ends the match. */
export function endGame(match, score, at) {
  if (!['ready', 'running', 'stopped'].includes(match.status)) return null;
  const winner = ['left', 'right'].find((seat) => score[indexOf(seat)] >= match.length) || null;
  const stands = { ...standing(match, usedAt(match, at)), score, turn_number: 0 };
  if (winner) return changed(match, { ...stands, status: 'over', winner });
  const frozen = match.features.freezes_next && match.cube.frozen && !match.frozen_before;
  const next = {
    ...match,
    ...stands,
    status: 'ready',
    game: match.game + 1,
    cube: { ...match.cube, frozen },
    frozen_before: frozen,
  };
  return changed(next, { limits: hasLimits(next) });
}

/** Return the match as of `now`, as a snapshot shows it. */
export function lookAt(match, now) {
  const { reserve_ms: reserves, delay_ms: delays, flag_at: due } = clocksAt(match, now);
  return { ...match, now, reserve_ms: reserves, delay_ms: match.turn ? delays : match.delay_ms, flag_at: due };
}
