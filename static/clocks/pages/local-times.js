/** Show the times of a record in the reader’s time zone. Without scripts, they are in the zone that the page names. */

/** @param {number} number */
const two = (number) => String(number).padStart(2, '0');
/** @param {Date} at @param {boolean} seconds */
const timeOf = (at, seconds) =>
  [at.getHours(), at.getMinutes(), ...(seconds ? [at.getSeconds()] : [])].map(two).join(':');
/** @param {Date} at */
const dayOf = (at) => [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(two).join('-');
const zones = new Intl.DateTimeFormat(document.documentElement.lang, { timeZoneName: 'short' });
/** @param {Date} at */
const zoneOf = (at) => zones.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';

let last = new Date();
for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('main time'))) {
  const at = new Date(time.dateTime);
  time.textContent = time.textContent
    .replace(/\d{4}-\d\d-\d\d/, dayOf(at))
    .replace(/\d\d:\d\d(:\d\d)?/, (_, seconds) => timeOf(at, Boolean(seconds)))
    .replace(/(:\d\d) \S+$/, (_, before) => `${before} ${zoneOf(at)}`);
  last = at;
}
const said = /** @type {HTMLElement} */ (document.querySelector('[data-zone]'));
const words = /** @type {Text} */ (said.lastChild);
words.data = words.data.replace(said.dataset.zone ?? '', () => zoneOf(last));
