/** Relative times. A module of its own, because the clock page does not load it. */

const UNITS = /** @type {const} */ ([
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]);

/** Relative time in the largest unit that is not zero: `43 seconds ago`, `2 hours ago`.
 * @param {number} ms */
export function ago(ms, language = document.documentElement.lang) {
  const [unit, length] = UNITS.find((each) => ms >= each[1]) ?? UNITS[3];
  return new Intl.RelativeTimeFormat(language).format(-Math.max(0, Math.floor(ms / length)), unit);
}
