/** Time of day in the tournament's time zone, whatever that of the director's computer. */

/** @type {{ zone?: string, format: Intl.DateTimeFormat } | null} */
let made = null;

/** Return the hour and the minute in the time zone of the tournament: 15:10, as all pages write it.
 * @param {number} at */
export function timeOfDay(at) {
  const zone = /** @type {HTMLElement | null} */ (document.querySelector('[data-zone]'))?.dataset.zone;
  if (!made || made.zone !== zone) {
    const parts = /** @type {const} */ ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone });
    made = { zone, format: new Intl.DateTimeFormat(undefined, parts) };
  }
  return made.format.format(at);
}
