/** A borrowed seat in a match without a director: the other player says whose phone it is. */
import { button, find, make, write } from '../browser/dom.js';
import { indexOf, otherSeat } from '../match/clocks.js';
import { gettext } from '../words/i18n.js';
import { hasNoDirector, nameOf } from '../words/phrases.js';
/** @import { MatchClock } from './match-clock.js' */

/**
 * Ask the player at a phone with one seat, where there is no director, whether the phone that took the other player's
 * seat is that player's: until then it may only press and stop.
 * @param {MatchClock} clock
 */
export function askAboutLoans(clock) {
  const [seat] = clock.seats;
  const lent = otherSeat(seat);
  let put = /** @type {number | null} */ (null); // the loan that was put away
  const since = () => clock.match?.lent_at[indexOf(lent)] ?? null;
  const text = make('p', { role: 'alert' });
  const yes = button(
    '',
    () => clock.players?.ask(seat, { do: 'grant-seat', seat: lent }, performance.now()),
    'primary',
  );
  const no = button(gettext('No'), () => {
    put = since();
    look();
  });
  const element = make('div.message', { hidden: true }, make('b', {}, gettext('Seat on loan')), text);
  element.append(make('div.settles', {}, yes, no));
  function look() {
    const { match } = clock;
    element.hidden = !match || since() === null || since() === put || match.status === 'over' || !hasNoDirector(match);
    if (element.hidden || !match) return;
    const name = { name: nameOf(match, lent) };
    write(yes, gettext('Yes, it acts for %(name)s', name));
    write(
      text,
      gettext('A phone took %(name)s’s seat from one that was offline. Is that %(name)s’s phone?', name),
    );
  }
  find('.hold', clock).before(element);
  clock.listen({ changed: look });
  look();
}
