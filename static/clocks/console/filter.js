/**
 * Filters the grid by round, state and text, and jumps to a table by its number.
 */
import { fill, find, make, mark, write } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { roundsOf } from '../words/rounds.js';
/** @import { AlertKind, Board } from './console.d.ts' */

/**
 * @typedef {{ boards: () => Board[], kinds: (board: Board) => Set<AlertKind> | undefined, change: () => void,
 *   jump: (board: Board) => void }} OnFilter
 */

const STATES = [
  ['', gettext('all')],
  ['running', gettext('running')],
  ['stopped', gettext('stopped')],
  ['waiting', gettext('not started')],
  ['over', gettext('finished')],
];

/** State under which a board is counted.
 * @param {Board} board */
function groupOf(board) {
  if (board.status === 'running' || board.status === 'over') return board.status;
  return board.game === 1 && board.turn_number === 0 ? 'waiting' : 'stopped';
}

export class Filter {
  /** `on.boards()` returns all boards, `on.kinds(board)` the kinds of alerts of one; `on.change()` is called when the
   * filter changes, `on.jump(board)` when Enter finds one board.
   * @param {HTMLElement} node @param {OnFilter} on */
  constructor(node, on) {
    this.on = on;
    this.state = '';
    this.kind = /** @type {AlertKind | ''} */ ('');
    this.input = /** @type {HTMLInputElement} */ (find('input', node));
    this.listed = '';
    this.said = find('[data-found]', node);
    this.rounds = /** @type {HTMLSelectElement} */ (find('[data-rounds]', node));
    this.rounds.addEventListener('change', () => this.on.change());
    this.input.addEventListener('input', () => this.on.change());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.buttons = STATES.map(([state, label]) => {
      const number = make('b');
      const button = make(
        'button.chip',
        { 'data-state': state, 'aria-pressed': String(state === ''), onclick: () => this.setState(state) },
        number,
        ` ${label}`,
      );
      return { state, number, button };
    });
    fill(find('[data-states]', node), this.buttons.map(({ button }) => button));
  }

  get text() {
    return this.input.value.trim().toLowerCase();
  }

  get active() {
    return this.state !== '' || this.kind !== '' || this.text !== '' || this.rounds.value !== '';
  }

  /** True if a board passes the filter.
   * @param {Board} board */
  lets(board) {
    if (this.kind && !this.on.kinds(board)?.has(this.kind)) return false;
    if (this.state && groupOf(board) !== this.state) return false;
    const { text } = this;
    if (this.rounds.value && board.round !== this.rounds.value) return false;
    return !text || board.table.toLowerCase().startsWith(text) ||
      board.names.some((name) => name.toLowerCase().includes(text));
  }

  setState(/** @type {string} */ state) {
    this.state = state;
    this.kind = '';
    for (const { state: own, button } of this.buttons) mark(button, 'aria-pressed', String(own === state));
    this.on.change();
  }

  /** Show only the boards that have this kind of alert.
   * @param {AlertKind} kind */
  setKind(kind) {
    this.input.value = '';
    this.setState('');
    this.rounds.value = '';
    this.kind = kind;
    for (const { button } of this.buttons) mark(button, 'aria-pressed', 'false');
    this.on.change();
  }

  count(/** @type {Board[]} */ boards) {
    this.#list(boards);
    /** @type {Record<string, number>} */
    const counts = { '': boards.length };
    for (const board of boards) counts[groupOf(board)] = (counts[groupOf(board)] ?? 0) + 1;
    for (const { state, number } of this.buttons) write(number, String(counts[state] ?? 0));
  }

  /** Offer the rounds of these boards, if there are several.
   * @param {Board[]} boards */
  #list(boards) {
    const rounds = roundsOf(boards).filter(([round]) => round);
    const text = rounds.join('\n');
    mark(this.rounds, 'hidden', rounds.length < 2 && this.rounds.value === '');
    if (text === this.listed) return;
    this.listed = text;
    const chosen = this.rounds.value;
    fill(
      this.rounds,
      make('option', { value: '' }, gettext('All rounds')),
      rounds.map(([round, name]) => make('option', { value: round, selected: round === chosen }, name)),
    );
  }

  /** @param {number} shown @param {number} all */
  found(shown, all) {
    write(this.said, shown < all && shown === 0 ? gettext('No table matches.') : '');
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  key(/** @type {KeyboardEvent} */ event) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.input.value = '';
      this.input.blur();
      this.on.change();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const { text } = this;
      const fitting = this.on.boards().filter((board) => this.lets(board));
      const exact = fitting.find((board) => board.table.toLowerCase() === text);
      const board = exact ?? (fitting.length === 1 ? fitting[0] : null);
      if (!board) return;
      this.input.value = '';
      this.on.change();
      this.on.jump(board);
    }
  }
}
