/** Says an instant as the clock on the wall of the hall shows it, in whatever zone the director's computer is. */

/** @type {{ zone?: string, format?: Intl.DateTimeFormat }} */
let made = {};

/** Return the hour and the minute in the time zone of the tournament: 3:10 PM, 15:10. */
export function timeOfDay(at) {
  const zone = /** @type {HTMLElement | null} */ (document.querySelector('[data-zone]'))?.dataset.zone;
  if (!made.format || made.zone !== zone) {
    made = { zone, format: new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZone: zone }) };
  }
  return made.format.format(at);
}
