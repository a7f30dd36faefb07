/**
 * The hall's screen: every board of a tournament, page after page, for everybody to see. Nothing here acts on a match.
 */
import { Awake, onWake } from '../browser/awake.js';
import { clocksAt, SEATS } from '../match/clocks.js';
import { elapsed, formatTime } from '../words/times.js';
import { Boards } from '../match/boards.js';
import { find, make, mark, write } from '../browser/dom.js';
import { icon } from '../browser/icon.js';
import { TournamentLink } from '../wire/tournament-link.js';
import { _ } from '../words/i18n.js';
import { roundName, scoreOf } from '../words/phrases.js';
import { renewOnce } from '../browser/renewal.js';
import { layoutOf, pagesOf } from './layout.js';

const TURN_MS = 15_000; // how long a page stays
const DIGITS_MS = 100;
const OLD_MS = 6_000;
const FITTING_LETTERS = 5; // of a word beside five figures, at the size of names

/** Say what is the matter with a board, for people who only look on. */
function stateOf(board) {
  if (board.status === 'over') return _('over');
  if (board.status === 'setup') return _('to start');
  if (board.status === 'ready') return board.game === 1 && board.turn_number === 0 ? _('to start') : _('game over');
  if (board.reserve_ms === null) return ''; // under these rules nobody draws attention to times and flags
  if (board.status === 'flagged') return _('time up');
  return board.status === 'stopped' ? _('stopped') : '';
}

/** Write a reserve in whole seconds, rounded up: tenths are for the players. */
const shortTime = (ms) => (ms <= 9_000 ? `0:0${Math.ceil(ms / 1_000)}` : formatTime(Math.ceil(ms / 1_000) * 1_000));

/** Return how many letters the longest word of a name has: no line is broken within a word that fits. */
const longestWord = (name) => Math.max(...name.split(/\s+/).map((word) => word.length));

class Cell {
  constructor() {
    this.table = make('b.board-table');
    this.score = make('b');
    this.length = make('span.board-length');
    this.state = make('span.board-state');
    this.seats = SEATS.map(() => {
      const name = make('span.board-name');
      const time = make('span.board-time');
      return { name, time, row: make('p.board-seat', {}, icon('turn', 'board-turn'), name, time) };
    });
    this.node = make(
      'section.board',
      {},
      make(
        'p.board-head',
        {},
        make('span.unseen', {}, _('Table')),
        this.table,
        this.state,
        make('span.board-score', {}, this.score, this.length),
      ),
      this.seats.map(({ row }) => row),
    );
  }

  draw(board, now) {
    const hidden = board.reserve_ms === null;
    mark(this.node, 'data-status', hidden && board.status === 'flagged' ? 'stopped' : board.status);
    write(this.table, board.table);
    write(this.score, scoreOf(board.score));
    write(this.length, ` / ${board.length}`);
    write(this.state, stateOf(board));
    const times = hidden ? null : clocksAt(board, now).reserve_ms;
    SEATS.forEach((seat, index) => {
      const { name, time, row } = this.seats[index];
      write(name, board.names[index]);
      mark(name, 'data-long', longestWord(board.names[index]) > FITTING_LETTERS);
      const won = board.status === 'over' && board.winner === seat;
      write(time, won ? _('won') : times === null || board.status === 'over' ? '' : shortTime(times[index]));
      mark(row, 'data-turn', !hidden && board.turn === seat && board.status === 'running');
      mark(row, 'data-won', won);
    });
  }
}

class Hall {
  constructor(root) {
    const at = (name) => find(`[data-${name}]`);
    this.root = root;
    this.parts = Object.fromEntries(
      ['facts', 'time', 'message', 'old', 'empty', 'pages', 'page', 'pause', 'back', 'on'].map((
        name,
      ) => [name, at(name)]),
    );
    this.boards = new Boards();
    this.cells = [];
    this.page = 0;
    this.paused = false;
    this.turnsAt = performance.now() + TURN_MS;
    this.narrow = matchMedia('(max-width: 44rem), (max-height: 30rem)');
    this.link = new TournamentLink(root.dataset.socket, {
      frame: (frame) => this.take(frame),
      state: () => {
        this.arrange();
        if (this.link.open) this.second();
      },
    });
    this.listen();
    new Awake(() => {}); // a screen that goes dark says so by itself
    this.link.start();
    this.draw();
    setInterval(() => this.second(), 1_000);
  }

  listen() {
    const { back, on, pause } = this.parts;
    back.addEventListener('click', () => this.turn(-1));
    on.addEventListener('click', () => this.turn(1));
    pause.addEventListener('click', () => this.pause());
    addEventListener('resize', () => this.arrange());
    this.narrow.addEventListener('change', () => this.arrange());
    onWake(() => this.link.wake());
    addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === 'ArrowRight' || event.key === 'PageDown') this.turn(1);
      else if (event.key === 'ArrowLeft' || event.key === 'PageUp') this.turn(-1);
      else if (event.key === ' ' && !(event.target instanceof Element && event.target.closest('button'))) this.pause();
      else return;
      if (!this.narrow.matches) event.preventDefault();
    });
  }

  take(frame) {
    if (frame.t === 'boards') {
      if (frame.version !== this.root.dataset.version && renewOnce(frame.version)) return;
      this.boards.replace(frame.boards);
      this.arrange();
    } else if (frame.t === 'match') {
      const before = this.boards.get(frame.match);
      if (this.boards.put(frame) && before?.table !== frame.table) this.arrange();
    } else if (frame.t === 'message') {
      this.message = frame;
      this.second();
    }
  }

  /** Lay the boards out again: pages on a screen, one long list on a phone. */
  arrange() {
    const all = this.boards.inOrder();
    const narrow = this.narrow.matches;
    this.sheets = narrow ? [all] : pagesOf(all);
    this.page = Math.min(this.page, Math.max(0, this.sheets.length - 1));
    mark(this.parts.empty, 'hidden', all.length > 0 || !this.link.open);
    mark(this.parts.pages, 'hidden', this.sheets.length < 2);
    write(this.parts.page, _('Page %(page)s of %(pages)s', { page: this.page + 1, pages: this.sheets.length }));
    const shown = this.shown();
    while (this.cells.length < shown.length) {
      const cell = new Cell();
      this.cells.push(cell);
      this.root.append(cell.node);
    }
    for (const cell of this.cells.splice(shown.length)) cell.node.remove();
    // Every page is laid out like the first, so that the last, shorter one does not jump in size.
    const { columns, rows, size } = layoutOf(
      this.sheets[0]?.length ?? 0,
      this.root.clientWidth,
      this.root.clientHeight,
    );
    for (const [name, value] of [['--columns', columns], ['--rows', rows], ['--size', `${size}px`]]) {
      if (narrow) this.root.style.removeProperty(name);
      else this.root.style.setProperty(name, value);
    }
    this.drawBoards();
  }

  shown() {
    return this.sheets?.[this.page] ?? [];
  }

  turn(by) {
    const pages = this.sheets?.length ?? 0;
    if (pages < 2) return;
    this.page = (this.page + by + pages) % pages;
    this.turnsAt = performance.now() + TURN_MS;
    this.arrange();
  }

  pause() {
    this.paused = !this.paused;
    this.turnsAt = performance.now() + TURN_MS;
    mark(this.parts.pause, 'aria-pressed', String(this.paused));
    write(this.parts.pause, this.paused ? _('Continue') : _('Pause'));
  }

  draw() {
    setTimeout(() => this.draw(), DIGITS_MS);
    this.drawBoards();
  }

  /** Write the figures: as they are now, or, without news, as they were when the last came. */
  drawBoards() {
    const at = this.link.shownAt() - this.link.age();
    this.shown().forEach((board, index) => this.cells[index]?.draw(this.boards.get(board.match) ?? board, at));
  }

  second() {
    const now = this.link.now();
    if (!this.paused && performance.now() >= this.turnsAt) this.turn(1);
    write(this.parts.time, new Date(now).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' }));
    const all = [...this.boards.byMatch.values()];
    const running = all.filter(({ status }) => status === 'running').length;
    const over = all.filter(({ status }) => status === 'over').length;
    const rounds = [...new Set(all.map(roundName))].filter(Boolean);
    const facts = [
      ...(rounds.length === 1 ? rounds : []),
      _('%(n)s running', { n: running }),
      _('%(n)s finished', { n: over }),
    ];
    write(this.parts.facts, all.length ? facts.join(' · ') : '');
    const said = this.message?.id && this.message.until > now ? this.message.text : '';
    const wasHidden = this.parts.message.hidden;
    write(this.parts.message, said);
    mark(this.parts.message, 'hidden', said === '');
    if (wasHidden !== this.parts.message.hidden) this.arrange();
    this.showAge();
  }

  showAge() {
    const { state } = this.link;
    const age = this.link.age();
    const says = {
      gone: _('There is no such tournament.'),
      connecting: _('Connecting…'),
      reconnecting: age < OLD_MS
        ? ''
        : _('The connection is lost. These clocks are as they were %(age)s ago.', { age: elapsed(age) }),
    }[state] ?? '';
    const wasHidden = this.parts.old.hidden;
    write(this.parts.old, says);
    mark(this.parts.old, 'hidden', says === '');
    mark(document.body, 'data-link', state);
    if (wasHidden !== this.parts.old.hidden) this.arrange();
  }
}

new Hall(find('[data-hall]'));
