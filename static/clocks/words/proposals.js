/**
 * What is proposed, in words: what would change, as `before → after`, and what an answer leads to under each book.
 * Pure.
 */
import { formatChange, formatTime } from './times.js';
import { indexOf, otherSeat } from '../match/clocks.js';
import { consequenceLines } from './consequences.js';
import { gettext, interpolate } from './i18n.js';
import * as phrases from './phrases.js';

const { change, nameOf, scoreOf } = phrases;

/** Return what is proposed, one line each, with what changes as `before → after`. */
export function proposalLines(match, proposal) {
  const by = { name: phrases.actorOf(match, proposal.by) };
  switch (proposal.what) {
    case 'game':
      return [
        interpolate(gettext('%(name)s wins the game.'), { name: nameOf(match, proposal.winner) }),
        phrases.scoring(match, proposal.winner, proposal.points),
      ];
    case 'offer':
      return [
        interpolate(offered(match, proposal), {
          ...by,
          result: phrases.gameWon(match, proposal.winner, proposal.outcome),
        }),
        phrases.scoring(match, proposal.winner, phrases.outcomePoints(match, proposal.outcome)),
      ];
    case 'dice-penalty': {
      const first = interpolate(
        gettext('%(name)s picked up the dice too soon and forfeits the delay of the next checker play.'),
        {
          name: nameOf(match, proposal.against),
        },
      );
      return [phrases.withCite(match.cite, first), gettext('The delay must count down to zero before that roll.')];
    }
    case 'undo':
      return [
        interpolate(gettext('Undo %(name)s’s press.'), { name: nameOf(match, match.undo) }),
        gettext('Both clocks, the turn and the cube go back to what they were.'),
      ];
    case 'score':
      return [gettext('Correct the score.'), change(scoreOf(match.score), scoreOf(proposal.score))];
    case 'cube':
      return [
        gettext('Correct the cube.'),
        change(
          phrases.cubeWords(match, match.cube.value, match.cube.owner),
          phrases.cubeWords(match, proposal.value, proposal.owner),
        ),
      ];
    case 'time':
      return timeLines(match, proposal);
    case 'drop-forfeit':
      return [interpolate(gettext('%(name)s’s dice penalty is dropped.'), { name: nameOf(match, proposal.seat) })];
    case 'end':
      return [
        interpolate(gettext('The match ends here, and %(name)s wins it.'), { name: nameOf(match, proposal.winner) }),
      ];
    case 'reopen':
      return [
        match.reopens === 'match'
          ? gettext('Take back the end of the match.')
          : gettext('Take back the end of the game.'),
        gettext('Clocks, cube and score go back to what they were before it.'),
      ];
    case 'resume':
      return [
        interpolate(
          proposal.fresh_delay
            ? gettext('%(name)s’s clock resumes with a full delay.')
            : gettext('%(name)s’s clock resumes.'),
          { name: nameOf(match, proposal.turn_of) },
        ),
      ];
    default:
      return consequenceLines(match, proposal);
  }
}

/** Return what is offered: Michigan has offers of a win or a loss, the other books concessions, some of them claims. */
function offered(match, { winner, by }) {
  if (match.features.declined_offer === 'opponent-runs') return gettext('%(name)s offers: %(result)s.');
  return winner === by ? gettext('%(name)s claims: %(result)s.') : gettext('%(name)s concedes: %(result)s.');
}

function timeLines(match, { seat, by_ms: byMs, note }) {
  const name = nameOf(match, seat);
  if (byMs === null) return [interpolate(gettext('Change %(name)s’s reserve.'), { name })];
  const before = match.reserve_ms[indexOf(seat)];
  return [
    interpolate(gettext('Change %(name)s’s reserve by %(by)s.'), { name, by: formatChange(byMs) }),
    change(formatTime(before), formatTime(before + byMs)),
    ...(note ? [`“${note}”`] : []),
  ];
}

/**
 * Tell whether an offer gives its winner all that a game can: the book may allow nobody to decline that (Unified 3.6).
 */
export function cannotBeDeclined(match, { what, winner, by, outcome }) {
  if (what !== 'offer' || winner === by || !match.features.top_concession_binds) return false;
  const needed = match.length - match.score[indexOf(winner)];
  return outcome === 'backgammon' || phrases.outcomePoints(match, outcome) >= needed;
}

/** Tell `seat`, who answers an offer, what each answer leads to by the book. */
export function answerLines(match, seat) {
  const { proposal, features, cite } = match;
  if (proposal.what !== 'offer' || proposal.by === seat || proposal.disputed) return [];
  const name = nameOf(match, otherSeat(seat));
  const says = (text) => [phrases.withCite(cite, interpolate(text, { name }))];
  if (cannotBeDeclined(match, proposal)) {
    return says(gettext('A concession of the greatest possible number of points cannot be declined.'));
  }
  switch (features.declined_offer) {
    case 'offerer-hits':
      return says(gettext('If you reject it, roll; then %(name)s presses.'));
    case 'opponent-runs':
      return says(gettext('If you reject it, your clock starts at once. A gin outcome may not be rejected.'));
    default:
      return phrases.hasNoDirector(match)
        ? says(gettext('If you reject it, %(name)s’s clock runs on.'))
        : says(gettext('If you reject it, the director decides.'));
  }
}

/** Say who has to hit: the player whose offer was declined, and then the other's turn begins (Unified 3.6). */
export function owedLines(match) {
  const name = nameOf(match, match.owed_hit);
  return [
    phrases.withCite(match.cite, interpolate(gettext('%(name)s’s offer was rejected.'), { name })),
    interpolate(gettext('%(name)s presses; then it is %(other)s’s turn.'), {
      name,
      other: nameOf(match, otherSeat(match.owed_hit)),
    }),
  ];
}

/** Return the labels of `seat`'s answers to what is proposed: {agree, decline}; an empty one is not offered. */
export function answersTo(match, seat) {
  const { proposal } = match;
  const alone = phrases.hasNoDirector(match);
  switch (proposal.what) {
    case 'offer':
      return { agree: gettext('Accept'), decline: cannotBeDeclined(match, proposal) ? '' : gettext('Reject') };
    case 'game':
    case 'dice-penalty':
      return { agree: gettext('Agree'), decline: alone ? gettext('Decline') : gettext('Ask the director') };
    case 'expiry':
      if (!alone) return { agree: gettext('I agree'), decline: gettext('Director') };
      return { agree: gettext('I agree'), decline: mayWaive(match, seat) ? gettext('Waive the flag') : '' };
    default:
      return { agree: gettext('Agree'), decline: gettext('Decline') };
  }
}

/**
 * Tell whether `seat` gains by the flag that waits, so that, where there is no director, it may let the other play on.
 */
export const mayWaive = (match, seat) =>
  !match.practice && phrases.hasNoDirector(match) && match.proposal?.what === 'expiry' && match.proposal.seat !== seat;
