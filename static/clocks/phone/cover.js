/** What covers the page when the link has ended for good. */
import { button, find, make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';

/** Return the cover for a link that is not to be tried again (`state`), or null. */
export function coverOf(state, /** @type {DOMStringMap} */ { table }) {
  const words = {
    taken: [
      gettext('Another phone has taken this seat.'),
      gettext('Nothing is lost. The clock is running on the other phone.'),
    ],
    revoked: [
      gettext('The director has released this phone.'),
      gettext('Scan the card on the table. The seat is free, or the table has a new code.'),
    ],
    gone: [gettext('There is no match at this table now.'), gettext('Wait for the next one, or enter another code.')],
    'signed-out': [gettext('Please sign in to see this page.'), ''],
  }[state];
  if (!words) return null;
  const ways = [make('a.button', { href: table || '/' }, gettext('Go to the table'))];
  const claim = /** @type {HTMLFormElement | null} */ (find('form[data-claim]'));
  if (state === 'taken' && claim) {
    ways.unshift(button(gettext('Use here'), () => claim.submit(), 'primary'));
  }
  return make(
    'dialog.cover',
    { role: 'alertdialog', 'aria-label': words[0] },
    make('h2', { tabindex: '-1', autofocus: true }, words[0]),
    make('p', {}, words[1]),
    ...ways,
  );
}
