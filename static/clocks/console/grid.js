/**
 * Grid of boards, a cell each. Writes to the document only what has changed, and updates clocks only in cells in or
 * near the viewport.
 */

import { LOW_MS, must, SEATS, timesAt } from '../match/clocks.js';
import { formatDelay, formatTime } from '../words/times.js';
import { make, mark, write } from '../browser/dom.js';
import { icon } from '../browser/icon.js';
import { LEVELS } from './alerts.js';
import { gettext } from '../words/i18n.js';
import { aloneSays, notesSay, stateSays } from './short-words.js';
import { scoreOf } from '../words/phrases.js';
import { widthOf } from '../words/letters.js';
/** @import { SeatState } from '../match/boards.js' */
/** @import { Board, Level } from './console.d.ts' */

const FULL_NAME = 18; // letters of a name that fit on one line
const LONG_NAME = 30; // letters of a name that fit on two lines
const LONG_TEAM = 50; // letters of a name that fit on three lines, in smaller type
const SHORT_STATE = 22; // letters of a state that fit on one line
const FEW = 12; // up to this many boards, cells are large
const SOME = 30; // up to this many boards, cells are medium
const NEAR = '300px'; // margin around the viewport in which clocks still update

class Cell {
  /** @param {number} match @param {(match: number) => void} onOpen */
  constructor(match, onOpen) {
    this.match = match;
    this.alone = /** @type {number | null} */ (null);
    this.near = true; // in or near the viewport
    this.table = make('b.cell-table');
    this.score = make('span.cell-score');
    this.seats = SEATS.map(() => {
      const name = make('span.cell-name');
      const phone = make('span.cell-phone', { role: 'img' }, icon('phone'));
      const time = make('span.cell-time');
      const mine = make('span.cell-mine');
      const end = make('span.cell-end', {}, time, make('span.cell-signs', {}, icon('turn', 'cell-turn'), mine, phone));
      return { name, phone, time, mine, row: make('span.cell-seat', {}, name, end) };
    });
    this.state = make('span.cell-state');
    this.notes = make('span.cell-notes');
    this.node = make(
      'button.cell',
      { 'data-match': match, tabindex: -1, onclick: () => onOpen(match) },
      make('span.cell-head', {}, make('span.unseen', {}, gettext('Table')), this.table, this.score),
      this.seats.map((seat) => seat.row),
      make('span.cell-foot', {}, this.state, this.notes),
    );
  }

  /**
   * Update what a snapshot, presence or an alert can change, and the clocks at `now`. `alone` is the time since which a
   * shared phone has been offline, or null; `until` the expected end in words.
   * @param {Board} board @param {SeatState[]} presence @param {Level | undefined} level @param {number} now
   * @param {number | null} alone
   */
  draw(board, presence, level, now, alone = null, until = '') {
    this.alone = alone;
    write(this.table, board.table);
    write(
      this.score,
      gettext('%(score)s · game %(n)s · to %(length)s', {
        score: scoreOf(board.score),
        n: board.game,
        length: board.length,
      }),
    );
    mark(this.node, 'data-status', board.status);
    mark(this.node, 'data-level', level && LEVELS[level]);
    SEATS.forEach((name, index) => {
      const seat = this.seats[index];
      const { held, gone } = presence[index];
      if (seat.name.textContent !== board.names[index]) {
        write(seat.name, board.names[index]);
        mark(seat.name, 'data-letters', lettersOf(board.names[index]));
      }
      write(seat.mine, mineSays(board, index));
      mark(seat.phone, 'hidden', board.status === 'over'); // no longer needed
      mark(seat.row, 'data-turn', board.turn === name && board.status !== 'over' && board.status !== 'ready');
      mark(seat.phone, 'data-phone', gone ? 'gone' : held ? 'here' : 'none');
      mark(
        seat.phone,
        'aria-label',
        gone ? gettext('phone offline') : held ? gettext('phone connected') : gettext('no phone'),
      );
    });
    const notes = notesSay(board).join(' · ') || until; // both would be cut off; the drawer has both
    write(this.notes, notes);
    mark(this.notes, 'title', notes || null); // the only text that may not fit
    this.tick(board, now);
  }

  /** Update the parts that change with time.
   * @param {Board} board @param {number} now */
  tick(board, now) {
    const { reserve_ms: reserves, delay_ms: delays } = timesAt(board, this.alone ?? now);
    const running = board.status === 'running';
    SEATS.forEach((name, index) => {
      const seat = this.seats[index];
      write(seat.time, formatTime(reserves[index]));
      const low = running && board.turn === name && board.limits !== false && reserves[index] < LOW_MS;
      mark(seat.row, 'data-low', low);
    });
    const turn = board.turn === 'right' ? 1 : 0;
    if (this.alone !== null) this.say(aloneSays(this.alone));
    else this.say(running ? delaySays(delays[turn], reserves[turn], board) : footSays(board, now));
  }

  /** Write the state, in two small lines if it does not fit in one.
   * @param {string} words */
  say(words) {
    if (this.state.textContent === words) return;
    write(this.state, words);
    mark(this.state, 'data-letters', widthOf(words) > SHORT_STATE ? 'many' : null);
  }
}

/** Value of `data-letters`, which sets the type size: null for a name that fits on one line.
 * @param {string} name */
function lettersOf(name) {
  const width = widthOf(name);
  return width <= FULL_NAME ? null : width <= LONG_NAME ? 'many' : width <= LONG_TEAM ? 'team' : 'most';
}

/** Note below one player's time, or ''.
 * @param {Board} board @param {number} index */
function mineSays(board, index) {
  if (board.status === 'over') return board.winner === SEATS[index] ? gettext('won') : '';
  return board.status === 'setup' && board.confirmed[index] ? gettext('confirmed') : '';
}

/** State of a board, without the facts beside the names.
 * @param {Board} board @param {number} now */
function footSays(board, now) {
  if (board.status === 'over') return gettext('over');
  return board.status === 'setup' && !board.stop ? gettext('settings not confirmed') : stateSays(board, now);
}

/** @param {number} delay @param {number} reserve @param {Board} board */
function delaySays(delay, reserve, board) {
  if (reserve === 0 && board.limits !== false) return gettext('0:00 · checking');
  return delay > 0 ? gettext('delay %(time)s', { time: formatDelay(delay) }) : '';
}

export class Grid {
  /**
   * `open(match id)` opens a board; `leave()` takes the focus when it moves above the first row; `near(match id)` draws
   * a board that comes near the viewport.
   * @param {HTMLElement} node
   * @param {{ open: (match: number) => void, leave: () => void, near: (match: number) => void }} page
   */
  constructor(node, { open, leave, near }) {
    this.node = node;
    this.open = open;
    this.leave = leave;
    this.cells = /** @type {Map<number, Cell>} */ (new Map());
    this.order = /** @type {number[]} */ ([]);
    this.focus = /** @type {number | null} */ (null);
    this.opened = /** @type {number | null} */ (null); // the board that the drawer shows
    this.watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const cell = this.cells.get(Number(target.getAttribute('data-match')));
        if (!cell || cell.near === isIntersecting) continue;
        cell.near = isIntersecting;
        if (cell.near) near(cell.match);
      }
    }, { rootMargin: NEAR });
    node.addEventListener('keydown', (event) => this.move(event));
    node.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) this.reach(target.closest('.cell'));
    });
  }

  /** Show exactly these boards, in this order; `all` counts the unfiltered ones. `past(board)`: its round is over.
   * @param {Board[]} boards @param {(board: Board) => boolean} past */
  arrange(boards, all = boards.length, past = () => false) {
    mark(this.node, 'data-many', all <= FEW ? 'few' : all <= SOME ? 'some' : null);
    this.#put(boards.map((board) => board.match));
    for (const board of boards) mark(must(this.cells.get(board.match)).node, 'data-past', past(board));
  }

  #put(/** @type {number[]} */ ids) {
    if (ids.length === this.order.length && ids.every((id, index) => id === this.order[index])) return;
    for (const [id, cell] of this.cells) {
      if (ids.includes(id)) continue;
      this.watch.unobserve(cell.node);
      cell.node.remove();
      this.cells.delete(id);
    }
    for (const id of ids) {
      let cell = this.cells.get(id);
      if (!cell) {
        cell = new Cell(id, this.open);
        this.cells.set(id, cell);
        mark(cell.node, 'data-open', id === this.opened);
        this.watch.observe(cell.node);
      }
    }
    ids.forEach((id, index) => {
      const { node } = must(this.cells.get(id));
      if (this.node.children[index] !== node) this.node.insertBefore(node, this.node.children[index] ?? null);
    });
    this.order = ids;
    if (this.focus === null || !this.cells.has(this.focus)) this.reach(this.node.firstElementChild);
  }

  /** Draw a board in its cell; see `Cell.draw`.
   * @param {Parameters<Cell['draw']>} drawn */
  draw(...drawn) {
    this.cells.get(drawn[0].match)?.draw(...drawn);
  }

  /** Update the clocks of a board, if its cell is in or near the viewport.
   * @param {Board} board @param {number} now */
  tick(board, now) {
    const cell = this.cells.get(board.match);
    if (cell?.near) cell.tick(board, now);
  }

  /** Mark the cell of the board that the drawer shows, even if it is added later; null for none.
   * @param {number | null} match */
  markOpen(match) {
    this.opened = match;
    for (const [id, cell] of this.cells) mark(cell.node, 'data-open', id === match);
  }

  /** Move the roving tabindex to a cell.
   * @param {Element | null} node */
  reach(node) {
    if (!(node instanceof HTMLElement)) return;
    const before = this.focus === null ? null : this.cells.get(this.focus);
    if (before) before.node.tabIndex = -1;
    this.focus = Number(node.dataset.match);
    node.tabIndex = 0;
  }

  /** Focus a board's cell and bring it into view; false when it is not shown.
   * @param {number | null} match */
  goTo(match) {
    const cell = match === null ? null : this.cells.get(match);
    if (!cell) return false;
    cell.node.scrollIntoView({ block: 'nearest' });
    cell.node.focus();
    return true;
  }

  /** Focus the cell with the roving tabindex; false when there is none. */
  enter() {
    return this.goTo(this.focus);
  }

  move(/** @type {KeyboardEvent} */ event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const cells = /** @type {HTMLElement[]} */ ([...this.node.children]);
    const at = cells.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at < 0) return;
    const columns = cells.filter((cell) => cell.offsetTop === cells[0].offsetTop).length;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    let to = null;
    if (event.key in steps) to = at + steps[event.key];
    else if (event.key === 'Home') to = 0;
    else if (event.key === 'End') to = cells.length - 1;
    if (to === null) return;
    event.preventDefault();
    if (to < 0 && event.key === 'ArrowUp') this.leave();
    if (to >= cells.length && event.key === 'ArrowDown' && at < cells.length - 1) to = cells.length - 1;
    cells[to]?.focus();
  }
}
