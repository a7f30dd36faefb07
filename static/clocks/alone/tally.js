/**
 * Tally of games and turns of a match that the engine on this phone runs: the offline counterpart of
 * clocks/record/match_summary.py, folded over consecutive states of the match. Pure.
 */
import { wonBy } from '../engine/evolve.js';
import { reservesAt } from '../engine/match.js';
import { indexOf, SEATS, usedAt } from '../match/clocks.js';
/** @import { Match, Pair, Seat } from '../match/protocol.d.ts' */
/** @import { MatchSummary, Scored } from '../match/summary.d.ts' */

/**
 * @typedef {{ number: number, game: number, seat: Seat, earlier_ms: number, ms: number }} Turn a completed
 *   turn: `ms` is its whole time, `earlier_ms` the part before its delay last restarted
 * @typedef {{ games: Scored[], turns: Turn[], earlier_ms: number, given_ms: Pair }} Tally `earlier_ms` belongs to the
 *   open turn
 */

/** Tally of a match before its first turn.
 * @param {Match} match @returns {Tally} */
export const newTally = (match) => ({ games: [], turns: [], earlier_ms: 0, given_ms: match.clock.reserve_ms });

/** Tally after the match changed from `before` to `after`.
 * @param {Tally} tally @param {Match} before @param {Match} after @returns {Tally} */
export function tallied(tally, before, after) {
  const reopened = after.game < before.game || (before.status === 'over' && after.status !== 'over');
  const games = reopened ? withoutLast(tally.games, before, after) : withScored(tally.games, before, after);
  const undone = after.turn_number < before.turn_number && after.clock.since === null;
  if (reopened || undone) return { ...tally, games, ...reopenedTurn(tally, after) };
  return { games, given_ms: givenAfter(tally.given_ms, before, after), ...turnsAfter(tally, before, after) };
}

/** @param {Scored[]} games @param {Match} before @param {Match} after */
function withoutLast(games, before, after) {
  const last = games.at(-1);
  const scored = last?.game === after.game && String(last.score) === String(before.score);
  return scored && String(before.score) !== String(after.score) ? games.slice(0, -1) : games;
}

/** Reopen the turn of `after` and drop later turns: nobody is charged for them.
 * @param {Tally} tally @param {Match} after */
function reopenedTurn({ turns, earlier_ms }, { clock, game, turn_number }) {
  if (!clock.turn) return { turns: turns.filter((turn) => turn.game !== game), earlier_ms: 0 };
  let kept = turns.length;
  while (kept > 1 && turns[kept - 1].number > turn_number) kept -= 1;
  const open = turns[kept - 1];
  return open ? { turns: turns.slice(0, kept - 1), earlier_ms: open.earlier_ms } : { turns, earlier_ms };
}

/** @param {Tally} tally @param {Match} before @param {Match} after */
function turnsAfter({ turns, earlier_ms }, before, after) {
  const { turn: seat } = before.clock;
  if (!seat) return { turns, earlier_ms: 0 };
  const used = usedAt(before.clock, after.at);
  const goesOn = after.clock.turn === seat && after.turn_number === before.turn_number;
  if (goesOn) return { turns, earlier_ms: earlier_ms + (usedAt(after.clock, after.at) < used ? used : 0) };
  const pressed = after.last_hit?.turn_number === before.turn_number ? after.last_hit.clock : null;
  const ms = earlier_ms + (pressed ? pressed.used_ms : used); // less the press's lag credit
  const ended = [...turns, { number: before.turn_number, game: before.game, seat, earlier_ms, ms }];
  // An interrupted turn continues if its clock has already used time, or the turn number has not risen.
  const back = after.clock.used_ms > 0 || (after.clock.turn && after.turn_number <= before.turn_number);
  const at = back ? ended.findLastIndex((turn) => turn.seat === after.clock.turn) : -1;
  return { turns: ended.filter((_, index) => index !== at), earlier_ms: ended[at]?.earlier_ms ?? 0 };
}

/** @param {Scored[]} games @param {Match} before @param {Match} after @returns {Scored[]} */
function withScored(games, before, after) {
  const winner = SEATS.find((seat) => after.score[indexOf(seat)] > before.score[indexOf(seat)]);
  const terms = before.proposal?.terms;
  const onTime = terms?.what === 'expiry';
  if (!winner || !(onTime || after.game > before.game || after.won_by || terms?.what === 'game')) return games;
  const scored = after.score[indexOf(winner)] - before.score[indexOf(winner)];
  const passable = before.status === 'running' && before.cube.offered_by === winner;
  const passed = passable && !terms && scored <= before.cube.value; // otherwise the director entered a result
  const asked = terms?.what === 'game' ? terms.points : scored;
  const how = after.won_by || (onTime ? 'time' : wonBy(before, asked, passed) ?? '');
  const cube = before.cube.value;
  // Unlike the score, points are not capped at the length of the match.
  const times = ['single', 'gammon', 'backgammon'].indexOf(how) + 1 || (how === 'pass' ? 1 : 0);
  const points = onTime ? terms.consequence.points : cube * times || asked;
  return [...games, {
    game: before.game,
    winner,
    points,
    cube,
    how: /** @type {Scored['how']} */ (how),
    score: after.score,
  }];
}

/** @param {Pair} given @param {Match} before @param {Match} after @returns {Pair} */
function givenAfter(given, before, after) {
  const now = reservesAt(after, after.at);
  const starts = before.turn_number === 0 && before.clock.since === null && after.clock.since !== null;
  if (starts) return now; // includes a delay that is added once, at the start
  const resumes = before.clock.since === null && after.clock.since !== null;
  if (after.clock.turn !== before.clock.turn || after.turn_number !== before.turn_number || resumes) return given;
  const then = reservesAt(before, after.at);
  return /** @type {Pair} */ (given.map((sum, index) => sum + Math.max(0, now[index] - then[index])));
}

/** Summary of a match with this tally, as of its last change.
 * @param {Tally} tally @param {Match} match @returns {MatchSummary} */
export function summaryAfter({ games, turns, given_ms }, match) {
  const left = reservesAt(match, match.at);
  const times = SEATS.map((seat) => {
    const thought = turns.filter((turn) => turn.seat === seat).map(({ ms }) => ms);
    const average = thought.reduce((sum, ms) => sum + ms, 0) / (thought.length || 1);
    const index = indexOf(seat);
    return {
      turns: thought.length,
      average_ms: Math.round(average),
      longest_ms: Math.max(0, ...thought),
      left_ms: left[index],
      given_ms: given_ms[index],
    };
  });
  return { games, times: { left: times[0], right: times[1] }, link: null };
}
