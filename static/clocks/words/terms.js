/**
 * Sentences about terms: changes as `before → after`, the effects of each answer under the rules, and the consequences
 * of a flag before and after it is settled. Pure.
 */
import { formatChange, formatDelay, formatTime } from './times.js';
import { indexOf, must, otherSeat } from '../match/clocks.js';
import { gettext } from './i18n.js';
import * as phrases from './phrases.js';
/** @import { ConsequenceKind, Pair, Proposable, Seat, ShownExpiry, ShownTerms } from '../match/protocol.d.ts' */
/** @import { Proposed, ShownMatch, ShownProposal } from './phrases.js' */

const { change, nameOf, scoreOf } = phrases;

/**
 * @typedef {ShownTerms | Proposable} Terms of a proposal made or not yet made
 * @typedef {Terms['what']} What
 */
/** @template {What} W @typedef {Extract<Proposed, { what: W }>} ProposedOf */

/** Lines describing each kind of terms, with changes as `before → after`, addressed to `seat`.
 * @type {{ [W in What]: (match: ShownMatch, terms: ProposedOf<W>, seat: Seat | null) => string[] }} */
const LINES = {
  game(match, { winner, points }) {
    const outcome = phrases.outcomeOf(match, points);
    return [
      outcome
        ? phrases.gameWon(match, winner, outcome)
        : gettext('%(name)s wins the game.', { name: nameOf(match, winner) }),
      phrases.scoring(match, winner, points),
    ];
  },
  offer: (match, terms) => [
    offered(match, terms),
    phrases.scoring(match, terms.winner, phrases.outcomePoints(match, terms.outcome)),
  ],
  'dice-penalty'(match, { against }) {
    const name = nameOf(match, against);
    const first = gettext('%(name)s picked up the dice too soon and forfeits the delay of the next checker play.', {
      name,
    });
    return [phrases.withCite(match.cite, first), gettext('The delay must count down to zero before that roll.')];
  },
  'drop-forfeit': (match, { seat }) => [
    gettext('%(name)s’s dice penalty is dropped.', { name: nameOf(match, seat) }),
  ],
  undo: (match, _terms, seat) => [
    match.undo === seat
      ? gettext('Undo your press.')
      : gettext('Undo %(name)s’s press.', { name: nameOf(match, must(match.undo)) }),
    gettext('Both clocks, the turn and the cube go back to what they were.'),
  ],
  score: (match, { score }) => [gettext('Correct the score.'), change(scoreOf(match.score), scoreOf(score))],
  cube: (match, { value, owner }) => [
    gettext('Correct the cube.'),
    change(
      phrases.cubeWords(match, match.cube.value, match.cube.owner),
      phrases.cubeWords(match, value, owner ?? null),
    ),
  ],
  time(match, { seat, by_ms: byMs, note }) {
    const name = nameOf(match, seat);
    if (byMs === null) return [gettext('Change %(name)s’s reserve.', { name })];
    const before = must(match.reserve_ms)[indexOf(seat)];
    return [
      gettext('Change %(name)s’s reserve by %(by)s.', { name, by: formatChange(byMs) }),
      change(formatTime(before), formatTime(before + byMs)),
      ...(note ? [`“${note}”`] : []),
    ];
  },
  end: (match, { winner }) => [
    gettext('The match ends here, and %(name)s wins it.', { name: nameOf(match, winner) }),
  ],
  reopen: (match) => [
    match.reopens === 'match' ? gettext('Take back the end of the match.') : gettext('Take back the end of the game.'),
    gettext('Clocks, cube and score go back to what they were before it.'),
  ],
  resume(match, { turn_of: seat, fresh_delay: fresh }) {
    const name = nameOf(match, seat);
    return [
      fresh
        ? gettext('%(name)s’s clock resumes with a full delay.', { name })
        : gettext('%(name)s’s clock resumes.', { name }),
    ];
  },
  expiry: (match, flag) => cited(match, CONSEQUENCES[flag.consequence.kind](match, flag)),
};

/** Sentence about an offer: Michigan has offers of a win or a loss, the other books concessions, and some claims too.
 * @param {ShownMatch} match @param {ProposedOf<'offer'>} offer */
function offered(match, { winner, by, outcome }) {
  const values = { name: phrases.actorOf(match, by), result: phrases.gameWon(match, winner, outcome) };
  if (match.features.declined_offer === 'opponent-runs') return gettext('%(name)s offers: %(result)s.', values);
  return winner === by
    ? gettext('%(name)s claims: %(result)s.', values)
    : gettext('%(name)s concedes: %(result)s.', values);
}

/** Describe proposed terms in lines addressed to `seat`.
 * @param {ShownMatch} match @param {Proposed} proposal @param {Seat | null} [seat] */
export function proposalLines(match, proposal, seat = null) {
  const lines = /** @type {(match: ShownMatch, terms: Proposed, seat: Seat | null) => string[]} */ (
    LINES[proposal.what]
  );
  return lines(match, proposal, seat);
}

/**
 * True for a concession of the most points possible, if the book does not let the opponent decline it (Unified 3.6).
 * @param {ShownMatch} match @param {ShownProposal} proposal
 */
export function cannotBeDeclined(match, proposal) {
  if (proposal.what !== 'offer') return false;
  const { winner, by, outcome } = proposal;
  if (winner === by || !match.features.top_concession_binds) return false;
  const needed = match.length - match.score[indexOf(winner)];
  return outcome === 'backgammon' || phrases.outcomePoints(match, outcome) >= needed;
}

/** Consequence of rejecting an offer, as lines addressed to `seat`; empty if there is no offer that `seat` can answer.
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

/** Name the player who must hit: the one whose offer was declined (Unified 3.6).
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

/** Labels of the buttons for `seat`'s answers to the proposal; one without a label is not offered.
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
 * True if `seat` may waive the opponent's flag: only in a match without a director, and never in practice.
 * @param {ShownMatch} match @param {Seat} seat
 */
export const mayWaive = (match, seat) =>
  !match.practice && phrases.hasNoDirector(match) && match.proposal?.what === 'expiry' && match.proposal.seat !== seat;

/** Lines for each consequence of a flag.
 * @type {Record<ConsequenceKind, (match: ShownMatch, flag: ShownExpiry) => string[]>} */
const CONSEQUENCES = {
  'lose-match': (match, { seat }) => [
    gettext('%(name)s has used up the reserve and loses the match.', { name: nameOf(match, seat) }),
    ...savedLines(match),
  ],
  penalty(match, flag) {
    const winner = otherSeat(flag.seat);
    const opponent = nameOf(match, winner);
    const score = phrases.scoreAfter(match, winner, flag.consequence.points);
    const values = { points: phrases.points(flag.consequence.points), opponent, score: scoreOf(score) };
    const line = gettext('%(points)s to %(opponent)s, now %(score)s.', values);
    if (flagEndsMatch(match, flag)) return [line, gettext('%(opponent)s wins the match.', { opponent })];
    return [line, ...playsOn(match, flag)];
  },
  grace: (match, flag) => [
    gettext('This game decides the match, so there are no points this once. %(name)s gets one grace.', {
      name: nameOf(match, flag.seat),
    }),
    ...playsOn(match, flag),
  ],
  'next-control': (match, flag) => [
    gettext('No penalty. The second control starts.'),
    gettext('Each turn has a delay of %(delay)s.', { delay: formatDelay(match.features.second_delay_ms) }),
    ...playsOn(match, flag),
  ],
  overtime: (match, flag) => [
    gettext('%(name)s gets a warning and, once, overtime.', { name: nameOf(match, flag.seat) }),
    ...playsOn(match, flag),
  ],
};

/** Clocks and cube after a flag that does not end the match.
 * @param {ShownMatch} match @param {ShownExpiry} flag */
const playsOn = (match, { consequence }) => [
  ...(consequence.reserve_ms ? [resetLine(match, consequence.reserve_ms)] : []),
  ...(consequence.cube_frozen ? [frozenLine(match)] : []),
];

/** True if agreeing to a flag ends the match.
 * @param {Pick<ShownMatch, 'score' | 'length'>} match @param {ShownExpiry} flag */
export function flagEndsMatch({ score, length }, { seat, consequence }) {
  if (consequence.kind === 'lose-match') return true;
  return score[indexOf(otherSeat(seat))] + consequence.points >= length;
}

/** @returns {string[]}
 * @param {ShownMatch} match */
const cited = ({ cite }, /** @type {string[]} */ [first, ...rest]) => [phrases.withCite(cite, first), ...rest];

/** Exceptions that may save a player whose flag loses the match.
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

/** Sentence about the new reserves.
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

/** True if the clocks are stopped and the seat on turn has no time left: this must be settled before its clock can
 * start.
 * @param {ShownMatch} match */
export function spent(match) {
  const { status, turn, limits, reserve_ms: reserves } = match;
  return status === 'stopped' && turn !== null && limits && reserves !== null && reserves[indexOf(turn)] === 0 &&
    !delayLeft(match);
}

/** @param {ShownMatch} match */
const delayLeft = (match) => match.kind === 'simple' && must(match.delay_ms)[indexOf(must(match.turn))] > 0;

/** Sentence about the declined proposal, addressed to `seat`; '' if there is none.
 * @param {ShownMatch} match @param {Seat | null} [seat] */
export function declinedLine(match, seat = null) {
  if (!match.declined) return '';
  const { by, proposal } = match.declined;
  if (proposal.what === 'undo' && !match.undo) return '';
  const name = phrases.actorOf(match, by);
  if (proposal.what === 'expiry') return gettext('%(name)s waived the flag.', { name });
  if (proposal.what === 'offer') {
    const other = phrases.actorOf(match, proposal.by);
    return gettext('%(name)s rejected %(other)s’s offer.', { name, other });
  }
  return gettext('%(name)s declined: %(what)s', { name, what: proposalLines(match, proposal, seat)[0] });
}

/** Line about a clock with no time left or, after a settled flag, about the second control; a list of at most one.
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

/** Announce the second control and its delay.
 * @param {ShownMatch} match */
export const secondControlLine = (match) =>
  gettext('Second control: each turn has a delay of %(delay)s.', {
    delay: formatDelay(match.turn_delay_ms),
  });
