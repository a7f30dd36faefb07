/** Column with a player's averages in earlier matches, and the buttons to opt out of keeping them and in again. */
import { find } from '../browser/dom.js';
import { onDevice } from '../browser/storage.js';
import { EarlierMatches } from './earlier-matches.js';

const data = find('#own-pace');
const earlier = new EarlierMatches(onDevice);

/** @param {number | undefined} ms */
const seconds = (ms) => (ms === undefined ? '–' : `${Math.round(ms / 100) / 10} s`);

function show() {
  const played = JSON.parse(data.textContent);
  const keeps = earlier.keep(played, Date.now());
  const { number, each } = earlier.averages(played.match);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-earlier-part]'))) {
    part.hidden = !number;
    const { earlier: phase } = part.dataset;
    if (phase) part.textContent = seconds(each[phase]);
  }
  find('[data-number]').textContent = `(${number})`;
  const first = played.over && !played.forgotten ? 'first' : '';
  const says = !earlier.wanted ? 'off' : !keeps ? 'nowhere' : number ? 'compared' : first;
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-says]'))) {
    line.hidden = line.dataset.says !== says;
  }
  find('[data-forget]').hidden = !keeps || !earlier.wanted || !earlier.all.length;
  find('[data-keep]').hidden = earlier.wanted;
}

/** @param {string} button @param {boolean} off */
const switching = (button, off) =>
  find(button).addEventListener('click', () => {
    earlier.forget(off);
    show();
    find(off ? '[data-keep]' : '[data-forget]').focus();
  });

if (data) {
  switching('[data-forget]', true);
  switching('[data-keep]', false);
  show();
}
