/** The clock page: sound, vibration, the screen kept on, leaving only on purpose, and what the menu says about this phone. */
import { Awake } from './awake.js';
import { Feedback, Prefs } from './feedback.js';
import { connectionWords } from './bars.js';
import { make } from './dom.js';
import { answers, paragraph } from './sheet.js';
import { storage } from './storage.js';
import { qualityOf } from './sync.js';
import { gettext, interpolate } from './words.js';
import './match-clock.js';
import './install.js';
import './kept.js';
import './renewal.js';

const clock = document.querySelector('match-clock');
const plays = clock.seats.length > 0;
const prefs = new Prefs(storage());
const feedback = new Feedback(prefs);
const awake = new Awake((held) => held || warnOfSleep());
const SLEEPS = gettext('This phone may switch its screen off: set Auto-Lock to Never while you play.');
let warned = false;

/** Say it once, at the first touch, while nothing runs yet. The menu says it as well. */
function warnOfSleep() {
  const { match, seats } = clock;
  if (warned || !match || match.status === 'running') return;
  warned = true;
  for (const seat of seats) clock.face(seat).tell(SLEEPS);
}

if (plays) {
  const signal = (name) => () => feedback.give(name);
  clock.addEventListener('clock-press', signal('press'));
  clock.addEventListener('clock-refused', signal('refused'));
  clock.addEventListener('clock-low', (event) => clock.seats.includes(event.detail.seat) && feedback.give('low'));
  clock.addEventListener('clock-change', ({ detail: { match, before } }) => {
    if (!before) return;
    if (match.status === 'flagged' && before.status !== 'flagged') feedback.give('flag');
    else if (match.status === 'running' && match.turn !== before.turn && clock.seats.length === 1 && clock.seats.includes(match.turn)) {
      feedback.give('turn');
    }
  });
  guardLeaving();
}

const face = () => clock.setAttribute('data-facing', prefs.facing ? 'facing' : 'same');
face();

/** Return a switch that turns a preference on and off. */
function toggle(name, label, changed = () => {}) {
  const button = make('button.toggle', { role: 'switch', 'aria-checked': String(prefs[name]) }, make('span', {}, label), make('i', { 'aria-hidden': 'true' }));
  button.addEventListener('click', () => {
    prefs.set(name, !prefs[name]);
    button.setAttribute('aria-checked', String(prefs[name]));
    changed();
  });
  return button;
}

clock.extras = (desk) => {
  const parts = [toggle('sound', gettext('Sound'))];
  if (navigator.vibrate) parts.push(toggle('vibration', gettext('Vibration')));
  if (clock.shared) parts.push(toggle('facing', gettext('The players face each other'), face));
  const { sync, link } = clock;
  const rtt = sync.synced ? sync.roundTrip : null;
  const { words } = connectionWords(link.state, sync.synced ? qualityOf(rtt) : null);
  const measured = { rtt: Math.round(rtt), error: Math.round(sync.errorBound) };
  const figures = sync.synced ? ` · ${interpolate(gettext('%(rtt)s ms, time within ±%(error)s ms'), measured)}` : '';
  parts.push(paragraph(words + figures));
  if (!awake.held) parts.push(paragraph(SLEEPS));
  parts.push(
    answers([
      { label: gettext('Language'), act: () => location.assign(`${clock.dataset.table}#languages`) },
      { label: gettext('Leave the clock …'), act: () => askToLeave(desk.show) },
    ]),
  );
  return parts;
};

/** A back gesture asks before it leaves; the clock runs on either way. */
function guardLeaving() {
  const guard = () => history.pushState({ guard: true }, '');
  // Browsers skip history entries that were made without a touch.
  addEventListener('pointerup', guard, { once: true });
  addEventListener('popstate', () => {
    guard();
    askToLeave((sheet) => clock.sheet.show(sheet));
  });
}

function askToLeave(show) {
  show({
    title: gettext('Leave the clock?'),
    parts: [
      paragraph(gettext('It runs on without this phone. Come back by scanning the card on the table.')),
      answers([
        { label: gettext('Stay'), kind: 'primary', act: () => clock.sheet.close() },
        { label: gettext('Leave'), act: () => location.assign(clock.dataset.table) },
      ]),
    ],
  });
}
