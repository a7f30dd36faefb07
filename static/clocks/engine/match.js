/**
 * The engine's match state (`Match.to_dict`), and the snapshot fields derived from it. Pure.
 *
 * `book` holds the rules, as `clocks/engine/books/carried.py` writes them for pages that work without the server:
 * {name, features, flag, cites, lost_time_stays_lost}.
 */
import { indexOf, timesAt } from '../match/clocks.js';
import { runsOutAt } from './clock.js';
/** @import { Book, Command, Match, Pair, Proposal, Rejection, Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { Turn } from '../match/clocks.js' */

/**
 * @typedef {Seat | 'director'} Actor who gives a command
 * @typedef {Command | { do: 'look' }} Asked
 * @typedef {Turn & Omit<Snapshot, keyof Turn | NotShown>} Wire the fields that `Match.wire` returns
 * @typedef {'t' | 'match' | 'v' | 'now' | 'table' | 'code' | 'tournament' | 'round' | 'round_number' | 'made_at' |
 *   'rules_name' | 'features' | 'lag_credit_ms' | 'late' | 'lent_at' | 'between' | 'by_players' | 'seats' | 'alone'
 * } NotShown the other fields of a snapshot
 */

/** Points that `seat` still needs to win the match.
 * @param {Match} match @param {Seat} seat */
export const needs = (match, seat) => match.setup.length - match.score[indexOf(seat)];

/** True if this game decides the match, whoever wins it.
 * @param {Match} match */
export const decides = (match) => needs(match, 'left') <= match.cube.value && needs(match, 'right') <= match.cube.value;

/** True if time is limited in this game.
 * @param {Match} match @param {Book} book */
export const limits = (match, book) => !(book.flag.deciding === 'unlimited' && decides(match));

/** Timestamp at which the running clock's flag falls, never earlier than the last event; null if none can fall.
 * @param {Match} match @param {Book} book @returns {number | null} */
export function flagAt(match, book) {
  const at = match.status === 'running' && limits(match, book) ? runsOutAt(match.clock) : null;
  return at === null ? null : Math.max(at, match.at);
}

/** Timestamp before which the penalised player on turn may not roll, or null.
 * @param {Match} match @returns {number | null} */
function waitUntil({ clock, forfeit }) {
  if (!clock.turn || clock.since === null || !forfeit[indexOf(clock.turn)]) return null;
  return clock.since + clock.control.delay_ms - clock.used_ms;
}

/** @type {Record<string, string>} */
const TOPIC_OF_TERMS = { offer: 'offer', 'dice-penalty': 'early-dice' };
/** @type {Record<string, string>} */
const TOPIC_OF_STOP = { break: 'break', 'dice-picked-up': 'taken-dice', 'dice-contested': 'taken-dice' };

/** Topic of the rule book that applies to the current state, or ''.
 * @param {Match} match @returns {string} */
function topicOf(match) {
  const { proposal, halt } = match;
  if (proposal) {
    if (proposal.terms.what === 'expiry') return match.control === 1 ? 'flag' : 'second-flag';
    return TOPIC_OF_TERMS[proposal.terms.what] || '';
  }
  if (match.owed_hit) return 'offer';
  if (waitUntil(match) !== null) return 'early-dice';
  return (halt && TOPIC_OF_STOP[halt.reason]) || '';
}

/** Reserves that the clocks show at `at`.
 * @param {Match} match @param {number} at @returns {Pair} */
export const reservesAt = (match, at) => timesAt(turnOf(match), at).reserve_ms;

/** Snapshot fields about the turn.
 * @param {Match} match @returns {Turn} */
function turnOf({ clock }) {
  const { kind, delay_ms: delay } = clock.control;
  return {
    turn: clock.turn,
    since: clock.since,
    used_ms: clock.used_ms,
    turn_reserve_ms: clock.reserve_ms,
    turn_delay_ms: delay,
    kind,
    reserve_ms: clock.reserve_ms,
    delay_ms: [delay, delay],
    limits: true,
  };
}

/** @param {Proposal} given @param {number} number */
const shown = ({ by, terms, agreed, disputed }, number) => ({ ...terms, by, agreed, disputed, number });

/** @param {Rejection} declined @param {number} number */
const rejected = ({ by, at, proposal }, number) => ({ by, at, proposal: shown(proposal, number) });

/** Snapshot fields as of `at`, the same as `Match.wire` returns.
 * @param {Match} match @param {Book} book @param {number} at @returns {Wire} */
export function lookAt(match, book, at) {
  const { setup, halt, last_hit: last, cube } = match;
  const turn = turnOf(match);
  const { reserve_ms: reserves, delay_ms: delays } = timesAt(turn, at);
  const cited = topicOf(match);
  return {
    status: match.status,
    turn_number: match.turn_number,
    score: match.score,
    game: match.game,
    crawford: match.crawford === 'now',
    cube: { ...cube },
    flagged: match.flagged,
    flag_at: flagAt(match, book),
    control: match.control,
    offences: match.offences,
    forfeit: match.forfeit,
    wait_until: waitUntil(match),
    proposal: match.proposal && shown(match.proposal, match.proposals),
    winner: match.winner,
    hits: match.hits,
    called: match.called,
    ...turn,
    limits: limits(match, book),
    reserve_ms: reserves,
    delay_ms: delays,
    stop: halt && { by: halt.by, reason: halt.reason, at: halt.at },
    hall_stop: halt && halt.hall !== null ? { id: halt.hall, note: halt.note } : null,
    declined: match.declined ? rejected(match.declined, match.proposals) : null,
    resumed_by: match.set_aside?.by ?? null,
    confirmed: match.confirmed,
    undo: last?.seat ?? null,
    reopens: match.status === 'over' ? 'match' : match.last_end ? 'game' : null,
    won_by: match.won_by,
    just_played: last && last.clock.turn === last.seat ? last.seat : null,
    cite: (cited && book.cites[cited]) || '',
    owed_hit: match.owed_hit,
    called_by: match.called_by,
    called_at: match.called_at,
    call_note: match.call_note,
    lag_used_ms: match.lag.used_ms,
    lag_presses: match.lag.credited,
    game_presses: match.lag.presses,
    names: setup.names,
    length: setup.length,
    rules: setup.rules,
    format: setup.format,
  };
}
