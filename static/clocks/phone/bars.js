/** Bars around the pads: table and score, connection, each seat's buttons. */
import { button, make, mark, write } from '../browser/dom.js';
import { clocksAt, indexOf, must } from '../match/clocks.js';
import * as phrases from '../words/phrases.js';
import { gettext } from '../words/i18n.js';
/** @import { Command, Seat } from '../match/protocol.d.ts' */
/** @import { Connection } from '../wire/match-source.js' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { MatchClock, Sheets } from './match-clock.js' */
/** @import { SheetParts } from './phone.d.ts' */

/**
 * @typedef {import('./phone.d.ts').Desk} Desk
 * @typedef {() => unknown} Act
 * @typedef {'good' | 'fair' | 'poor' | 'bad'} Quality of round trips
 */

const BARS = { good: 3, fair: 2, poor: 1, bad: 0 };

/** Text and number of bars for a connection: its `state`, and the `quality` of its round trips.
 * @param {Connection} state @param {Quality | null} quality */
export function connectionWords(state, quality) {
  if (state === 'connecting') return { words: gettext('Connecting'), bars: 0 };
  if (state === 'alone') return { words: gettext('Offline'), bars: 0 };
  if (state !== 'open') return { words: gettext('Reconnecting'), bars: 0 };
  if (quality === null) return { words: gettext('Syncing'), bars: 1 };
  const words = {
    good: gettext('Connection good'),
    fair: gettext('Connection fair'),
    poor: gettext('Connection poor'),
    bad: gettext('Connection bad'),
  }[quality];
  return { words, bars: BARS[quality] };
}

/** Top bar: table, length, score, game, connection. `on` may hold `rules` and `language`, which open sheets. */
export class Header {
  /** `event` is the event's name, for screen readers; others see its colour. */
  constructor(on = /** @type {{ rules?: Act, language?: Act }} */ ({}), event = '') {
    this.table = make('b');
    this.kind = make('span.kind', {}, `${gettext('Table')} `);
    this.where = make('span.where', {}, this.kind, this.table);
    this.score = make('b');
    this.length = make('span');
    this.game = make('span.game');
    this.bars = make('span.bars', { role: 'img' }, make('i'), make('i'), make('i'));
    this.words = make('span.link-words');
    const facts = [this.length, this.score, this.game];
    const middle = on.rules
      ? make(
        'button.standing',
        { onclick: on.rules },
        ...facts,
        make('span.unseen', {}, gettext('Rules of this match')),
      )
      : make('span.standing', {}, ...facts);
    this.element = make('header.bar', {}, this.where, middle, make('span.link', {}, this.words, this.bars));
    if (on.language) this.element.append(button(gettext('Language'), on.language, 'language'));
    if (event) this.element.append(make('span.unseen', {}, event));
  }

  show(/** @type {ShownMatch} */ match) {
    this.where.hidden = !match.table;
    write(this.table, match.table || '');
    mark(this.where, 'data-casual', phrases.hasNoDirector(match));
    write(this.length, gettext('to %(length)s', { length: match.length }));
    write(this.score, phrases.scoreOf(match.score));
    write(this.game, gettext('game %(game)s', { game: match.game }));
  }

  /** @param {Connection} state @param {Quality | null} quality */
  connection(state, quality) {
    const { words, bars } = connectionWords(state, quality);
    mark(this.bars, 'data-level', bars);
    mark(this.bars, 'aria-label', words);
    const quiet = state === 'open' && (quality === 'good' || quality === 'fair');
    write(this.words, quiet ? '' : words);
    mark(this.element, 'data-link', quiet ? 'good' : state);
  }
}

/** True if `seat` may double now, as far as this page can tell.
 * @param {ShownMatch} match @param {Seat} seat */
function mayDouble(match, seat) {
  const { cube } = match;
  const free = phrases.mayAsk(match, seat, 'double') && !cube.offered_by && !cube.frozen && !match.crawford &&
    (!cube.owner || cube.owner === seat);
  return match.status === 'running' && match.turn === seat && free;
}

/** Short reason on the Double button why `seat` may not double, or ''.
 * @param {ShownMatch} match @param {Seat} seat */
function cubeBar(match, seat) {
  const { cube } = match;
  if (phrases.isLent(match, seat)) return gettext('Seat on loan');
  if (match.crawford) return gettext('Crawford game');
  if (cube.frozen) return gettext('Cube frozen');
  return cube.owner && cube.owner !== seat
    ? gettext('%(name)s’s cube', { name: phrases.nameOf(match, cube.owner) })
    : '';
}

/** Button with a word and a sign before it, or above it if there is little room.
 * @param {string} sign @param {string} word @param {Act} act @param {string} kind */
function signed(sign, word, act, kind) {
  const made = button(make('span.word', {}, word), act, kind);
  mark(made, 'data-sign', sign);
  return made;
}

/** The buttons of one seat. `on` holds `stop`, `double`, `undo`, `more`, and `rules` if the top bar has none. */
export class Actions {
  /** @param {Seat} seat
   * @param {{ shared: boolean, on: Record<'stop' | 'double' | 'undo' | 'more', Act> & { rules?: Act } }} parts */
  constructor(seat, { shared, on }) {
    this.seat = seat;
    this.stop = signed('❚❚', gettext('Stop'), on.stop, 'stop');
    this.doubleName = make('span.word');
    this.whyNot = make('small');
    this.double = button([this.doubleName, this.whyNot], on.double, 'double');
    this.undo = signed('↶', gettext('Undo'), on.undo, 'undo');
    this.more = signed('☰', shared ? gettext('Menu') : gettext('More'), on.more, 'more');
    const rules = on.rules ? [signed('i', gettext('Rules'), on.rules, 'rules')] : [];
    this.element = make('nav.actions', { 'data-seat': seat }, this.stop, this.double, this.undo, ...rules, this.more);
  }

  show(/** @type {ShownMatch} */ match) {
    const { seat } = this;
    const running = match.status === 'running';
    const undoes = running && match.undo === seat && match.turn !== seat && phrases.mayAsk(match, seat, 'propose');
    mark(this.element, 'aria-label', phrases.nameOf(match, seat));
    mark(this.element, 'data-running', running);
    this.stop.hidden = !running;
    this.undo.hidden = !undoes;
    this.double.hidden = !running || undoes;
    this.double.disabled = !mayDouble(match, seat);
    mark(this.double, 'data-sign', match.cube.value * 2);
    write(this.doubleName, match.cube.value > 1 ? gettext('Redouble') : gettext('Double'));
    write(this.whyNot, cubeBar(match, seat));
  }
}

/**
 * Desk of a seat at this phone: the state and commands that its sheets use.
 * @param {MatchClock} clock
 * @param {Seat} seat
 * @returns {Desk}
 */
export function deskOf(clock, seat) {
  /** @type {Desk} */
  const desk = {
    seat,
    shared: clock.shared,
    turn_number: 0,
    match: () => must(clock.match),
    reserve: (of) => clocksAt(must(clock.match), clock.now() ?? 0).reserve_ms[indexOf(of)],
    show: (sheet) => {
      desk.turn_number = must(clock.match).turn_number;
      clock.showSheet(sheet, seat);
    },
    ask: (ask) => {
      const { turn_number } = desk; // a proposal is for the turn in which its sheet was opened
      clock.half(seat).sheet?.close();
      clock.players.ask(seat, ask.do === 'propose' ? { ...ask, turn_number } : ask, performance.now());
    },
  };
  return desk;
}

/**
 * Make the buttons of a seat.
 * @param {MatchClock} clock
 * @param {Desk} desk
 */
export function actionsAt(clock, desk) {
  const once = (/** @type {Act} */ act) => () => clock.match && act(); // ignored before the first snapshot
  const open = (/** @type {keyof Sheets} */ name) => once(() => clock.open(name, desk));
  const { shared, read: { rules } } = clock;
  const on = {
    stop: once(() => desk.ask({ do: 'stop' })),
    double: open('double'),
    undo: open('undo'),
    rules: shared && rules ? once(() => rules(desk.show)) : undefined,
    more: open('more'),
  };
  return new Actions(desk.seat, { shared, on });
}
