/**
 * <match-clock data-code="7K3M9Q" data-seats="left">: draws a match, and passes on the commands of its players.
 *
 * `data-seats` are the seats that this phone holds: one, both ("left right": the phone lies between the players), or
 * none (it only watches). The match comes from its `source`; leaving.js decides where the page goes next.
 *
 * @import { AsksFrame, MessageFrame, Seat, SeenFrame, Snapshot, StartsFrame } from '../match/protocol.d.ts'
 * @import { MatchSource } from '../wire/match-source.js'
 * @import { Desk, SheetParts, Show } from './phone.d.ts'
 *
 * @typedef {Record<'double' | 'undo' | 'more' | 'reason', (desk: Desk) => void>} Sheets
 * @typedef {{ rules?: (show: Show) => unknown, language?: (show: Show) => unknown }} Read openers of page sheets
 *
 * @typedef {object} ClockCalls signals of a clock
 * @property {(match: Snapshot, before: Snapshot) => void} received a later state, before it is drawn
 * @property {(match: Snapshot, before: Snapshot | null) => void} changed a state has been drawn
 * @property {(match: Snapshot) => void} elsewhere a match that this page does not show
 * @property {() => void} connection the signal of the source
 * @property {() => void} ended this page may no longer use the match
 * @property {(seat: Seat) => void} pressed
 * @property {(seat: Seat) => void} refused
 * @property {(seat: Seat) => void} low the reserve has just become low
 * @property {(seat: Seat) => void} reserve the delay has just been used up
 * @property {(version: string) => void} program version of the server
 * @property {(frame: MessageFrame) => void} message of the director
 * @property {(frame: StartsFrame) => void} starts of rounds
 * @property {(frame: AsksFrame) => void} asks phones that want a seat
 */
import { actionsAt, deskOf, Header } from './bars.js';
import { Half } from './half.js';
import { Players } from './players.js';
import { PhoneState } from './state.js';
import { Signals } from '../wire/match-source.js';
import { qualityOf } from '../wire/server-time.js';
import { LiveRegion, make, mark } from '../browser/dom.js';
import { loaded, onTurn, onWake } from '../browser/events.js';
import { gettext } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';
import { must, otherSeat, SEATS } from '../match/clocks.js';

export class MatchClock extends HTMLElement {
  /** @type {Signals<ClockCalls>} */
  signals = new Signals();
  /** @type {Sheets | null} */
  sheets = null;
  /** @type {Read} */
  read = {};
  /** @type {ReturnType<MatchClock['build']> | null} */
  built = null;
  /** @type {PhoneState | null} */
  known = null;
  presented = false;
  timer = 0;

  /** Add a listener. Returns a function that removes it. */
  listen(/** @type {Partial<ClockCalls>} */ listener) {
    return this.signals.listen(listener);
  }

  /**
   * @template {keyof ClockCalls} Name
   * @param {Name} name
   * @param {Parameters<ClockCalls[Name]>} values
   */
  tell(name, ...values) {
    this.signals.tell(name, ...values);
  }

  /** Seats that this phone holds. */
  get seats() {
    const seats = (this.dataset.seats ?? '').split(' ');
    return SEATS.filter((seat) => seats.includes(seat));
  }

  get shared() {
    return this.seats.length === 2;
  }

  /** Snapshot, or null before the first. */
  get match() {
    return this.known?.match ?? null;
  }

  /** State of the match, once the clock has begun. */
  get state() {
    return must(this.known);
  }

  /** Elements and controllers that `build` made, once the clock has begun. */
  get parts() {
    return must(this.built);
  }

  get players() {
    return this.parts.players;
  }

  /**
   * Show the match of `source`. `read` are sheets of the page, `sheets` those of a desk, which `equip` may add later.
   * @param {{ source: MatchSource, sheets?: Sheets | null, read?: Read }} deps
   */
  begin({ source, sheets = null, read = {} }) {
    Object.assign(this, { sheets, read, presented: false });
    this.known = new PhoneState({ code: this.dataset.code, seats: this.seats, source });
    this.built = this.build();
    this.#listen();
    this.use(source);
    source.start();
  }

  /** Set the sheets, and open the one that a player asked for while they were loading. */
  equip(/** @type {Sheets} */ sheets) {
    this.sheets = sheets;
    this.wish?.();
    this.wish = null;
  }

  /**
   * Open a sheet of a desk, once the sheets are loaded.
   * @param {keyof Sheets} name
   * @param {Desk} desk
   */
  open(name, desk) {
    if (this.sheets) this.sheets[name](desk);
    else this.wish = () => this.open(name, desk);
  }

  get source() {
    return this.state.source;
  }

  /** Switch to `source`, and show its match. */
  use(/** @type {MatchSource} */ source) {
    this.unlisten?.();
    this.state.follow(source);
    this.unlisten = source.listen({
      match: (match) => this.#receive(match),
      seen: (frame) => this.#see(frame),
      message: (frame) => this.tell('message', frame),
      asks: (frame) => this.tell('asks', frame),
      starts: (frame) => this.tell('starts', frame),
      program: (version) => this.tell('program', version),
      connection: () => this.#connected(),
      measured: () => this.#showConnection(),
      jumped: (ms, slept) => this.#jumped(ms, slept),
      answer: (frame, entry) => this.players.answered(frame, entry),
      dropped: (entries) => this.players.dropped(entries),
      notice: (words, ms) => this.say(words, ms),
    });
    const { match, program } = source;
    if (match) this.#receive(match);
    if (program !== null) this.tell('program', program);
    this.#connected();
  }

  disconnectedCallback() {
    this.known?.source.stop();
    this.away?.abort();
    clearTimeout(this.timer);
  }

  /** Make the halves, desks, buttons and header; `#present` puts them on the page. */
  build() {
    const { layout } = this.state;
    mark(this, 'data-layout', layout);
    const players = new Players(this);
    /** @param {Read[keyof Read]} sheet */
    const here = (sheet) => sheet && (() => this.match && sheet((shown) => this.showSheet(shown)));
    const reads = this.shared ? {} : { rules: here(this.read.rules), language: here(this.read.language) };
    const header = new Header(reads, this.dataset.event);
    const on = {
      press: (/** @type {Seat} */ seat, /** @type {number} */ at) => players.press(seat, at),
      choose: (/** @type {Parameters<Players['choose']>} */ ...chosen) => players.choose(...chosen),
      ask: (/** @type {Parameters<Players['ask']>} */ ...asked) => players.ask(...asked),
    };
    // The holder's half is below; a shared phone has the left seat there, and on watch pages left comes first.
    /** @type {Seat[]} */
    const order = layout === 'own'
      ? [otherSeat(this.seats[0]), this.seats[0]]
      : this.shared
      ? ['right', 'left']
      : SEATS;
    const halves = order.map((seat) =>
      new Half(seat, { small: this.state.isCard(seat), on: this.seats.length ? on : null })
    );
    const desks = this.seats.map((seat) => deskOf(this, seat));
    const actions = desks.map((desk) => actionsAt(this, desk));
    const [far, near] = halves.map((half) => half.element);
    const table = make('div.table');
    if (this.shared) {
      table.append(far, make('div.strip', {}, actions[1].element, header.element, actions[0].element), near);
    } else table.append(header.element, far, near, ...actions.map(({ element }) => element));
    header.connection('connecting', null);
    const [status, alert] = ['status', 'alert'].map((role) => new LiveRegion(make('p.unseen', { role })));
    return { players, header, status, alert, halves, desks, actions, hold: make('div.hold', {}, table) };
  }

  /** Put the clock on the page, once: with its match or after the first attempt to connect, so that nothing shifts. */
  #present() {
    const { hold, status, alert } = this.parts;
    if (!this.presented) this.replaceChildren(hold, status.element, alert.element);
    this.presented = true;
  }

  #listen() {
    this.away = new AbortController();
    const { signal } = this.away;
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.closeSheets(), { signal });
    onWake(() => {
      this.source.wake();
      this.refresh();
    }, signal);
    document.addEventListener('visibilitychange', () => document.hidden && clearTimeout(this.timer), { signal });
    if (this.shared) onTurn((degrees) => mark(this, 'data-angle', degrees), signal);
  }

  /** Server time as this phone estimates it; null before anything is known. */
  now() {
    return this.state.now();
  }

  #receive(/** @type {Snapshot} */ match) {
    const before = this.match;
    if (!this.state.shows(match)) {
      this.tell('elsewhere', match);
      return;
    }
    this.players.tellPresence(this.state.receive(match));
    if (before) this.tell('received', match, before);
    this.parts.header.show(match);
    for (const actions of this.parts.actions) actions.show(match);
    this.#present();
    this.refresh();
    this.players.tellDeclined(match, before);
    this.tell('changed', match, before);
  }

  /** Open a sheet in the half of `seat`: by default this phone's first seat.
   * @param {SheetParts} sheet @param {Seat} [seat] */
  showSheet(sheet, seat = this.seats[0] ?? 'left') {
    this.half(seat).sheet?.show(sheet);
  }

  closeSheets() {
    for (const { sheet } of this.parts.halves) sheet?.close();
  }

  /** True if a sheet is open at this phone. */
  get sheetOpen() {
    return this.parts.halves.some(({ sheet }) => sheet?.open);
  }

  /** Handle a frame with the times at which each phone was last heard from. */
  #see(/** @type {SeenFrame | Snapshot} */ frame) {
    if (!this.match) return;
    this.players.tellPresence(this.state.receive(frame));
    this.refresh();
  }

  #connected() {
    const { connection } = this.source;
    mark(this, 'data-link', connection);
    if (connection !== 'connecting') this.#present();
    if (this.source.ended) this.tell('ended');
    this.refresh();
    this.tell('connection');
  }

  /** @param {number} ms @param {boolean} slept */
  #jumped(ms, slept) {
    if (slept && ms > 0) {
      const text = gettext('The screen was off for %(seconds)s s.', { seconds: Math.round(ms / 1000) });
      this.#tellPlayers(text);
    } else if (!slept) this.#tellPlayers(gettext('The time was corrected.'));
    this.refresh();
  }

  /** Show a notice to the players for `ms`, and announce it to screen readers.
   * @param {string} words @param {number} [ms] */
  say(words, ms) {
    this.#tellPlayers(words, ms);
    this.parts.status.say(words);
  }

  /** @param {string} words @param {number} [ms] */
  #tellPlayers(words, ms) {
    for (const half of this.parts.halves) if (!half.small) half.tell(words, null, ms); // cards keep their time visible
  }

  /** Draw the connection and, once there is a match, both halves, if the clock is on the page. */
  refresh() {
    if (!this.isConnected) return;
    this.#showConnection();
    if (!this.match) return;
    this.#show(this.now() ?? 0);
    this.#tick();
  }

  #showConnection() {
    const { connection, sync } = this.source;
    this.parts.header.connection(connection, sync.synced ? qualityOf(sync.roundTrip) : null);
  }

  /** Draw the figures, and the halves if time has changed a mode or a count of seconds. */
  #tick() {
    this.source.sync.advance(performance.now());
    const { state } = this;
    const now = this.now() ?? 0;
    const changed = this.parts.halves.some((half) => half.mode !== state.modeOf(half.seat, now));
    if (changed || this.source.lostMs || phrases.isContested(state.known)) this.#show(now);
    for (const half of this.parts.halves) {
      const figures = state.figuresOf(half.seat, now);
      if (figures.low === 'warn') this.tell('low', half.seat);
      if (half.tick(figures)) this.tell('reserve', half.seat);
    }
    this.#wait(now);
  }

  #show(/** @type {number} */ now) {
    for (const half of this.parts.halves) half.show(this.state.viewOf(half.seat, now));
  }

  /** Sleep until the next change of a digit or a mode, if one is due and the page is visible. */
  #wait(/** @type {number} */ now) {
    clearTimeout(this.timer);
    const ms = document.hidden ? null : this.state.nextChange(now);
    if (ms !== null) this.timer = setTimeout(() => this.#tick(), ms);
  }

  /** The half of a seat. */
  half(/** @type {Seat} */ seat) {
    return must(this.parts.halves.find((half) => half.seat === seat));
  }
}

customElements.define('match-clock', MatchClock);

/** The clock of this page. */
export const clockOfPage = () => /** @type {MatchClock} */ (document.querySelector('match-clock'));

/** Leave the page of `clock` when its match moves on, or when the page may not use it any more.
 * @param {MatchClock} clock */
export function leaveWhenOver(clock) {
  const leaving = () => loaded('phone/leaving.js', () => import('./leaving.js'));
  clock.listen({
    elsewhere: async (match) => (await leaving()).follow(clock, match),
    ended: async () => (await leaving()).end(clock),
  });
}
