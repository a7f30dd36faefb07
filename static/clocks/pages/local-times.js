/** The times of a record in the phone’s own zone. Without scripts they are in the one that the server names. */

/** @param {number} number */
const two = (number) => String(number).padStart(2, '0');
/** @param {Date} at @param {number[]} [more] */
const timeOf = (at, more = []) => [at.getHours(), at.getMinutes(), ...more].map(two).join(':');

for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('.own-record time'))) {
  const at = new Date(time.dateTime);
  const tenth = /\.\d$/.exec(time.textContent)?.[0];
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(two).join('-');
  if (/^\d\d:\d\d$/.test(time.textContent)) time.textContent = timeOf(at);
  else time.textContent = tenth ? `${timeOf(at, [at.getSeconds()])}${tenth}` : `${day} ${timeOf(at)}`;
}
const said = /** @type {HTMLElement} */ (document.querySelector('[data-zone]'));
const began = new Date(/** @type {HTMLTimeElement} */ (said.querySelector('time')).dateTime);
const named = new Intl.DateTimeFormat(document.documentElement.lang, { timeZoneName: 'short' }).formatToParts(began);
const own = named.find(({ type }) => type === 'timeZoneName');
const words = /** @type {Text} */ (said.lastChild);
if (own) words.data = words.data.replace(said.dataset.zone ?? '', own.value);
