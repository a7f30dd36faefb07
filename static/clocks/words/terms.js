/**
 * Terms in words: what a proposal would change, as `before → after`, what an answer leads to under each book, and what
 * a flag means, before anybody agrees and once it is settled. Pure.
 */
import { formatChange, formatDelay, formatTime } from './times.js';
import { indexOf, must, otherSeat } from '../match/clocks.js';
import { gettext } from './i18n.js';
import * as phrases from './phrases.js';
/** @import { Pair, Seat, ShownExpiry } from '../match/protocol.d.ts' */
/** @import { Proposed, ShownMatch, ShownProposal } from './phrases.js' */

const { change, nameOf, scoreOf } = phrases;

/** Return what is proposed, one line each, with what changes as `before → after`; for `seat` to read.
 * @param {ShownMatch} match @param {Proposed} proposal @param {Seat | null} [seat] @returns {string[]} */
export function proposalLines(match, proposal, seat = null) {
  switch (proposal.what) {
    case 'game': {
      const { winner, points } = proposal;
      const outcome = phrases.outcomeOf(match, points);
      return [
        outcome
          ? phrases.gameWon(match, winner, outcome)
          : gettext('%(name)s wins the game.', { name: nameOf(match, winner) }),
        phrases.scoring(match, winner, points),
      ];
    }
    case 'offer':
      return [
        offered(match, proposal),
        phrases.scoring(match, proposal.winner, phrases.outcomePoints(match, proposal.outcome)),
      ];
    case 'dice-penalty': {
      const first = gettext('%(name)s picked up the dice too soon and forfeits the delay of the next checker play.', {
        name: nameOf(match, proposal.against),
      });
      return [phrases.withCite(match.cite, first), gettext('The delay must count down to zero before that roll.')];
    }
    case 'undo':
      return [
        match.undo === seat
          ? gettext('Undo your press.')
          : gettext('Undo %(name)s’s press.', { name: nameOf(match, must(match.undo)) }),
        gettext('Both clocks, the turn and the cube go back to what they were.'),
      ];
    case 'score':
      return [gettext('Correct the score.'), change(scoreOf(match.score), scoreOf(proposal.score))];
    case 'cube':
      return [
        gettext('Correct the cube.'),
        change(
          phrases.cubeWords(match, match.cube.value, match.cube.owner),
          phrases.cubeWords(match, proposal.value, proposal.owner ?? null),
        ),
      ];
    case 'time':
      return timeLines(match, proposal);
    case 'drop-forfeit':
      return [gettext('%(name)s’s dice penalty is dropped.', { name: nameOf(match, proposal.seat) })];
    case 'end':
      return [
        gettext('The match ends here, and %(name)s wins it.', { name: nameOf(match, proposal.winner) }),
      ];
    case 'reopen':
      return [
        match.reopens === 'match'
          ? gettext('Take back the end of the match.')
          : gettext('Take back the end of the game.'),
        gettext('Clocks, cube and score go back to what they were before it.'),
      ];
    case 'resume': {
      const values = { name: nameOf(match, proposal.turn_of) };
      return [
        proposal.fresh_delay
          ? gettext('%(name)s’s clock resumes with a full delay.', values)
          : gettext('%(name)s’s clock resumes.', values),
      ];
    }
    default:
      return consequenceLines(match, proposal);
  }
}

/** Return what is offered: Michigan has offers of a win or a loss, the other books concessions, some of them claims.
 * @param {ShownMatch} match @param {Extract<Proposed, { what: 'offer' }>} offer */
function offered(match, { winner, by, outcome }) {
  const values = { name: phrases.actorOf(match, by), result: phrases.gameWon(match, winner, outcome) };
  if (match.features.declined_offer === 'opponent-runs') return gettext('%(name)s offers: %(result)s.', values);
  return winner === by
    ? gettext('%(name)s claims: %(result)s.', values)
    : gettext('%(name)s concedes: %(result)s.', values);
}

/** @param {ShownMatch} match @param {Extract<Proposed, { what: 'time' }>} change */
function timeLines(match, { seat, by_ms: byMs, note }) {
  const name = nameOf(match, seat);
  if (byMs === null) return [gettext('Change %(name)s’s reserve.', { name })];
  const before = must(match.reserve_ms)[indexOf(seat)];
  return [
    gettext('Change %(name)s’s reserve by %(by)s.', { name, by: formatChange(byMs) }),
    change(formatTime(before), formatTime(before + byMs)),
    ...(note ? [`“${note}”`] : []),
  ];
}

/**
 * Tell whether an offer gives its winner all that a game can: the book may allow nobody to decline that (Unified 3.6).
 * @param {ShownMatch} match @param {ShownProposal} proposal
 */
export function cannotBeDeclined(match, proposal) {
  if (proposal.what !== 'offer') return false;
  const { winner, by, outcome } = proposal;
  if (winner === by || !match.features.top_concession_binds) return false;
  const needed = match.length - match.score[indexOf(winner)];
  return outcome === 'backgammon' || phrases.outcomePoints(match, outcome) >= needed;
}

/** Tell `seat`, who answers an offer, what each answer leads to by the book.
 * @param {ShownMatch} match @param {Seat} seat @returns {string[]} */
export function answerLines(match, seat) {
  const { features, cite } = match;
  const proposal = must(match.proposal);
  if (proposal.what !== 'offer' || proposal.by === seat || proposal.disputed) return [];
  const name = nameOf(match, otherSeat(seat));
  /** @param {string} text */
  const says = (text) => [phrases.withCite(cite, text)];
  if (cannotBeDeclined(match, proposal)) {
    return says(gettext('A concession of the greatest possible number of points cannot be declined.'));
  }
  switch (features.declined_offer) {
    case 'offerer-hits':
      return says(gettext('If you reject it, roll; then %(name)s presses.', { name }));
    case 'opponent-runs':
      return says(gettext('If you reject it, your clock starts at once. A gin outcome may not be rejected.'));
    default:
      return phrases.hasNoDirector(match)
        ? says(gettext('If you reject it, %(name)s’s clock runs on.', { name }))
        : says(gettext('If you reject it, the director decides.'));
  }
}

/** Say who has to hit: the player whose offer was declined, and then the other's turn begins (Unified 3.6).
 * @param {ShownMatch} match */
export function owedLines(match) {
  const seat = must(match.owed_hit);
  const name = nameOf(match, seat);
  return [
    phrases.withCite(match.cite, gettext('%(name)s’s offer was rejected.', { name })),
    gettext('%(name)s presses; then it is %(other)s’s turn.', {
      name,
      other: nameOf(match, otherSeat(seat)),
    }),
  ];
}

/** Return the labels of `seat`'s answers to what is proposed: {agree, decline}; an empty one is not offered.
 * @param {ShownMatch} match @param {Seat} seat @returns {{ agree: string, decline: string }} */
export function answersTo(match, seat) {
  const proposal = must(match.proposal);
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
 * @param {ShownMatch} match @param {Seat} seat
 */
export const mayWaive = (match, seat) =>
  !match.practice && phrases.hasNoDirector(match) && match.proposal?.what === 'expiry' && match.proposal.seat !== seat;

/** Return what the flag will mean once it is agreed, one line each; the first names the paragraph.
 * @param {ShownMatch} match @param {ShownExpiry} flag @returns {string[]} */
export function consequenceLines(match, { seat, consequence }) {
  const { kind } = consequence;
  const winner = otherSeat(seat);
  const names = { name: nameOf(match, seat), opponent: nameOf(match, winner) };
  if (kind === 'lose-match') {
    return cited(match, [
      gettext('%(name)s has used up the reserve and loses the match.', names),
      ...savedLines(match),
    ]);
  }
  const lines = [];
  if (kind === 'penalty') {
    const score = phrases.scoreAfter(match, winner, consequence.points);
    const values = { ...names, points: phrases.points(consequence.points), score: phrases.scoreOf(score) };
    lines.push(gettext('%(points)s to %(opponent)s, now %(score)s.', values));
    if (score[indexOf(winner)] >= match.length) {
      return cited(match, [...lines, gettext('%(opponent)s wins the match.', names)]);
    }
  }
  if (kind === 'grace') {
    lines.push(
      gettext('This game decides the match, so there are no points this once. %(name)s gets one grace.', names),
    );
  }
  if (kind === 'next-control') {
    const delay = formatDelay(match.features.second_delay_ms);
    lines.push(
      gettext('No penalty. The second control starts.'),
      gettext('Each turn has a delay of %(delay)s.', { delay }),
    );
  }
  if (kind === 'overtime') lines.push(gettext('%(name)s gets a warning and, once, overtime.', names));
  if (consequence.reserve_ms) lines.push(resetLine(match, consequence.reserve_ms));
  if (consequence.cube_frozen) lines.push(frozenLine(match));
  return cited(match, lines);
}

/** @returns {string[]}
 * @param {ShownMatch} match */
const cited = ({ cite }, /** @type {string[]} */ [first, ...rest]) => [phrases.withCite(cite, first), ...rest];

/** Return what can save a player whose flag loses the match.
 * @param {ShownMatch} match @returns {string[]} */
export function savedLines(match) {
  const alone = phrases.hasNoDirector(match);
  /** @type {Record<string, string>} */
  const texts = {
    gin: alone
      ? gettext('If the position is certain to win the match (gin), the flag does not count.')
      : gettext('If the position is certain to win the match (gin), the director rules instead.'),
    claim: alone
      ? gettext('If the match could already be claimed, the flag does not count.')
      : gettext('If the match could already be claimed, the director rules instead.'),
  };
  const text = texts[match.features.saves];
  return text ? [text] : [];
}

/** Return how the reserves change, with what they will be.
 * @param {ShownMatch} match @param {Pair} reserves */
function resetLine(match, reserves) {
  const [before, after] = [must(match.reserve_ms).map((ms) => Math.max(0, ms)), reserves];
  const gains = after.map((ms, index) => ms - before[index]);
  const [left, right] = match.names;
  const values = { left, right, a: formatTime(after[0]), b: formatTime(after[1]) };
  if (gains[0] === gains[1]) {
    return gettext('Both clocks get %(time)s more: %(left)s %(a)s, %(right)s %(b)s.', {
      ...values,
      time: formatTime(gains[0]),
    });
  }
  if (after[0] === after[1] && gains[0] && gains[1]) {
    return gettext('Both clocks are set to %(time)s.', { time: values.a });
  }
  if (gains.includes(0)) {
    const changed = gains[0] ? 0 : 1;
    const one = {
      name: match.names[changed],
      time: formatTime(after[changed]),
      other: match.names[1 - changed],
      kept: formatTime(after[1 - changed]),
    };
    return gettext('%(name)s’s clock is set to %(time)s. %(other)s keeps %(kept)s.', one);
  }
  return gettext('Clocks: %(left)s %(a)s, %(right)s %(b)s.', values);
}

/** @param {ShownMatch} match */
const frozenLine = (match) =>
  match.features.freezes_next && !match.cube.frozen
    ? gettext('The cube is frozen for this game and the next.')
    : gettext('The cube is frozen for this game.');

/** Tell whether the seat on turn has nothing left: its clock cannot start until that is settled.
 * @param {ShownMatch} match */
export function spent(match) {
  const { status, turn, limits, reserve_ms: reserves } = match;
  return status === 'stopped' && turn !== null && limits && reserves !== null && reserves[indexOf(turn)] === 0 &&
    !delayLeft(match);
}

/** @param {ShownMatch} match */
const delayLeft = (match) => match.kind === 'simple' && must(match.delay_ms)[indexOf(must(match.turn))] > 0;

/** Say who declined what; empty without it.
 * @param {ShownMatch} match */
export function declinedLine(match) {
  if (!match.declined) return '';
  const { by, proposal } = match.declined;
  if (proposal.what === 'undo' && !match.undo) return '';
  const name = phrases.actorOf(match, by);
  if (proposal.what === 'expiry') return gettext('%(name)s waived the flag.', { name });
  if (proposal.what === 'offer') {
    const other = phrases.actorOf(match, proposal.by);
    return gettext('%(name)s rejected %(other)s’s offer.', { name, other });
  }
  return gettext('%(name)s declined: %(what)s', { name, what: proposalLines(match, proposal)[0] });
}

/** Return what applies now that a flag has been settled, one line each.
 * @param {ShownMatch} match @returns {string[]} */
export function settledLines(match) {
  const { stop, turn } = match;
  if (spent(match)) {
    const name = nameOf(match, must(turn));
    const words = phrases.hasNoDirector(match)
      ? gettext('%(name)s has no time left. You can agree on more time, the score or the result.', { name })
      : gettext('%(name)s has no time left. The director sets time, score or result.', { name });
    return [words];
  }
  if (!stop || stop.reason !== 'flag' || match.control === 1) return [];
  return [secondControlLine(match)];
}

/** Say that the second control runs, with its delay.
 * @param {ShownMatch} match */
export const secondControlLine = (match) =>
  gettext('Second control: each turn has a delay of %(delay)s.', {
    delay: formatDelay(match.turn_delay_ms),
  });
