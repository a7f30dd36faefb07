/**
 * Clock page of a player. Most other scripts load after the first snapshot.
 */
import { clockOfPage, leaveWhenOver } from './match-clock.js';
import { giveWay } from './sheet.js';
import { loaded, once } from '../browser/events.js';
import { onDevice } from '../browser/storage.js';
import { Outbox } from '../wire/outbox.js';
import { RemoteSource } from '../wire/remote-source.js';
/** @import { Show } from './phone.d.ts' */

const clock = clockOfPage();
const { code = '' } = clock.dataset;
const source = new RemoteSource({ code, seats: clock.seats, outbox: new Outbox(onDevice, `clock:${code}:outbox`) });
const equipment = () => loaded('phone/equipment.js', () => import('./equipment.js'));
const read = { rules: (/** @type {Show} */ show) => equipment().then(({ openRules }) => openRules(clock, show)) };
const begin = () => clock.begin({ source, read });
giveWay(clock);
leaveWhenOver(clock);

const kept = clock.shared && onDevice.get(`clock:${code}:alone`);
const goesOnAlone = Boolean(kept?.steps?.length);
// Steps of offline play go first over a socket, so their script is loaded before the socket opens.
if (goesOnAlone) await fallBack(begin);
else begin();
guardLeaving();
once(clock, () => true, later);

/** Load the rest once the clock shows its match. */
async function later() {
  if (clock.shared && !goesOnAlone) fallBack();
  (await equipment()).equip();
}

/** Let a shared phone run the clock offline; `before()` is called once the script for that has loaded. */
async function fallBack(before = () => {}) {
  const { Fallback } = await loaded('alone/fallback.js', () => import('../alone/fallback.js'));
  before();
  new Fallback({ code, remote: source, use: (other) => clock.use(other) });
}

/** Make a back gesture ask before it leaves; the clock runs on either way. */
function guardLeaving() {
  const guard = () => history.pushState({ guard: true }, '');
  // Browsers skip history entries that were made without a user gesture.
  addEventListener('pointerup', guard, { once: true });
  addEventListener('popstate', async () => {
    guard();
    (await equipment()).leave(clock, (sheet) => clock.showSheet(sheet));
  });
}
