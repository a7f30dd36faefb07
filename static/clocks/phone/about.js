/**
 * Sheets without commands: the rules of this match, and the settings, language and sounds of this phone. A player's
 * page loads them when needed.
 */
import { button, choice, fill, find, make, mark } from '../browser/dom.js';
import { indexOf } from '../match/clocks.js';
import { qualityOf } from '../wire/server-time.js';
import { gettext } from '../words/i18n.js';
import { connectionWords } from './bars.js';
import { answers, heading, needsNetwork, paragraph, stepper } from './sheet.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { Device } from './device.js' */
/** @import { MatchClock } from './match-clock.js' */
/** @import { Answer, Show } from './phone.d.ts' */

const OFF = 'off';
const LOUDEST = 5;
const UNLOCKED_MS = 50; // from unlocking sound to playing one

/** Show the rule-book page of `match` in a sheet.
 * @param {Snapshot} match @param {Show} show */
export async function rulesSheet(match, show) {
  const read = make('div.read', {}, paragraph(gettext('Loading …')));
  show({ title: gettext(match.rules_name), lasts: true, parts: [read] });
  let parts = /** @type {HTMLElement[]} */ ([]);
  try {
    const answer = await fetch(`/rules/${match.rules}/`);
    if (answer.ok) parts = partsOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // reported below
  }
  fill(read, ...(parts.length ? parts : [paragraph(needsNetwork())]));
}

/** Parts of a rule-book page: its figures, then a heading and a list for each section.
 * @param {Document} page */
function partsOf(page) {
  const words = (/** @type {Element} */ element) => element.textContent.replace(/\s+/g, ' ').trim();
  const figures = [...page.querySelectorAll('.figures > div')].flatMap((row) =>
    [...row.children].map((child) => make(child.localName, {}, words(child)))
  );
  const parts = /** @type {HTMLElement[]} */ (figures.length ? [make('dl.rows', {}, ...figures)] : []);
  for (const section of page.querySelectorAll('section.card:not(#choices)')) {
    const lines = [...section.querySelectorAll('li')].map((line) => make('li', {}, words(line)));
    if (lines.length) parts.push(heading(words(find('h2', section))), make('ul.rules', {}, ...lines));
  }
  return parts;
}

/** Menu of languages; choosing one reloads the page in it.
 * @param {Show} show */
export function languageSheet(show) {
  const form = /** @type {HTMLFormElement} */ (find('[data-languages] form'));
  const items = [...form.querySelectorAll('button')].map((each) => ({
    label: each.textContent,
    kind: each.hasAttribute('aria-current') ? 'primary' : '',
    act: () => choose(form, each, show),
  }));
  show({ title: gettext('Language'), lasts: true, parts: [answers(items)] });
}

/** @param {HTMLFormElement} form @param {HTMLButtonElement} chosen @param {Show} show */
async function choose(form, chosen, show) {
  try {
    const body = new FormData(form);
    body.set('language', chosen.value);
    const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
    if (answer.ok || answer.type === 'opaqueredirect') {
      location.reload();
      return;
    }
  } catch {
    // reported below
  }
  show({ title: gettext('Language'), lasts: true, parts: [paragraph(needsNetwork())] });
}

/**
 * Show this phone's settings: switches, sound, its connection if `linked`, and `more` buttons.
 * @param {Device} device @param {Show} show @param {{ linked?: boolean, more?: Answer[] }} [parts]
 */
export function phoneSheet(device, show, { linked = false, more = [] } = {}) {
  const switches = /** @type {HTMLElement[]} */ ([]);
  if ('vibrate' in navigator) switches.push(toggle(device, 'vibration', gettext('Vibration')));
  if (device.clock.shared) switches.push(toggle(device, 'facing', gettext('The players face each other')));
  for (const seat of device.clock.seats) {
    const name = device.clock.match?.names[indexOf(seat)] ?? '';
    const label = device.clock.shared ? gettext('%(name)s is left-handed', { name }) : gettext('Left-handed');
    switches.push(toggle(device, device.handOf(seat), label));
  }
  const words = linked ? [connectionLine(device.clock)] : [];
  if (!device.awake.held) words.push(adviceOnSleep());
  const sound = { label: `${gettext('Sound')} …`, act: () => soundSheet(device, show) };
  const parts = [...switches, ...words.map(paragraph), answers([sound, ...more])];
  show({ title: gettext('This phone'), lasts: true, parts });
}

/** Advice on keeping the screen on; for iOS and Android it names the setting.
 * @param {{ userAgent: string, maxTouchPoints: number }} [phone] */
export function adviceOnSleep({ userAgent, maxTouchPoints } = navigator) {
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) {
    return gettext(
      'The screen may turn off. In Settings, under Display & Brightness, set Auto-Lock to Never while you play.',
    );
  }
  if (/Android/.test(userAgent)) {
    return gettext(
      'The screen may turn off. In Settings, under Display, choose the longest screen timeout while you play.',
    );
  }
  return gettext('The screen may turn off. Set it to stay on while you play.');
}

/** Show the advice on sleep beside the clocks, until it is closed or a clock runs. It waits while a sheet is open.
 * @param {MatchClock} clock */
export function adviseOnSleep(clock) {
  if (clock.match?.status === 'running') return; // a clock was started while this script loaded
  const away = () => advice.remove();
  const words = make('p', { role: 'status' }, adviceOnSleep());
  const advice = make('div.message', {}, make('b', {}, gettext('Screen')), words, button(gettext('OK'), away));
  const wait = () => mark(advice, 'hidden', clock.querySelector('[data-sheet=open]') !== null);
  wait();
  new MutationObserver(wait).observe(clock, { subtree: true, attributeFilter: ['data-sheet'] });
  (find('.strip', clock) ?? clock).prepend(advice);
  clock.listen({ changed: (match) => match.status === 'running' && away() });
}

/** State of the connection and, once synced, its round-trip time and clock error. */
function connectionLine(/** @type {MatchClock} */ { source: { sync, connection } }) {
  const { roundTrip: rtt, errorBound: error } = sync;
  const { words } = connectionWords(connection, sync.synced ? qualityOf(rtt) : null);
  const measured = { rtt: Math.round(rtt ?? 0), error: Math.round(error ?? 0) };
  return words + (sync.synced ? ` · ${gettext('%(rtt)s ms, time within ±%(error)s ms', measured)}` : '');
}

/** A switch that turns a preference on and off.
 * @param {Device} device @param {string} name @param {string} label */
function toggle(device, name, label) {
  const { prefs } = device;
  const element = make(
    'button.toggle',
    { role: 'switch', 'aria-checked': String(prefs.get(name)) },
    make('span', {}, label),
    make('i', { 'aria-hidden': 'true' }),
  );
  element.addEventListener('click', () => {
    prefs.set(name, !prefs.get(name));
    element.setAttribute('aria-checked', String(prefs.get(name)));
    device.face();
  });
  return element;
}

/** Show a sheet to choose the sound and volume of this phone, and to play them.
 * @param {Device} device @param {Show} show */
function soundSheet({ prefs, feedback }, show) {
  const hear = async () => {
    await feedback.unlock();
    setTimeout(() => feedback.give('turn'), UNLOCKED_MS);
  };
  /** @type {[string, string][]} */
  const voices = [[OFF, gettext('Off')], ['wood', gettext('Wood')], ['soft', gettext('Soft')]];
  const chosen = prefs.get('sound') ? `${prefs.get('voice')}` : OFF;
  const voice = choice(gettext('Sound'), voices, chosen, {
    changed: (value) => {
      prefs.set('sound', value !== OFF);
      if (value !== OFF) prefs.set('voice', value);
      hear();
    },
  });
  voice.firstElementChild?.classList.add('unseen'); // the title says it
  const volume = stepper({
    legend: gettext('Volume'),
    value: Number(prefs.get('volume')),
    least: 1,
    most: LOUDEST,
    steps: [-1, 1],
    label: (step) => (step < 0 ? '−' : '+'),
    format: (value) => `${value} / ${LOUDEST}`,
    changed: (value) => {
      prefs.set('volume', value);
      hear();
    },
  });
  const advice = gettext('If you hear nothing, check the phone’s own volume and its silent switch.');
  const trial = { label: gettext('Play the sound'), act: hear };
  show({ title: gettext('Sound'), lasts: true, parts: [voice, volume, answers([trial]), paragraph(advice)] });
}
