/** What the menu of a practice clock offers: all that a clock without a director does, and other settings. */
import { moreSheet } from '../phone/menus.js';
import { answers, paragraph } from '../phone/sheet.js';
import { gettext } from '../words/i18n.js';
/** @import { Desk } from '../phone/bars.js' */

/** Show the menu of `desk`'s seat; `on` holds `again()`, `other()` and `leave()`, `more` what the phone can do.
 * @param {Desk} desk @param {Element[]} more @param {Record<'again' | 'other' | 'leave', () => void>} on */
export function practiceSheet(desk, more, on) {
  /** @param {string} title @param {string} line @param {string} label @param {() => void} act */
  const sure = (title, line, label, act) => () =>
    desk.show({ title, parts: [paragraph(line), answers([{ label, kind: 'primary', act }])] });
  const again = sure(
    gettext('Begin again'),
    gettext('Both clocks go back to the beginning, with the same settings.'),
    gettext('Begin again'),
    on.again,
  );
  const other = sure(gettext('Other settings'), gettext('This match ends here.'), gettext('Other settings'), on.other);
  moreSheet(desk, [
    answers([
      { label: gettext('Begin again …'), act: again },
      { label: gettext('Other settings …'), act: other },
    ]),
    ...more,
    answers([{ label: gettext('Leave the clock'), act: on.leave }]),
  ]);
}
