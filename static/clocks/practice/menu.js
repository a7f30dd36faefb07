/** Menu and equipment of a practice clock: what a clock without a director does, other settings, sound, rules. */
import { must } from '../match/clocks.js';
import '../phone/corrections.js'; // later there may be no network
import { Device } from '../phone/device.js';
import { moreSheet, sheetsWith } from '../phone/menus.js';
import { announceMilestones } from '../phone/milestones.js';
import { languageSheet, rulesSheet } from '../phone/rules-and-language.js';
import { answers, paragraph } from '../phone/sheet.js';
import { gettext } from '../words/i18n.js';
/** @import { MatchClock } from '../phone/match-clock.js' */
/** @import { Desk, Show } from '../phone/phone.d.ts' */
/** @typedef {Record<'again' | 'other' | 'leave', () => void>} Acts of the page */

/** Equip the clock. Returns its sheets by what the page does, and the sheet of its rules.
 * @param {MatchClock} clock */
export function equip(clock) {
  const device = new Device(clock);
  announceMilestones(clock);
  const rules = (/** @type {Show} */ show) => rulesSheet(must(clock.match), show);
  const extras = (/** @type {Desk} */ { show }) => [
    ...device.switches(),
    ...device.sleepLines(),
    answers([
      { label: gettext('Rules of this match'), act: () => rules(show) },
      { label: gettext('Language'), act: () => languageSheet(show) },
    ]),
  ];
  const sheets = (/** @type {Acts} */ on) => sheetsWith(extras, (desk, more) => practiceSheet(desk, more, on));
  return { rules, sheets };
}

/** Show the menu of a seat; `more` is what the phone can do.
 * @param {Desk} desk @param {Element[]} more @param {Acts} on */
function practiceSheet(desk, more, on) {
  /** @param {string} title @param {string} line @param {() => void} act */
  const confirmSheet = (title, line, act) => () =>
    desk.show({ title, parts: [paragraph(line), answers([{ label: title, kind: 'primary', act }])] });
  const again = confirmSheet(
    gettext('Begin again'),
    gettext('Both clocks go back to the beginning, with the same settings.'),
    on.again,
  );
  const other = confirmSheet(gettext('Other settings'), gettext('This match ends here.'), on.other);
  moreSheet(desk, [
    answers([
      { label: gettext('Begin again …'), act: again },
      { label: gettext('Other settings …'), act: other },
    ]),
    ...more,
    answers([{ label: gettext('Leave the clock'), act: on.leave }]),
  ]);
}
