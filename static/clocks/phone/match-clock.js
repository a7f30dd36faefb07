/**
 * <match-clock data-code="7K3M9Q" data-seats="left">: a match as this phone shows it, and what its players do with it.
 *
 * `data-seats` are the seats that this phone holds: one, both ("left right": the phone lies between the players), or
 * none (it only watches). The element says what happens by events: `clock-change` with {match, before}, `clock-press`,
 * `clock-refused`, `clock-low` with the seat, `clock-program` with the version of the program that answers.
 */
import { Message, SeatRequest } from './banners.js';
import { Actions, Header } from './bars.js';
import { coverOf, milestone } from './milestones.js';
import { Half } from './half.js';
import { doubleSheet, moreSheet, reasonSheet, undoSheet } from './menus.js';
import { Players } from './players.js';
import { PhoneState } from './state.js';
import { Outbox } from '../wire/outbox.js';
import { qualityOf, ServerTime } from '../wire/server-time.js';
import { TableLink } from '../wire/table-link.js';
import { LiveRegion, make, mark, openOver } from '../browser/dom.js';
import { onDevice } from '../browser/storage.js';
import { onWake } from '../browser/awake.js';
import { gettext, interpolate } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';
import { clocksAt, indexOf, otherSeat, SEATS } from '../match/clocks.js';

export class MatchClock extends HTMLElement {
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
   * Show the match and let its players act. `link(parts)` returns what answers them (the server, unless a page has its
   * own), `menu(desk, more)` shows what a seat can do besides hitting, `extras(desk)` is what the page adds to it;
   * `read` holds `rules(show)` and `language(show)`, sheets that the page has.
   */
  begin({
    link = /** @type {(parts: any) => any} */ ((parts) => new TableLink(parts)),
    menu = moreSheet,
    extras = /** @type {(desk: any) => Element[]} */ (() => []),
    read = /** @type {{rules?: Function, language?: Function}} */ ({}),
  } = {}) {
    const { code } = this.dataset;
    this.sync = new ServerTime();
    this.outbox = new Outbox(onDevice, `clock:${code}:outbox`);
    this.state = new PhoneState({ seats: this.seats, outbox: this.outbox, sync: this.sync });
    this.menu = menu;
    this.extras = extras;
    this.read = read;
    this.link = link({
      code,
      seats: this.seats,
      sync: this.sync,
      outbox: this.outbox,
      on: {
        snapshot: (match) => this.#receive(match),
        message: (frame) => this.message.receive(frame),
        asks: (frame) => this.request.receive(frame),
        seen: (frame) => this.#see(frame),
        answer: (frame, entry) => this.players.answered(frame, entry),
        dropped: (entries) => this.players.dropped(entries),
        state: (state) => this.#linked(state),
        measured: () => this.#showLink(),
        jumped: (ms, slept) => this.#jumped(ms, slept),
        program: (version) => this.#tellPage('clock-program', { version }),
      },
    });
    this.players = new Players(this);
    this.#build();
    this.#listen();
    this.link.start();
  }

  disconnectedCallback() {
    this.link?.stop();
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
    const order = layout === 'own'
      ? [otherSeat(this.seats[0]), this.seats[0]]
      : this.shared
      ? ['right', 'left']
      : SEATS;
    this.halves = order.map((seat) =>
      new Half(seat, { small: this.state.isCard(seat), acts: this.seats.includes(seat), on })
    );
    this.actions = this.seats.map((seat) => this.#actions(seat));
    const [far, near] = this.halves.map((half) => half.element);
    const bars = this.actions.map((actions) => actions.element);
    const table = make('div.table');
    this.message = new Message({
      copies: this.shared ? 2 : 1,
      now: () => this.now(),
      store: onDevice,
      changed: (shown) => mark(this, 'data-message', shown ? '' : null),
    });
    this.request = new SeatRequest({
      match: () => this.match,
      now: () => this.now(),
      show: (sheet, seat) => this.showSheet(sheet, seat),
      close: () => this.closeSheets(),
      answer: (ask, give) => this.players.answerAsk(ask, give),
      changed: (shown) => mark(this, 'data-asked', shown ? '' : null),
    });
    const [said, saidAgain] = this.message.elements;
    if (this.shared) {
      table.append(
        far,
        make('div.strip', {}, bars[1], this.header.element, bars[0], said, saidAgain, this.request.element),
        near,
      );
    } else table.append(this.header.element, far, near, ...bars);
    const beside = this.shared ? [] : [said, this.request.element];
    this.replaceChildren(...beside, make('div.hold', {}, table), this.status.element, this.alert.element);
    this.header.connection('connecting', null);
  }

  #actions(seat) {
    const desk = {
      seat,
      shared: this.shared,
      turn_number: 0,
      match: () => this.match,
      reserve: (of) => clocksAt(this.match, this.now()).reserve_ms[indexOf(of)],
      show: (sheet) => {
        desk.turn_number = this.match.turn_number;
        this.showSheet(sheet, seat);
      },
      ask: (ask) => {
        const { turn_number } = desk; // a proposal is for the turn in which its sheet was opened
        this.half(seat).sheet.close();
        this.players.ask(seat, ask.do === 'propose' ? { ...ask, turn_number } : ask, performance.now());
      },
    };
    const open = (sheet, ...rest) => () => this.match && sheet(desk, ...rest);
    const on = {
      stop: () => this.match && desk.ask({ do: 'stop' }),
      double: open(doubleSheet),
      undo: open(undoSheet),
      rules: this.shared && this.read.rules && (() => this.match && this.read.rules(desk.show)),
      more: () => this.match && this.menu(desk, this.extras(desk)),
    };
    this.desks = { ...this.desks, [seat]: desk };
    return new Actions(seat, { shared: this.shared, on });
  }

  #listen() {
    this.away = new AbortController();
    const { signal } = this.away;
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.closeSheets(), { signal });
    onWake(() => {
      this.link.wake();
      this.refresh();
    }, signal);
    document.addEventListener('visibilitychange', () => document.hidden && clearTimeout(this.timer), { signal });
    if (!this.shared) return;
    const turn = () => mark(this, 'data-angle', angle());
    for (const target of [screen.orientation, window]) {
      if (target && target.addEventListener) {
        target.addEventListener(target === window ? 'resize' : 'change', turn, { signal });
      }
    }
    turn();
  }

  /** Return the server's time now, as this phone estimates it. */
  now() {
    return this.state.now();
  }

  #receive(match) {
    const before = this.match;
    if (before && before.match !== match.match && this.seats.length) {
      // A seat belongs to a match: for the next one at this table it is taken again, unless this phone has it already.
      location.assign(`/t/${match.code}/clock/`);
      return;
    }
    if (match.code !== this.dataset.code) {
      // The director moved the match to another table: its phones go with it.
      location.assign(`/t/${match.code}/${this.seats.length ? 'clock' : 'watch'}/`);
      return;
    }
    this.state.receive(match);
    if (before) this.#makeWay(before, match);
    this.#announce(before, match);
    this.header.show(match);
    for (const actions of this.actions) actions.show(match);
    this.refresh();
    this.#tellPage('clock-change', { match, before });
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
      if (before.status === 'running' && isToBeExplained(match, seat)) reasonSheet(this.desks[seat]);
    }
  }

  #announce(before, match) {
    const news = milestone(before, match);
    if (news) (news.alert ? this.alert : this.status).say(news.words);
  }

  /** Take in whose phone was heard when. */
  #see(frame) {
    if (!this.match) return;
    const fallen = this.state.receive(frame);
    if (fallen && this.seats.length) this.status.say(phrases.phoneIsSilent(this.match, fallen));
    this.refresh();
  }

  #linked(state) {
    this.state.connected = state === 'open';
    mark(this, 'data-link', state);
    if (state === 'taken' && this.shared) {
      location.replace(`/t/${this.dataset.code}/clock/`); // the other seat may still be this phone's
      return;
    }
    const cover = coverOf(state, this.dataset);
    if (cover) {
      this.closeSheets();
      openOver(this, cover, { stays: true });
    }
    this.refresh();
  }

  #jumped(ms, slept) {
    if (slept && ms > 0) {
      const text = interpolate(gettext('The screen was off for %(seconds)s s.'), { seconds: Math.round(ms / 1000) });
      for (const half of this.halves) half.tell(text);
    } else if (!slept) {
      for (const half of this.halves) half.tell(gettext('The time was corrected.'));
    }
    this.refresh();
  }

  /** Draw again, unless the clock was taken from the page: the state of both halves, then the figures. */
  refresh() {
    if (!this.isConnected) return;
    this.#showLink();
    if (!this.match) return;
    this.#show(this.now());
    this.#tick();
  }

  #tellPage(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #showLink() {
    this.header.connection(this.link.state, this.sync.synced ? qualityOf(this.sync.roundTrip) : null);
  }

  /** Draw what changes with time, and everything where time alone has changed a half's mode. */
  #tick() {
    this.sync.advance(performance.now());
    const { state } = this;
    const now = this.now();
    const changed = this.halves.some((half) => half.mode !== state.modeOf(half.seat, now));
    if (changed || phrases.isContested(this.match)) this.#show(now);
    for (const half of this.halves) {
      const figures = state.figuresOf(half.seat, now);
      if (figures.low === 'warn') this.#tellPage('clock-low', { seat: half.seat });
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

  /** Tell the page about a press or a refusal. */
  report(name, seat) {
    this.#tellPage(name, { seat });
  }
}

const isOnTurn = (match, seat) => match.status === 'running' && match.turn === seat;

/** Tell whether `seat` has stopped the clocks at once, and the reason is still to be given. */
const isToBeExplained = ({ status, stop, proposal }, seat) =>
  status === 'stopped' && stop?.by === seat && stop.reason === 'other' && !proposal;

/** Return how far the browser has turned the page on the phone: 0, 90, 180 or 270 degrees. */
function angle() {
  const { orientation } = screen;
  const degrees = orientation && orientation.angle !== undefined ? orientation.angle : window.orientation || 0;
  return (degrees + 360) % 360;
}

customElements.define('match-clock', MatchClock);

/** Return the clock of this page. */
export const clockOfPage = () => /** @type {MatchClock} */ (document.querySelector('match-clock'));
