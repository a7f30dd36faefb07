/** What the menu of a practice clock offers: the sheets are those of the real one. */
import { cubeSheet, endSheet, scoreSheet, undoSheet, undoTitle } from '../phone/menus.js';
import { answers, heading, paragraph } from '../phone/sheet.js';
import { gettext } from '../words/i18n.js';

/** Show the menu of `desk`'s seat; `on` holds `again()`, `other()` and `leave()`, `more` what the phone can do. */
export function practiceSheet(desk, more, on) {
  const match = desk.match();
  const { status, proposal } = match;
  const underWay = (status === 'running' || status === 'stopped') && !proposal;
  const to = (label, sheet) => ({ label, act: () => sheet(desk) });
  const game = [];
  if (underWay) game.push(to(gettext('The game is over …'), endSheet));
  if (underWay && match.undo) game.push(to(`${undoTitle(match)} …`, undoSheet));
  const correct = underWay || (status === 'ready' && !proposal);
  if (correct) game.push(to(gettext('Correct the score …'), scoreSheet), to(gettext('Correct the cube …'), cubeSheet));
  const sure = (title, line, label, act) => () =>
    desk.show({ title, parts: [paragraph(line), answers([{ label, kind: 'primary', act }])] });
  const again = sure(
    gettext('Begin again'),
    gettext('Both clocks go back to the beginning, with the same settings.'),
    gettext('Begin again'),
    on.again,
  );
  const other = sure(gettext('Other settings'), gettext('This match ends here.'), gettext('Other settings'), on.other);
  const parts = [
    answers([...game, { label: gettext('Begin again …'), act: again }, {
      label: gettext('Other settings …'),
      act: other,
    }]),
    heading(gettext('This phone')),
    ...more,
    answers([{ label: gettext('Leave the clock'), act: on.leave }]),
  ];
  desk.show({ title: gettext('Practice clock'), lasts: true, parts });
}
