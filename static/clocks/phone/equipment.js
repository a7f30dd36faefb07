/** Parts of a clock page that load after its first snapshot, such as sheets, banners and sound. */
import { clockOfPage } from './match-clock.js';
import { showBanners, watchVersion } from './banners.js';
import { Device } from './device.js';
import { keepWhatIsHeard, lastHeard } from './last-heard.js';
import { corrections, sheetsWith } from './menus.js';
import { announceMilestones } from './milestones.js';
import { needsNetwork } from './sheet.js';
import { must } from '../match/clocks.js';
import { load, loaded, once } from '../browser/events.js';
import { gettext } from '../words/i18n.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */
/** @import { Answer, Desk, Show } from './phone.d.ts' */

/** Add these parts to the clock of this page. Parts that few matches need load on demand. */
export function equip() {
  const clock = clockOfPage();
  const device = new Device(clock);
  clock.equip(sheetsWith((desk) => extras(clock, device, desk)));
  if (clock.shared) corrections(); // load early, in case it goes offline
  announceMilestones(clock);
  const before = lastHeard(`${clock.dataset.code}`);
  keepWhatIsHeard(clock);
  watchVersion(clock);
  showBanners(clock);
  stayInSight(clock);
  const losesTime = (/** @type {Snapshot} */ { status }) =>
    status !== 'setup' || Boolean(before?.lost) || clock.source.lostMs > 0;
  once(clock, losesTime, async () => { // once confirmed, or after an earlier loss
    const first = { before, match: must(clock.match), shownAt: performance.now(), lostMs: clock.source.lostMs };
    loaded('phone/leaving.js', leaving);
    (await loaded('phone/time-notices.js', () => import('./time-notices.js'))).showTimeNotices(clock, first);
  });
  once(clock, (match) => match.lent_at.some(Boolean), async () => {
    if (clock.seats.length === 1) (await loaded('phone/loans.js', () => import('./loans.js'))).askAboutLoans(clock);
  });
  // Load early on a shared phone: its match may end offline.
  once(clock, ({ status }) => clock.shared || status === 'over', async () => {
    const { showWaysOn } = await loaded('phone/ways-on.js', () => import('./ways-on.js'));
    const show = () => showWaysOn(clock);
    clock.listen({ changed: show, connection: show }); // retries a summary that failed to load
    show();
  });
}

/** Keep the clock above the keyboard while a note is typed.
 * @param {MatchClock} clock */
function stayInSight(clock) {
  clock.addEventListener('focusin', async function write({ target }) {
    if (!(target instanceof HTMLInputElement && target.type === 'text')) return;
    clock.removeEventListener('focusin', write);
    (await loaded('phone/keyboard.js', () => import('./keyboard.js'))).stayAboveKeyboard(clock);
  });
}

const about = () => import('./about.js');
const leaving = () => import('./leaving.js');

/** Load a script and show its sheet; if that fails, say that it needs the network.
 * @template Sheets
 * @param {MatchClock} clock @param {string} name @param {() => Promise<Sheets>} start
 * @param {(sheets: Sheets) => unknown} show */
async function open(clock, name, start, show) {
  try {
    show(await load(name, start));
  } catch {
    clock.say(needsNetwork());
  }
}

/** @param {MatchClock} clock @param {Show} show */
export const openRules = (clock, show) =>
  open(clock, 'phone/about.js', about, ({ rulesSheet }) => clock.match && rulesSheet(clock.match, show));

/** Ask whether to leave the page of a clock.
 * @param {MatchClock} clock @param {Show} show */
export const leave = (clock, show) =>
  open(clock, 'phone/leaving.js', leaving, ({ askToLeave }) => askToLeave(clock, show));

/** Menu entries of this page: the rules, and the sheet of this phone, with its connection, the language and leaving.
 * @param {MatchClock} clock @param {Device} device @param {Desk} desk @returns {Answer[]} */
const extras = (clock, device, { show }) => [
  { label: gettext('Rules of this match'), act: () => openRules(clock, show) },
  {
    label: `${gettext('This phone')} …`,
    act: () =>
      open(clock, 'phone/about.js', about, ({ phoneSheet, languageSheet }) =>
        phoneSheet(device, show, {
          linked: true,
          more: [
            { label: gettext('Language'), act: () => languageSheet(show) },
            { label: gettext('Leave the clock …'), act: () => leave(clock, show) },
          ],
        })),
  },
];
