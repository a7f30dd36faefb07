/**
 * Short sentences about a snapshot, in the rule books' terms and with the players' names. Pure.
 *
 * Functions take the snapshot first. Scores read `left–right`, changes `before → after`.
 */
import { indexOf, must, otherSeat } from '../match/clocks.js';
import { gettext, ngettext } from './i18n.js';
import { elapsed } from './times.js';
/** @import { Command, Pair, Party, Pending, Proposable } from '../match/protocol.d.ts' */
/** @import { Reason, Seat, ShownCube, ShownTerms } from '../match/protocol.d.ts' */
/** @import { Snapshot, Win, WonBy } from '../match/protocol.d.ts' */

/**
 * @typedef {Snapshot & { practice?: boolean }} ShownMatch `practice`: a clock without a server
 * @typedef {ShownTerms & Pending} ShownProposal
 * @typedef {NonNullable<Extract<Command, { do: 'stop' }>['reason']>} StopReason that a player gives
 * @typedef {(ShownTerms | Proposable) & { by: Party }} Proposed terms, and who proposes them
 */

const SOFT = '\u00AD';
const LONG_WORD = /\p{L}{12,}/gu;
const VOWEL = 'aeiouyàáâäåæèéêëíîïóôöøúûü';
const SYLLABLE = new RegExp(`[${VOWEL}](?=[^${VOWEL}][${VOWEL}])`, 'giu');

/** Insert soft hyphens between the syllables of a name's long words.
 * @param {string} name */
export const softened = (name) =>
  name.replace(
    LONG_WORD,
    (word) => word.replace(SYLLABLE, (vowel, at) => (at >= 3 && at < word.length - 3 ? vowel + SOFT : vowel)),
  );

/** Remove the soft hyphens.
 * @param {string} name */
export const spelt = (name) => name.replaceAll(SOFT, '');

export const OUTCOMES = /** @type {Win[]} */ (['single', 'gammon', 'backgammon']);

/** @param {ShownMatch} match @param {Seat} seat */
export const nameOf = (match, seat) => match.names[indexOf(seat)];
/** @param {Pair} score */
export const scoreOf = (score) => `${score[0]}–${score[1]}`;
/** @param {string} before @param {string} after */
export const change = (before, after) => `${before} → ${after}`;

const LONG_NAME = 12; // characters
const INITIAL = 3; // characters: a first name this short says too little

/**
 * Name for a short line: the first word of a long name, if it is over three letters and tells the players apart. A
 * doubles pair keeps both names.
 * @param {ShownMatch} match @param {Seat} seat
 */
export function briefName(match, seat) {
  const name = nameOf(match, seat);
  const [first] = name.split(' ');
  const tells = first.length > INITIAL && first !== nameOf(match, otherSeat(seat)).split(' ')[0];
  return spelt(name).length > LONG_NAME && tells && match.format !== 'doubles' ? first : name;
}

/** Name of an actor: the player, the director or the server.
 * @param {ShownMatch} match @param {Party} by */
export function actorOf(match, by) {
  if (by === 'director') return gettext('The director');
  return by === 'server' ? gettext('The server') : nameOf(match, by);
}

/** @param {number} count */
export const points = (count) => ngettext('%(count)s point', '%(count)s points', count, { count });
/** @param {ShownMatch} match @param {Seat} seat */
export const clockIsRunning = (match, seat) => gettext('%(name)s’s clock is running', { name: nameOf(match, seat) });
/** @param {ShownMatch} match @param {Seat} seat */
export const turnOf = (match, seat) => gettext('%(name)s’s turn', { name: nameOf(match, seat) });

/** Prefix `line` with the rule that it cites, if any: `Unified 5.1: 2 points to Ann.`
 * @param {string} cite @param {string} line */
export const withCite = (cite, line) => (cite ? `${cite}: ${line}` : line);

/** Score after `winner` scores `count` points, at most the match length.
 * @param {ShownMatch} match @param {Seat} winner @param {number} count @returns {Pair} */
export function scoreAfter(match, winner, count) {
  const after = /** @type {Pair} */ ([...match.score]);
  after[indexOf(winner)] = Math.min(match.length, after[indexOf(winner)] + count);
  return after;
}

/** Outcome of a game worth this many points, or undefined.
 * @param {ShownMatch} match @param {number} count */
export const outcomeOf = (match, count) => OUTCOMES[count / match.cube.value - 1];

/** Result of a game: `Ann wins a gammon`.
 * @param {ShownMatch} match @param {Seat} winner @param {Win} outcome */
export function gameWon(match, winner, outcome) {
  const values = { name: nameOf(match, winner) };
  return {
    single: gettext('%(name)s wins a single game', values),
    gammon: gettext('%(name)s wins a gammon', values),
    backgammon: gettext('%(name)s wins a backgammon', values),
  }[outcome];
}

/** @param {Win} outcome */
export const outcomeName = (outcome) =>
  ({ single: gettext('Single game'), gammon: gettext('Gammon'), backgammon: gettext('Backgammon') })[outcome];
/** @param {ShownMatch} match @param {Win} outcome */
export const outcomePoints = (match, outcome) => match.cube.value * (OUTCOMES.indexOf(outcome) + 1);

/** Effect of a game's points: `4 points · 3–2 → 7–2 · wins the match`.
 * @param {ShownMatch} match @param {Seat} winner @param {number} count */
export function scoring(match, winner, count) {
  const after = scoreAfter(match, winner, count);
  const parts = [points(count), change(scoreOf(match.score), scoreOf(after))];
  if (after[indexOf(winner)] >= match.length) parts.push(gettext('wins the match'));
  return parts.join(' · ');
}

/** Reasons for which `seat` may stop the clocks, as [reason, label] in the books' terms.
 * @param {ShownMatch} match @param {Seat} seat @returns {[StopReason, string][]} */
export function stopReasons(match, seat) {
  const name = nameOf(match, otherSeat(seat));
  /** @type {[StopReason, string][]} */
  const reasons = [
    ['dice', gettext('To retrieve fallen dice')],
    ['contest', gettext('To contest %(name)s’s action', { name })],
    [
      'dice-picked-up',
      gettext('%(name)s picked up the dice in error, so I move with the clocks stopped', { name }),
    ],
    ['score', gettext('To verify score or cube')],
    ['break', gettext('To take an authorised break')],
  ];
  const pickedUp = match.features.dice_picked_up && match.turn === seat;
  return reasons.filter(([reason]) => reason !== 'dice-picked-up' || pickedUp);
}

/** Sentence about the stop: who stopped the clocks and why; '' if they are not stopped.
 * @param {ShownMatch} match */
export function stopLine(match) {
  const { stop } = match;
  if (!stop) return '';
  if (match.hall_stop) {
    return gettext('The director stopped all clocks: %(note)s.', { note: gettext(match.hall_stop.note) });
  }
  if (stop.reason === 'outage') return gettext('The server was away. Nobody was charged for it.');
  if (stop.reason === 'flag') {
    return gettext('%(name)s’s time was up.', { name: nameOf(match, must(match.turn)) });
  }
  const values = {
    by: actorOf(match, stop.by),
    other: isContested(match) ? briefName(match, otherSeat(/** @type {Seat} */ (stop.by))) : '',
  };
  /** @type {Partial<Record<Reason, string>>} */
  const words = {
    dice: gettext('%(by)s stopped both clocks to retrieve fallen dice.', values),
    contest: gettext('%(by)s stopped both clocks to contest an opponent’s action.', values),
    'dice-picked-up': gettext(
      '%(by)s stopped both clocks to move with them stopped, because the dice were picked up in error.',
      values,
    ),
    'dice-contested': gettext('%(other)s contests that the dice were picked up.', values),
    score: gettext('%(by)s stopped both clocks to verify score or cube.', values),
    break: gettext('%(by)s stopped both clocks for an authorised break.', values),
    concession: gettext('%(by)s stopped both clocks to offer a concession.', values),
    director: stop.by === 'director' || hasNoDirector(match)
      ? gettext('%(by)s stopped both clocks.', values)
      : gettext('%(by)s stopped both clocks to call the director.', values),
    reopen: hasNoDirector(match)
      ? gettext('The end was taken back. Clocks, cube and score are as they were before it.')
      : gettext('%(by)s took back the end. Clocks, cube and score are as they were before it.', values),
  };
  return words[stop.reason] ?? gettext('%(by)s stopped both clocks.', values);
}

/** True if the player whose turn it is moves with the clocks stopped, because the dice were picked up (US 4.2).
 * @param {ShownMatch} match */
export const movesStopped = ({ stop, features }) => stop?.reason === 'dice-picked-up' && features.dice_picked_up;

/** Seat whose clock resumes by default: the other player's after a move with the clocks stopped, unless a double is
 * still to be answered.
 * @param {ShownMatch} match @returns {Seat} */
export function resumesWith(match) {
  const turn = must(match.turn);
  return movesStopped(match) && !match.cube.offered_by ? otherSeat(turn) : turn;
}

/** True if a player contests that the dice were picked up: both players, or the director, must settle it.
 * @param {ShownMatch} match */
export const isContested = ({ stop }) => stop?.reason === 'dice-contested';

/** Duration of a contested stop as of `now`; '' otherwise.
 * @param {ShownMatch} match @param {number} now */
export const contestedFor = (match, now) =>
  isContested(match) ? gettext('Stopped for %(time)s', { time: elapsed(now - must(match.stop).at) }) : '';

/** Sentence about who resumed with the other player's turn, while that turn runs; '' otherwise.
 * @param {ShownMatch} match */
export function swapLine(match) {
  if (!match.resumed_by || match.status !== 'running') return '';
  const { resumed_by: by, turn } = match;
  const names = {
    by: by === 'left' || by === 'right' ? briefName(match, by) : actorOf(match, by),
    name: briefName(match, must(turn)),
  };
  return gettext('%(by)s resumed with %(name)s’s turn.', names);
}

/** True for casual matches and practice.
 * @param {ShownMatch} match */
export const hasNoDirector = (match) => Boolean(match.practice) || match.tournament === 'casual';

/** True while the clocks are stopped for a call that the director has answered. A contest also calls the director.
 * @param {ShownMatch} match */
const isAnswered = (match) =>
  match.status === 'stopped' && !match.proposal && !match.called && !hasNoDirector(match) &&
  (isContested(match) || (match.stop?.reason === 'director' && match.stop.by !== 'director'));

/** State of a call to the director, with its note; '' without a call. Without a director the players settle it.
 * @param {ShownMatch} match */
export function calledLine(match) {
  if (isAnswered(match)) return gettext('The director has answered the call.');
  if (!match.called) return '';
  const note = match.call_note ? ` “${match.call_note}”` : '';
  const words = hasNoDirector(match)
    ? gettext('Settle it between the two of you.')
    : gettext('The director has been called.');
  return words + note;
}

/** Sentence about a player's phone that is offline.
 * @param {ShownMatch} match @param {Seat} seat */
export const phoneIsSilent = (match, seat) => gettext('%(name)s’s phone is offline.', { name: nameOf(match, seat) });

/** Sentence about a player's phone that is back online after `ms`.
 * @param {ShownMatch} match @param {Seat} seat @param {number} ms */
export const phoneIsBack = (match, seat, ms) =>
  gettext('%(name)s’s phone was offline for %(time)s.', { name: nameOf(match, seat), time: elapsed(ms) });

/** Value and owner of a cube: `Cube 4 · Ann`, `Cube 1 · centre`.
 * @param {ShownMatch} match @param {number} value @param {Seat | null} owner */
export function cubeWords(match, value, owner) {
  const where = owner ? nameOf(match, owner) : gettext('centre');
  return gettext('Cube %(value)s · %(where)s', { value, where });
}

/** Value and owner of the cube, with a brief name.
 * @param {ShownMatch} match @param {ShownCube} cube */
function cubeFact(match, { value, owner }) {
  const where = owner ? briefName(match, owner) : gettext('centre');
  return gettext('Cube %(value)s · %(where)s', { value, where });
}

/** Result of the match: winner, score and how it was won.
 * @param {ShownMatch} match */
export function resultLine(match) {
  const { score, won_by: by } = match;
  const winner = must(match.winner);
  const values = {
    name: nameOf(match, winner),
    other: nameOf(match, otherSeat(winner)),
    score: scoreOf(winner === 'left' ? score : [score[1], score[0]]),
  };
  /** @type {Partial<Record<WonBy, string>>} */
  const words = {
    gammon: gettext('%(name)s wins the match by a gammon, %(score)s.', values),
    backgammon: gettext('%(name)s wins the match by a backgammon, %(score)s.', values),
    pass: gettext('%(name)s wins the match, %(score)s: %(other)s passed the last double.', values),
    time: gettext('%(name)s wins the match on time, at %(score)s.', values),
    ended: gettext('%(name)s wins the match, which was ended at %(score)s.', values),
  };
  return (by && words[by]) ?? gettext('%(name)s wins the match, %(score)s.', values);
}

/** Short facts about the game for both players.
 * @param {ShownMatch} match @returns {string[]} */
export function gameFacts(match) {
  const { cube } = match;
  /** @type {string[]} */
  const facts = [];
  if (match.status === 'over') return facts;
  if (match.crawford) facts.push(gettext('Crawford game'));
  if (cube.value > 1) facts.push(cubeFact(match, cube));
  if (cube.frozen) facts.push(gettext('Cube frozen'));
  if (match.control > 1) facts.push(gettext('Second control'));
  if (!match.limits) facts.push(gettext('No time limit in this game'));
  return facts;
}

/** Number of the offence while its points are pending: `First offence`; '' otherwise.
 * @param {ShownMatch} match @param {Seat} seat */
function offenceLine(match, seat) {
  const { proposal } = match;
  if (!proposal || proposal.what !== 'expiry' || proposal.seat !== seat || proposal.consequence.kind !== 'penalty') {
    return '';
  }
  const number = match.offences[indexOf(seat)] + 1;
  return number === 1 ? gettext('First offence') : gettext('Offence %(number)s', { number });
}

/** True if the seat is on loan: a phone took it over from one that was offline.
 * @param {ShownMatch} match @param {Seat} seat */
export const isLent = (match, seat) => Boolean(match.lent_at?.[indexOf(seat)]);

const MAY_ON_LOAN = ['hit', 'stop', 'call'];

/** True if `seat` is not on loan, or the command is allowed on loan.
 * @param {ShownMatch} match @param {Seat} seat @param {string} command */
export const mayAsk = (match, seat, command) => !isLent(match, seat) || MAY_ON_LOAN.includes(command);

/** Explain the limits of a seat on loan, and who can lift them.
 * @param {ShownMatch} match @param {Seat} seat */
export function loanLine(match, seat) {
  const name = nameOf(match, seat);
  return hasNoDirector(match)
    ? gettext(
      'This phone took %(name)s’s seat while the phone there was offline. To settle anything, the other player must agree to that.',
      { name },
    )
    : gettext('This phone has %(name)s’s seat on loan. To settle anything, the director must agree to that.', { name });
}

/** Short facts about one player.
 * @param {ShownMatch} match @param {Seat} seat */
export function seatFacts(match, seat) {
  const offences = match.offences[indexOf(seat)];
  const pending = offenceLine(match, seat);
  const facts = pending ? [pending] : [];
  if (offences && !pending) {
    facts.push(ngettext('%(count)s offence', '%(count)s offences', offences, { count: offences }));
  }
  if (match.forfeit[indexOf(seat)]) facts.push(gettext('Delay forfeited'));
  if (isLent(match, seat)) {
    facts.push(
      hasNoDirector(match)
        ? gettext('Seat on loan: press and stop only')
        : gettext('Seat on loan: press, stop and call only'),
    );
  }
  return facts;
}

/** Explain that a press after the stop did not count, and how to pass the turn now.
 * @param {ShownMatch} match @param {Seat} seat */
export const uncounted = (match, seat) =>
  gettext(
    'Your press came when the clocks were stopped, and did not count. To pass the turn, start %(name)s’s clock.',
    { name: nameOf(match, otherSeat(seat)) },
  );
