/** Sheets of the menu for a break, corrections and agreements. Loaded when first needed, or early on a shared phone. */
import { formatChange, formatTime } from '../words/times.js';
import { indexOf, otherSeat, SEATS } from '../match/clocks.js';
import { answers, confirmSheet, paragraph, proposeSheet, stepper, stopsBoth } from './sheet.js';
import { choice, make, noteField } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';
/** @import { Command, Pair, Seat } from '../match/protocol.d.ts' */
/** @import { Answer, Desk } from './phone.d.ts' */

/** @typedef {{ before: string, after: string, ask: Command | null }} Correction `ask` is null if nothing changes */

const { nameOf } = phrases;
const LARGEST_CUBE = 64;
const MINUTE_MS = 60_000;

/** Ask to begin a break: both times are recorded, and both players confirm them on return (Michigan 3.9). */
export function breakSheet(/** @type {Desk} */ desk) {
  const match = desk.match();
  const times = SEATS.map((seat) => `${nameOf(match, seat)} ${formatTime(desk.reserve(seat))}`).join(', ');
  const lines = [
    gettext('Recorded: %(times)s.', { times }),
    gettext('When you are back, both of you must confirm these times.'),
  ];
  confirmSheet(desk, gettext('Take a break'), lines, gettext('Begin the break'), { do: 'stop', reason: 'break' });
}

/** Parts that show `before → after` and propose it; `changing(change)` wraps a listener to update them.
 * @param {Desk} desk @param {() => Correction} compose */
function proposing(desk, compose) {
  const shown = make('p.change');
  const button = make('button.primary', {}, gettext('Propose'));
  const update = () => {
    const { before, after, ask } = compose();
    shown.textContent = ask === null ? before : phrases.change(before, after);
    button.disabled = ask === null;
  };
  button.addEventListener('click', () => {
    const { ask } = compose();
    if (ask) desk.ask(ask);
  });
  update();
  /** @template T @param {(chosen: T) => unknown} change */
  const changing = (change) => (/** @type {T} */ chosen) => {
    change(chosen);
    update();
  };
  return { parts: [shown, paragraph(stopsBoth(desk.match(), desk.seat)), make('div.answers', {}, button)], changing };
}

export function scoreSheet(/** @type {Desk} */ desk) {
  const match = desk.match();
  const score = /** @type {Pair} */ ([...match.score]);
  const form = proposing(desk, () => ({
    before: phrases.scoreOf(match.score),
    after: phrases.scoreOf(score),
    ask: String(score) === String(match.score) ? null : { do: 'propose', what: 'score', score },
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
      changed: form.changing((value) => (score[indexOf(seat)] = value)),
    })
  );
  desk.show({ title: gettext('Correct the score'), parts: [...steppers, ...form.parts] });
}

export function cubeSheet(/** @type {Desk} */ desk) {
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
  const owners = /** @type {[Seat | null, string][]} */ ([[null, gettext('Centre')]]);
  for (const seat of SEATS) owners.push([seat, nameOf(match, seat)]);
  desk.show({
    title: gettext('Correct the cube'),
    parts: [
      choice(gettext('Value'), values, value, { changed: form.changing((chosen) => (value = chosen)) }),
      choice(gettext('Where'), owners, owner, { changed: form.changing((chosen) => (owner = chosen)) }),
      ...form.parts,
    ],
  });
}

export function timeSheet(/** @type {Desk} */ desk) {
  const match = desk.match();
  let seat = desk.seat;
  let by_ms = 0;
  const note = noteField(gettext('Why? (optional)'));
  const form = proposing(desk, () => {
    const before = desk.reserve(seat);
    return {
      before: `${nameOf(match, seat)}: ${formatTime(before)}`,
      after: formatTime((before ?? 0) + by_ms),
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
    changed: form.changing((value) => (by_ms = value)),
  });
  const seats = SEATS.map((one) => /** @type {[Seat, string]} */ ([one, nameOf(match, one)]));
  const changed = form.changing((/** @type {Seat} */ chosen) => (seat = chosen));
  const whose = choice(gettext('Whose reserve'), seats, seat, { changed });
  desk.show({ title: gettext('Give back time'), parts: [whose, amount, note.element, ...form.parts] });
}

export const reopenSheet = (/** @type {Desk} */ desk) =>
  proposeSheet(desk, gettext('Take back the end'), { what: 'reopen' });

/** @param {Desk} desk @param {Seat} seat */
export const dropSheet = (desk, seat) =>
  proposeSheet(desk, gettext('Drop the dice penalty'), { what: 'drop-forfeit', seat });

export function endMatchSheet(/** @type {Desk} */ desk) {
  const match = desk.match();
  /** @param {Seat} winner @returns {Answer} */
  const wins = (winner) => ({
    label: gettext('%(name)s wins', { name: nameOf(match, winner) }),
    act: () => desk.ask({ do: 'propose', what: 'end', winner }),
  });
  desk.show({
    title: gettext('End the match'),
    parts: [paragraph(stopsBoth(match, desk.seat)), answers([otherSeat(desk.seat), desk.seat].map(wins))],
  });
}

/** Ask whether a phone with a seat on loan, which may only press and stop, may do everything.
 * @param {Desk} desk @param {Seat} seat */
export function grantSheet(desk, seat) {
  const name = nameOf(desk.match(), seat);
  const words = desk.shared
    ? gettext('This phone took %(name)s’s seat from one that was offline. Is %(name)s playing here?', { name })
    : gettext('A phone took %(name)s’s seat from one that was offline. Is that %(name)s’s phone?', { name });
  const label = gettext('Yes, it acts for %(name)s', { name });
  confirmSheet(desk, gettext('Seat on loan'), [words], label, { do: 'grant-seat', seat });
}
