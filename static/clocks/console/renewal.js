/** Offers a new version of the program; the director chooses when to reload. */
import { button, fill, make, mark } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';

/** Show or hide the offer in `element`.
 * @param {HTMLElement} element @param {boolean} isOther */
export function offerRenewal(element, isOther) {
  if (isOther === !element.hidden) return;
  const reload = button(gettext('Reload'), () => location.reload(), 'button');
  fill(element, isOther ? [make('span', {}, gettext('A new version of the clock is available.')), reload] : []);
  mark(element, 'hidden', !isOther);
}
