/** Banner about a seat on loan: the other player confirms whose phone has it. */
import { button, find, make, write } from '../browser/dom.js';
import { indexOf, otherSeat } from '../match/clocks.js';
import { gettext } from '../words/i18n.js';
import { hasNoDirector, nameOf } from '../words/phrases.js';
/** @import { MatchClock } from './match-clock.js' */

const AWAY_MS = 120_000; // until then the seat's phone may come back, and the server rejects a yes
const LATER_MS = 500; // margin, because this phone only estimates the server's time

/**
 * Ask the player at a phone with one seat whether the other seat's new phone is the other player's. Until then it may
 * only press, stop and call the director.
 * @param {MatchClock} clock
 */
export function askAboutLoans(clock) {
  const [seat] = clock.seats;
  const lent = otherSeat(seat);
  let put = /** @type {number | null} */ (null); // `lent_at` of the loan whose question was dismissed
  let said = /** @type {number | null} */ (null); // `lent_at` of the loan whose yes does not count yet
  let timer = 0;
  const since = () => clock.match?.lent_at[indexOf(lent)] ?? null;
  /** Milliseconds until a yes counts. */
  const due = () => (since() ?? 0) + AWAY_MS - (clock.now() ?? 0);
  const text = make('p', { role: 'alert' });
  const yes = button('', agree, 'primary');
  const no = button(gettext('No'), () => {
    put = since();
    look();
  });
  const answers = make('div.row.settles', {}, yes, no);
  const element = make('div.message', { hidden: true }, make('b', {}, gettext('Seat on loan')), text, answers);

  /** Send the yes once it counts; with a director, call the director instead. */
  function agree() {
    const { match, players } = clock;
    if (!match) return;
    if (!hasNoDirector(match)) {
      put = since();
      players?.ask(seat, { do: 'call', note: `${nameOf(match, lent)} has a new phone` }, performance.now());
    } else if (due() > 0) {
      said = since();
      timer = setTimeout(agree, due() + LATER_MS);
    } else {
      said = null;
      players?.ask(seat, { do: 'grant-seat', seat: lent }, performance.now());
    }
    look();
  }

  function look() {
    const { match } = clock;
    const at = since();
    if (said !== at) clearTimeout(timer);
    element.hidden = !match || at === null || at === put || match.status === 'over';
    if (element.hidden || !match) return;
    const name = nameOf(match, lent);
    const alone = hasNoDirector(match);
    answers.hidden = said === at;
    write(yes, alone ? gettext('Yes') : gettext('Yes, tell the director'));
    write(
      text,
      said === at
        ? gettext('Noted. Within two minutes %(name)s’s new phone may do everything, unless the old one comes back.', {
          name,
        })
        : gettext('Another phone has %(name)s’s seat now. Is that right?', { name }),
    );
  }
  find('.hold', clock).before(element);
  clock.listen({ changed: look });
  look();
}
