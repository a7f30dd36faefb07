/** Start time of the round: a line in each half until the match has begun. Loaded with the first `starts` frame. */
import { gettext } from '../words/i18n.js';
import { calledLine } from '../words/phrases.js';
import { shortTime } from '../words/times.js';
/** @import { Snapshot, StartsFrame } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */

const SECOND_MS = 1000;

/** True before the first game of a match, unless it was stopped or the director was called.
 * @param {Snapshot} match */
const waits = (match) =>
  match.game === 1 && !match.stop && (match.status === 'setup' || match.status === 'ready') && !calledLine(match);

export class StartTime {
  /** @param {MatchClock} clock */
  constructor(clock) {
    this.clock = clock;
    this.starts = /** @type {StartsFrame['starts']} */ ({});
    this.timer = 0;
    clock.listen({ changed: () => this.show() });
  }

  receive(/** @type {StartsFrame} */ { starts }) {
    this.starts = starts;
    this.show();
  }

  /** Draw the line now, and each second while it counts down. */
  show() {
    clearTimeout(this.timer);
    const { clock } = this;
    const { match } = clock;
    const at = match && waits(match) ? this.starts[match.round] : undefined;
    const left = (at ?? 0) - (clock.now() ?? 0);
    clock.state.startLine = at === undefined
      ? ''
      : left > 0
      ? gettext('The round starts in %(time)s.', { time: shortTime(left) })
      : gettext('The round has started. Please start your clock.');
    clock.refresh();
    if (at !== undefined && left > 0 && clock.isConnected) {
      this.timer = setTimeout(() => this.show(), left % SECOND_MS || SECOND_MS);
    }
  }
}
