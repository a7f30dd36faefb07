/** The clock page: leaving only on purpose, and what the menu says about this phone and its connection. */
import { clockOfPage } from './match-clock.js';
import { connectionWords } from './bars.js';
import { Device } from './device.js';
import { onDevice } from '../browser/storage.js';
import { keepWhatIsHeard } from './last-heard.js';
import { answers, paragraph } from './sheet.js';
import { qualityOf } from '../wire/server-time.js';
import { gettext, interpolate } from '../words/i18n.js';
import { watchVersion } from './banners.js';

const clock = clockOfPage();
const device = new Device(clock);
keepWhatIsHeard(clock);
watchVersion(clock);
const kept = clock.shared && onDevice.get(`clock:${clock.dataset.code}:alone`);
// What was played without a network goes first over a socket, so what sends it has to be there before any socket is.
if (kept?.steps?.length) await goOnAlone(() => clock.begin({ extras, read: { rules } }));
else clock.begin({ extras, read: { rules } });
if (clock.seats.length) guardLeaving();
if (clock.match) later();
else clock.addEventListener('clock-change', later, { once: true });

/** What a clock can do without at first sight. */
async function later() {
  const { LateNotice } = await import('./late-notice.js');
  const { showWaysOn } = await import('./ways-on.js');
  await sheets();
  new LateNotice(clock);
  clock.addEventListener('clock-change', () => showWaysOn(clock));
  showWaysOn(clock);
  if (clock.shared && !clock.link.standIn) await goOnAlone();
}

/** Return the sheets of rules and language, which are loaded in good time: without a network they could not be. */
function sheets() {
  return import('./rules-and-language.js');
}

async function rules(show) {
  (await sheets()).rulesSheet(clock.match, show);
}

async function language(show) {
  (await sheets()).languageSheet(show);
}

/** Let the phone between the players work on its own while it has no network; `before` is called once it can. */
async function goOnAlone(before = () => {}) {
  const { StandIn } = await import('../alone/stand-in.js');
  before();
  new StandIn(clock);
}

/** Return what this page adds to the menu: this phone, its connection, and the ways out. */
function extras(desk) {
  const parts = device.switches();
  const { sync, link } = clock;
  const rtt = sync.synced ? sync.roundTrip : null;
  const { words } = connectionWords(link.state, sync.synced ? qualityOf(rtt) : null);
  const measured = { rtt: Math.round(rtt), error: Math.round(sync.errorBound) };
  const figures = sync.synced ? ` · ${interpolate(gettext('%(rtt)s ms, time within ±%(error)s ms'), measured)}` : '';
  parts.push(paragraph(words + figures));
  parts.push(
    ...device.sleepLines(),
    answers([
      { label: gettext('Rules of this match'), act: () => rules(desk.show) },
      { label: gettext('Language'), act: () => language(desk.show) },
      { label: gettext('Leave the clock …'), act: () => askToLeave(desk.show) },
    ]),
  );
  return parts;
}

/** A back gesture asks before it leaves; the clock runs on either way. */
function guardLeaving() {
  const guard = () => history.pushState({ guard: true }, '');
  // Browsers skip history entries that were made without a touch.
  addEventListener('pointerup', guard, { once: true });
  addEventListener('popstate', () => {
    guard();
    askToLeave((sheet) => clock.showSheet(sheet));
  });
}

function askToLeave(show) {
  show({
    title: gettext('Leave the clock?'),
    lasts: true,
    parts: [
      paragraph(gettext('It keeps running without this phone. To come back, scan the card on the table.')),
      answers([
        { label: gettext('Stay'), kind: 'primary', act: () => clock.closeSheets() },
        { label: gettext('Leave'), act: () => location.assign(clock.dataset.table) },
      ]),
    ],
  });
}
