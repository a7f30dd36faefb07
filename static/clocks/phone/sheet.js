/**
 * A sheet in a player's half of the page, below the time: one question, its answers, a way back. One at a time in each
 * half.
 */
import { find, make, mark } from '../browser/dom.js';
import { ignoreTapsBriefly } from '../browser/events.js';
import { must, otherSeat } from '../match/clocks.js';
import { gettext } from '../words/i18n.js';
import { hasNoDirector, nameOf } from '../words/phrases.js';
import { proposalLines } from '../words/terms.js';
/** @import { Command, Proposable, Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { MatchClock } from './match-clock.js' */
/** @import { Answer, Desk, SheetParts } from './phone.d.ts' */

let latest = 0;

export class Sheet {
  /** `host` is the half that the sheet is in; `changed()` is called when it opens, folds and closes.
   * @param {HTMLElement} host @param {() => void} changed */
  constructor(host, changed) {
    this.host = host;
    this.changed = changed;
    this.element = /** @type {HTMLDialogElement | null} */ (null);
    this.focused = /** @type {HTMLElement | null} */ (null); // what had the focus before it opened
    host.addEventListener('click', (event) => event.target === host && this.open && !this.folded && this.close());
    // A banner moves the buttons. The delay: to WebKit, resizing the half within the callback is an error.
    new ResizeObserver(() => setTimeout(() => this.#rest())).observe(host);
  }

  get open() {
    return this.element !== null;
  }

  /** True if only its bar is shown, and the half is a clock again. */
  get folded() {
    return this.host.dataset.sheet === 'folded';
  }

  /**
   * Show `title` and `parts` (elements). `lasts`: it is valid in any turn, so a new turn folds it and does not close
   * it; `rests`: it opens by itself, so it ignores taps at first.
   * @param {SheetParts} sheet
   */
  show({ title, parts, lasts = false, rests = false }) {
    const focused = this.open ? this.focused : /** @type {HTMLElement | null} */ (document.activeElement);
    this.close();
    latest += 1;
    this.focused = focused;
    this.lasts = lasts;
    const heading = make('h2', { id: `sheet-${latest}`, tabindex: '-1', autofocus: true }, title);
    const unfold = make('button.unfold', { 'aria-label': title, onclick: () => this.#fold(false) }, '▲');
    const away = make('button.away', { 'aria-label': gettext('Close'), onclick: () => this.close() }, '✕');
    const body = make('div.body', {}, ...parts);
    const element = make(
      'dialog.sheet',
      { 'aria-labelledby': heading.id },
      make('header.sheet-head', {}, heading, unfold, away),
      body,
    );
    this.element = element;
    this.host.append(element);
    element.show();
    this.#fold(false);
    if (rests) this.#rest();
  }

  /** Ignore taps while buttons have only just come under the finger. */
  #rest() {
    const buttons = this.host.querySelectorAll('.sheet button:enabled');
    ignoreTapsBriefly(/** @type {HTMLButtonElement[]} */ ([...buttons]));
  }

  close() {
    if (!this.element) return;
    const held = this.element.contains(document.activeElement);
    this.element.remove();
    this.element = null;
    mark(this.host, 'data-sheet', null);
    if (held && this.focused?.isConnected) this.focused.focus();
    this.changed();
  }

  /**
   * Clear the half for the clock: fold a sheet that lasts, close any other. True if it closed.
   */
  makeWay() {
    if (!this.element) return false;
    if (!this.lasts) this.close();
    else if (!this.folded) {
      const held = this.element.contains(document.activeElement);
      this.host.append(this.element); // re-added, so that its bar does not count as a layout shift
      this.#fold(true);
      if (held) find('h2', this.element).focus();
    }
    return !this.lasts;
  }

  #fold(/** @type {boolean} */ folded) {
    mark(this.host, 'data-sheet', folded ? 'folded' : 'open');
    this.changed();
  }
}

/** Let the sheets of `clock` give way to urgent changes, and ask a player who stopped the clocks for the reason.
 * @param {MatchClock} clock */
export function giveWay(clock) {
  clock.listen({
    received(match, before) {
      for (const desk of clock.parts.desks) {
        closeForTurn(clock, desk.seat, match, before);
        if (before.status === 'running' && isToBeExplained(match, desk.seat)) clock.open('reason', desk);
      }
    },
  });
}

/** @param {MatchClock} clock @param {Seat} seat @param {Snapshot} match @param {Snapshot} before */
function closeForTurn(clock, seat, match, before) {
  const half = clock.half(seat);
  const sheet = must(half.sheet);
  const begins = isOnTurn(match, seat) && !isOnTurn(before, seat);
  const turnIsOver = match.turn_number !== before.turn_number && !sheet.lasts;
  if (match.proposal && !before.proposal) sheet.close();
  else if ((begins || turnIsOver) && sheet.makeWay()) {
    half.tell(gettext('The turn has changed, so nothing was sent.'));
  }
}

/** @param {Snapshot} match @param {Seat} seat */
const isOnTurn = (match, seat) => match.status === 'running' && match.turn === seat;

/** True if `seat` stopped the clocks without a reason, and nothing is proposed.
 * @param {Snapshot} match @param {Seat} seat */
const isToBeExplained = ({ status, stop, proposal }, seat) =>
  status === 'stopped' && stop?.by === seat && stop.reason === 'other' && !proposal;

/** Buttons of a sheet, one per answer.
 * @param {Answer[]} items */
export function answers(items) {
  return make(
    'div.answers',
    {},
    items.map(({ label, note, kind, act }) =>
      make(
        /** @type {'button'} */ (kind ? `button.${kind}` : 'button'),
        { onclick: act },
        make('span', {}, label),
        note ? make('small', {}, typeof note === 'string' ? unbroken(note) : note) : null,
      )
    ),
  );
}

export const heading = (/** @type {string} */ text) => make('h3', {}, text);

/** Split a text so that no line breaks within a score, or between a time and the word before it. */
function unbroken(/** @type {string} */ text) {
  const parts = text.split(/([^\s\u200B]*\d+–\d+[^\s\u200B]*|[^\s\u200B]+ \d+:\d[^\s\u200B]*)/);
  return parts.map((part, index) => (index % 2 ? make('span.together', {}, part) : part));
}

export const paragraph = (/** @type {string} */ text) => make('p', {}, unbroken(text));

/** Words for a sheet that needs the network. */
export const needsNetwork = () => gettext('That needs the network. Try again once it is back.');

/**
 * Number with a button for each of `steps`; `format` shows it, `changed(value)` is called at each change.
 * @param {{ legend: string, value: number, least: number, most: number, steps: number[],
 *   label: (step: number) => string, format: (value: number) => string, changed: (value: number) => void }} parts
 */
export function stepper({ legend, value, least, most, steps, label, format, changed }) {
  const shown = make('output', {}, format(value));
  const buttons = steps.map((step) => {
    const button = make('button', { 'aria-label': `${legend} ${label(step)}` }, label(step));
    button.addEventListener('click', () => {
      value = Math.min(most, Math.max(least, value + step));
      shown.textContent = format(value);
      changed(value);
    });
    return button;
  });
  const down = buttons.filter((_, index) => steps[index] < 0);
  const up = buttons.filter((_, index) => steps[index] > 0);
  return make(
    'div.row.stepper',
    { role: 'group', 'aria-label': legend },
    make('span.legend', {}, legend),
    ...down,
    shown,
    ...up,
  );
}

/** Ask whether to propose `ask`, and show what it would change.
 * @param {Desk} desk @param {string} title @param {Proposable} ask @param {string} [label] */
export function proposeSheet(desk, title, ask, label = gettext('Propose')) {
  const match = desk.match();
  const lines = proposalLines(match, { by: desk.seat, ...ask }, desk.seat);
  confirmSheet(desk, title, [...lines, stopsBoth(match, desk.seat)], label, { do: 'propose', ...ask });
}

/** Line on whether a proposal stops the clocks, and who has to agree.
 * @param {ShownMatch} match @param {Seat} seat */
export function stopsBoth(match, seat) {
  const stops = match.status === 'running';
  const alone = hasNoDirector(match);
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
