/** Notices of time lost to the network, and of times changed by a ruling or an agreement. Loaded after confirming. */
import { placeBanners } from './banners.js';
import { LateNotice } from './late-notice.js';
import { SEATS } from '../match/clocks.js';
import { gettext } from '../words/i18n.js';
import { briefName } from '../words/phrases.js';
import { formatChange } from '../words/times.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */

const A_SECOND_MS = 1000;
const TOGETHER_MS = 2000; // the director changes both times by two rulings, one after the other

/** Show both kinds at a clock. `first` is its state before this script had loaded.
 * @param {MatchClock} clock @param {ConstructorParameters<typeof LateNotice>[1]} first */
export function showTimeNotices(clock, first) {
  placeBanners(clock, [new LateNotice(clock, first).element]);
  /** @type {string[]} */
  let told = [];
  let until = 0;
  clock.listen({
    changed(_frame, before) {
      const { match } = clock;
      const changes = match && before ? changesOf(match, before) : [];
      if (!changes.length) return;
      told = [...(performance.now() < until ? told : []), ...changes];
      until = performance.now() + TOGETHER_MS;
      clock.say(told.join(' · '));
    },
  });
}

/** Messages about reserves that changed since `before` within the same turn.
 * @param {Snapshot} match @param {Snapshot} before @returns {string[]} */
function changesOf(match, before) {
  const { match: id, status, turn_number: turn } = before;
  if (match.match !== id || match.status !== status || match.turn_number !== turn) return [];
  const [was, is] = [before, match].map(({ turn_reserve_ms: reserves }) => reserves ?? [0, 0]);
  return SEATS.flatMap((seat, index) => {
    const by = Math.round((is[index] - was[index]) / A_SECOND_MS) * A_SECOND_MS; // an offline phone estimates some ms
    const name = briefName(match, seat);
    return by ? gettext('%(name)s’s time changed by %(change)s', { name, change: formatChange(by) }) : [];
  });
}
