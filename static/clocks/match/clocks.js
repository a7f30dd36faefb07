/**
 * Clock arithmetic: the times that a snapshot shows at a given moment. Pure; nothing here reads a clock.
 *
 * All times are in milliseconds; `now`, `since` and `flag_at` are server timestamps. tests/vectors/clock.json has test
 * vectors for this module and the engine.
 */
/** @import { Kind, Pair, Seat, SeenFrame, Snapshot, Status } from './protocol.d.ts' */

/**
 * Snapshot fields about the turn.
 *
 * @typedef {object} Turn
 * @property {Seat | null} turn
 * @property {number | null} since
 * @property {number} used_ms
 * @property {Pair} turn_reserve_ms
 * @property {number} turn_delay_ms
 * @property {Kind} kind
 * @property {Pair} reserve_ms
 * @property {Pair} delay_ms
 * @property {boolean} limits
 *
 * @typedef {{ reserve_ms: Pair, delay_ms: Pair, flag_at: number | null }} Times
 * @typedef {Times | { reserve_ms: [null, null], delay_ms: [null, null], flag_at: null }} ShownTimes
 */

export const SEATS = /** @type {[Seat, Seat]} */ (['left', 'right']);
/** @type {(seat: Seat) => 0 | 1} */
export const indexOf = (seat) => (seat === 'right' ? 1 : 0);
/** @type {(seat: Seat) => Seat} */
export const otherSeat = (seat) => (seat === 'right' ? 'left' : 'right');

/** Assert that a value is not null.
 * @template T @param {T | null | undefined} value @returns {T} */
export function must(value) {
  if (value === null || value === undefined) throw new TypeError('missing');
  return value;
}

/** Time in ms that a turn has used by `now`, excluding stops.
 * @param {{ since: number | null, used_ms: number }} turn @param {number} now */
export function usedAt(turn, now) {
  return turn.since === null ? turn.used_ms : turn.used_ms + Math.max(0, now - turn.since);
}

/**
 * Clocks as of `now`: `{reserve_ms: [left, right], delay_ms: [left, right], flag_at}`.
 *
 * `flag_at` is null if no clock runs or time is not limited. Reserves and delays never go below 0; they are null if the
 * server hides times from spectators.
 *
 * @param {Pick<Snapshot, keyof Turn>} snapshot @param {number} now @returns {ShownTimes}
 */
export function clocksAt(snapshot, now) {
  if (snapshot.turn_reserve_ms === null) return { reserve_ms: [null, null], delay_ms: [null, null], flag_at: null };
  return timesAt(/** @type {Turn} */ (snapshot), now);
}

/** Same, for a snapshot whose times are not hidden.
 * @param {Turn} snapshot @param {number} now @returns {Times} */
export function timesAt(snapshot, now) {
  const { turn, kind, turn_delay_ms: delay } = snapshot;
  if (!turn) {
    return { reserve_ms: [...snapshot.reserve_ms], delay_ms: [...snapshot.delay_ms], flag_at: null };
  }
  const mine = indexOf(turn);
  const reserve = snapshot.turn_reserve_ms[mine];
  const used = usedAt(snapshot, now);
  const charged = kind === 'simple' ? Math.max(0, used - delay) : used;
  const budget = kind === 'simple' ? reserve + delay : reserve;

  const reserves = /** @type {Pair} */ (snapshot.turn_reserve_ms.map((ms) => Math.max(0, ms)));
  reserves[mine] = Math.max(0, reserve - charged);
  const delays = /** @type {Pair} */ ([...snapshot.delay_ms]);
  delays[mine] = kind === 'none' ? 0 : Math.max(0, delay - used);
  return {
    reserve_ms: reserves,
    delay_ms: delays,
    flag_at: snapshot.since !== null && snapshot.limits ? snapshot.since + budget - snapshot.used_ms : null,
  };
}

/** Low-time threshold in ms: warn once per crossing, re-armed above 1.5 times the threshold. */
export const LOW_MS = 60_000;
const REARM = 1.5;

export class LowTime {
  constructor(threshold = LOW_MS) {
    this.threshold = threshold;
    this.warned = { left: false, right: false };
  }

  /**
   * Check a seat's reserve, in ms. Returns null above the threshold, 'warn' the first time that its clock runs at or
   * below it, and otherwise 'low'.
   * @param {Seat} seat @param {number} reserve @param {boolean} running
   */
  check(seat, reserve, running) {
    if (reserve > this.threshold * REARM) this.warned[seat] = false;
    if (reserve > this.threshold) return null;
    if (this.warned[seat] || !running) return 'low';
    this.warned[seat] = true;
    return 'warn';
  }
}

/** @typedef {{ now: number, seenAt: (number | null)[] }} Presence when each phone was last heard from, as of `now` */

const SILENT_MS = 10_000;
const AT_REST_MS = 1000; // added while no clock runs: an idle page pings only every ten seconds

/** Time in ms after which a phone counts as silent, by the status of its match.
 * @param {Status} status */
export const silentMs = (status) => (status === 'running' ? SILENT_MS : SILENT_MS + AT_REST_MS);

/** Presence in a `match` or `seen` frame, left seat first.
 * @param {Snapshot | SeenFrame} frame @param {number} match @returns {Presence} */
export function presenceIn(frame, match) {
  const seenAt = frame.t === 'seen' ? frame.seats[match] || [null, null] : frame.seats.map((seat) => seat.seen_at);
  return { now: frame.now, seenAt };
}

/**
 * True if the phone of `seat`, in a match of this status, was silent at the server's last report. Time that passes here
 * without a report proves nothing. False if `seenAt` is null: a free seat has no phone.
 * @param {Presence} presence @param {Status} status @param {Seat} seat
 */
export function isSilent({ now, seenAt }, status, seat) {
  const at = seenAt[indexOf(seat)];
  return at !== null && now - at >= silentMs(status);
}
