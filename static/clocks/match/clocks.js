/**
 * The clock's arithmetic: what a snapshot shows at an instant. Pure; nothing here reads the time.
 *
 * All times are milliseconds; `now`, `since` and `flag_at` are instants of the server's time. The numbers agree with the
 * engine's: both are held to tests/vectors/clock.json.
 */
import { gettext, interpolate, ngettext } from '../words/i18n.js';

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
 * `flag_at` is null while nothing runs and where no time limit applies. Figures never go below 0; they are null where the
 * server tells spectators no times.
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

const two = (number) => String(number).padStart(2, '0');

/**
 * Return a reserve as people read it: `7:21`, `1:04:00` from an hour, `0:09.4` below ten seconds.
 *
 * Rounded up: a clock that shows 0:00.0 has nothing left. A time that is not told (null) is `–:––`.
 */
export function formatTime(ms) {
  if (ms === null) return '–:––';
  if (ms < 10_000) {
    const tenths = Math.ceil(Math.max(0, ms) / 100);
    return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/** Return a delay in whole seconds, rounded up: it shows 0 only when it has counted down to zero. */
export function formatDelay(ms) {
  return interpolate(gettext('%(seconds)s s'), { seconds: Math.ceil(Math.max(0, ms) / 1000) });
}

/** Return a change of a reserve with its sign: `+0:30`, `−2:00`. */
export function formatChange(ms) {
  const seconds = Math.round(Math.abs(ms) / 1000);
  return `${ms < 0 ? '−' : '+'}${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/** Return a time in words, for people who listen: `7 minutes 21 seconds`. */
export function spokenTime(ms) {
  if (ms === null) return gettext('time not shown');
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  const parts = [];
  const say = (count, text) => parts.push(interpolate(text, { count }));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours) say(hours, ngettext('%(count)s hour', '%(count)s hours', hours));
  if (minutes) say(minutes, ngettext('%(count)s minute', '%(count)s minutes', minutes));
  if (rest || !parts.length) say(rest, ngettext('%(count)s second', '%(count)s seconds', rest));
  return parts.join(' ');
}
