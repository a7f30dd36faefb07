/** Format times, given in milliseconds, for display and for screen readers. Pure. */
import { gettext, ngettext } from './i18n.js';

/** @param {number} number */
const two = (number) => String(number).padStart(2, '0');

/**
 * Format a reserve: `7:21`, `1:04:00` from an hour, `0:09.4` below ten seconds.
 *
 * Rounded up: a clock that shows 0:00.0 has nothing left. A hidden time (null) is `–:––`.
 * @param {number | null} ms
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

/** Delay in whole seconds, rounded up: 0 only after it has run out.
 * @param {number} ms */
export function formatDelay(ms) {
  return gettext('%(seconds)s s', { seconds: Math.ceil(Math.max(0, ms) / 1000) });
}

/** Format a change to a reserve, with its sign: `+0:30`, `−2:00`.
 * @param {number} ms */
export function formatChange(ms) {
  const seconds = Math.round(Math.abs(ms) / 1000);
  return `${ms < 0 ? '−' : '+'}${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/** Time for screen readers, with units spelt out: `7 minutes 21 seconds`.
 * @param {number | null} ms */
export function spokenTime(ms) {
  if (ms === null) return gettext('time not shown');
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  /** @type {string[]} */
  const parts = [];
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours) parts.push(ngettext('%(count)s hour', '%(count)s hours', hours, { count: hours }));
  if (minutes) parts.push(ngettext('%(count)s minute', '%(count)s minutes', minutes, { count: minutes }));
  if (rest || !parts.length) parts.push(ngettext('%(count)s second', '%(count)s seconds', rest, { count: rest }));
  return parts.join(' ');
}

/** @param {number} seconds */
const wholeSeconds = (seconds) => (seconds < 10 ? `0:0${seconds}` : formatTime(seconds * 1000));

/** Elapsed time in whole seconds: 0:41, 12:05, 1:02:30.
 * @param {number} ms */
export const elapsed = (ms) => wholeSeconds(Math.max(0, Math.floor(ms / 1000)));

/** Length of a turn, rounded to whole seconds as in its record: 0:09, 12:05.
 * @param {number} ms */
export const thought = (ms) => wholeSeconds(Math.round(ms / 1000));

/** Reserve in whole seconds, rounded up: `0:09`, `7:21`.
 * @param {number} ms */
export const shortTime = (ms) => wholeSeconds(Math.ceil(ms / 1000));
