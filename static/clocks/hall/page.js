/**
 * The hall's screen: boards, lists of players, brackets and standings, page after page. Nothing here acts on a match.
 */
import { Awake } from '../browser/awake.js';
import { onWake, renewOnce } from '../browser/events.js';
import { elapsed, shortTime } from '../words/times.js';
import { Boards } from '../match/boards.js';
import { find, make, mark, write } from '../browser/dom.js';
import { TournamentLink } from '../wire/tournament-link.js';
import { gettext, ngettext } from '../words/i18n.js';
import { Choices } from './choices.js';
import { Events } from './events.js';
import { listOf, standingsOf } from './names.js';
import { ALL, BOARDS, EVENTS, NAMES, sheetsOf } from './sheets.js';
import { isUp, Tile } from './tile.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { EventSheet } from './events.js' */
/** @import { Sheet } from './sheets.js' */
/** @import { TournamentFrame } from '../wire/tournament-link.js' */

const TURN_MS = 15_000; // how long a page stays
const DIGITS_MS = 100;
const OLD_MS = 6_000;
const PLAIN = { columns: 1, rows: 1, size: 0, letters: 0 };
/** @type {Sheet} */
const NOTHING = { boards: [], names: null, layout: PLAIN };
const MOST_UP = 12; // up to this many tables are named; more are counted

class HallScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    const { zone: timeZone } = /** @type {HTMLElement} */ (document.querySelector('[data-zone]')).dataset;
    this.clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
    /** @param {string} name */
    const at = (name) => find(`[data-${name}]`);
    this.root = root;
    this.parts = Object.fromEntries(
      ['facts', 'time', 'message', 'start', 'old', 'up', 'empty', 'pages', 'page', 'pause', 'back', 'on'].map((
        name,
      ) => [name, at(name)]),
    );
    this.choices = new Choices(() => this.chosen());
    this.boards = new Boards();
    this.events = new Events(root.dataset.events ?? '', () => this.arrange());
    this.tiles = /** @type {Tile[]} */ ([]);
    this.page = 0;
    this.paused = false;
    this.turnsAt = performance.now() + TURN_MS;
    this.narrow = matchMedia('(max-width: 44rem), (max-height: 30rem)');
    this.link = new TournamentLink(root.dataset.socket ?? '');
    this.link.listen({
      frame: (frame) => this.receive(frame),
      state: () => {
        this.arrange();
        if (this.link.open) this.second();
      },
    });
    this.listen();
    new Awake(() => {}); // no warning if the screen may go dark
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
      const on_ = event.target instanceof Element ? event.target : document.body;
      if (on_.closest('select')) return;
      if (event.key === 'ArrowRight' || event.key === 'PageDown') this.turn(1);
      else if (event.key === 'ArrowLeft' || event.key === 'PageUp') this.turn(-1);
      else if (event.key === ' ' && !on_.closest('button')) this.pause();
      else return;
      if (!this.narrow.matches) event.preventDefault();
    });
  }

  /** @param {TournamentFrame} frame */
  receive(frame) {
    if (frame.t === 'boards') {
      if (frame.version !== this.root.dataset.version && renewOnce(frame.version)) return;
      this.boards.replace(frame.boards);
      this.events.look(frame.boards);
      this.arrange();
    } else if (frame.t === 'match') {
      const before = this.boards.get(frame.match);
      if (!this.boards.put(frame)) return;
      this.events.look([frame]);
      if (before?.table !== frame.table || before.status !== frame.status) this.arrange();
    } else if (frame.t === 'gone') {
      this.boards.forget(frame.matches);
      this.events.forget(frame.matches);
      this.arrange();
    } else if (frame.t === 'seen') {
      this.boards.see(frame.seats, frame.now);
    } else if (frame.t === 'message') {
      this.message = frame;
      this.second();
    }
  }

  /** Show the new choice from its first page. */
  chosen() {
    this.page = 0;
    this.turnsAt = performance.now() + TURN_MS;
    this.arrange();
    this.second();
  }

  /**
   * Lay everything out again: pages on a screen, one long list on a phone. If the page buttons appear or disappear, do
   * so twice, because they take height.
   */
  arrange() {
    const { hidden } = this.parts.pages;
    this.layOut();
    if (hidden !== this.parts.pages.hidden) this.layOut();
  }

  layOut() {
    const { clientWidth: width, clientHeight: height } = this.root;
    const narrow = this.narrow.matches;
    const { show } = this.choices;
    const every = this.boards.inOrder();
    const all = this.choices.among(every);
    this.choices.offer(every);
    const sheets = sheetsOf(all, narrow && show !== NAMES ? BOARDS : show, width, narrow ? Infinity : height);
    const ofEvents = !narrow && [ALL, EVENTS].includes(show) ? this.events.sheets(width, height) : [];
    /** @type {Sheet[]} */
    this.sheets = [
      ...sheets,
      ...ofEvents.map((event) => ({ ...NOTHING, layout: event.layout ?? PLAIN, event })),
    ];
    this.page = Math.min(this.page, Math.max(0, this.sheets.length - 1));
    mark(this.parts.empty, 'hidden', this.sheets.length > 0 || !this.link.open);
    mark(this.parts.pages, 'hidden', this.sheets.length < 2);
    write(this.parts.page, gettext('Page %(page)s of %(pages)s', { page: this.page + 1, pages: this.sheets.length }));
    const { boards, names, layout, event } = this.sheets[this.page] ?? NOTHING;
    this.shown = boards;
    this.event = event;
    mark(this.root, 'data-kind', names ? 'names' : event ? 'event' : 'boards');
    for (
      const [name, value] of [['--columns', String(layout.columns)], ['--rows', String(layout.rows)], [
        '--type-lead',
        `${layout.size}px`,
      ]]
    ) {
      if (narrow) this.root.style.removeProperty(name);
      else this.root.style.setProperty(name, value);
    }
    this.list?.remove();
    this.list = names ? listOf(names, layout.letters) : event ? this.listOfEvent(event) : null;
    if (this.list) this.root.append(this.list);
    while (this.tiles.length < boards.length) this.tiles.push(new Tile());
    for (const tile of this.tiles.splice(boards.length)) tile.node.remove();
    for (const { node } of this.tiles) if (!node.isConnected) this.root.append(node);
    this.drawBoards();
    this.showFacts();
    this.showUp(all);
  }

  /** @param {EventSheet} event */
  listOfEvent({ bracket, lines, layout }) {
    if (lines) return standingsOf(lines, layout?.letters ?? 0);
    const box = make('div.hall-bracket');
    if (bracket) box.append(bracket);
    return box;
  }

  /** List the tables with a fallen flag, including those on other pages.
   * @param {Snapshot[]} boards */
  showUp(boards) {
    const tables = boards.filter(isUp).map(({ table }) => table);
    const n = tables.length;
    const says = n <= MOST_UP
      ? ngettext('Time is up at table %(tables)s', 'Time is up at tables %(tables)s', n, { tables: tables.join(', ') })
      : ngettext('Time is up at %(n)s table', 'Time is up at %(n)s tables', n, { n });
    this.say(this.parts.up, tables.length ? says : '');
  }

  /** Write a line above the boards; '' hides it. If it appears or disappears, lay out again: the boards change height.
   * @param {HTMLElement} node @param {string} words */
  say(node, words) {
    const wasHidden = node.hidden;
    write(node, words);
    mark(node, 'hidden', words === '');
    if (wasHidden !== node.hidden) this.arrange();
  }

  /** @param {number} by */
  turn(by) {
    const pages = this.sheets?.length ?? 0;
    if (pages < 2) return;
    this.page = (this.page + by + pages) % pages;
    this.turnsAt = performance.now() + TURN_MS;
    this.arrange();
  }

  /** Turn to the next page; after the last one to the screen of the next tournament, if it can be loaded. */
  async moveOn() {
    const last = this.page + 1 >= (this.sheets?.length ?? 0);
    const next = last ? this.choices.next(this.root.dataset.slug ?? '') : '';
    if (!next) return this.turn(1);
    const turnsAt = performance.now() + TURN_MS;
    this.turnsAt = turnsAt;
    const answer = await fetch(next, { method: 'HEAD' }).catch(() => null);
    if (this.turnsAt !== turnsAt) return; // somebody has paused it or turned the page meanwhile
    if (answer?.ok) location.assign(next);
    else this.turn(1);
  }

  pause() {
    this.paused = !this.paused;
    this.turnsAt = performance.now() + TURN_MS;
    mark(this.parts.pause, 'aria-pressed', String(this.paused));
    write(this.parts.pause, this.paused ? gettext('Continue') : gettext('Pause'));
  }

  draw() {
    setTimeout(() => this.draw(), DIGITS_MS);
    this.drawBoards();
  }

  /** Draw the boards as of now or, while the connection is lost, as of the last update. */
  drawBoards() {
    const at = this.link.shownAt() - this.link.age();
    this.shown?.forEach((known, index) => {
      const board = this.boards.get(known.match) ?? known;
      this.tiles[index]?.draw(board, at, this.boards.aloneSince(board), this.events.colourOf(board.round));
    });
  }

  second() {
    const now = this.link.now();
    if (!this.paused && performance.now() >= this.turnsAt) this.moveOn();
    write(this.parts.time, this.clock.format(now));
    this.showFacts();
    this.say(this.parts.message, this.message?.id && this.message.until > now ? this.message.text : '');
    this.say(this.parts.start, this.countdown(now));
    this.showAge();
  }

  /** Countdown to the next start or, just after it, a request to start the clocks; '' otherwise.
   * @param {number} now */
  countdown(now) {
    const next = this.events.nextStart(now);
    if (!next) return '';
    const rounds = next.names.join(', ');
    return next.at > now
      ? gettext('%(rounds)s: starts in %(time)s', { rounds, time: shortTime(next.at - now) })
      : gettext('%(rounds)s: please start your clocks', { rounds });
  }

  /** Write the heading: counts of running and finished matches, or the title of the sheet. */
  showFacts() {
    const all = this.choices.among([...this.boards.byMatch.values()]);
    const [running, over] = ['running', 'over'].map((wanted) => all.filter(({ status }) => status === wanted).length);
    const facts = [
      ngettext('%(n)s running', '%(n)s running', running, { n: running }),
      ngettext('%(n)s finished', '%(n)s finished', over, { n: over }),
    ];
    const names = this.root.dataset.kind === 'names';
    mark(this.parts.facts, 'data-names', names || Boolean(this.event));
    mark(this.parts.facts, 'data-colour', this.event?.colour || false);
    write(
      this.parts.facts,
      this.event ? this.event.title : names ? gettext('Find your table') : all.length ? facts.join(' · ') : '',
    );
  }

  showAge() {
    const { state } = this.link;
    const age = this.link.age();
    /** @type {Record<string, string>} */
    const says = {
      gone: gettext('There is no such tournament.'),
      archived: gettext('This tournament is over.'),
      connecting: gettext('Connecting…'),
      reconnecting: age < OLD_MS
        ? ''
        : gettext('The connection is lost. These clocks are as they were %(age)s ago.', { age: elapsed(age) }),
    };
    mark(document.body, 'data-link', state);
    this.say(this.parts.old, says[state] ?? '');
  }
}

new HallScreen(find('[data-hall]'));
