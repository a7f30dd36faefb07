/**
 * Clock of a shared phone that was reloaded offline: it continues from the state stored on the phone. Once the server
 * answers, the page returns to the real clock, which hands over the steps.
 */
import { Course, keyOf } from '../alone/course.js';
import { LocalSource } from '../alone/local-source.js';
import { onDevice } from '../browser/storage.js';
import { Device } from '../phone/device.js';
import { MatchClock } from '../phone/match-clock.js';
import '../phone/corrections.js'; // later there may be no network
import * as voices from '../browser/voices.js';
import { sheetsWith } from '../phone/menus.js';
import { announceMilestones } from '../phone/milestones.js';
import { giveWay } from '../phone/sheet.js';
import { phoneSheet } from '../phone/about.js';
import { gettext } from '../words/i18n.js';
import { newId } from '../wire/outbox.js';

/** Show the clock of the table with this code, if its match is unfinished or ended on this phone alone. True if so.
 * @param {string} code */
export function goOn(code) {
  const course = new Course({ store: onDevice, key: keyOf(code), newId });
  if (!course.base || (course.state?.status === 'over' && !course.steps.length)) return false;
  const clock = new MatchClock();
  Object.assign(clock.dataset, { code, seats: 'left right', table: `/t/${code}/` });
  document.body.className = 'clock';
  document.body.replaceChildren(clock);
  const device = new Device(clock);
  device.feedback.voices = voices;
  clock.begin({
    source: new LocalSource({ game: course, connection: 'alone' }),
    sheets: sheetsWith(({ show }) => [
      { label: `${gettext('This phone')} …`, act: () => phoneSheet(device, show) },
    ]),
  });
  giveWay(clock);
  announceMilestones(clock);
  return true;
}
