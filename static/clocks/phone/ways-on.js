/**
 * When the match is over: the next one, where there is no director, its record, and the way home. Loaded once the clock
 * is there.
 */
import { button, find, make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
/** @import { Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */

const EVERY_MS = 30_000; // how often an open page asks whether the next match is drawn

/** Show the ways on below the result, in the half of each player at this phone.
 * @param {MatchClock} clock */
export function showWaysOn(clock) {
  const { match } = clock;
  for (const seat of clock.seats) {
    const panel = clock.half(seat)?.panel;
    const shown = panel?.querySelector('.ways-on');
    if (match?.status !== 'over' || match.proposal) shown?.remove();
    else if (!shown) panel?.append(waysOn(match));
  }
  if (!find('form[data-rematch]')) followTheDraw(clock);
}

let following = false;

/** Show each player's next match, and again when the draw changes. */
async function followTheDraw(/** @type {MatchClock} */ clock) {
  if (following) return;
  following = true;
  do {
    if (!document.hidden && clock.match?.status === 'over') await showNext(clock);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  } while (clock.isConnected);
}

async function showNext(/** @type {MatchClock} */ clock) {
  if (!clock.match) return;
  const { code, match } = clock.match;
  const response = await fetch(`/t/${code}/next/${match}/`).catch(() => null);
  if (!response?.ok) return;
  /** @type {Partial<Record<Seat, string>>} */
  const words = await response.json().catch(() => ({})); // the page of a proxy
  for (const seat of clock.seats) {
    const place = clock.half(seat)?.panel.querySelector('.ways-on > b');
    if (place && place.textContent !== words[seat]) place.textContent = words[seat] ?? '';
  }
}

function waysOn(/** @type {Snapshot} */ { code, match: id }) {
  const rematch = /** @type {HTMLFormElement | null} */ (find('form[data-rematch]'));
  return make(
    'nav.ways-on',
    { 'aria-label': gettext('What now?') },
    make('b', { role: 'status' }),
    rematch ? button(gettext('Rematch'), () => rematch.submit(), 'primary') : null,
    make('a.button', { href: `/t/${code}/record/${id}/` }, gettext('Record of the match')),
    make(
      'a.button',
      { href: rematch ? '/' : `/t/${code}/` },
      rematch ? gettext('Home') : gettext('To the table'),
    ),
  );
}
