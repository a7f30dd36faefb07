/**
 * Late starts: a board's missing players, and the tournament's penalty for them. Pure.
 */
import { indexOf, SEATS } from '../match/clocks.js';
import { gettext, ngettext } from '../words/i18n.js';
import { nameOf } from '../words/phrases.js';
/** @import { StartsFrame } from '../match/protocol.d.ts' */
/** @import { Board } from './console.d.ts' */

const NOT_STARTED_MS = 5 * 60_000; // after the match was made, if its round has no start time
const SOON_MS = 60_000; // after the start time of its round

/** Lateness of a tournament: `starts` by round in server milliseconds, `steps` as `[[minutes late, penalty], …]`. */
export class Lateness {
  constructor(starts = /** @type {StartsFrame['starts']} */ ({}), steps = /** @type {StartsFrame['lateness']} */ ([])) {
    this.starts = starts;
    this.steps = steps;
  }

  /** Time at which a late board should have started, in server milliseconds; null if it is not late.
   * @param {Board} board @param {number} now */
  since(board, now) {
    const start = this.starts[board.round];
    const since = start ?? board.made_at ?? board.now;
    return now - since > (start === undefined ? NOT_STARTED_MS : SOON_MS) ? since : null;
  }

  /** Name the missing players and, if the round has a start time, the penalty so far; '' if both are there.
   * @param {Board} board @param {number} now */
  says(board, now) {
    const missing = SEATS.filter((seat) => !board.seats?.[indexOf(seat)]?.held).map((seat) => nameOf(board, seat));
    if (missing.length === 0) return '';
    const names = missing.join(', ');
    const start = this.starts[board.round];
    const n = missing.length;
    if (start === undefined) return ngettext('%(names)s missing', '%(names)s missing', n, { names });
    const minutes = Math.floor((now - start) / 60_000);
    const cost = this.steps.filter(([after]) => minutes >= after).at(-1)?.[1];
    const late = ngettext(
      '%(names)s missing, %(minutes)s min after the start',
      '%(names)s missing, %(minutes)s min after the start',
      n,
      { names, minutes },
    );
    if (!cost) return late;
    if (cost === 'match') return gettext('%(late)s: the penalty is the match', { late });
    const points = Number(cost);
    return ngettext(
      '%(late)s: the penalty is %(points)s point',
      '%(late)s: the penalty is %(points)s points',
      points,
      { late, points },
    );
  }
}
