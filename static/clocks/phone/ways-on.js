/**
 * When the match is over: the next one, where there is no director, its record, and the way home. Loaded once the clock
 * is there.
 */
import { button, find, make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';

/** Show below the result where to go next, in the half of each player at this phone. */
export function showWaysOn(clock) {
  const { match } = clock;
  for (const seat of clock.seats) {
    const { panel } = clock.half(seat);
    const shown = panel.querySelector('.ways-on');
    const wanted = match?.status === 'over' && !match.proposal;
    if (!wanted) shown?.remove();
    else if (!shown) panel.append(waysOn(match));
  }
}

function waysOn(match) {
  const rematch = /** @type {HTMLFormElement | null} */ (find('form[data-rematch]'));
  return make(
    'nav.ways-on',
    { 'aria-label': gettext('What now?') },
    rematch ? button(gettext('Rematch'), () => rematch.submit(), 'primary') : null,
    make('a.button', { href: `/t/${match.code}/record/${match.match}/` }, gettext('Record of the match')),
    make(
      'a.button',
      { href: rematch ? '/' : `/t/${match.code}/` },
      rematch ? gettext('Home') : gettext('To the table'),
    ),
  );
}
