/**
 * <match-clock data-code="7K3M9Q" data-seats="left">: a match as this phone shows it, and what its players do with it.
 *
 * `data-seats` are the seats that this phone holds: one, both ("left right": the phone lies between the players), or
 * none (it only watches). Where the match comes from is its `source`; where the page goes next is in next-page.js.
 *
 * @typedef {import('../match/protocol.d.ts').Seat} Seat
 * @typedef {import('../match/protocol.d.ts').Snapshot} Snapshot
 * @typedef {import('../wire/match-source.js').MatchSource} MatchSource
 *
 * @typedef {Record<'double' | 'undo' | 'more' | 'reason', (desk: import('./bars.js').Desk) => void>} Sheets
 *
 * @typedef {object} ClockCalls what a clock tells
 * @property {(match: Snapshot, before: Snapshot | null) => void} changed
 * @property {() => void} connection as the source's
 * @property {(seat: Seat) => void} pressed
 * @property {(seat: Seat) => void} refused
 * @property {(seat: Seat) => void} low the reserve has just become low
 * @property {(version: string) => void} program the version of the program that answers
 * @property {(frame: import('../match/protocol.d.ts').MessageFrame) => void} message of the director
 * @property {(frame: import('../match/protocol.d.ts').AsksFrame) => void} asks phones that want a seat
 */
import { actionsAt, deskOf, Header } from './bars.js';
import { Half } from './half.js';
import { Players } from './players.js';
import { PhoneState } from './state.js';
import { Signals } from '../wire/match-source.js';
import { qualityOf } from '../wire/server-time.js';
import { LiveRegion, make, mark, openOver } from '../browser/dom.js';
import { loaded, onTurn, onWake } from '../browser/events.js';
import { gettext } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';
import { otherSeat, SEATS } from '../match/clocks.js';

export class MatchClock extends HTMLElement {
  constructor() {
    super();
    /** @type {Signals<ClockCalls>} */
    this.signals = new Signals();
  }

  /** Call the functions of `listener` from now on. */
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

  /** The seats that this phone holds. */
  get seats() {
    const seats = (this.dataset.seats ?? '').split(' ');
    return SEATS.filter((seat) => seats.includes(seat));
  }

  get shared() {
    return this.seats.length === 2;
  }

  /** The snapshot, or null before the first. */
  get match() {
    return this.state?.match ?? null;
  }

  /**
   * Show the match of `source` and let its players act. `read` holds `rules(show)` and `language(show)`, sheets that
   * the page has; `sheets` those of a desk, which may come later by `equip`.
   * @param {{source: MatchSource, sheets?: Sheets | null, read?: {rules?: Function, language?: Function}}} parts
   */
  begin({ source, sheets = null, read = {} }) {
    this.state = new PhoneState({ seats: this.seats, source });
    this.sheets = sheets;
    this.read = read;
    this.presented = false;
    this.players = new Players(this);
    this.#build();
    this.#listen();
    this.use(source);
    source.start();
  }

  /** Open sheets by these functions from now on, and the one that was asked for before. */
  equip(/** @type {Sheets} */ sheets) {
    this.sheets = sheets;
    this.wish?.();
    this.wish = null;
  }

  /**
   * Open a sheet of a desk, as soon as the sheets are there.
   * @param {keyof Sheets} name
   * @param {import('./bars.js').Desk} desk
   */
  open(name, desk) {
    if (this.sheets) this.sheets[name](desk);
    else this.wish = () => this.open(name, desk);
  }

  /** Where the match comes from. */
  get source() {
    return this.state.source;
  }

  /** Take the match from `source` from now on. */
  use(/** @type {MatchSource} */ source) {
    this.unlisten?.();
    this.state.follow(source);
    this.unlisten = source.listen({
      match: (match) => this.#receive(match),
      seen: (frame) => this.#see(frame),
      message: (frame) => this.tell('message', frame),
      asks: (frame) => this.tell('asks', frame),
      program: (version) => this.tell('program', version),
      connection: () => this.#connected(),
      measured: () => this.#showConnection(),
      jumped: (ms, slept) => this.#jumped(ms, slept),
      answer: (frame, entry) => this.players.answered(frame, entry),
      dropped: (entries) => this.players.dropped(entries),
      notice: (words, ms) => this.#notice(words, ms),
    });
    const { match, message, asks, program } = source;
    if (match) this.#receive(match);
    if (message) this.tell('message', message);
    if (asks) this.tell('asks', asks);
    if (program !== null) this.tell('program', program);
    this.#connected();
  }

  disconnectedCallback() {
    this.state?.source.stop();
    this.away?.abort();
    clearTimeout(this.timer);
  }

  #build() {
    const { layout } = this.state;
    mark(this, 'data-layout', layout);
    const here = (sheet) => sheet && (() => this.match && sheet((shown) => this.showSheet(shown)));
    this.header = new Header(this.shared ? {} : { rules: here(this.read.rules), language: here(this.read.language) });
    this.status = new LiveRegion(make('p.unseen', { role: 'status' }));
    this.alert = new LiveRegion(make('p.unseen', { role: 'alert' }));
    const on = {
      press: (seat, at) => this.players.press(seat, at),
      ask: (seat, ask, at) => this.players.ask(seat, ask, at),
    };
    // The holder's half is below; a shared phone has the left seat there, and on watch pages left comes first.
    /** @type {Seat[]} */
    const order = layout === 'own'
      ? [otherSeat(this.seats[0]), this.seats[0]]
      : this.shared
      ? /** @type {const} */ (['right', 'left'])
      : SEATS;
    this.halves = order.map((seat) =>
      new Half(seat, { small: this.state.isCard(seat), acts: this.seats.includes(seat), on })
    );
    this.desks = new Map(this.seats.map((seat) => [seat, deskOf(this, seat)]));
    this.actions = this.seats.map((seat) => actionsAt(this, this.desks.get(seat)));
    const [far, near] = this.halves.map((half) => half.element);
    const bars = this.actions.map((actions) => actions.element);
    const table = make('div.table');
    if (this.shared) table.append(far, make('div.strip', {}, bars[1], this.header.element, bars[0]), near);
    else table.append(this.header.element, far, near, ...bars);
    this.hold = make('div.hold', {}, table);
    this.header.connection('connecting', null);
  }

  /** Put the clock on the page once there is something to show, so that nothing on it moves. */
  #present() {
    if (!this.presented) this.replaceChildren(this.hold, this.status.element, this.alert.element);
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

  /** Return the server's time now, as this phone estimates it. */
  now() {
    return this.state.now();
  }

  #receive(match) {
    const before = this.match;
    if ((before && before.match !== match.match && this.seats.length) || match.code !== this.dataset.code) {
      this.#leaveFor(match);
      return;
    }
    this.state.receive(match);
    if (before) this.#makeWay(before, match);
    this.header.show(match);
    for (const actions of this.actions) actions.show(match);
    this.#present();
    this.refresh();
    this.players.tellDeclined(match, before);
    this.tell('changed', match, before);
  }

  /** Open a sheet in the half of a seat of this phone, or of one that it shows. */
  showSheet(sheet, seat = this.seats[0] ?? 'left') {
    this.half(seat).sheet.show(sheet);
  }

  closeSheets() {
    for (const { sheet } of this.halves) sheet?.close();
  }

  /** Whether somebody at this phone is at a sheet. */
  get sheetOpen() {
    return this.halves.some(({ sheet }) => sheet?.open);
  }

  /** Let sheets give way to what is more urgent; ask whoever stopped the clocks at once for the reason. */
  #makeWay(before, match) {
    for (const seat of this.seats) {
      const half = this.half(seat);
      const begins = isOnTurn(match, seat) && !isOnTurn(before, seat);
      const turnIsOver = match.turn_number !== before.turn_number && !half.sheet.lasts;
      if (match.proposal && !before.proposal) half.sheet.close();
      else if ((begins || turnIsOver) && half.sheet.makeWay()) {
        half.tell(gettext('The turn has changed, so nothing was sent.'));
      }
      if (before.status === 'running' && isToBeExplained(match, seat)) this.open('reason', this.desks.get(seat));
    }
  }

  /** Take in whose phone was heard when. */
  #see(frame) {
    if (!this.match) return;
    const fallen = this.state.receive(frame);
    if (fallen && this.seats.length) this.status.say(phrases.phoneIsSilent(this.match, fallen));
    this.refresh();
  }

  #connected() {
    const { connection } = this.source;
    mark(this, 'data-link', connection);
    if (connection !== 'connecting') this.#present();
    if (this.source.ended) this.#end(connection);
    this.refresh();
    this.tell('connection');
  }

  async #leaveFor(match) {
    const { nextPage } = await loaded(() => import('./next-page.js'));
    location.assign(nextPage(match, this.seats));
  }

  /** This page may not use the match any more: go on, or say so over the clock. */
  async #end(connection) {
    const { coverOf, pageWithout } = await loaded(() => import('./next-page.js'));
    const next = pageWithout(connection, this.dataset.code, this.seats);
    if (next) {
      location.replace(next);
      return;
    }
    this.closeSheets();
    openOver(this, coverOf(connection, this.dataset), { stays: true });
  }

  #jumped(ms, slept) {
    if (slept && ms > 0) {
      const text = gettext('The screen was off for %(seconds)s s.', { seconds: Math.round(ms / 1000) });
      this.#tellPlayers(text);
    } else if (!slept) this.#tellPlayers(gettext('The time was corrected.'));
    this.refresh();
  }

  #notice(words, ms) {
    this.#tellPlayers(words, ms);
    this.status.say(words);
  }

  #tellPlayers(words, ms) {
    for (const half of this.halves) half.tell(words, null, ms);
  }

  /** Draw again, unless the clock was taken from the page: the state of both halves, then the figures. */
  refresh() {
    if (!this.isConnected) return;
    this.#showConnection();
    if (!this.match) return;
    this.#show(this.now());
    this.#tick();
  }

  #showConnection() {
    const { connection, sync } = this.source;
    this.header.connection(connection, sync.synced ? qualityOf(sync.roundTrip) : null);
  }

  /** Draw what changes with time, and everything where time alone has changed a half's mode. */
  #tick() {
    this.source.sync.advance(performance.now());
    const { state } = this;
    const now = this.now();
    const changed = this.halves.some((half) => half.mode !== state.modeOf(half.seat, now));
    if (changed || this.source.lostMs || phrases.isContested(this.match)) this.#show(now);
    for (const half of this.halves) {
      const figures = state.figuresOf(half.seat, now);
      if (figures.low === 'warn') this.tell('low', half.seat);
      half.tick(figures);
    }
    this.#wait(now);
  }

  #show(now) {
    for (const half of this.halves) half.show(this.state.viewOf(half.seat, now));
  }

  /** Sleep until the next digit, while something runs and somebody can see it. */
  #wait(now) {
    clearTimeout(this.timer);
    const ms = document.hidden ? null : this.state.nextChange(now);
    if (ms !== null) this.timer = setTimeout(() => this.#tick(), ms);
  }

  /** Return the half of a seat. */
  half(seat) {
    return this.halves.find((half) => half.seat === seat);
  }
}

const isOnTurn = (match, seat) => match.status === 'running' && match.turn === seat;

/** Tell whether `seat` has stopped the clocks at once, and the reason is still to be given. */
const isToBeExplained = ({ status, stop, proposal }, seat) =>
  status === 'stopped' && stop?.by === seat && stop.reason === 'other' && !proposal;

customElements.define('match-clock', MatchClock);

/** Return the clock of this page. */
export const clockOfPage = () => /** @type {MatchClock} */ (document.querySelector('match-clock'));
