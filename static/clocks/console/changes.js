/**
 * Preview of the changes that terms would make to a board: lines of `[label, before, after]`. Pure functions.
 *
 * The server computes the real changes; the director reads these before ruling.
 */
import { indexOf, must, otherSeat, SEATS, timesAt } from '../match/clocks.js';
import { formatDelay, formatTime } from '../words/times.js';
import { gettext, pgettext } from '../words/i18n.js';
import { nameOf, outcomePoints, scoreAfter, scoreOf } from '../words/phrases.js';
import { flagEndsMatch } from '../words/terms.js';
/** @import { ConsequenceKind, Pair, Seat, Win } from '../match/protocol.d.ts' */
/** @import { Board, ChangeLine, Terms, TermsOf } from './console.d.ts' */

/** @template T @typedef {(board: Board, terms: T, now: number) => ChangeLine[]} Changes */

/** True if `terms` decide how the match ends, which needs its own permission. The server checks this too.
 * @param {Board} board @param {Terms} terms */
export function decidesEnd(board, terms) {
  const { length, status } = board;
  /** @param {Seat} winner @param {number} points */
  const reaches = (winner, points) => scoreAfter(board, winner, points)[indexOf(winner)] >= length;
  if (terms.what === 'game') return reaches(terms.winner, terms.points);
  if (terms.what === 'offer') return reaches(terms.winner, outcomePoints(board, terms.outcome));
  if (terms.what === 'score') return status === 'over' || terms.score.some((points) => points >= length);
  if (terms.what === 'expiry') return flagEndsMatch(board, terms);
  return terms.what === 'end' || terms.what === 'reopen';
}

/** Explanation for users who may make rulings but not end matches. */
export const DIRECTOR_HAS_TO = gettext('A director has to do this, because it decides how the match ends.');

/** @param {Board} board @param {Seat} winner @returns {ChangeLine} */
function won(board, winner) {
  const wins = (/** @type {Seat} */ seat) => gettext('%(name)s wins', { name: nameOf(board, seat) });
  return [gettext('Match'), board.winner ? wins(board.winner) : gettext('being played'), wins(winner)];
}

/** @param {Board} board @returns {ChangeLine[]} */
function reopen(board) {
  const after = gettext('as before its end, clocks stopped');
  if (board.reopens !== 'match') return [[gettext('Last game'), gettext('decided'), after]];
  return [[gettext('Match'), gettext('%(name)s won', { name: nameOf(board, must(board.winner)) }), after]];
}

/** @param {Board} board @param {Seat} winner @param {number} points @returns {ChangeLine[]} */
function scored(board, winner, points) {
  const after = scoreAfter(board, winner, points);
  /** @type {ChangeLine} */
  const line = [gettext('Score'), scoreOf(board.score), scoreOf(after)];
  return after[indexOf(winner)] >= board.length ? [line, won(board, winner)] : [line];
}

/** @param {Board} board @param {{ winner: Seat, points: number }} result @returns {ChangeLine[]} */
function game(board, { winner, points }) {
  const lines = scored(board, winner, points);
  if (lines.length > 1) return lines; // the match is over
  const next = gettext('%(n)s, clocks stopped before it', { n: board.game + 1 });
  return [...lines, [gettext('Game'), String(board.game), next]];
}

/** @param {Board} board @param {{ winner: Seat, outcome: Win }} result */
function offer(board, { winner, outcome }) {
  return game(board, { winner, points: outcomePoints(board, outcome) });
}

/** @param {Board} board @param {{ against: Seat }} penalty @returns {ChangeLine[]} */
function dicePenalty(board, { against }) {
  const delay = formatDelay(board.turn_delay_ms);
  return [
    [
      gettext('%(name)s’s next delay', { name: nameOf(board, against) }),
      delay,
      gettext('none; no roll for %(delay)s', { delay }),
    ],
  ];
}

/** @param {Board} board @param {{ seat: Seat }} forfeit @returns {ChangeLine[]} */
function dropForfeit(board, { seat }) {
  const delay = formatDelay(board.turn_delay_ms);
  return [[
    gettext('%(name)s’s next delay', { name: nameOf(board, seat) }),
    gettext('none; no roll for %(delay)s', { delay }),
    delay,
  ]];
}

/** True if a seat that forfeits its delay would flag during the wait (strict Bronstein; US 4.1).
 * @param {Board} board @param {Seat} seat @param {number} now */
export function flagsWhileWaiting(board, seat, now) {
  const reserve = timesAt(board, now).reserve_ms[indexOf(seat)];
  return board.kind === 'bronstein' && board.limits && reserve <= board.turn_delay_ms;
}

/** @param {Board} board @returns {ChangeLine[]} */
function undo(board) {
  return [[
    gettext('Turn, clocks and cube'),
    gettext('as they are'),
    gettext('as before %(name)s’s press', { name: nameOf(board, must(board.undo)) }),
  ]];
}

const CRAWFORD = { none: gettext('not yet'), now: gettext('this game'), done: gettext('played') };

/** @param {Board} board @param {TermsOf<'score'>} terms */
function score(board, terms) {
  /** @type {ChangeLine[]} */
  const lines = [[gettext('Score'), scoreOf(board.score), scoreOf(terms.score)]];
  if (terms.crawford) {
    lines.push([
      gettext('Crawford'),
      board.crawford ? gettext('this game') : gettext('not this game'),
      CRAWFORD[terms.crawford],
    ]);
  }
  const winner = SEATS.find((seat, index) => terms.score[index] >= board.length);
  if (winner) lines.push(won(board, winner));
  return lines;
}

/** @param {Board} board @param {{ value: number, owner?: Seat | null }} cube */
const cubeAt = (board, { value, owner }) =>
  owner
    ? gettext('%(value)s, owned by %(name)s', { value, name: nameOf(board, owner) })
    : gettext('%(value)s in the middle', { value });

/** @param {Board} board @param {TermsOf<'cube'>} terms @returns {ChangeLine[]} */
function cube(board, terms) {
  return [[gettext('Cube'), cubeAt(board, board.cube), cubeAt(board, terms)]];
}

/** @param {Board} board @param {TermsOf<'time'>} terms @param {number} now @returns {ChangeLine[]} */
function time(board, { seat, by_ms: byMs }, now) {
  const before = timesAt(board, now).reserve_ms[indexOf(seat)];
  return [[
    gettext('%(name)s’s reserve', { name: nameOf(board, seat) }),
    formatTime(before),
    formatTime(Math.max(0, before + must(byMs))),
  ]];
}

/** @param {Board} board @param {{ winner: Seat }} result @returns {ChangeLine[]} */
function end(board, { winner }) {
  return [[gettext('Score'), scoreOf(board.score), scoreOf(board.score)], won(board, winner)];
}

/** @param {Board} board @param {TermsOf<'expiry'>} flag @param {number} now */
const expiry = (board, flag, now) => CONSEQUENCES[flag.consequence.kind](board, flag, now);

/** @type {Record<ConsequenceKind, Changes<TermsOf<'expiry'>>>} */
const CONSEQUENCES = {
  'lose-match': (board, { seat }) => [won(board, otherSeat(seat))],
  penalty: (board, flag, now) => [
    ...scored(board, otherSeat(flag.seat), flag.consequence.points),
    ...reservesAfter(board, flag, now),
    ...frozen(flag),
  ],
  grace: (board, flag, now) => [...reservesAfter(board, flag, now), ...frozen(flag)],
  'next-control': (board, flag, now) => [
    ...reservesAfter(board, flag, now),
    // Translators: a period of play with its own time.
    [gettext('Control'), pgettext('control', 'first'), pgettext('control', 'second')],
    ...frozen(flag),
  ],
  overtime: (board, flag, now) => [...reservesAfter(board, flag, now), ...frozen(flag)],
};

/** @param {Board} board @param {TermsOf<'expiry'>} flag @param {number} now @returns {ChangeLine[]} */
function reservesAfter(board, { consequence }, now) {
  const before = timesAt(board, now).reserve_ms;
  const after = must(consequence.reserve_ms);
  return SEATS.map((_, index) => [
    gettext('%(name)s’s reserve', { name: board.names[index] }),
    formatTime(before[index]),
    formatTime(after[index]),
  ]);
}

/** @param {TermsOf<'expiry'>} flag @returns {ChangeLine[]} */
const frozen = ({ consequence }) =>
  consequence.cube_frozen ? [[gettext('Cube'), gettext('in play'), gettext('frozen for this game')]] : [];

/** Changes made by resuming; none if the same turn goes on without a full delay.
 * @param {Board} board @param {{ turn_of: Seat, fresh_delay?: boolean }} terms @param {number} now
 * @returns {ChangeLine[]} */
export function resumeChanges(board, { turn_of: seat, fresh_delay: fresh }, now) {
  if (!board.turn) return [];
  const { delay_ms: delays, reserve_ms: reserves } = timesAt(board, now);
  const at = indexOf(board.turn);
  // As at a hit, strict Bronstein pays back the delay of a turn that ends here.
  const back = board.kind === 'bronstein' ? Math.min(board.used_ms, board.turn_delay_ms) : 0;
  const charged = gettext('%(name)s’s reserve', { name: nameOf(board, board.turn) });
  if (seat !== board.turn) {
    // An earlier interrupted turn goes on with the time it had used, unless it gets a full delay.
    const name = nameOf(board, seat);
    const after = board.resumed_by && !fresh
      ? gettext('%(name)s, the turn goes on', { name })
      : gettext('%(name)s, a new turn', { name });
    /** @type {ChangeLine[]} */
    const lines = [[gettext('Turn'), nameOf(board, board.turn), after]];
    if (back) lines.push([charged, formatTime(reserves[at]), formatTime(reserves[at] + back)]);
    return lines;
  }
  if (!fresh || board.turn_delay_ms === 0) return [];
  /** @type {ChangeLine[]} */
  const lines = [[
    gettext('%(name)s’s delay', { name: nameOf(board, seat) }),
    formatDelay(delays[at]),
    formatDelay(board.turn_delay_ms),
  ]];
  if (back) lines.push([charged, formatTime(reserves[at]), formatTime(reserves[at] + back)]);
  return lines;
}

/** @type {{ [What in Terms['what']]: Changes<TermsOf<What>> }} */
const CHANGES = {
  game,
  offer,
  'dice-penalty': dicePenalty,
  'drop-forfeit': dropForfeit,
  undo,
  score,
  cube,
  time,
  end,
  reopen,
  resume: resumeChanges,
  expiry,
};

/** Changes that `terms`, already proposed or not, would make to `board` at `now`.
 * @param {Board} board @param {Terms} terms @param {number} now */
export function changesOf(board, terms, now) {
  const changes = /** @type {Changes<Terms> | undefined} */ (CHANGES[terms.what]); // undefined: a newer server's terms
  return changes?.(board, terms, now) ?? [];
}
