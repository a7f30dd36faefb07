/**
 * Alerts for boards that need the director: kind, level and start time. Pure functions.
 */

import { Lateness } from './lateness.js';
import { indexOf, LOW_MS, must, SEATS, timesAt } from '../match/clocks.js';
import { isContested } from '../words/phrases.js';
/** @import { SeatState } from '../match/boards.js' */
/** @import { Ask } from '../match/protocol.d.ts' */
/** @import { Alert, AlertGroup, AlertKind, Board, End, Found, TakenBy } from './console.d.ts' */

export const URGENT = 1;
export const SOON = 2;
const KNOW = 3;

/** Values of `data-level`. */
export const LEVELS = { [URGENT]: 'urgent', [SOON]: 'soon', [KNOW]: 'know' };

const LONG_STOP_MS = 5 * 60_000;
const STANDING_MS = 60_000;
const ONE_GONE_MS = 30_000;

/**
 * List the alerts of a board at `now`; empty when all is well. `seats` comes from `Boards.seats`; `taken(key)` returns
 * the director on the way to an alert, or undefined.
 *
 * Of flag, declined, call, proposal and long stop, a board has only the first that applies. Most keys end in a `mark`,
 * the time of their cause, so a later alert of the same kind has another key. Keys are the same on every page.
 * @param {Board} board @param {SeatState[]} seats @param {number} now @param {TakenBy} taken @returns {Alert[]}
 */
export function alertsOf(
  board,
  seats,
  now,
  taken = () => undefined,
  lateness = new Lateness(),
) {
  if (board.status === 'over') return [];
  const away = gone(board, seats, now);
  /** @type {(Found | null)[]} */
  const alerts = [
    standing(board, now) ?? awaited(board, taken),
    late(board),
    lent(board),
    away,
    away?.kind === 'alone' ? null : low(board, now),
    notStarted(board, now, lateness),
    entered(board),
  ];
  return alerts
    .filter((alert) => alert !== null)
    .map((alert) => ({ key: keyOf(board, alert), board, ...alert }))
    .map((alert) => ({ ...alert, taken: taken(alert.key) }));
}

/** Alerts for the pending requests for a seat of this board; `asks` come from the server.
 * @param {Board} board @param {Ask[]} asks @param {number} now @returns {Alert<'seat'>[]} */
export function seatAlertsOf(board, asks, now) {
  return asks
    .filter((ask) => ask.match === board.match && ask.until > now)
    .map((ask) => ({ key: `${board.match}:seat:${ask.id}`, kind: 'seat', level: SOON, since: ask.at, board, ask }));
}

/** Alert for a match that will hold up its round; `end` is its expected end, or undefined.
 * @param {Board} board @param {End | undefined} end @returns {Alert<'holds-up'>[]} */
export function paceAlertsOf(board, end) {
  if (!end?.holds_up || board.status === 'over') return [];
  return [{
    key: keyOf(board, { kind: 'holds-up' }),
    kind: 'holds-up',
    level: KNOW,
    since: must(end.since),
    board,
    end,
  }];
}

/** @param {Board} board @param {{ kind: string, mark?: number | null }} alert */
const keyOf = (board, { kind, mark }) => [board.match, kind, mark].filter((part) => part !== undefined).join(':');

const callKey = (/** @type {Board} */ board) => keyOf(board, { kind: 'call', mark: board.called_at });

/** Alert for an answered call: the players wait with stopped clocks for a director's ruling.
 *
 * A call from before this stop was settled when the clocks ran again.
 * @param {Board} board @param {TakenBy} taken @returns {Found | null} */
function awaited(board, taken) {
  if (board.status !== 'stopped' || board.called || board.proposal || board.called_at === null) return null;
  if (board.stop && board.called_at < board.stop.at) return null;
  const key = callKey(board);
  const contested = isContested(board);
  if (!taken(key) && !board.call_note && !contested) return null;
  return { kind: 'awaited', key, level: KNOW, since: contested ? must(board.stop).at : board.called_at };
}

/** @param {Board} board @param {number} now @returns {Found | null} */
function standing(board, now) {
  const stoppedAt = board.stop ? board.stop.at : board.now;
  const calledAt = board.called_at ?? stoppedAt;
  if (board.status === 'flagged') return { kind: 'flag', level: URGENT, since: stoppedAt, mark: stoppedAt };
  if (board.proposal && board.proposal.disputed) {
    return { kind: 'declined', level: SOON, since: calledAt, mark: calledAt };
  }
  if (board.called) {
    const since = isContested(board) ? stoppedAt : calledAt; // the director sees how long the clocks have been stopped
    return { kind: 'call', level: URGENT, since, mark: calledAt };
  }
  if (board.proposal) {
    return now - stoppedAt > STANDING_MS ? { kind: 'proposal', level: KNOW, since: stoppedAt, mark: stoppedAt } : null;
  }
  const longStopped = board.stop && !board.hall_stop && now - stoppedAt > LONG_STOP_MS;
  return longStopped ? { kind: 'stop', level: KNOW, since: stoppedAt, mark: stoppedAt } : null;
}

/** Alert for a press that was delayed by more than its credit: the director may give the rest back.
 * @param {Board} board @returns {Found | null} */
function late(board) {
  const press = board.late;
  return press?.charged_ms ? { kind: 'late', level: SOON, since: press.at, press, mark: press.at } : null;
}

/** Alert for a seat on loan: until the seat is granted, its new phone may only press, stop and call.
 * @param {Board} board @returns {Found | null} */
function lent(board) {
  const seat = SEATS.find((each) => board.lent_at?.[indexOf(each)]);
  if (!seat) return null;
  const since = must(board.lent_at[indexOf(seat)]);
  return { kind: 'lent', level: SOON, since, seat, mark: since };
}

/** @param {Board} board @param {SeatState[]} seats @param {number} now @returns {Found | null} */
function gone(board, seats, now) {
  if (!['running', 'stopped'].includes(board.status)) return null;
  const away = seats.filter((seat) => seat.gone);
  if (away.length === 0) return null;
  const since = Math.max(...away.map((seat) => seat.seenAt ?? board.now));
  if (board.between && board.status === 'running') return { kind: 'alone', level: KNOW, since, mark: since };
  if (away.length === 2) return { kind: 'both-gone', level: SOON, since, mark: since };
  if (now - since < ONE_GONE_MS) return null;
  return { kind: 'one-gone', level: KNOW, since, mark: since, seat: seats[0].gone ? 'left' : 'right' };
}

/** Alert for a low reserve, whoever's turn it is: otherwise it would come and go with every hit.
 * @param {Board} board @param {number} now @returns {Found | null} */
function low(board, now) {
  if (board.status !== 'running' || board.limits === false) return null;
  const reserves = timesAt(board, now).reserve_ms;
  const seat = SEATS[reserves[1] < reserves[0] ? 1 : 0];
  const left = reserves[indexOf(seat)];
  return left < LOW_MS ? { kind: 'low', level: KNOW, since: board.since ?? board.now, seat, left } : null;
}

/** @param {Board} board @param {number} now @param {Lateness} lateness @returns {Found | null} */
function notStarted(board, now, lateness) {
  const untouched = board.turn_number === 0 && board.game === 1 && ['setup', 'ready'].includes(board.status);
  if (!untouched) return null;
  const since = lateness.since(board, now);
  return since === null ? null : { kind: 'not-started', level: KNOW, since };
}

/** True if a match entered by the players has no decided game and no fallen flag, so it can be struck out.
 * @param {Board} board */
function mayBeStruckOut(board) {
  const counts = board.game > 1 || board.control > 1 || board.score.some((points) => points > 0);
  return board.by_players !== undefined && !counts && ['setup', 'ready', 'running', 'stopped'].includes(board.status);
}

/** Alert for a match that players entered, until they play; with an unlisted name, until its first game is decided.
 * @param {Board} board @returns {Found | null} */
function entered(board) {
  if (!mayBeStruckOut(board) || (board.turn_number > 0 && board.by_players?.length === 0)) return null;
  return { kind: 'entered', level: KNOW, since: board.made_at, mark: board.made_at };
}

/** Compare alerts by level, then age (oldest first), then match id.
 * @param {Alert | AlertGroup} a @param {Alert | AlertGroup} b */
export function byLevelAndAge(a, b) {
  return a.level - b.level || a.since - b.since || (a.board?.match ?? 0) - (b.board?.match ?? 0);
}

/**
 * Group informational alerts of a kind if there are more than `most`: forty tables that have not started must not hide
 * one that needs a ruling. Returns alerts and groups, sorted.
 * @param {Alert[]} alerts @returns {(Alert | AlertGroup)[]}
 */
export function gathered(alerts, most = 3) {
  /** @type {Map<AlertKind, number>} */
  const counts = new Map();
  for (const alert of alerts) counts.set(alert.kind, (counts.get(alert.kind) ?? 0) + 1);
  /** @type {Map<AlertKind, AlertGroup>} */
  const groups = new Map();
  /** @type {(Alert | AlertGroup)[]} */
  const lines = [];
  for (const alert of [...alerts].sort(byLevelAndAge)) {
    const known = groups.get(alert.kind);
    if (alert.level !== KNOW || must(counts.get(alert.kind)) <= most) {
      lines.push(alert);
    } else if (known) {
      known.group.push(alert);
    } else {
      const line = {
        key: `all:${alert.kind}`,
        kind: alert.kind,
        level: alert.level,
        since: alert.since,
        group: [alert],
      };
      groups.set(alert.kind, line);
      lines.push(line);
    }
  }
  return lines;
}
