/** Form in which players enter their match: shows the starting time for its length. */
import { find, write } from '../browser/dom.js';

const form = /** @type {HTMLFormElement} */ (find('form[data-entry]'));
const says = JSON.parse(find('#leads-to').textContent);
const shown = find('[data-summary]', form);
const length = /** @type {HTMLInputElement} */ (form.elements.namedItem('length'));

const tell = () => write(shown, says[Number(length.value)] ?? '');

form.addEventListener('input', tell);
tell();
