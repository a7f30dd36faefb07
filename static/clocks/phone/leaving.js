/** Ways to leave the page of a clock: its match moves on, its seat is lost, or the player asks. Loaded on demand. */
import { button, find, make, openOver } from '../browser/dom.js';
import { answers, needsNetwork, paragraph } from './sheet.js';
import { gettext } from '../words/i18n.js';
import { hasNoDirector } from '../words/phrases.js';
/** @import { Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { Connection } from '../wire/match-source.js' */
/** @import { MatchClock } from './match-clock.js' */
/** @import { Show } from './phone.d.ts' */

/** Go to the page of another match or table.
 * @param {MatchClock} clock @param {Snapshot} match */
export function follow(clock, match) {
  location.assign(addressOf(match, clock.seats));
}

/** Leave a page that may no longer use its match, or cover the clock and say why.
 * @param {MatchClock} clock */
export function end(clock) {
  const { source: { connection }, dataset, match, seats } = clock;
  const next = pageWithout(connection, dataset.code ?? '', seats);
  const cover = next ? null : coverOf(connection, dataset, Boolean(match && hasNoDirector(match)));
  if (next) location.replace(next);
  if (!cover) return;
  clock.closeSheets();
  openOver(clock, cover, { stays: true });
}

/** Ask whether to leave the page of a clock. A phone that keeps the time by itself stays.
 * @param {MatchClock} clock @param {Show} show */
export function askToLeave(clock, show) {
  const { code = '' } = clock.dataset;
  const values = { code: `${code.slice(0, 3)} ${code.slice(3)}` };
  const back = clock.match && hasNoDirector(clock.match)
    ? gettext('It keeps running without this phone. To come back, type the code %(code)s on the first page.', values)
    : gettext('It keeps running without this phone. To come back, scan the card on the table.');
  const alone = clock.source.connection === 'alone'; // it has the only clock, and could not load it again
  const leaving = { label: gettext('Leave'), act: () => location.assign(`${clock.dataset.table}`) };
  show({
    title: gettext('Leave the clock?'),
    lasts: true,
    parts: [
      paragraph(alone ? needsNetwork() : back),
      answers([
        { label: gettext('Stay'), kind: 'primary', act: () => clock.closeSheets() },
        ...(alone ? [] : [leaving]),
      ]),
    ],
  });
}

/**
 * Address of the page for `match`: another match at this table, or this one at another table. A seat belongs to a
 * match, so it is taken again there, unless this phone has it already.
 * @param {Snapshot} match
 * @param {Seat[]} seats
 */
const addressOf = (match, seats) => `/t/${match.code}/${seats.length ? 'clock' : 'watch'}/`;

/**
 * Address for a shared phone that has lost a seat, as it may still have the other; null: stay.
 * @param {Connection} connection
 * @param {string} code
 * @param {Seat[]} seats
 */
const pageWithout = (connection, code, seats) =>
  connection === 'taken' && seats.length === 2 ? `/t/${code}/clock/` : null;

/**
 * Cover that says why a connection is not retried, or null; `casual`: there is neither a director nor a table card.
 * @param {Connection} connection
 * @param {DOMStringMap} dataset
 * @param {boolean} casual
 */
function coverOf(connection, { table }, casual) {
  /** @type {Partial<Record<typeof connection, [string, string]>>} */
  const covers = {
    taken: [
      gettext('Another phone has taken this seat.'),
      gettext('Nothing is lost. The clock goes on at the phone that has the seat now.'),
    ],
    revoked: casual
      ? [gettext('This phone has no seat any more.'), gettext('The seat is free, or the table has a new code.')]
      : [
        gettext('The director has released this phone.'),
        gettext('Scan the card on the table. The seat is free, or the table has a new code.'),
      ],
    archived: [gettext('This tournament is over.'), gettext('It is in the archive, and its clocks are at rest.')],
    gone: [gettext('There is no match at this table now.'), gettext('Wait for the next one, or enter another code.')],
    'signed-out': [gettext('Please sign in to see this page.'), ''],
  };
  const words = covers[connection];
  if (!words) return null;
  const ways = /** @type {HTMLElement[]} */ ([make('a.button', { href: table || '/' }, gettext('Go to the table'))]);
  const claim = /** @type {HTMLFormElement | null} */ (find('form[data-claim]'));
  if (connection === 'taken' && claim) {
    ways.unshift(button(gettext('Use here'), () => claim.submit(), 'primary'));
  }
  return make(
    'dialog.cover',
    { role: 'alertdialog', 'aria-label': words[0] },
    make('h2', { tabindex: '-1', autofocus: true }, words[0]),
    make('p', {}, words[1]),
    ...ways,
  );
}
