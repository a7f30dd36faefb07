/** The practice page: a form, then a clock that lies between two players and needs no server. */
import { find, write } from '../browser/dom.js';
import { load, loaded } from '../browser/events.js';
import { must } from '../match/clocks.js';
import { gettext } from '../words/i18n.js';
import { formatDelay, formatTime } from '../words/times.js';
import { keptMatch } from './kept-match.js';
import { timing } from './timing.js';
/** @import { FlagPolicy, Format, Kind, Pair } from '../match/protocol.d.ts' */
/** @import { OwnAmounts, Practice, PracticeBook, PracticeData, Setting } from './practice.d.ts' */

const MINUTE_MS = 60_000;
/** @type {PracticeData} */
const { books, first } = JSON.parse(find('#practice-data').textContent);
const form = /** @type {HTMLFormElement} */ (find('[data-setting]'));
const page = find('[data-form]');
const summary = find('[data-summary]');
const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
const button = /** @type {HTMLButtonElement} */ (find('button', form));

/** @param {string} rules */
const bookOf = (rules) => must(books.find(({ key }) => key === rules));
const chosenBook = () => bookOf(field('rules').value);
/** @param {string} name @param {number} least @param {number} most */
const number = (name, least, most) => Math.min(most, Math.max(least, Math.round(Number(field(name).value)) || 0));

/** Read the setting from the form.
 * @returns {Setting} */
function settingOf() {
  const length = number('length', 1, Number(field('length').max));
  const score = /** @type {Pair} */ (['left_score', 'right_score'].map((name) => number(name, 0, length - 1)));
  const typed = ['left', 'right'].map((name) => field(name).value.trim());
  const book = chosenBook();
  const own = { ...(book.key === 'custom' ? ownAmounts() : {}), ...afterTheFlag(book) };
  const format = /** @type {Format} */ (field('format').value);
  return { format, length, score, names: [typed[0] || gettext('White'), typed[1] || gettext('Black')], own };
}

/** @returns {OwnAmounts} */
function ownAmounts() {
  const minutes = Number(field('minutes').value);
  const kind = /** @type {Kind} */ (field('kind').value);
  return {
    kind,
    ...(minutes > 0 ? { reserve_ms: Math.round(minutes * MINUTE_MS) } : {}),
    ...(kind === 'none' || field('seconds').value === '' ? {} : { delay_ms: number('seconds', 0, 600) * 1000 }),
  };
}

/** Read what the players chose to happen after a flag, if the rules leave it to them.
 * @param {PracticeBook} book @returns {OwnAmounts} */
function afterTheFlag({ key, options }) {
  const flag = key === 'custom' ? /** @type {FlagPolicy | ''} */ (field('flag').value) : '';
  const chosen = flag ? { flag } : {};
  const over = options.includes('overtime_ms') && (!flag || flag === 'overtime') ? Number(field('overtime').value) : 0;
  const second = options.includes('second_control') && (!flag || flag === 'next-control');
  return {
    ...chosen,
    ...(over > 0 ? { overtime_ms: Math.round(over * MINUTE_MS) } : {}),
    ...(second ? { second_control: /** @type {Kind} */ (field('second').value) } : {}),
  };
}

/** Show the fields of the chosen rule set, and the starting time of each clock. */
function fit() {
  const book = chosenBook();
  find('[data-doubles]', form).hidden = !book.formats.doubles;
  const own = book.key === 'custom';
  const flag = own ? field('flag').value : '';
  find('[data-own]', form).hidden = !own;
  find('[data-flag]', form).hidden = !own;
  find('[data-overtime]', form).hidden = !book.options.includes('overtime_ms') || (own && flag !== 'overtime');
  find('[data-second]', form).hidden = !book.options.includes('second_control') || (own && flag !== 'next-control');
  const { kind, reserve_ms: reserve, delay_ms: delay } = timing(book, settingOf());
  const each = gettext('%(time)s each', { time: formatTime(reserve) });
  const free = kind === 'none' ? gettext('no delay') : gettext('delay %(delay)s', { delay: formatDelay(delay) });
  write(summary, `${each} · ${free}`);
}

/** Hide the form, and style the page for a clock. */
function hideForm() {
  page.hidden = true;
  document.body.className = 'clock';
}

function showForm() {
  page.hidden = false;
  document.body.className = 'page';
  fit();
}

const around = { first, bookOf, showForm };
const kept = keptMatch();
/** @type {ReturnType<typeof fetchClock> | null} */
let coming = null;

/** Load the clock and its rules while the form is filled in. */
function fetchClock() {
  const both = load('practice/clock.js', () => import('./clock.js')).then(async ({ show }) => {
    const rules = await load('practice/rules.js', () => import('./rules.js'));
    return { show, rules };
  });
  both.then(install, () => {}); // a tap retries what failed
  return both;
}

/** Show the kept match while the engine that continues it loads. */
async function showKept(/** @type {Practice} */ match) {
  const { show } = await loaded('practice/clock.js', () => import('./clock.js'));
  const rules = loaded('practice/rules.js', () => import('./rules.js'));
  show(around, match, rules);
  rules.then(install);
}

const install = () => loaded('browser/install.js', () => import('../browser/install.js'));

async function goToTheClock() {
  button.disabled = true;
  coming ??= fetchClock();
  const arrived = await coming.catch(() => (coming = fetchClock())).catch(() => null);
  button.disabled = false;
  if (!arrived) {
    write(summary, gettext('That needs the network. Try again once it is back.'));
    return;
  }
  const { show, rules } = arrived;
  hideForm();
  show(around, rules.begin(first, chosenBook(), settingOf()), Promise.resolve(rules));
}

form.addEventListener('input', fit);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  goToTheClock();
});

button.disabled = false; // disabled until now: a tap would only reload the page
if (kept) {
  hideForm();
  showKept(kept);
} else {
  fit();
  coming = fetchClock();
}
