/** The practice page: a setting, then a clock that lies between two players and needs no server. */
import { LocalSource } from '../alone/local-source.js';
import { formatDelay, formatTime } from '../words/times.js';
import { find, write } from '../browser/dom.js';
import { begin, timing } from './match.js';
import { forgetMatch, keptMatch, PracticeMatch } from './kept-match.js';
import { practiceSheet } from './menu.js';
import { Device } from '../phone/device.js';
import { languageSheet, rulesSheet } from '../phone/rules-and-language.js';
import { answers, giveWay } from '../phone/sheet.js';
import { gettext } from '../words/i18n.js';
import { MatchClock } from '../phone/match-clock.js';
import { sheetsWith } from '../phone/menus.js';
import '../phone/corrections.js'; // later there may be no network
import { announceMilestones } from '../phone/milestones.js';
import { must } from '../match/clocks.js';
/** @import { Desk } from '../phone/bars.js' */
/** @import { FlagPolicy, Format, Kind, Pair } from '../match/protocol.d.ts' */
/** @import { OwnAmounts, Practice, PracticeBook, PracticeData, Setting } from './practice.d.ts' */

const MINUTE_MS = 60_000;
/** @type {PracticeData} */
const { books, first } = JSON.parse(find('#practice-data').textContent);
const form = /** @type {HTMLFormElement} */ (find('[data-setting]'));
const page = find('[data-form]');
const summary = find('[data-summary]');
const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
const clock = new MatchClock();
clock.dataset.code = '';
clock.dataset.seats = 'left right';
clock.dataset.practice = '';
/** @type {PracticeMatch | null} */
let game = null;
const device = new Device(clock);
giveWay(clock);
announceMilestones(clock);

/** @param {string} rules */
const bookOf = (rules) => must(books.find(({ key }) => key === rules));
const chosenBook = () => bookOf(field('rules').value);
/** @param {string} name @param {number} least @param {number} most */
const number = (name, least, most) => Math.min(most, Math.max(least, Math.round(Number(field(name).value)) || 0));

/** Return the setting as the form has it.
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

/** Return what the players chose to happen when a time is up, as far as the rules leave it to them.
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

/** Show only what the rule set has, and what each clock will begin with. */
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

const rules = (/** @type {Desk['show']} */ open) => rulesSheet(must(clock.match), open);

/** @param {Desk} desk @param {Element[]} more */
const menu = (desk, more) => practiceSheet(desk, more, { again, other, leave: () => location.assign('/') });

const extras = (/** @type {Desk} */ desk) => [
  ...device.switches(),
  ...device.sleepLines(),
  answers([
    { label: gettext('Rules of this match'), act: () => rules(desk.show) },
    { label: gettext('Language'), act: () => languageSheet(desk.show) },
  ]),
];

/** Put the clock of a match in place of the form.
 * @param {Practice} match */
function show(match) {
  game = new PracticeMatch(match);
  page.hidden = true;
  document.body.className = 'clock';
  document.body.append(clock);
  clock.begin({
    source: new LocalSource({ game, connection: 'open' }),
    sheets: sheetsWith(extras, menu),
    read: { rules },
  });
}

function start() {
  show(begin(first, chosenBook(), settingOf()));
}

/** Begin again with the same settings. */
function again() {
  const { state, setting } = must(game).match;
  clock.remove();
  show(begin(first, bookOf(state.setup.rules), setting));
}

/** Go back to the form. */
function other() {
  clock.remove();
  forgetMatch();
  page.hidden = false;
  document.body.className = 'page';
  fit();
}

form.addEventListener('input', fit);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  start();
});

/** @type {HTMLButtonElement} */ (find('button', form)).disabled = false; // earlier, a tap would only reload the page
const kept = keptMatch();
if (kept) show(kept);
else fit();
