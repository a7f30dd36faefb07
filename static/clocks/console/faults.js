/** Validation messages beside the fields of a form. The first invalid field gets the focus. */
import { make, mark, within } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';

let latest = 0;

/** @typedef {HTMLInputElement | HTMLSelectElement} Entry */

/** Validation message of a field; '' if valid.
 * @param {Entry} input */
function fault(input) {
  const { validity, type, title } = input;
  if (validity.valid) return '';
  if (validity.valueMissing) return type === 'radio' ? gettext('Choose one of these.') : gettext('Fill this in.');
  if (validity.patternMismatch || !('min' in input)) return title;
  const { min, max } = input;
  return gettext('Write a whole number from %(min)s to %(max)s.', { min, max });
}

/** Show `words` below a field or choice until its next input.
 * @param {Entry} input @param {string} words */
function say(input, words) {
  const place = within('.choice, .field', input);
  if (place.matches('[data-faulty]')) return;
  latest += 1;
  const error = make('p.error', { id: `fault-${latest}`, role: 'alert' }, words);
  place.after(error);
  mark(place, 'data-faulty', '');
  mark(input, 'aria-invalid', 'true');
  mark(input, 'aria-describedby', error.id);
  place.addEventListener('input', () => {
    error.remove();
    mark(place, 'data-faulty', null);
    mark(input, 'aria-invalid', null);
    mark(input, 'aria-describedby', null);
  }, { once: true });
}

/** Validate `form` and show its errors. True if there are any.
 * @param {HTMLElement} form */
export function hasFaults(form) {
  /** @type {NodeListOf<Entry>} */
  const all = form.querySelectorAll('input, select');
  const wrong = [...all].filter((input) => fault(input));
  for (const input of wrong) say(input, fault(input));
  wrong[0]?.focus();
  return wrong.length > 0;
}
