/**
 * The director's page: every board of the tournament, a drawer for one, and the lane of boards that need the director,
 * including those of other events in progress.
 *
 * Frames mark the boards that they change. These are drawn in the next task, and running digits every 100 ms; only
 * texts that differ are written. Drawing uses no animation frames: each costs work even if nothing has changed.
 */
import { Alarm } from './alarm.js';
import { Beside } from './beside.js';
import { BesideNotes } from './beside-notes.js';
import { find, LiveRegion, mark, write } from '../browser/dom.js';
import { onWake } from '../browser/events.js';
import { Drawer } from './drawer.js';
import { Filter } from './filter.js';
import { Grid } from './grid.js';
import { HallDialogs } from './hall-dialogs.js';
import { Lane } from './lane.js';
import { onKey } from './keys.js';
import { endSays, untilSays } from './pace.js';
import { roundsPlayed } from '../words/rounds.js';
import { aboutSays, connectionSays } from './short-words.js';
import { Kept } from './kept.js';
import { offerRenewal } from './renewal.js';
import { WatchedEvent } from './watched-event.js';
/** @import { TournamentFrame } from '../wire/tournament-link.js' */
/** @import { Alert, AlertGroup, AlertKind, Board, EventAddress, Level, NamedEvent, Reach } from './console.d.ts' */

const DIGITS_MS = 100;
const TOAST_MS = 8_000;

class Console {
  constructor(/** @type {HTMLElement} */ root) {
    const at = (/** @type {string} */ name) => find(`[data-${name}]`, root);
    const given = /** @type {Record<string, string>} */ (root.dataset);
    const { name, socket, director, address, pace, may: list, me, starts, lateness } = given;
    const may = list.split(' ');
    this.me = me;
    this.archived = 'archived' in given; // its boards no longer need a director
    this.root = root;
    this.title = document.title;
    this.changed = /** @type {Set<number>} */ (new Set());
    this.next = 0; // timer of the next drawing
    this.news = false; // a drawing is due at once
    this.kept = new Kept(at('kept'), at('warning'), may.includes('forget') ? `${director}backups/` : '');
    this.levels = /** @type {Map<number, Level>} */ (new Map());
    this.kinds = /** @type {Map<number, Set<AlertKind>>} */ (new Map());
    this.arranged = false;
    this.saying = 0; // timer of the toast
    this.may = new Set(may);
    this.parts = {
      about: at('about'),
      connection: at('connection'),
      renewal: at('renewal'),
      empty: at('empty'),
      struck: /** @type {HTMLFormElement} */ (at('strike-out')),
      all: root.querySelectorAll('[data-all]'),
      flashes: /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-flash]')),
    };
    this.played = /** @type {Set<string>} */ (new Set()); // rounds being played
    this.toast = new LiveRegion(at('toast'));
    this.grid = new Grid(at('grid'), {
      open: (match) => this.open(match),
      leave: () => this.lane.enter(true),
      near: (match) => {
        this.changed.add(match);
        this.drawSoon();
      },
    });
    this.filter = new Filter(at('filter'), {
      boards: () => this.boards.inOrder(),
      kinds: (board) => this.kinds.get(board.match),
      change: () => this.arrange(),
      jump: (board) => this.grid.goTo(board.match),
    });
    this.alarm = new Alarm(at('sound'));
    const times = { starts: JSON.parse(starts), lateness: JSON.parse(lateness) };
    this.event = new WatchedEvent({ name, director, socket, pace, may, ...times }, this);
    const { boards, link, pace: ends } = this.event;
    this.boards = boards;
    this.link = link;
    this.pace = ends;
    this.others = new Beside(this);
    this.notes = new BesideNotes(at('shared'), at('more'), may.includes('arrange') ? `${director}edit/` : '');
    this.lane = new Lane(at('needs'), (line) => this.describe(line), () => this.grid.enter());
    this.drawer = new Drawer(at('drawer'), {
      send: (match, command) => this.event.send(match, command),
      board: (match) => this.boards.get(match),
      seats: (board) => this.boards.seats(board),
      aloneSince: (board) => this.boards.aloneSince(board),
      end: (board) => endSays(this.pace.get(board.match)),
      now: () => this.link.shownAt(),
      onClose: (match) => this.closed(match),
      mayRule: this.event.mayRule,
      may: this.may,
      message: (table) => this.hall.open('message', { tables: table }),
      director,
      address,
    });
    this.hall = new HallDialogs(root);
    this.link.listen({ frame: (frame) => this.receive(frame), state: () => this.showConnection() });
    this.listen();
    this.link.start();
    this.draw();
    setInterval(() => this.second(), 1_000);
  }

  listen() {
    onWake(() => {
      this.link.wake();
      this.others.wake();
    });
    document.addEventListener('keydown', (event) => onKey(event, this));
  }

  /** Handle a frame and mark the changed boards for the next drawing. */
  receive(/** @type {TournamentFrame} */ frame) {
    this.drawSoon();
    const before = frame.t === 'match' ? this.boards.get(frame.match) : undefined;
    if (!this.event.receive(frame)) return;
    if (frame.t === 'boards') {
      offerRenewal(this.parts.renewal, frame.version !== this.root.dataset.version);
      this.lane.loaded();
      this.arranged = false;
      for (const board of this.boards.inOrder()) this.changed.add(board.match);
      this.openFromAddress();
    } else if (frame.t === 'match') {
      if (!before || before.table !== frame.table) this.arranged = false;
      this.changed.add(frame.match);
    } else if (frame.t === 'gone') {
      this.arrange();
      this.second();
    } else if (frame.t === 'starts' || frame.t === 'taken' || frame.t === 'asks') {
      this.second();
    } else if (frame.t === 'kept') {
      this.kept.receive(frame, this.link.now());
    } else if (frame.t === 'seen') {
      for (const match of Object.keys(frame.seats)) this.changed.add(Number(match));
    }
  }

  /** Redraw these matches: their expected ends changed. */
  expect(/** @type {number[]} */ matches) {
    for (const match of matches) this.changed.add(match);
    if (matches.length > 0) this.drawSoon();
  }

  /** Draw once, after all frames that arrived together. */
  drawSoon() {
    if (this.news) return;
    this.news = true;
    clearTimeout(this.next);
    this.next = setTimeout(() => this.draw());
  }

  draw() {
    this.news = false;
    this.next = setTimeout(() => this.draw(), DIGITS_MS);
    const now = this.link.shownAt();
    if (this.changed.size > 0) this.drawChanged(now);
    for (const board of this.boards.byMatch.values()) {
      if (board.status === 'running' || board.stop) this.grid.tick(board, now);
    }
    const open = this.drawer.match === null ? undefined : this.boards.get(this.drawer.match);
    if (open) this.drawer.tick(open, now);
    else this.drawer.close(); // its match has left its table
  }

  drawChanged(/** @type {number} */ now) {
    const changed = this.showAlerts(now);
    for (const match of this.changed) changed.add(match);
    this.changed.clear();
    for (const match of changed) {
      const board = this.boards.get(match);
      if (!board) continue;
      this.drawBoard(board);
      this.drawer.draw(board);
    }
    this.removeOldFlashes();
    const { played } = this.event;
    const asBefore = played.size === this.played.size && [...played].every((round) => this.played.has(round));
    if (!this.arranged || this.filter.active || !asBefore) this.arrange();
    this.filter.count([...this.boards.byMatch.values()]);
    this.hall.draw([...this.boards.byMatch.values()]);
  }

  /** Remove messages about a match whose clocks have started since, or which has ended again. */
  removeOldFlashes() {
    for (const flash of this.parts.flashes) {
      const status = this.boards.get(Number(flash.dataset.flash))?.status;
      if (status === 'running' || status === 'over') flash.remove();
    }
  }

  drawBoard(/** @type {Board} */ board) {
    this.grid.draw(
      board,
      this.boards.seats(board),
      this.levels.get(board.match),
      this.link.shownAt(),
      this.boards.aloneSince(board),
      board.status === 'running' ? untilSays(this.pace.get(board.match)) : '', // otherwise the state needs the space
    );
  }

  /** Show the boards that pass the filter, in table order, those of finished rounds last. */
  arrange() {
    const all = this.boards.inOrder();
    const past = (/** @type {Board} */ board) => !this.played.has(board.round);
    this.played = roundsPlayed(all);
    const lets = all.filter((board) => this.filter.lets(board));
    const shown = [...lets.filter((board) => !past(board)), ...lets.filter(past)]; // finished rounds come last
    this.grid.arrange(shown, all.length, past);
    write(this.parts.about, aboutSays(all.filter((board) => !past(board))));
    for (const board of shown) this.drawBoard(board);
    this.arranged = true;
    mark(this.parts.empty, 'hidden', all.length > 0 || !this.link.open);
    for (const part of this.parts.all) mark(part, 'hidden', all.length === 0);
    this.filter.found(shown.length, all.length);
  }

  /** Contents of a line; it names its event if the lane has several. */
  describe(/** @type {Alert | AlertGroup} */ line) {
    const event = line.event ?? this.event;
    return { ...event.describe(line), event: this.others.size > 0 ? event.name : '' };
  }

  /** Watch these other events of the director; `more` are those that the lane leaves out.
   * @param {EventAddress[]} events @param {NamedEvent[]} more */
  beside(events, more) {
    this.others.tell(events);
    this.notes.showMore(more);
  }

  /** Compute the alerts and fill the lane. Returns the matches whose level changed. */
  showAlerts(/** @type {number} */ now) {
    const found = this.archived ? /** @type {Map<number, Alert[]>} */ (new Map()) : this.event.alerts(now);
    const levels = /** @type {Map<number, Level>} */ (new Map());
    this.kinds = new Map();
    for (const [match, wants] of found) {
      levels.set(match, /** @type {Level} */ (Math.min(...wants.map(({ level }) => level))));
      this.kinds.set(match, new Set(wants.map(({ kind }) => kind)));
    }
    const own = [...found.values()].flat();
    const { alerts, lines } = this.others.waiting();
    if (this.link.open) this.alarm.listen([...own, ...alerts], performance.now());
    const before = this.levels;
    this.levels = levels;
    const number = this.lane.show([...this.event.lines(own), ...lines]);
    document.title = number > 0 ? `(${number}) ${this.title}` : this.title;
    this.lane.tick(now);
    return new Set([...levels.keys(), ...before.keys()].filter((match) => levels.get(match) !== before.get(match)));
  }

  /** Once a second, also in a hidden tab: update ages, alerts that depend on time, and the number in the title. */
  second() {
    for (const match of this.showAlerts(this.link.now())) this.changed.add(match);
    this.showConnection();
    this.kept.show(this.link.now());
    this.notes.showShared(this.archived ? [] : this.others.shared(this.boards.inOrder()));
  }

  showConnection() {
    const { state } = this.link;
    const says = connectionSays(state, this.link.age());
    write(this.parts.connection, says);
    mark(this.parts.connection, 'hidden', says === '');
    mark(this.root, 'data-link', state);
    if (this.boards.size === 0 && this.link.open) this.arrange();
  }

  say(/** @type {string} */ words) {
    clearTimeout(this.saying);
    const { element } = this.toast;
    mark(element, 'hidden', false);
    this.toast.say(words);
    this.saying = setTimeout(() => mark(element, 'hidden', true), TOAST_MS);
  }

  /** Strike out a match that the players entered, by submitting a form. */
  strikeOut(/** @type {Board} */ board) {
    const { struck } = this.parts;
    struck.action = (struck.dataset.strikeOut ?? '').replace('/0/', `/${board.match}/`);
    struck.submit();
  }

  showKind(/** @type {AlertKind} */ kind) {
    this.filter.setKind(kind);
    find('.cell', this.grid.node)?.focus();
  }

  open(/** @type {number} */ match, /** @type {Reach} */ reach = 'title') {
    this.openedFrom = /** @type {HTMLElement} */ (document.activeElement);
    this.drawer.open(match, reach);
    this.grid.markOpen(match);
  }

  closed(/** @type {number} */ match) {
    this.grid.markOpen(null);
    if (this.openedFrom?.isConnected && this.openedFrom !== document.body) this.openedFrom.focus();
    else if (!this.grid.goTo(match)) this.grid.enter();
  }

  /** Open the board that the address names (`#match-17`), once. */
  openFromAddress() {
    const named = /^#match-(\d+)$/.exec(location.hash);
    if (!named || !this.boards.get(Number(named[1]))) return;
    history.replaceState(null, '', location.pathname);
    requestAnimationFrame(() => this.open(Number(named[1])));
  }
}

new Console(find('[data-console]'));
