/** Propose, agree, decline: what two parties settle, and what each settlement does. Pure. */
import { indexOf, otherSeat } from '../match/clocks.js';
import * as does from './evolve.js';
import { needs, reservesAt } from './match.js';
import { Refused, refuseIf } from './refused.js';
import { isContested, mustBeResumable, mustBeStartable, resumedWith } from './resuming.js';

const TIMES = { single: 1, gammon: 2, backgammon: 3 };

/** Return the terms that a `propose` command carries, as the engine keeps them. */
function termsOf({ what, winner, points, outcome, against, score, crawford = null, value, owner = null, ...rest }) {
  switch (what) {
    case 'game':
      return { winner, points, what };
    case 'offer':
      return { winner, outcome, what };
    case 'dice-penalty':
      return { against, what };
    case 'undo':
      return { what };
    case 'score':
      return { score, crawford, what };
    case 'cube':
      return { value, owner, what };
    case 'time':
      return { seat: rest.seat, by_ms: rest.by_ms, note: rest.note || '', what };
    case 'drop-forfeit':
      return { seat: rest.seat, what };
    case 'end':
      return { winner, note: rest.note || '', what };
    case 'reopen':
      return { note: rest.note || '', what };
    case 'resume':
      return { turn_of: rest.turn_of, fresh_delay: rest.fresh_delay || false, what };
    default:
      throw new Refused('bad-value');
  }
}

/** By a seat both clocks stop and it waits; by the director it takes effect at once. */
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
    stands = does.stopped(stands, by, terms.what, at);
  }
  return does.proposed(stands, by, terms, at);
}

/** Refuse before the setting is confirmed and once the match is over, except for what is meant for those times. */
function mustBeOpen(match, what, directs) {
  refuseIf((what === 'end' || what === 'reopen') && !directs && match.setup.director !== false, 'not-director');
  if (what === 'reopen') {
    refuseIf(!match.last_end, 'bad-value');
    return;
  }
  refuseIf(match.status === 'over', 'match-over');
  refuseIf(match.status === 'setup' && !(directs && what === 'end'), 'setup-not-confirmed');
}

/** Refuse terms that make no sense in this state, or that this party may not propose. */
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

/** Return what settled terms make of the match. */
function effect(match, book, terms, by, at) {
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
      return resumedWith(match, terms.turn_of, terms.fresh_delay, by, at, true);
    default:
      return does.expiryApplied(match, book, terms.seat, terms.consequence, at);
  }
}

/** Return the Crawford state after a correction: a game already played is not played again. */
function crawfordAfter(match, { score, crawford }) {
  if (crawford !== null) return crawford;
  const said = does.crawfordOf(score, match.setup.length);
  const notNow = match.crawford === 'done' || (match.crawford === 'none' && match.cube.frozen);
  return said === 'now' && notNow ? match.crawford : said;
}

function pending(match) {
  refuseIf(!match.proposal, match.status === 'over' ? 'match-over' : 'no-proposal');
  return match.proposal;
}

/** Return the proposal that a command answers. */
function answered(match, { proposal: number = null }) {
  const proposal = pending(match);
  refuseIf(number !== null && number !== match.proposals, 'stale');
  return proposal;
}

/** The proposal takes effect; an expiry needs the director or both seats. */
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

/** The proposer withdraws, the director ends, a seat ends it or leaves it for the director. */
export function decline(match, { features }, command, by, at) {
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
  const concession = terms.winner !== proposer;
  refuseIf(!directs && features.top_concession_binds && concession && isGreatest(match, terms), 'not-yours-to-settle');
  if (features.declined_offer === 'offerer-hits') return does.declined(match, by, note, 'ended', at, proposer);
  const ended = does.declined(match, by, note, 'ended', at);
  if (features.declined_offer === 'opponent-runs') {
    return directs ? ended : resumedWith(ended, otherSeat(proposer), false, by, at, true);
  }
  if (isContested(match)) return ended; // how to go on is still to be settled
  return directs || !isThere
    ? does.resumed(ended, proposer, false, at)
    : does.declined(match, by, note, 'standing', at);
}

/** Tell whether an offer gives its winner all that a game can: three times the cube, or the match. */
function isGreatest(match, { winner, outcome }) {
  const points = match.cube.value * TIMES[outcome];
  return outcome === 'backgammon' || points >= needs(match, winner);
}

/** A player takes back having agreed to what a flag leads to. */
export function withdraw(match, _book, _command, by, at) {
  refuseIf(!pending(match).agreed.includes(by), 'not-yours-to-settle');
  return does.agreementWithdrawn(match, by, at);
}
