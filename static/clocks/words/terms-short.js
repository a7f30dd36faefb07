/** Terms in one short line, for the console; `terms.js` has them in full sentences. Pure. */
import { formatChange, formatDelay, formatTime } from './times.js';
import { must, otherSeat, SEATS } from '../match/clocks.js';
import { gettext } from './i18n.js';
import { nameOf, outcomeOf, points, scoreOf } from './phrases.js';
import { flagEndsMatch } from './terms.js';
/** @import { ConsequenceKind, Pair, ShownExpiry } from '../match/protocol.d.ts' */
/** @import { Proposed, ShownMatch } from './phrases.js' */
/** @import { ProposedOf, What } from './terms.js' */

/** @type {{ [W in What]: (match: ShownMatch, terms: ProposedOf<W>) => string }} */
const SHORT = {
  game(match, { winner, points: count }) {
    const values = { name: nameOf(match, winner), points: points(count) };
    const outcome = outcomeOf(match, count);
    return outcome
      ? {
        single: gettext('%(name)s won a single game, %(points)s', values),
        gammon: gettext('%(name)s won a gammon, %(points)s', values),
        backgammon: gettext('%(name)s won a backgammon, %(points)s', values),
      }[outcome]
      : gettext('%(name)s won the game, %(points)s', values);
  },
  offer(match, { winner, by, outcome }) {
    const values = { outcome: gettext(outcome), winner: nameOf(match, winner) };
    return winner === by
      ? gettext('claim, %(outcome)s for %(winner)s', values)
      : gettext('concession, %(outcome)s for %(winner)s', values);
  },
  'dice-penalty': (match, { against }) =>
    gettext('%(name)s took the dice too soon and waits out the next delay', { name: nameOf(match, against) }),
  'drop-forfeit': (match, { seat }) => gettext('drop %(name)s’s dice penalty', { name: nameOf(match, seat) }),
  undo: () => gettext('take back the last press'),
  score: (_match, { score }) => gettext('score %(score)s', { score: scoreOf(score) }),
  cube: (match, { value, owner }) =>
    owner
      ? gettext('cube %(value)s, %(name)s’s', { value, name: nameOf(match, owner) })
      : gettext('cube %(value)s, in the middle', { value }),
  time: (match, { seat, by_ms: byMs }) =>
    gettext('%(name)s’s time %(delta)s', { name: nameOf(match, seat), delta: formatChange(must(byMs)) }),
  end: (match, { winner }) => gettext('end the match, %(name)s wins it', { name: nameOf(match, winner) }),
  reopen: (match) =>
    match.reopens === 'match' ? gettext('take back the end of the match') : gettext('take back the end of the game'),
  resume(match, { turn_of: seat, fresh_delay: fresh }) {
    const name = nameOf(match, seat);
    return fresh
      ? gettext('resume with %(name)s’s turn and a full delay', { name })
      : gettext('resume with %(name)s’s turn', { name });
  },
  expiry(match, flag) {
    const { kind, reserve_ms: reserves, cube_frozen: frozen } = flag.consequence;
    const parts = [CONSEQUENCES[kind](match, flag)];
    if (kind !== 'lose-match' && reserves) {
      parts.push(gettext('clocks %(times)s', { times: reservesSay(match, reserves) }));
    }
    if (frozen && !flagEndsMatch(match, flag)) parts.push(gettext('cube frozen'));
    return parts.join(', ');
  },
};

/** @type {Record<ConsequenceKind, (match: ShownMatch, flag: ShownExpiry) => string>} */
const CONSEQUENCES = {
  'lose-match': (match, { seat }) => gettext('%(winner)s wins the match', { winner: nameOf(match, otherSeat(seat)) }),
  penalty: (match, { seat, consequence }) =>
    gettext('%(points)s to %(winner)s', {
      points: points(consequence.points),
      winner: nameOf(match, otherSeat(seat)),
    }),
  grace: () => gettext('one grace, no points'),
  'next-control': ({ features }) =>
    gettext('the second control begins with a delay of %(delay)s', { delay: formatDelay(features.second_delay_ms) }),
  overtime: () => gettext('overtime and a warning'),
};

/** Describe a match's proposal in one line, without its proposer.
 * @param {ShownMatch} match */
export function proposalSays(match) {
  const proposal = must(match.proposal);
  const short = /** @type {((match: ShownMatch, terms: Proposed) => string) | undefined} */ (SHORT[proposal.what]);
  return short?.(match, proposal) ?? proposal.what; // undefined: a newer server's terms
}

/** Consequence of the proposed flag in one line; '' if no flag is proposed.
 * @param {ShownMatch} match */
export const consequenceSays = (match) => (expiryOf(match) ? proposalSays(match) : '');

/** @param {ShownMatch} match @param {Pair} reserves */
export const reservesSay = (match, reserves) =>
  SEATS.map((_, index) => `${match.names[index]} ${formatTime(reserves[index])}`).join(', ');

/** The proposed flag, or null.
 * @param {ShownMatch} match @returns {ShownExpiry | null} */
export const expiryOf = ({ proposal }) => (proposal?.what === 'expiry' ? proposal : null);
