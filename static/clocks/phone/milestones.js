/** What to tell people who listen when the match moves on. Pure. */
import { button, find, make } from '../browser/dom.js';
import { secondControlLine } from '../words/consequences.js';
import * as phrases from '../words/phrases.js';
import { gettext, interpolate } from '../words/i18n.js';

/**
 * Return {words, alert} for listeners when `match` follows `before` (null: the first), or null where nothing is new.
 */
export function milestone(before, match) {
  if (!before || before.match !== match.match) return null;
  if (match.status === 'over' && before.status !== 'over') return { words: phrases.resultLine(match) };
  if (match.status === 'flagged' && before.status !== 'flagged') {
    const words = interpolate(gettext('%(name)s’s time is up.'), { name: phrases.nameOf(match, match.flagged) });
    return { words, alert: true };
  }
  if (match.control > before.control) return { words: secondControlLine(match), alert: true };
  if (match.status === 'stopped' && before.status !== 'stopped') {
    return { words: phrases.stopLine(match), alert: match.stop?.by === 'director' };
  }
  if (phrases.isContested(match) && !phrases.isContested(before)) {
    return { words: phrases.stopLine(match), alert: true };
  }
  if (match.called !== before.called && phrases.calledLine(match)) return { words: phrases.calledLine(match) };
  if (String(match.score) !== String(before.score)) {
    return { words: interpolate(gettext('Score %(score)s.'), { score: phrases.scoreOf(match.score) }) };
  }
  if (match.turn && match.status === 'running' && (match.turn !== before.turn || before.status !== 'running')) {
    return { words: phrases.swapLine(match) || phrases.turnOf(match, match.turn) };
  }
  return null;
}

/** Return the cover for a link that must not be tried again (`state`), or null. */
export function coverOf(state, /** @type {DOMStringMap} */ { table }) {
  const words = {
    taken: [
      gettext('Another phone has taken this seat.'),
      gettext('Nothing is lost. The clock is running on the other phone.'),
    ],
    revoked: [
      gettext('The director has released this phone.'),
      gettext('Scan the card on the table. The seat is free, or the table has a new code.'),
    ],
    archived: [gettext('This tournament is over.'), gettext('It is in the archive, and its clocks are at rest.')],
    gone: [gettext('There is no match at this table now.'), gettext('Wait for the next one, or enter another code.')],
    'signed-out': [gettext('Please sign in to see this page.'), ''],
  }[state];
  if (!words) return null;
  const ways = [make('a.button', { href: table || '/' }, gettext('Go to the table'))];
  const claim = /** @type {HTMLFormElement | null} */ (find('form[data-claim]'));
  if (state === 'taken' && claim) {
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
