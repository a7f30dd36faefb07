/**
 * The clock's arithmetic: what a snapshot shows at an instant. Pure; nothing here reads the time.
 *
 * All times are milliseconds; `now`, `since` and `flag_at` are instants of the server's time. The numbers agree with
 * the engine's: both are held to tests/vectors/clock.json.
 */
export const SEATS = ['left', 'right'];
export const indexOf = (seat) => (seat === 'right' ? 1 : 0);
export const otherSeat = (seat) => (seat === 'right' ? 'left' : 'right');

/** Return how long the turn of `snapshot` has run at `now`, stops left out. */
export function usedAt(snapshot, now) {
  return snapshot.since === null ? snapshot.used_ms : snapshot.used_ms + Math.max(0, now - snapshot.since);
}

/**
 * Return `{reserve_ms: [left, right], delay_ms: [left, right], flag_at}` as they are at `now`.
 *
 * `flag_at` is null while nothing runs and where no time limit applies. Figures never go below 0; they are null where
 * the server tells spectators no times.
 */
export function clocksAt(snapshot, now) {
  if (snapshot.turn_reserve_ms === null) return { reserve_ms: [null, null], delay_ms: [null, null], flag_at: null };
  const { turn, kind, turn_delay_ms: delay } = snapshot;
  if (!turn) {
    return { reserve_ms: [...snapshot.reserve_ms], delay_ms: [...snapshot.delay_ms], flag_at: null };
  }
  const mine = indexOf(turn);
  const reserve = snapshot.turn_reserve_ms[mine];
  const used = usedAt(snapshot, now);
  const charged = kind === 'simple' ? Math.max(0, used - delay) : used;
  const budget = kind === 'simple' ? reserve + delay : reserve;

  const reserves = snapshot.turn_reserve_ms.map((ms) => Math.max(0, ms));
  reserves[mine] = Math.max(0, reserve - charged);
  const delays = [...snapshot.delay_ms];
  delays[mine] = kind === 'none' ? 0 : Math.max(0, delay - used);
  const runs = snapshot.since !== null && snapshot.limits;
  return {
    reserve_ms: reserves,
    delay_ms: delays,
    flag_at: runs ? snapshot.since + budget - snapshot.used_ms : null,
  };
}

/** When a reserve is low: once per crossing, armed again only well above. Pure. */
export const LOW_MS = 60_000;
const REARM = 1.5;

export class LowTime {
  constructor(threshold = LOW_MS) {
    this.threshold = threshold;
    this.warned = { left: false, right: false };
  }

  /**
   * Check a seat's reserve in milliseconds, and whether its clock runs; return 'warn' at the crossing, 'low' below,
   * else null.
   */
  check(seat, reserve, running) {
    if (reserve > this.threshold * REARM) this.warned[seat] = false;
    if (reserve > this.threshold) return null;
    if (this.warned[seat] || !running) return 'low';
    this.warned[seat] = true;
    return 'warn';
  }
}
