/**
 * What the sheets ask. Each function takes a `desk`: {match(), seat, ask(command), show(sheet), shared}.
 *
 * Whatever is chosen becomes a command of that seat; the sheet then closes.
 */
import { formatChange, formatTime } from '../words/times.js';
import { indexOf, otherSeat, SEATS } from '../match/clocks.js';
import { offerSheet, offersOf, offerTitle, outcomes } from './offers.js';
import { answers, choice, heading, noteField, paragraph, stepper } from './sheet.js';
import { make } from '../browser/dom.js';
import { proposalLines } from '../words/terms.js';
import { gettext } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';

const { nameOf } = phrases;
const LARGEST_CUBE = 64;
const MINUTE_MS = 60_000;
const underWay = (match) => match.status === 'running' || match.status === 'stopped';
const mayPropose = (match) => match.status !== 'setup' && match.status !== 'over' && !match.proposal;

/**
 * Sheets of a clock's desks; `extras(desk)` is what the page adds to the menu, which may be another than this one.
 * @param {(desk: any) => Element[]} extras
 * @param {(desk: any, more: Element[]) => void} menu
 * @returns {import('./match-clock.js').Sheets}
 */
export const sheetsWith = (extras, menu = moreSheet) => ({
  double: doubleSheet,
  undo: undoSheet,
  reason: reasonSheet,
  more: (desk) => menu(desk, extras(desk)),
});

/** Ask the player who has stopped both clocks at once why; whoever closes the sheet gives no reason. */
export function reasonSheet(desk) {
  const { seat } = desk;
  const match = desk.match();
  const items = phrases.stopReasons(match, seat).map(([reason, label]) => ({
    label,
    act: () => desk.ask({ do: 'stop', reason }),
  }));
  const offer = (phrases.isLent(match, seat) ? [] : offersOf(match, seat)).map((kind) => ({
    label: `${offerTitle(match, kind)} …`,
    act: () => offerSheet(desk, kind),
  }));
  const call = { label: gettext('To call the director …'), kind: 'call', act: () => callSheet(desk) };
  desk.show({
    title: gettext('Both clocks are stopped. Why?'),
    rests: true,
    parts: [answers([...items, ...offer]), ...(phrases.hasNoDirector(match) ? [] : [answers([call])])],
  });
}

/** Show everything that a seat can do besides hitting. */
export function moreSheet(desk, more = []) {
  const { seat } = desk;
  const match = desk.match();
  const to = (label, sheet, ...rest) => ({ label, act: () => sheet(desk, ...rest) });
  const game = [];
  const lent = phrases.isLent(match, seat);
  if (match.status === 'ready' && !match.proposal) game.push(to(gettext('Take a break …'), breakSheet));
  if (!lent) game.push(...proposalsOf(desk));
  const correct = [];
  if (mayPropose(match) && !lent) {
    correct.push(to(gettext('Correct the score …'), scoreSheet), to(gettext('Correct the cube …'), cubeSheet));
    if (match.features.time_by_agreement) correct.push(to(gettext('Give back time …'), timeSheet));
  }
  if (phrases.hasNoDirector(match)) correct.push(...settledByPlayers(desk));
  const parts = [];
  if (game.length) parts.push(answers(game));
  if (lent) parts.push(paragraph(phrases.loanLine(match, seat)));
  else if (match.proposal) parts.push(paragraph(gettext('Answer the open proposal first.')));
  if (match.status !== 'over' && !phrases.hasNoDirector(match)) {
    parts.push(answers([{ ...to(gettext('Call the director …'), callSheet), kind: 'call' }]));
  }
  if (correct.length) parts.push(heading(gettext('Corrections')), answers(correct));
  parts.push(heading(gettext('This phone')), ...more);
  desk.show({ title: desk.shared ? nameOf(match, seat) : gettext('More'), lasts: true, parts });
}

/** Return what a seat may propose about the present game. */
function proposalsOf(desk) {
  const { seat } = desk;
  const match = desk.match();
  const other = { name: nameOf(match, otherSeat(seat)) };
  const to = (label, sheet, ...rest) => ({ label, act: () => sheet(desk, ...rest) });
  const items = [];
  if (underWay(match) && !match.proposal) items.push(to(gettext('The game is over …'), endSheet));
  for (const kind of offersOf(match, seat)) {
    items.push(to(`${offerTitle(match, kind)} …`, offerSheet, kind));
  }
  if (match.features.dice_penalty && underWay(match) && !match.proposal && match.turn === seat) {
    items.push(to(gettext('%(name)s picked up the dice too soon …', other), diceSheet));
  }
  if (match.undo && mayPropose(match)) items.push(to(`${undoTitle(match, seat)} …`, undoSheet));
  return items;
}

/** Return what only a director may do elsewhere, and what the players agree on where there is none. */
function settledByPlayers(desk) {
  const match = desk.match();
  const to = (label, sheet, ...rest) => ({ label, act: () => sheet(desk, ...rest) });
  const items = [];
  const settles = !phrases.isLent(match, desk.seat);
  if (settles && match.reopens && !match.proposal) items.push(to(gettext('Take back the end …'), reopenSheet));
  if (settles && mayPropose(match)) {
    for (const seat of SEATS.filter((each) => match.forfeit[indexOf(each)])) {
      const name = nameOf(match, seat);
      items.push(to(gettext('Drop %(name)s’s dice penalty …', { name }), dropSheet, seat));
    }
    items.push(to(gettext('End the match …'), endMatchSheet));
  }
  const lent = desk.shared ? desk.seat : otherSeat(desk.seat);
  if (phrases.isLent(match, lent)) {
    items.push(
      to(gettext('Let this phone act for %(name)s …', { name: nameOf(match, lent) }), grantSheet, lent),
    );
  }
  return items;
}

/** Ask whether to propose `ask`, with what it would change. */
function proposeSheet(desk, title, ask, label = gettext('Propose')) {
  const match = desk.match();
  const lines = proposalLines(match, { by: desk.seat, ...ask }, desk.seat);
  sure(desk, title, [...lines, stopsBoth(match, desk.seat)], label, { do: 'propose', ...ask });
}

const reopenSheet = (desk) => proposeSheet(desk, gettext('Take back the end'), { what: 'reopen' });

const dropSheet = (desk, seat) => proposeSheet(desk, gettext('Drop the dice penalty'), { what: 'drop-forfeit', seat });

function endMatchSheet(desk) {
  const match = desk.match();
  const wins = (winner) => ({
    label: gettext('%(name)s wins', { name: nameOf(match, winner) }),
    act: () => desk.ask({ do: 'propose', what: 'end', winner }),
  });
  desk.show({
    title: gettext('End the match'),
    parts: [paragraph(stopsBoth(match, desk.seat)), answers([otherSeat(desk.seat), desk.seat].map(wins))],
  });
}

/** Let a phone that took a silent one's seat, and may only press and stop, do everything. */
function grantSheet(desk, seat) {
  const name = nameOf(desk.match(), seat);
  const words = desk.shared
    ? gettext('This phone took %(name)s’s seat from one that was offline. Is %(name)s playing here?', { name })
    : gettext('A phone took %(name)s’s seat from one that was offline. Is that %(name)s’s phone?', { name });
  const label = gettext('Yes, it acts for %(name)s', { name });
  sure(desk, gettext('Seat on loan'), [words], label, { do: 'grant-seat', seat });
}

/** Ask who won the game and how. */
export function endSheet(desk) {
  const match = desk.match();
  const parts = [paragraph(stopsBoth(match, desk.seat))];
  for (const winner of [desk.seat, otherSeat(desk.seat)]) {
    parts.push(
      heading(gettext('%(name)s wins', { name: nameOf(match, winner) })),
      outcomes(
        match,
        winner,
        (outcome) => desk.ask({ do: 'propose', what: 'game', winner, points: phrases.outcomePoints(match, outcome) }),
      ),
    );
  }
  desk.show({ title: gettext('The game is over'), parts });
}

/** Return what a proposal does at once, and who has to agree to it. */
function stopsBoth(match, seat) {
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

function sure(desk, title, lines, label, ask) {
  desk.show({
    title,
    parts: [...lines.map(paragraph), answers([{ label, kind: 'primary', act: () => desk.ask(ask) }])],
  });
}

/** Between games both times are recorded, and both players confirm them when they come back (Michigan 3.9). */
function breakSheet(desk) {
  const match = desk.match();
  const times = SEATS.map((seat) => `${nameOf(match, seat)} ${formatTime(desk.reserve(seat))}`).join(', ');
  const lines = [
    gettext('Recorded: %(times)s.', { times }),
    gettext('When you are back, both of you must confirm these times.'),
  ];
  sure(desk, gettext('Take a break'), lines, gettext('Begin the break'), { do: 'stop', reason: 'break' });
}

const diceSheet = (desk) =>
  proposeSheet(
    desk,
    gettext('Mishandled dice'),
    { what: 'dice-penalty', against: otherSeat(desk.seat) },
    gettext('Claim the penalty'),
  );

/** Return whose press an undo takes back: `Undo Ann's press`. */
const undoTitle = (match, seat) =>
  match.undo === seat
    ? gettext('Undo your press')
    : gettext('Undo %(name)s’s press', { name: nameOf(match, match.undo) });

/** Ask to take back the last press. */
export const undoSheet = (desk) =>
  proposeSheet(desk, undoTitle(desk.match(), desk.seat), { what: 'undo' }, gettext('Ask to undo'));

/** Ask whether to double: it ends the turn, so one stray tap must not do it. */
export function doubleSheet(desk) {
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
  sure(desk, title, [line], label, { do: 'double', turn_number: match.turn_number });
}

/** Ask what to tell the director. */
function callSheet(desk) {
  const match = desk.match();
  const note = noteField(gettext('What is it about? (optional)'));
  const label = gettext('Call the director');
  const stops = match.status === 'running' ? [paragraph(gettext('This stops both clocks.'))] : [];
  const act = () => desk.ask({ do: 'call', note: note.read() });
  desk.show({ title: label, lasts: true, parts: [...stops, note.element, answers([{ label, kind: 'primary', act }])] });
}

/** Return an element that shows `before → after` and proposes what it shows. */
function proposing(desk, compose) {
  const shown = make('p.change');
  const button = make('button.primary', {}, gettext('Propose'));
  const update = () => {
    const { before, after, ask } = compose();
    shown.textContent = ask === null ? before : phrases.change(before, after);
    button.disabled = ask === null;
  };
  button.addEventListener('click', () => desk.ask(compose().ask));
  update();
  return { parts: [shown, paragraph(stopsBoth(desk.match(), desk.seat)), make('div.answers', {}, button)], update };
}

export function scoreSheet(desk) {
  const match = desk.match();
  const score = /** @type {[number, number]} */ ([...match.score]);
  const form = proposing(desk, () => ({
    before: phrases.scoreOf(match.score),
    after: phrases.scoreOf(score),
    ask: String(score) === String(match.score) ? null : { do: 'propose', what: 'score', score: [...score] },
  }));
  const steppers = SEATS.map((seat) =>
    stepper({
      legend: nameOf(match, seat),
      value: score[indexOf(seat)],
      least: 0,
      most: match.length,
      steps: [-1, 1],
      label: (step) => (step < 0 ? '−' : '+'),
      format: String,
      changed: (value) => {
        score[indexOf(seat)] = value;
        form.update();
      },
    })
  );
  desk.show({ title: gettext('Correct the score'), parts: [...steppers, ...form.parts] });
}

export function cubeSheet(desk) {
  const match = desk.match();
  let { value, owner } = match.cube;
  const form = proposing(desk, () => {
    const holder = value === 1 ? null : owner;
    const same = value === match.cube.value && holder === match.cube.owner;
    return {
      before: phrases.cubeWords(match, match.cube.value, match.cube.owner),
      after: phrases.cubeWords(match, value, holder),
      ask: same ? null : { do: 'propose', what: 'cube', value, ...(holder ? { owner: holder } : {}) },
    };
  });
  const values = /** @type {[number, string][]} */ ([]);
  for (let cube = 1; cube <= Math.max(LARGEST_CUBE, value); cube *= 2) values.push([cube, String(cube)]);
  const owners = /** @type {[string | null, string][]} */ ([[null, gettext('Centre')]]);
  for (const seat of SEATS) owners.push([seat, nameOf(match, seat)]);
  const set = (change) => (chosen) => {
    change(chosen);
    form.update();
  };
  desk.show({
    title: gettext('Correct the cube'),
    parts: [
      choice(gettext('Value'), values, value, set((chosen) => (value = chosen))),
      choice(gettext('Where'), owners, owner, set((chosen) => (owner = chosen))),
      ...form.parts,
    ],
  });
}

function timeSheet(desk) {
  const match = desk.match();
  let seat = desk.seat;
  let by_ms = 0;
  const note = noteField(gettext('Why? (optional)'));
  const form = proposing(desk, () => {
    const before = desk.reserve(seat);
    return {
      before: `${nameOf(match, seat)}: ${formatTime(before)}`,
      after: formatTime(before + by_ms),
      ask: by_ms ? { do: 'propose', what: 'time', seat, by_ms, note: note.read() } : null,
    };
  });
  const amount = stepper({
    legend: gettext('Change'),
    value: 0,
    least: -60 * MINUTE_MS,
    most: 60 * MINUTE_MS,
    steps: [-MINUTE_MS, -10_000, 10_000, MINUTE_MS],
    label: (step) => formatChange(step),
    format: formatChange,
    changed: (value) => {
      by_ms = value;
      form.update();
    },
  });
  const whose = choice(gettext('Whose reserve'), SEATS.map((one) => [one, nameOf(match, one)]), seat, (chosen) => {
    seat = chosen;
    form.update();
  });
  desk.show({ title: gettext('Give back time'), parts: [whose, amount, note.element, ...form.parts] });
}
