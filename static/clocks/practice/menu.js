/** Menu of a practice clock, and parts that load later: corrections, settings, sound, rules. */
import { must } from '../match/clocks.js';
import * as voices from '../browser/voices.js'; // later there may be no network
import '../phone/corrections.js';
import { Device } from '../phone/device.js';
import { sheetsWith } from '../phone/menus.js';
import { announceMilestones } from '../phone/milestones.js';
import { languageSheet, phoneSheet, rulesSheet } from '../phone/about.js';
import { answers, paragraph } from '../phone/sheet.js';
import { gettext } from '../words/i18n.js';
/** @import { MatchClock } from '../phone/match-clock.js' */
/** @import { Answer, Desk, Show } from '../phone/phone.d.ts' */
/** @typedef {Record<'again' | 'other' | 'leave', () => void>} Acts of the page */

/** Equip the clock. Returns `sheets(acts)`, which gives its sheets, and `rules(show)`, which opens the rules.
 * @param {MatchClock} clock */
export function equip(clock) {
  const device = new Device(clock);
  device.feedback.voices = voices;
  announceMilestones(clock);
  const rules = (/** @type {Show} */ show) => rulesSheet(must(clock.match), show);
  /** @type {(desk: Desk, on: Acts) => Answer[]} */
  const extras = (desk, on) => [
    beginOrLeave(desk, on),
    { label: gettext('Rules of this match'), act: () => rules(desk.show) },
    {
      label: `${gettext('This phone')} …`,
      act: () =>
        phoneSheet(device, desk.show, {
          more: [{ label: gettext('Language'), act: () => languageSheet(desk.show) }],
        }),
    },
  ];
  return { rules, sheets: (/** @type {Acts} */ on) => sheetsWith((desk) => extras(desk, on)) };
}

/** Menu entry that opens a sheet of ways to end this match.
 * @param {Desk} desk @param {Acts} on @returns {Answer} */
function beginOrLeave({ show }, on) {
  /** @param {string} title @param {string} line @param {() => void} act */
  const confirmed = (title, line, act) => ({
    label: `${title} …`,
    act: () => show({ title, parts: [paragraph(line), answers([{ label: title, kind: 'primary', act }])] }),
  });
  const items = [
    confirmed(
      gettext('Begin again'),
      gettext('Both clocks go back to the beginning, with the same settings.'),
      on.again,
    ),
    confirmed(gettext('Other settings'), gettext('This match ends here.'), on.other),
    { label: gettext('Leave the clock'), act: on.leave },
  ];
  const title = gettext('Begin again or leave');
  return { label: `${title} …`, act: () => show({ title, lasts: true, parts: [answers(items)] }) };
}
