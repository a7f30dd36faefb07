/** Proposals of a seat: the offers of each rule book, and the sheets that ask to confirm. */
import { make } from '../browser/dom.js';
import { indexOf, otherSeat } from '../match/clocks.js';
import * as phrases from '../words/phrases.js';
import { answers, heading, paragraph } from './sheet.js';
import { proposalLines } from '../words/terms.js';
import { gettext } from '../words/i18n.js';
/** @import { Command, OfferKind, Proposable, Seat, Win } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { Desk } from './phone.d.ts' */

const { nameOf } = phrases;

/**
 * Offers that this seat may make now: concession, claim.
 *
 * An offer is made in one's own turn; under Unified and Michigan also when one has just ended it with a hit.
 * @param {ShownMatch} match @param {Seat} seat
 */
export function offersOf(match, seat) {
  const underWay = match.status === 'running' || match.status === 'stopped';
  if (!underWay || match.proposal || match.cube.offered_by || match.owed_hit) return [];
  const afterwards = match.features.declined_offer !== 'dispute' && match.just_played === seat;
  return match.turn === seat || afterwards ? match.features.offers : [];
}

const ofWinOrLoss = (/** @type {ShownMatch} */ match) => match.features.declined_offer === 'opponent-runs';

/** Title of an offer of this kind, in the book's terms.
 * @param {ShownMatch} match @param {OfferKind} kind */
export function offerTitle(match, kind) {
  if (ofWinOrLoss(match)) return kind === 'claim' ? gettext('Offer a win') : gettext('Offer a loss');
  return kind === 'claim' ? gettext('Claim a win') : gettext('Offer a concession');
}

/** Line on how an offer is made and what follows.
 * @param {ShownMatch} match @param {Seat} seat */
function howTo(match, seat) {
  const name = nameOf(match, otherSeat(seat));
  return {
    dispute: gettext('Before rolling. This stops both clocks; %(name)s accepts or rejects.', { name }),
    'offerer-hits': gettext(
      'After completing your turn. This stops both clocks; if %(name)s rejects it and rolls, you press.',
      { name },
    ),
    'opponent-runs': gettext(
      'As you complete your turn. This counts as your press and stops both clocks; if %(name)s rejects it, %(name)s’s clock starts.',
      { name },
    ),
  }[match.features.declined_offer];
}

/** Ask which result is offered.
 * @param {Desk} desk @param {OfferKind} kind */
export function offerSheet(desk, kind) {
  const match = desk.match();
  const { seat } = desk;
  const winner = kind === 'claim' ? seat : otherSeat(seat);
  desk.show({
    title: offerTitle(match, kind),
    parts: [
      paragraph(howTo(match, seat)),
      heading(gettext('%(name)s wins', { name: nameOf(match, winner) })),
      outcomes(match, winner, (outcome) => desk.ask({ do: 'propose', what: 'offer', winner, outcome })),
    ],
  });
}

/** Choice of the three results and their points; calls `chosen(outcome)`.
 * @param {ShownMatch} match @param {Seat} winner @param {(outcome: Win) => void} chosen */
export function outcomes(match, winner, chosen) {
  return answers(
    phrases.OUTCOMES.map((outcome) => ({
      label: phrases.outcomeName(outcome),
      note: phrases.scoring(match, winner, phrases.outcomePoints(match, outcome)),
      act: () => chosen(outcome),
    })),
  );
}

/** Choice of the game's winner and result, in a column for each player, the player of `desk` first.
 * @param {Desk} desk */
export function wins(desk) {
  const match = desk.match();
  const columns = [desk.seat, otherSeat(desk.seat)].flatMap((winner) => {
    const title = gettext('%(name)s wins', { name: phrases.briefName(match, winner) });
    const list = answers(
      phrases.OUTCOMES.map((outcome) => {
        const points = phrases.outcomePoints(match, outcome);
        const act = () => desk.ask({ do: 'propose', what: 'game', winner, points });
        return { label: phrases.outcomeName(outcome), note: scoringInBrief(match, winner, points), act };
      }),
    );
    list.setAttribute('role', 'group');
    list.setAttribute('aria-label', title);
    return [heading(title), list];
  });
  return make('div.wins', {}, ...columns);
}

/** Effect of a game's points in a narrow column: `4 points → 7–2`, then `wins the match`. A score is never broken.
 * @param {ShownMatch} match @param {Seat} winner @param {number} count */
function scoringInBrief(match, winner, count) {
  const after = phrases.scoreAfter(match, winner, count);
  const over = after[indexOf(winner)] >= match.length;
  const score = make('span.together', {}, `→ ${phrases.scoreOf(after)}`);
  return [`${phrases.points(count)} `, score, ...(over ? [make('br'), gettext('wins the match')] : [])];
}

/** Ask whether to propose `ask`, and show what it would change.
 * @param {Desk} desk @param {string} title @param {Proposable} ask @param {string} [label] */
export function proposeSheet(desk, title, ask, label = gettext('Propose')) {
  const match = desk.match();
  const lines = proposalLines(match, { by: desk.seat, ...ask }, desk.seat);
  confirmSheet(desk, title, [...lines, stopsBoth(match, desk.seat)], label, { do: 'propose', ...ask });
}

/** Line on the effect of a proposal, and who has to agree.
 * @param {ShownMatch} match @param {Seat} seat */
export function stopsBoth(match, seat) {
  const stops = match.status === 'running';
  const alone = phrases.hasNoDirector(match);
  const name = nameOf(match, otherSeat(seat));
  return stops
    ? alone
      ? gettext('This stops both clocks. %(name)s must agree.', { name })
      : gettext('This stops both clocks. %(name)s or the director must agree.', { name })
    : alone
    ? gettext('%(name)s must agree.', { name })
    : gettext('%(name)s or the director must agree.', { name });
}

/**
 * Show a sheet that asks to confirm a command.
 * @param {Desk} desk @param {string} title @param {string[]} lines @param {string} label @param {Command} ask
 */
export function confirmSheet(desk, title, lines, label, ask) {
  desk.show({
    title,
    parts: [...lines.map(paragraph), answers([{ label, kind: 'primary', act: () => desk.ask(ask) }])],
  });
}
