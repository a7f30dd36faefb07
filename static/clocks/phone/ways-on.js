/**
 * After a match: its end, the next match or a rematch, a picture to share, the record, and the way home. Loaded when a
 * match is over, and early on a shared phone.
 */
import { button, find, make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { resultLine, spelt } from '../words/phrases.js';
import { forget, hideEnding, showEnding, style, summaryOf } from './ending.js';
import { pictureOf } from './picture.js';
/** @import { Seat } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { MatchClock } from './match-clock.js' */

const EVERY_MS = 30_000; // how often an open page asks whether the next match is drawn
const SPREAD_MS = 2000; // spreads the requests of all phones after a message, which may announce the draw
const KEPT_MS = 60_000; // how long the URL of a picture lasts while it is saved

/** Show how the match ended and where to go next, in the half of each player at this phone. `rematch()` starts another
 * match; by default, it submits the form of the page, if there is one.
 * @param {MatchClock} clock @param {(() => void) | null} [rematch] */
export function showWaysOn(clock, rematch = rematchOfPage()) {
  const { match } = clock;
  const over = match?.status === 'over' && !match.proposal;
  for (const seat of clock.seats) {
    const panel = clock.half(seat)?.panel;
    const shown = panel?.querySelector('.ways-on');
    if (!over) shown?.remove();
    else if (!shown) panel?.append(waysOn(clock, match, rematch));
  }
  if (over) showEnding(clock);
  else {
    if (clock.shared) style(clock); // it may end offline
    hideEnding(clock);
    if (match) forget(match);
  }
  if (!rematch) followTheDraw(clock);
}

function rematchOfPage() {
  const form = /** @type {HTMLFormElement | null} */ (find('form[data-rematch]'));
  return form && (() => form.submit());
}

let following = false;

/** Show each player's next match; while the match is over and the page visible, ask every `EVERY_MS` and after a
 * message. */
async function followTheDraw(/** @type {MatchClock} */ clock) {
  if (following) return;
  following = true;
  clock.listen({ message: () => void setTimeout(() => showNext(clock), Math.random() * SPREAD_MS) });
  do {
    await showNext(clock);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  } while (clock.isConnected);
}

async function showNext(/** @type {MatchClock} */ clock) {
  if (document.hidden || clock.match?.status !== 'over') return;
  const { code, match } = clock.match;
  const response = await fetch(`/t/${code}/next/${match}/`).catch(() => null);
  if (!response?.ok) return;
  /** @type {Partial<Record<Seat, string>>} */
  const words = await response.json().catch(() => ({})); // not JSON, but a proxy's page
  for (const seat of clock.seats) {
    const place = clock.half(seat)?.panel.querySelector('.ways-on > b');
    if (place && place.textContent !== words[seat]) place.textContent = words[seat] ?? '';
  }
}

/** @param {MatchClock} clock @param {ShownMatch} match @param {(() => void) | null} rematch */
function waysOn(clock, { code, match: id, practice }, rematch) {
  return make(
    'nav.row.ways-on',
    { 'aria-label': gettext('What now?') },
    make('b', { role: 'status' }),
    rematch ? button(gettext('Rematch'), rematch, 'primary') : null,
    button(gettext('Share'), () => share(clock)),
    practice ? null : make('a.button', { href: `/t/${code}/record/${id}/` }, gettext('Record')),
    make(
      'a.button',
      { href: rematch ? '/' : `/t/${code}/` },
      rematch ? gettext('Home') : gettext('To the table'),
    ),
  );
}

/** Share a picture of the match, with the link to a public result, or save it if sharing is impossible or fails. */
async function share(/** @type {MatchClock} */ clock) {
  const { match } = clock;
  if (!match) return;
  try {
    const summary = await summaryOf(clock);
    const blob = await pictureOf(match, summary);
    const name = `backgammon-${match.score.join('-')}.${blob.type === 'image/png' ? 'png' : 'jpg'}`;
    const file = new File([blob], name, { type: blob.type });
    const url = summary?.link ? { url: new URL(summary.link, location.href).href } : {};
    const given = { files: [file], text: spelt(resultLine(match)), ...url };
    if (!navigator.canShare?.(given)) save(file);
    else await navigator.share(given).catch((error) => error.name === 'AbortError' || save(file));
  } catch {
    clock.say(gettext('The picture could not be made. Try again.'));
  }
}

/** @param {File} file */
function save(file) {
  const href = URL.createObjectURL(file);
  const link = make('a', { href, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
