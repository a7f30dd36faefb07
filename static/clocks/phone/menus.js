/** Sheets of a seat: its menu, commands and offers. Sending a command closes the sheet. */
import { indexOf, must, otherSeat, SEATS } from '../match/clocks.js';
import { answers, confirmSheet, heading, paragraph, proposeSheet, stopsBoth } from './sheet.js';
import { loaded } from '../browser/events.js';
import { gettext } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';
import { make, noteField } from '../browser/dom.js';
/** @import { OfferKind, Seat, Win } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { Sheets } from './match-clock.js' */
/** @import { Answer, Desk } from './phone.d.ts' */

const { nameOf } = phrases;
const underWay = (/** @type {ShownMatch} */ { status }) => status === 'running' || status === 'stopped';
const mayPropose = (/** @type {ShownMatch} */ match) =>
  match.status !== 'setup' && match.status !== 'over' && !match.proposal;

/** Load the sheets of corrections and breaks. Only a shared phone can use them offline. */
export const corrections = () => loaded('phone/corrections.js', () => import('./corrections.js'));

/**
 * Sheets of a clock's desks; `extras(desk)` returns the page's own menu entries.
 * @param {(desk: Desk) => Answer[]} extras
 * @returns {Sheets}
 */
export const sheetsWith = (extras) => ({
  double: doubleSheet,
  undo: undoSheet,
  reason: reasonSheet,
  more: (desk) => moreSheet(desk, extras(desk)),
});

/** Ask a player who stopped both clocks for the reason. Closing the sheet gives none. */
function reasonSheet(/** @type {Desk} */ desk) {
  const { seat } = desk;
  const match = desk.match();
  /** @type {Answer[]} */
  const items = phrases.stopReasons(match, seat).map(([reason, label]) => ({
    label,
    act: () => desk.ask({ do: 'stop', reason }),
  }));
  const lent = phrases.isLent(match, seat);
  const offer = (lent ? [] : offersOf(match, seat)).map((kind) => ({
    label: `${offerTitle(match, kind)} …`,
    act: () => offerSheet(desk, kind),
  }));
  const call = { label: gettext('To call the director …'), kind: 'call', act: () => callSheet(desk) };
  const gameOver = lent ? [] : [heading(gettext('The game is over')), wins(desk)];
  desk.show({
    title: gettext('Both clocks are stopped. Why?'),
    rests: true,
    parts: [...gameOver, answers([...items, ...offer]), ...(phrases.hasNoDirector(match) ? [] : [answers([call])])],
  });
}

/** Menu of a seat, of at most six entries: its commands other than the press, then the page's own.
 * @param {Desk} desk @param {Answer[]} extras */
function moreSheet(desk, extras) {
  const { seat } = desk;
  const match = desk.match();
  const lent = phrases.isLent(match, seat);
  const game = [...gameEnds(desk), ...behind(desk, gettext('This game'), lent ? [] : proposalsOf(desk))];
  const correct = mayPropose(match) && !lent ? correctionsOf(desk) : [];
  if (phrases.hasNoDirector(match)) correct.push(...settledByPlayers(desk));
  const settle = behind(desk, gettext('Corrections'), correct);
  if (match.status !== 'over' && !phrases.hasNoDirector(match)) {
    settle.unshift({ ...to(desk, gettext('Call the director …'), callSheet), kind: 'call' });
  }
  const parts = [];
  if (lent) parts.push(paragraph(phrases.loanLine(match, seat)));
  else if (match.proposal) parts.push(paragraph(gettext('Answer the open proposal first.')));
  parts.push(...[game, settle, extras].filter((group) => group.length).map(answers));
  desk.show({ title: desk.shared ? nameOf(match, seat) : gettext('More'), lasts: true, parts });
}

/** Menu entry for a break before the game, or for the game's end, if any. */
function gameEnds(/** @type {Desk} */ desk) {
  const match = desk.match();
  if (match.proposal) return [];
  if (match.status === 'ready') {
    const sheets = corrections();
    return [to(desk, gettext('Take a break …'), async () => (await sheets).breakSheet(desk))];
  }
  const ends = underWay(match) && !phrases.isLent(match, desk.seat);
  return ends ? [to(desk, gettext('The game is over …'), endSheet)] : [];
}

/** Button that opens a sheet of `items`; a single item stays as it is.
 * @param {Desk} desk @param {string} title @param {Answer[]} items @returns {Answer[]} */
function behind(desk, title, items) {
  if (items.length < 2) return items;
  return [to(desk, `${title} …`, () => desk.show({ title, lasts: true, parts: [answers(items)] }))];
}

/**
 * Button that opens a sheet of `desk`.
 * @param {Desk} desk @param {string} label @param {(desk: Desk) => unknown} sheet
 * @returns {Answer}
 */
const to = (desk, label, sheet) => ({ label, act: () => sheet(desk) });

/** Corrections that a seat may propose. Their sheets load while the menu is being read. */
function correctionsOf(/** @type {Desk} */ desk) {
  const sheets = corrections();
  const items = [
    to(desk, gettext('Correct the score …'), async () => (await sheets).scoreSheet(desk)),
    to(desk, gettext('Correct the cube …'), async () => (await sheets).cubeSheet(desk)),
  ];
  if (!desk.match().features.time_by_agreement) return items;
  return [...items, to(desk, gettext('Give back time …'), async () => (await sheets).timeSheet(desk))];
}

/** Proposals that a seat may make about the current game, other than its result. */
function proposalsOf(/** @type {Desk} */ desk) {
  const { seat } = desk;
  const match = desk.match();
  const other = { name: nameOf(match, otherSeat(seat)) };
  /** @type {Answer[]} */
  const items = [];
  for (const kind of offersOf(match, seat)) {
    items.push(to(desk, `${offerTitle(match, kind)} …`, () => offerSheet(desk, kind)));
  }
  if (match.features.dice_penalty && underWay(match) && !match.proposal && match.turn === seat) {
    items.push(to(desk, gettext('%(name)s picked up the dice too soon …', other), diceSheet));
  }
  if (match.undo && mayPropose(match)) items.push(to(desk, `${undoTitle(match, seat)} …`, undoSheet));
  return items;
}

/** Agreements of players without a director, in place of the director's rulings. */
function settledByPlayers(/** @type {Desk} */ desk) {
  const match = desk.match();
  const sheets = corrections();
  /** @type {Answer[]} */
  const items = [];
  const settles = !phrases.isLent(match, desk.seat);
  if (settles && match.reopens && !match.proposal) {
    items.push(to(desk, gettext('Take back the end …'), async () => (await sheets).reopenSheet(desk)));
  }
  if (settles && mayPropose(match)) {
    for (const seat of SEATS.filter((each) => match.forfeit[indexOf(each)])) {
      const name = nameOf(match, seat);
      const label = gettext('Drop %(name)s’s dice penalty …', { name });
      items.push(to(desk, label, async () => (await sheets).dropSheet(desk, seat)));
    }
    items.push(to(desk, gettext('End the match …'), async () => (await sheets).endMatchSheet(desk)));
  }
  const lent = desk.shared ? desk.seat : otherSeat(desk.seat);
  if (phrases.isLent(match, lent)) {
    const label = gettext('Let this phone act for %(name)s …', { name: nameOf(match, lent) });
    items.push(to(desk, label, async () => (await sheets).grantSheet(desk, lent)));
  }
  return items;
}

/** Ask who won the game and how. */
function endSheet(/** @type {Desk} */ desk) {
  const match = desk.match();
  const parts = [wins(desk), paragraph(stopsBoth(match, desk.seat))];
  desk.show({ title: gettext('The game is over'), parts });
}

const diceSheet = (/** @type {Desk} */ desk) =>
  proposeSheet(
    desk,
    gettext('Mishandled dice'),
    { what: 'dice-penalty', against: otherSeat(desk.seat) },
    gettext('Claim the penalty'),
  );

/** Title of an undo: `Undo Ann's press`.
 * @param {ShownMatch} match @param {Seat} seat */
const undoTitle = (match, seat) =>
  match.undo === seat
    ? gettext('Undo your press')
    : gettext('Undo %(name)s’s press', { name: nameOf(match, must(match.undo)) });

/** Ask to take back the last press. */
const undoSheet = (/** @type {Desk} */ desk) =>
  proposeSheet(desk, undoTitle(desk.match(), desk.seat), { what: 'undo' }, gettext('Ask to undo'));

/** Ask before doubling, which ends the turn: a stray tap must not do it. */
function doubleSheet(/** @type {Desk} */ desk) {
  const match = desk.match();
  const value = match.cube.value * 2;
  const line = gettext('This also presses your clock. %(name)s then takes or passes.', {
    name: nameOf(match, otherSeat(desk.seat)),
  });
  const title = match.cube.value > 1
    ? gettext('Redouble to %(value)s?', { value })
    : gettext('Double to %(value)s?', { value });
  const label = match.cube.value > 1
    ? gettext('Redouble to %(value)s', { value })
    : gettext('Double to %(value)s', { value });
  confirmSheet(desk, title, [line], label, { do: 'double', turn_number: match.turn_number });
}

/** Ask what to tell the director. */
function callSheet(/** @type {Desk} */ desk) {
  const match = desk.match();
  const note = noteField(gettext('What is it about? (optional)'));
  const label = gettext('Call the director');
  const stops = match.status === 'running' ? [paragraph(gettext('This stops both clocks.'))] : [];
  const act = () => desk.ask({ do: 'call', note: note.read() });
  desk.show({ title: label, lasts: true, parts: [...stops, note.element, answers([{ label, kind: 'primary', act }])] });
}

/**
 * Offers that this seat may make now: concession, claim.
 *
 * An offer is made in one's own turn; under Unified and Michigan also just after ending it with a press.
 * @param {ShownMatch} match @param {Seat} seat
 */
function offersOf(match, seat) {
  if (!underWay(match) || match.proposal || match.cube.offered_by || match.owed_hit) return [];
  const afterwards = match.features.declined_offer !== 'dispute' && match.just_played === seat;
  return match.turn === seat || afterwards ? match.features.offers : [];
}

const ofWinOrLoss = (/** @type {ShownMatch} */ match) => match.features.declined_offer === 'opponent-runs';

/** Title of an offer of this kind, in the book's terms.
 * @param {ShownMatch} match @param {OfferKind} kind */
function offerTitle(match, kind) {
  if (ofWinOrLoss(match)) return kind === 'claim' ? gettext('Offer a win') : gettext('Offer a loss');
  return kind === 'claim' ? gettext('Claim a win') : gettext('Offer a concession');
}

/** Sentences on how an offer is made and what follows.
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
function offerSheet(desk, kind) {
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
function outcomes(match, winner, chosen) {
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
function wins(desk) {
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

/** Effect of a game's points in a narrow column: `4 points → 7–2` and, if so, `wins the match`. A score never wraps.
 * @param {ShownMatch} match @param {Seat} winner @param {number} count */
function scoringInBrief(match, winner, count) {
  const after = phrases.scoreAfter(match, winner, count);
  const over = after[indexOf(winner)] >= match.length;
  const score = make('span.together', {}, `→ ${phrases.scoreOf(after)}`);
  return [`${phrases.points(count)} `, score, ...(over ? [make('br'), gettext('wins the match')] : [])];
}
