/** Announcements of what happens in a match, for screen readers. */
import { secondControlLine } from '../words/terms.js';
import * as phrases from '../words/phrases.js';
import { gettext } from '../words/i18n.js';
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { MatchClock } from './match-clock.js' */

/**
 * Announcement for the change from `before` (null: no state yet) to `match`, or null.
 * @param {ShownMatch | null} before @param {ShownMatch} match @returns {{ words: string, alert?: boolean } | null}
 */
function milestone(before, match) {
  if (!before || before.match !== match.match) return null;
  if (match.status === 'over' && before.status !== 'over') return { words: phrases.resultLine(match) };
  if (match.flagged && match.status === 'flagged' && before.status !== 'flagged') {
    const words = gettext('%(name)s’s time is up.', { name: phrases.nameOf(match, match.flagged) });
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
    return { words: gettext('Score %(score)s.', { score: phrases.scoreOf(match.score) }) };
  }
  if (match.turn && match.status === 'running' && (match.turn !== before.turn || before.status !== 'running')) {
    return { words: phrases.swapLine(match) || phrases.turnOf(match, match.turn) };
  }
  return null;
}

/** Announce what happens at a clock.
 * @param {MatchClock} clock */
export function announceMilestones(clock) {
  clock.listen({
    changed(match, before) {
      const news = milestone(before, match);
      if (news) (news.alert ? clock.parts.alert : clock.parts.status).say(news.words);
    },
  });
}
