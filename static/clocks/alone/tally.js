/**
 * Games and turns of a match that the engine on this phone runs: clocks/record/match_summary.py for a page that works
 * without the server. Folded from the states of the match, each with the one before it. Pure.
 */
import { wonBy } from '../engine/evolve.js';
import { reservesAt } from '../engine/match.js';
import { indexOf, SEATS, usedAt } from '../match/clocks.js';
/** @import { Match, Pair, Seat } from '../match/protocol.d.ts' */
/** @import { MatchSummary, Scored } from '../match/summary.d.ts' */

/**
 * @typedef {{ number: number, seat: Seat, earlier_ms: number, ms: number }} Turn a completed one; `earlier_ms` is what
 *   it had used before its delay restarted, `ms` all
 * @typedef {{ games: Scored[], turns: Turn[], earlier_ms: number, given_ms: Pair }} Tally `earlier_ms` is of the turn
 *   that is not over
 */

/** Tally of a match before its first turn.
 * @param {Match} match @returns {Tally} */
export const newTally = (match) => ({ games: [], turns: [], earlier_ms: 0, given_ms: match.clock.reserve_ms });

/** Tally after the match changed from `before` to `after`.
 * @param {Tally} tally @param {Match} before @param {Match} after @returns {Tally} */
export function tallied(tally, before, after) {
  if (before === after) return tally;
  // What is taken back is what was kept with the last press or the last end.
  if (before.last_end && after.clock === before.last_end.clock) {
    const scored = tally.games.at(-1)?.game === after.game && before.score !== after.score;
    const games = scored ? tally.games.slice(0, -1) : tally.games;
    return { ...tally, games, ...reopenedTurn(tally, after) };
  }
  if (before.last_hit && after.clock === before.last_hit.clock) return { ...tally, ...reopenedTurn(tally, after) };
  return {
    games: withScored(tally.games, before, after),
    given_ms: givenAfter(tally.given_ms, before, after),
    ...turnsAfter(tally, before, after),
  };
}

/** @param {Tally} tally @param {Match} after */
function reopenedTurn({ turns, earlier_ms }, after) {
  if (!after.clock.turn) return { turns, earlier_ms };
  const kept = turns.filter(({ number }) => number < after.turn_number); // nobody is charged for those since
  return { turns: kept, earlier_ms: turns.find(({ number }) => number === after.turn_number)?.earlier_ms ?? 0 };
}

/** @param {Tally} tally @param {Match} before @param {Match} after */
function turnsAfter({ turns, earlier_ms }, before, after) {
  const { turn: seat } = before.clock;
  if (!seat) return { turns, earlier_ms: 0 };
  const used = usedAt(before.clock, after.at);
  if (after.clock.turn === seat && after.turn_number === before.turn_number) {
    return { turns, earlier_ms: earlier_ms + (after.clock.used_ms < used ? used : 0) };
  }
  const ended = [...turns, { number: before.turn_number, seat, earlier_ms, ms: earlier_ms + used }];
  // A turn that begins with time used was interrupted and goes on.
  const at = after.clock.used_ms ? ended.findLastIndex((turn) => turn.seat === after.clock.turn) : -1;
  return { turns: ended.filter((_, index) => index !== at), earlier_ms: ended[at]?.earlier_ms ?? 0 };
}

/** @param {Scored[]} games @param {Match} before @param {Match} after @returns {Scored[]} */
function withScored(games, before, after) {
  const winner = SEATS.find((seat) => after.score[indexOf(seat)] > before.score[indexOf(seat)]);
  const terms = before.proposal?.terms;
  if (!winner || terms?.what === 'score') return games;
  const cube = before.cube.value;
  const passed = !before.proposal;
  const points = pointsOf(before, passed);
  const how = terms?.what === 'expiry' ? 'time' : wonBy(before, points, passed) ?? '';
  return [...games, { game: before.game, winner, points, cube, how, score: after.score }];
}

/** Points of the game that a pass, or the proposal of `match`, ends.
 * @param {Match} match @param {boolean} passed */
function pointsOf({ cube, proposal }, passed) {
  const terms = proposal?.terms;
  if (passed || !terms) return cube.value;
  if (terms.what === 'game') return terms.points;
  if (terms.what === 'expiry') return terms.consequence.points;
  return terms.what === 'offer' ? cube.value * (1 + ['single', 'gammon', 'backgammon'].indexOf(terms.outcome)) : 0;
}

/** @param {Pair} given @param {Match} before @param {Match} after @returns {Pair} */
function givenAfter(given, before, after) {
  const now = reservesAt(after, after.at);
  const starts = before.turn_number === 0 && before.clock.since === null && after.clock.since !== null;
  if (starts) return now; // with the delay that was added once
  const what = after.proposal ? null : before.proposal?.terms.what;
  if (what !== 'time' && what !== 'expiry') return given;
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
