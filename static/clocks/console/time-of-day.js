/** Time of day in the tournament's time zone, not the computer's. */

/** @type {{ zone?: string, format: Intl.DateTimeFormat } | null} */
let made = null;

/** Format server milliseconds as hour and minute, 15:10, as on all pages.
 * @param {number} at */
export function timeOfDay(at) {
  const zone = /** @type {HTMLElement | null} */ (document.querySelector('[data-zone]'))?.dataset.zone;
  if (!made || made.zone !== zone) {
    const parts = /** @type {const} */ ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone });
    made = { zone, format: new Intl.DateTimeFormat(undefined, parts) };
  }
  return made.format.format(at);
}
