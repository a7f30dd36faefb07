/** What to tell people who listen when the match moves on. Pure. */
import { secondControlLine } from '../words/consequences.js';
import * as phrases from '../words/phrases.js';
import { gettext, interpolate } from '../words/i18n.js';

/** Return {words, alert} for listeners when `match` follows `before` (null: the first), or null where nothing is new. */
export function milestone(before, match) {
  if (!before || before.match !== match.match) return null;
  if (match.status === 'over' && before.status !== 'over') return { words: phrases.resultLine(match) };
  if (match.status === 'flagged' && before.status !== 'flagged') {
    const words = interpolate(gettext("%(name)s's time is up."), { name: phrases.nameOf(match, match.flagged) });
    return { words, alert: true };
  }
  if (match.control > before.control) return { words: secondControlLine(match), alert: true };
  if (match.status === 'stopped' && before.status !== 'stopped') {
    return { words: phrases.stopLine(match), alert: Boolean(match.stop) && match.stop.by === 'director' };
  }
  if (match.called && !before.called) return { words: phrases.calledLine(match) };
  if (String(match.score) !== String(before.score)) {
    return { words: interpolate(gettext('Score %(score)s.'), { score: phrases.scoreOf(match.score) }) };
  }
  if (match.turn && match.status === 'running' && (match.turn !== before.turn || before.status !== 'running')) {
    return { words: phrases.turnOf(match, match.turn) };
  }
  return null;
}
