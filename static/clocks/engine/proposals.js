/** Proposals: propose, agree, decline, and the effect of what was agreed. Pure. */
import { indexOf, otherSeat } from '../match/clocks.js';
import * as does from './evolve.js';
import { needs, reservesAt } from './match.js';
import { Refused, refuseIf, refuseUnless } from './refused.js';
import { isContested, mustBeResumable, mustBeStartable, resumedWith } from './resuming.js';
/** @import { Actor, Asked } from './match.js' */
/** @import { Book, Command, Crawford, Match, Offer, Party, Proposal, Reason, Seat } from '../match/protocol.d.ts' */
/** @import { SetScore, Terms } from '../match/protocol.d.ts' */

const TIMES = { single: 1, gammon: 2, backgammon: 3 };

/** Terms of a `propose` command, in the engine's form.
 * @param {Extract<Command, { do: 'propose' }>} command @returns {Terms} */
function termsOf(command) {
  switch (command.what) {
    case 'game':
      return { winner: command.winner, points: command.points, what: 'game' };
    case 'offer':
      return { winner: command.winner, outcome: command.outcome, what: 'offer' };
    case 'dice-penalty':
      return { against: command.against, what: 'dice-penalty' };
    case 'undo':
      return { what: 'undo' };
    case 'score':
      return { score: command.score, crawford: command.crawford ?? null, what: 'score' };
    case 'cube':
      return { value: command.value, owner: command.owner ?? null, what: 'cube' };
    case 'time':
      return { seat: command.seat, by_ms: command.by_ms, note: command.note || '', what: 'time' };
    case 'drop-forfeit':
      return { seat: command.seat, what: 'drop-forfeit' };
    case 'end':
      return { winner: command.winner, note: command.note || '', what: 'end' };
    case 'reopen':
      return { note: command.note || '', what: 'reopen' };
    case 'resume':
      return { turn_of: command.turn_of, fresh_delay: command.fresh_delay || false, what: 'resume' };
    default:
      throw new Refused('bad-value');
  }
}

/** Propose terms. A player's proposal stops running clocks and waits for an answer; the director's takes effect at
 * once.
 * @param {Match} match @param {Book} book @param {Extract<Command, { do: 'propose' }>} command @param {Actor} by
 * @param {number} at @returns {Match} */
export function propose(match, book, command, by, at) {
  const terms = termsOf(command);
  mustBeOpen(match, terms.what, by === 'director');
  refuseIf(match.proposal, 'proposal-pending');
  const { turn_number: number = null } = command;
  refuseIf(number !== null && number !== match.turn_number, 'stale');
  check(match, book, terms, by, at);
  if (by === 'director') return effect(match, book, terms, by, at);
  let stands = match;
  if (match.status === 'running') {
    const hits = terms.what === 'offer' && book.features.declined_offer === 'opponent-runs';
    if (hits && match.clock.turn === by) stands = does.passTurn(stands, by, at);
    stands = does.stopped(stands, by, /** @type {Reason} */ (terms.what), at);
  }
  return does.proposed(stands, by, terms, at);
}

/** Reject proposals before the setup is confirmed, except the director's `end`, and after the match, except `reopen`.
 * Reject players' `end` and `reopen` if the match has a director.
 * @param {Match} match @param {Terms['what']} what @param {boolean} directs */
function mustBeOpen(match, what, directs) {
  refuseIf((what === 'end' || what === 'reopen') && !directs && match.setup.director !== false, 'not-director');
  if (what === 'reopen') {
    refuseIf(!match.last_end, 'bad-value');
    return;
  }
  refuseIf(match.status === 'over', 'match-over');
  refuseIf(match.status === 'setup' && !(directs && what === 'end'), 'setup-not-confirmed');
}

/** Reject terms that make no sense in this state, or that this party may not propose.
 * @param {Match} match @param {Book} book @param {Terms} terms @param {Actor} by @param {number} at */
function check(match, book, terms, by, at) {
  const { features } = book;
  const directs = by === 'director';
  const mustBeInGame = () => refuseIf(match.status === 'ready', 'not-running');
  switch (terms.what) {
    case 'game':
      mustBeInGame();
      break;
    case 'offer': {
      refuseIf(directs, 'no-seat');
      mustBeInGame();
      refuseIf(!features.offers.includes(terms.winner === by ? 'claim' : 'concession'), 'no-offer-of-that-kind');
      refuseIf(match.cube.offered_by, 'double-pending');
      const last = match.last_hit;
      const after = features.declined_offer !== 'dispute' && last && last.seat === by && last.clock.turn === by;
      refuseIf(match.clock.turn !== by && !after, 'not-your-turn');
      break;
    }
    case 'dice-penalty':
      refuseIf(!features.dice_penalty, 'no-offer-of-that-kind');
      if (directs) break;
      mustBeInGame();
      refuseIf(match.clock.turn !== by, 'not-your-turn');
      refuseIf(terms.against === by, 'bad-value');
      break;
    case 'drop-forfeit':
      refuseIf(!directs && match.setup.director !== false, 'not-director');
      refuseIf(!match.forfeit[indexOf(terms.seat)], 'bad-value');
      break;
    case 'undo':
      refuseIf(!match.last_hit, 'bad-value');
      break;
    case 'score': {
      const { length } = match.setup;
      refuseIf(Math.max(...terms.score) > length || Math.min(...terms.score) === length, 'bad-value');
      refuseIf(terms.crawford === 'now' && does.crawfordOf(terms.score, length) !== 'now', 'bad-value');
      break;
    }
    case 'time':
      refuseIf(!directs && book.lost_time_stays_lost, 'no-offer-of-that-kind');
      refuseIf(reservesAt(match, at)[indexOf(terms.seat)] + terms.by_ms <= 0, 'bad-value');
      break;
    case 'resume':
      mustBeResumable(match, book, terms.fresh_delay, by);
      mustBeStartable(match, book, terms.turn_of, terms.fresh_delay, by, true, at);
  }
}

/** Apply terms that were agreed, or that the director set.
 * @param {Match} given @param {Book} book @param {Terms} terms @param {Party} by @param {number} at @returns {Match} */
function effect(given, book, terms, by, at) {
  const match = { ...given, declined: null };
  switch (terms.what) {
    case 'game':
      return does.gameEnded(match, terms.winner, terms.points, at);
    case 'offer':
      return does.gameEnded(match, terms.winner, match.cube.value * TIMES[terms.outcome], at);
    case 'dice-penalty':
      return does.forfeitRuled(match, terms.against, true, at);
    case 'drop-forfeit':
      return does.forfeitRuled(match, terms.seat, false, at);
    case 'end':
      return does.matchEnded(match, terms.winner, at);
    case 'reopen':
      return does.reopened(match, at);
    case 'undo':
      return does.hitUndone(match, by, at);
    case 'score':
      return does.scoreSet(match, terms.score, crawfordAfter(match, terms), at);
    case 'cube':
      return does.cubeSet(match, terms, at);
    case 'time':
      return does.timeGiven(match, terms, at);
    case 'resume':
      return resumedWith(given, book, terms.turn_of, terms.fresh_delay, by, at, true);
    default:
      return does.expiryApplied(match, book, terms.seat, terms.consequence, at);
  }
}

/** Crawford state after a score correction: a Crawford game that has been played is not played again.
 * @param {Match} match @param {SetScore} terms @returns {Crawford} */
function crawfordAfter(match, { score, crawford }) {
  if (crawford !== null) return crawford;
  const said = does.crawfordOf(score, match.setup.length);
  const notNow = match.crawford === 'done' || (match.crawford === 'none' && match.cube.frozen);
  return said === 'now' && notNow ? match.crawford : said;
}

/** @param {Match} match @returns {Proposal} */
function pending(match) {
  refuseUnless(match.proposal, match.status === 'over' ? 'match-over' : 'no-proposal');
  return match.proposal;
}

/** Return the proposal that a command answers.
 * @param {Match} match @param {{ proposal?: number | null }} command @returns {Proposal} */
function answered(match, { proposal: number = null }) {
  const proposal = pending(match);
  refuseIf(number !== null && number !== match.proposals, 'stale');
  return proposal;
}

/** Agree to the proposal: it takes effect, but an expiry needs the director or both seats.
 * @param {Match} match @param {Book} book @param {{ proposal?: number | null }} command @param {Actor} by
 * @param {number} at @returns {Match} */
export function agree(match, book, command, by, at) {
  const { by: proposer, terms, agreed } = answered(match, command);
  if (by !== 'director') {
    refuseIf(by === proposer, 'not-yours-to-settle');
    refuseIf(terms.what === 'time' && !book.features.time_by_agreement, 'not-yours-to-settle');
    if (terms.what === 'expiry') {
      refuseIf(agreed.includes(by), 'not-yours-to-settle');
      if (!agreed.includes(otherSeat(by))) return does.agreed(match, by, false, at);
    }
  }
  return effect(does.agreed(match, by, true, at), book, terms, proposer, at);
}

/** Decline the proposal: it is withdrawn (by its proposer), ended, or left to the director.
 * @param {Match} match @param {Book} book @param {{ proposal?: number | null, note?: string }} command
 * @param {Actor} by @param {number} at @returns {Match} */
export function decline(match, book, command, by, at) {
  const { features } = book;
  const { by: proposer, terms } = answered(match, command);
  const { note = '' } = command;
  if (by === proposer) return does.declined(match, by, note, 'withdrawn', at);
  const { director: isThere = true } = match.setup;
  const directs = by === 'director';
  if (terms.what !== 'offer') {
    refuseIf(terms.what === 'expiry' && by === terms.seat && !isThere, 'not-yours-to-settle');
    const stands = ['game', 'dice-penalty', 'expiry'].includes(terms.what) && !directs && isThere;
    return does.declined(match, by, note, stands ? 'standing' : 'ended', at);
  }
  const offerer = /** @type {Seat} */ (proposer); // directors make no offers
  const concession = terms.winner !== offerer;
  refuseIf(!directs && features.top_concession_binds && concession && isGreatest(match, terms), 'not-yours-to-settle');
  const ended = does.declined(match, by, note, 'ended', at);
  // what the director stopped only the director resumes
  if (features.declined_offer !== 'dispute' && !directs && match.halt?.by === 'director') return ended;
  if (features.declined_offer === 'offerer-hits') return does.declined(match, by, note, 'ended', at, offerer);
  if (features.declined_offer === 'opponent-runs') {
    // an offer completes the offerer's turn, so the opponent's is new
    return directs ? ended : resumedWith(ended, book, otherSeat(offerer), match.clock.turn === offerer, by, at);
  }
  if (isContested(match)) return ended; // the contest is still unsettled
  return directs || !isThere ? does.resumed(ended, offerer, false, at) : does.declined(match, by, note, 'standing', at);
}

/** True if an offer gives its winner the most points possible: a backgammon or the match.
 * @param {Match} match @param {Offer} offer */
function isGreatest(match, { winner, outcome }) {
  const points = match.cube.value * TIMES[outcome];
  return outcome === 'backgammon' || points >= needs(match, winner);
}

/** Withdraw one's agreement to the consequence of a flag.
 * @param {Match} match @param {Book} _book @param {Asked} _command @param {Actor} by @param {number} at
 * @returns {Match} */
export function withdraw(match, _book, _command, by, at) {
  refuseUnless(by !== 'director' && pending(match).agreed.includes(by), 'not-yours-to-settle');
  return does.agreementWithdrawn(match, by, at);
}
