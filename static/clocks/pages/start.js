/** Form that starts a clock: shows the starting time and delay, and offers doubles if the rules have them. */
import { find, within, write } from '../browser/dom.js';
import { formatDelay, formatTime } from '../words/times.js';
import { gettext } from '../words/i18n.js';

const form = /** @type {HTMLFormElement} */ (find('form[data-start]'));
const rules = JSON.parse(find('#rules-at-a-glance').textContent);
const shown = find('[data-summary]', form);
/** @param {string} name */
const value = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value;

function fit() {
  const book = rules[value('rules')];
  const pairs = /** @type {HTMLInputElement} */ (find('input[name="format"][value="doubles"]', form));
  within('label', pairs).hidden = !book.doubles && !pairs.checked;
  const amounts = book[value('format')];
  const length = Number(value('length'));
  const needed = 2 * length - Number(value('left_score')) - Number(value('right_score'));
  if (!amounts || !(length >= 1 && length <= 99) || !(needed >= 2)) {
    write(shown, '');
    return;
  }
  const values = { time: formatTime(amounts.per_point_ms * needed), delay: formatDelay(amounts.delay_ms) };
  write(
    shown,
    amounts.delay_ms ? gettext('%(time)s each, delay %(delay)s', values) : gettext('%(time)s each, no delay', values),
  );
}

form.addEventListener('input', fit);
fit();
