/**
 * One board of the hall's screen: its table, and both players' names, points and clocks.
 *
 * The style sheet sizes names by the number of letters set here; nothing is measured.
 */
import { clocksAt, must, SEATS } from '../match/clocks.js';
import { shortTime } from '../words/times.js';
import { make, mark, write } from '../browser/dom.js';
import { icon } from '../browser/icon.js';
import { gettext } from '../words/i18n.js';
import { widthOf } from '../words/letters.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */

const TWO_LINES = 29; // a name of this many letters or more takes two lines, where it can be larger

/** True if a player's time is up and spectators may know it.
 * @param {Snapshot} board */
export const isUp = (board) => board.status === 'flagged' && board.reserve_ms !== null;

/** Label for the state of a board, as far as spectators may know it.
 * @param {Snapshot} board */
function stateOf(board) {
  if (board.status === 'over') return gettext('over');
  if (board.status === 'setup') return gettext('to start');
  if (board.status === 'ready') {
    return board.game === 1 && board.turn_number === 0 ? gettext('to start') : gettext('game over');
  }
  if (board.reserve_ms === null) return ''; // under these rules nobody draws attention to times and flags
  if (board.status === 'flagged') return gettext('time up');
  return board.status === 'stopped' ? gettext('stopped') : '';
}

export class Tile {
  constructor() {
    this.table = make('b.board-table');
    this.length = make('span.board-length');
    this.state = make('span.board-state');
    this.seats = SEATS.map(() => {
      const name = make('span.board-name');
      const points = make('span.board-points');
      const time = make('span.board-time');
      const line = make('span.board-line', {}, points, icon('turn', 'board-turn'), time);
      return { name, points, time, row: make('p.board-seat', {}, name, line) };
    });
    this.node = make(
      'section.board',
      {},
      make(
        'p.board-head',
        {},
        make('span.unseen', {}, gettext('Table')),
        this.table,
        this.state,
        this.length,
      ),
      this.seats.map(({ row }) => row),
    );
  }

  /**
   * Draw a board as of `now`. `alone`: when its phone, now offline, was last heard from, or null; `colour`: that of its
   * event.
   * @param {Snapshot} board @param {number} now @param {number | null} [alone] @param {string} [colour]
   */
  draw(board, now, alone = null, colour = '') {
    const hidden = board.reserve_ms === null;
    mark(this.node, 'data-status', board.status === 'flagged' && hidden ? 'stopped' : board.status);
    mark(this.node, 'data-colour', colour || false);
    write(this.table, board.table);
    write(this.length, gettext('to %(length)s', { length: board.length }));
    write(this.state, alone === null ? stateOf(board) : gettext('on the phone'));
    const times = hidden ? null : clocksAt(board, alone ?? now).reserve_ms;
    SEATS.forEach((seat, index) => {
      const { name, points, time, row } = this.seats[index];
      this.#call(name, board.names[index]);
      write(points, String(board.score[index]));
      const won = board.status === 'over' && board.winner === seat;
      write(
        time,
        won ? gettext('won') : times === null || board.status === 'over' ? '' : shortTime(must(times[index])),
      );
      mark(row, 'data-turn', !hidden && board.turn === seat && board.status === 'running');
      mark(row, 'data-up', isUp(board) && board.flagged === seat);
      mark(row, 'data-won', won);
    });
    mark(this.node, 'data-long', this.seats.some(({ name }) => 'long' in name.dataset));
  }

  /** @param {HTMLElement} node @param {string} name */
  #call(node, name) {
    if (node.textContent === name) return;
    write(node, name);
    const letters = widthOf(name);
    node.style.setProperty('--letters', String(letters));
    mark(node, 'data-long', letters >= TWO_LINES);
  }
}
