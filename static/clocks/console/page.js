/**
 * The director's page: one socket, every board of the tournament, the lane of those that need the director, one drawer.
 *
 * Frames only mark boards as changed; a drawing follows at once, or after a tenth of a second for the digits, and
 * writes only where a text differs. Nothing asks for animation frames: each costs work even if nothing has changed.
 */
import { Alarm } from './alarm.js';
import { describer } from './alert-lines.js';
import { Boards } from '../match/boards.js';
import { find, LiveRegion, mark, write } from '../browser/dom.js';
import { onWake } from '../browser/events.js';
import { Drawer } from './drawer.js';
import { Filter } from './filter.js';
import { Grid } from './grid.js';
import { HallDialogs } from './hall-dialogs.js';
import { Lane } from './lane.js';
import { onKey } from './keys.js';
import { TournamentLink } from '../wire/tournament-link.js';
import { alertsOf, gathered, paceAlertsOf, seatAlertsOf } from './alerts.js';
import { gettext } from '../words/i18n.js';
import { roundsPlayed } from '../words/rounds.js';
import { Lateness } from './lateness.js';
import { endSays, Pace, untilSays } from './pace.js';
import { aboutSays, connectionSays } from './short-words.js';
import { Kept } from './kept.js';
import { offerRenewal } from './renewal.js';
/** @import { Ask, Command } from '../match/protocol.d.ts' */
/** @import { TournamentFrame } from '../wire/tournament-link.js' */
/** @import { Alert, AlertKind, Board, Level, Reach } from './console.d.ts' */

const DIGITS_MS = 100;
const TOAST_MS = 8_000;

class Console {
  constructor(/** @type {HTMLElement} */ root) {
    const at = (/** @type {string} */ name) => find(`[data-${name}]`, root);
    const given = /** @type {Record<string, string>} */ (root.dataset);
    const { socket, director, address, pace, mayRule, may, me, starts, lateness } = given;
    this.me = me;
    this.archived = 'archived' in given; // nobody is needed there any more
    this.lateness = new Lateness(JSON.parse(starts), JSON.parse(lateness));
    this.root = root;
    this.title = document.title;
    this.boards = /** @type {Boards<Board>} */ (new Boards()); // directors are told all times
    this.changed = /** @type {Set<number>} */ (new Set());
    this.next = 0; // the timer of the next drawing
    this.news = false; // something is to be drawn at once
    this.dismissed = /** @type {Set<string>} */ (new Set());
    this.asks = /** @type {Ask[]} */ ([]); // the phones that ask for a seat
    this.kept = new Kept(at('kept'), at('warning'), may.split(' ').includes('forget') ? `${director}backups/` : '');
    this.levels = /** @type {Map<number, Level>} */ (new Map());
    this.kinds = /** @type {Map<number, Set<AlertKind>>} */ (new Map());
    this.arranged = false;
    this.saying = 0; // the timer of the toast
    this.mayRule = mayRule === 'yes';
    this.may = new Set(may.split(' '));
    this.parts = {
      about: at('about'),
      connection: at('connection'),
      renewal: at('renewal'),
      empty: at('empty'),
      struck: /** @type {HTMLFormElement} */ (at('strike-out')),
      all: root.querySelectorAll('[data-all]'),
    };
    this.played = /** @type {Set<string>} */ (new Set()); // the rounds that are played
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
      change: () => this.arrange(),
      jump: (board) => this.grid.goTo(board.match),
    });
    this.alarm = new Alarm(at('sound'));
    this.lane = new Lane(at('needs'), describer(this), () => this.grid.enter());
    this.drawer = new Drawer(at('drawer'), {
      send: (match, command) => this.send(match, command),
      board: (match) => this.boards.get(match),
      seats: (board) => this.boards.seats(board),
      aloneSince: (board) => this.boards.aloneSince(board),
      end: (board) => endSays(this.pace.get(board.match)),
      now: () => this.link.shownAt(),
      onClose: (match) => this.closed(match),
      mayRule: this.mayRule,
      may: this.may,
      message: (table) => this.hall.open('message', { tables: table }),
      director,
      address,
    });
    this.hall = new HallDialogs(root);
    this.link = new TournamentLink(socket);
    this.link.listen({ frame: (frame) => this.receive(frame), state: () => this.showConnection() });
    this.pace = new Pace(pace, { changed: (matches) => this.expect(matches), now: () => this.link.now() });
    this.listen();
    this.link.start();
    this.draw();
    setInterval(() => this.second(), 1_000);
  }

  listen() {
    onWake(() => this.link.wake());
    document.addEventListener('keydown', (event) => onKey(event, this));
  }

  /** Take a frame: remember what changed; the next drawing shows it. */
  receive(/** @type {TournamentFrame} */ frame) {
    this.drawSoon();
    if (frame.t === 'boards') {
      offerRenewal(this.parts.renewal, frame.version !== this.root.dataset.version);
      this.boards.replace(/** @type {Board[]} */ (frame.boards));
      this.lane.loaded();
      this.arranged = false;
      for (const board of this.boards.inOrder()) this.changed.add(board.match);
      this.pace.askIn(0);
      this.openFromAddress();
    } else if (frame.t === 'match') {
      const before = this.boards.get(frame.match);
      const board = /** @type {Board} */ (frame);
      if (!this.boards.put(board)) return;
      this.pace.heard(before, board);
      if (!before || before.table !== frame.table) this.arranged = false;
      this.changed.add(frame.match);
    } else if (frame.t === 'gone') {
      this.boards.forget(frame.matches);
      if (this.drawer.match !== null && frame.matches.includes(this.drawer.match)) this.drawer.close();
      this.arrange();
      this.second();
    } else if (frame.t === 'starts') {
      this.lateness = new Lateness(frame.starts, frame.lateness);
      this.second();
    } else if (frame.t === 'taken') {
      this.alarm.taken(frame.taken);
      this.second();
    } else if (frame.t === 'asks') {
      this.asks = frame.asks;
      this.second();
    } else if (frame.t === 'kept') {
      this.kept.receive(frame, this.link.now());
    } else if (frame.t === 'seen') {
      this.boards.see(frame.seats, frame.now);
      for (const match of Object.keys(frame.seats)) this.changed.add(Number(match));
    }
  }

  /** Take notice that other ends are expected of these matches. */
  expect(/** @type {number[]} */ matches) {
    for (const match of matches) this.changed.add(match);
    if (matches.length > 0) this.drawSoon();
  }

  /** Draw once everything that came together has been taken in. */
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
    const played = roundsPlayed([...this.boards.byMatch.values()]);
    const asBefore = played.size === this.played.size && [...played].every((round) => this.played.has(round));
    if (!this.arranged || this.filter.active || !asBefore) this.arrange();
    this.filter.count([...this.boards.byMatch.values()]);
    this.hall.draw([...this.boards.byMatch.values()]);
  }

  drawBoard(/** @type {Board} */ board) {
    this.grid.draw(
      board,
      this.boards.seats(board),
      this.levels.get(board.match),
      this.link.shownAt(),
      this.boards.aloneSince(board),
      board.status === 'running' ? untilSays(this.pace.get(board.match)) : '', // else the foot has more to say
    );
  }

  /** Put the cells in table order, those that the filter lets through. */
  arrange() {
    const all = this.boards.inOrder();
    const past = (/** @type {Board} */ board) => !this.played.has(board.round);
    this.played = roundsPlayed(all);
    const lets = all.filter((board) => this.filter.lets(board, this.kinds.get(board.match)));
    const shown = [...lets.filter((board) => !past(board)), ...lets.filter(past)]; // finished rounds come last
    this.grid.arrange(shown, all.length, past);
    write(this.parts.about, aboutSays(all.filter((board) => !past(board))));
    for (const board of shown) this.drawBoard(board);
    this.arranged = true;
    mark(this.parts.empty, 'hidden', all.length > 0 || !this.link.open);
    for (const part of this.parts.all) mark(part, 'hidden', all.length === 0);
    this.filter.found(shown.length, all.length);
  }

  /** Name the players missing at a board that has not started. */
  missing(/** @type {Board} */ board) {
    return this.lateness.says(board, this.link.shownAt());
  }

  /** Find out who needs the director and fill the lane. Returns the matches whose level changed. */
  showAlerts(/** @type {number} */ now) {
    const alerts = /** @type {Alert[]} */ ([]);
    const levels = /** @type {Map<number, Level>} */ (new Map());
    this.kinds = new Map();
    for (const board of this.archived ? [] : this.boards.byMatch.values()) {
      const ruled = alertsOf(board, this.boards.seats(board), now, (key) => this.alarm.takenBy(key), this.lateness)
        .filter(({ key }) => !this.dismissed.has(key));
      const end = this.pace.get(board.match);
      const wants = [...ruled, ...seatAlertsOf(board, this.asks, now), ...paceAlertsOf(board, end)];
      if (wants.length === 0) continue;
      alerts.push(...wants);
      levels.set(board.match, /** @type {Level} */ (Math.min(...wants.map(({ level }) => level))));
      this.kinds.set(board.match, new Set(wants.map(({ kind }) => kind)));
    }
    if (this.link.open) this.alarm.listen(alerts, performance.now());
    const before = this.levels;
    this.levels = levels;
    const number = this.lane.show(gathered(alerts));
    document.title = number > 0 ? `(${number}) ${this.title}` : this.title;
    this.lane.tick(now);
    return new Set([...levels.keys(), ...before.keys()].filter((match) => levels.get(match) !== before.get(match)));
  }

  /** Once a second, also in a hidden tab: ages, what has become urgent with time, the number in the title. */
  second() {
    for (const match of this.showAlerts(this.link.now())) this.changed.add(match);
    this.showConnection();
    this.kept.show(this.link.now());
  }

  showConnection() {
    const { state } = this.link;
    const says = connectionSays(state, this.link.age());
    write(this.parts.connection, says);
    mark(this.parts.connection, 'hidden', says === '');
    mark(this.root, 'data-link', state);
    if (this.boards.size === 0 && this.link.open) this.arrange();
  }

  /** Send a command; returns '' when it was accepted, else a sentence that says why not. */
  async send(/** @type {number} */ match, /** @type {Command} */ command) {
    if (!this.link.open) return gettext('There is no connection, so nothing was sent.');
    const answer = await this.link.ask(match, command);
    if (answer === null) return gettext('The server did not answer. Look at the board before you try again.');
    return answer.t === 'ack' ? '' : answer.words;
  }

  /** Send a command from the lane, and show a refusal below it. True if accepted. */
  async ask(/** @type {number} */ match, /** @type {Command} */ command) {
    const words = await this.send(match, command);
    if (words) this.say(gettext('Table %(table)s: %(words)s', { table: this.boards.get(match)?.table ?? '', words }));
    return words === '';
  }

  /** Answer a phone that asks for a seat.
   * @param {Board} board @param {Ask} ask @param {boolean} give */
  async settleSeat(board, ask, give) {
    const { open } = this.link;
    const answer = open ? await this.link.settleSeat(board.match, ask.id, give) : null;
    if (!open) this.say(gettext('There is no connection, so nothing was sent.'));
    else if (answer === null) this.say(gettext('The server did not answer. Look at the board before you try again.'));
    else if (answer.t !== 'ack') this.say(answer.words);
  }

  /** Tell all directors that this one is on the way. Returns whether that was passed on. */
  async coming(/** @type {Alert} */ { key, board }) {
    const { open } = this.link;
    const answer = open ? await this.link.comingTo(board.match, key) : null;
    if (!open) this.say(gettext('There is no connection, so nobody was told that you are coming.'));
    else if (answer === null) this.say(gettext('The server did not answer. Look at the board before you try again.'));
    else if (answer.t !== 'ack') this.say(answer.words);
    return answer?.t === 'ack';
  }

  say(/** @type {string} */ words) {
    clearTimeout(this.saying);
    const { element } = this.toast;
    mark(element, 'hidden', false);
    this.toast.say(words);
    this.saying = setTimeout(() => mark(element, 'hidden', true), TOAST_MS);
  }

  /** Put away an alert that waits for nothing, on this page. */
  dismiss(/** @type {Alert} */ { key }) {
    this.dismissed.add(key);
    this.second();
  }

  /** Strike out a match that the players entered: by a form, which comes back with what became of it. */
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
    else this.grid.goTo(match);
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
