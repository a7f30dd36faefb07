/** What the menu of a practice clock offers, and the score between two games. */
import { indexOf, SEATS } from '../match/clocks.js';
import * as phrases from '../words/phrases.js';
import { answers, heading, paragraph, stepper } from '../phone/sheet.js';
import { make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';

/** Show the menu of `desk`'s seat; `on` holds `again()`, `other()` and `leave()`, `more` what the phone can do. */
export function practiceSheet(desk, more, on) {
  const { status } = desk.match();
  const game = [];
  if (status === 'running') game.push({ label: gettext('Stop both clocks'), act: () => desk.ask({ do: 'stop' }) });
  if (status === 'running' || status === 'stopped' || status === 'ready') {
    game.push({
      label: status === 'ready' ? gettext('Set the score …') : gettext('The game is over …'),
      act: () => scoreSheet(desk),
    });
  }
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
  desk.show({ title: gettext('Practice clock'), parts });
}

/** Ask for the score; both clocks stand then, and the next game is ready. */
function scoreSheet(desk) {
  const match = desk.match();
  const score = [...match.score];
  const shown = make('p.change', {}, phrases.scoreOf(score));
  const steppers = SEATS.map((seat) =>
    stepper({
      legend: phrases.nameOf(match, seat),
      value: score[indexOf(seat)],
      least: 0,
      most: match.length,
      steps: [-1, 1],
      label: (step) => (step < 0 ? '−' : '+'),
      format: String,
      changed: (value) => {
        score[indexOf(seat)] = value;
        shown.textContent = phrases.change(phrases.scoreOf(match.score), phrases.scoreOf(score));
      },
    })
  );
  const act = () => desk.ask({ do: 'end-game', score });
  desk.show({
    title: gettext('The score now'),
    parts: [...steppers, shown, answers([{ label: gettext('Next game'), kind: 'primary', act }])],
  });
}
