/**
 * <match-clock data-code="7K3M9Q" data-seats="left">: a match as this phone shows it, and what its players do with it.
 *
 * `data-seats` are the seats that this phone holds: one, both ("left right": the phone lies between the players), or none
 * (it only watches). The element says what happens by events: `clock-change` with {match, before}, `clock-press`,
 * `clock-refused`, `clock-low` with the seat, `clock-program` with the version of the program that answers.
 */
import { Actions, Header } from './bars.js';
import { Asked } from './seat-request.js';
import { clocksAt, indexOf, otherSeat, SEATS } from '../match/clocks.js';
import { LiveRegion, make, mark } from '../browser/dom.js';
import { Face } from './half.js';
import { TableLink } from '../wire/table-link.js';
import { LowTime } from '../match/low-time.js';
import { Message } from './message.js';
import { Outbox } from '../wire/outbox.js';
import { coverOf } from './cover.js';
import { milestone } from './milestones.js';
import { isSilent, presenceIn } from '../match/presence.js';
import { Seats } from './players.js';
import { Sheet } from './sheet.js';
import { callSheet, doubleSheet, moreSheet, stopSheet, undoSheet } from './menus.js';
import { onWake } from '../browser/wake.js';
import { onDevice } from '../browser/storage.js';
import { qualityOf, ServerTime } from '../wire/server-time.js';
import { panelOf, pressForPanel } from './panels.js';
import { modeOf, stateOf, wordsOf } from './modes.js';
import { gettext, interpolate } from '../words/i18n.js';
import * as phrases from '../words/phrases.js';

export class MatchClock extends HTMLElement {
  connectedCallback() {
    const { code, seats = '' } = this.dataset;
    this.seats = SEATS.filter((seat) => seats.split(' ').includes(seat));
    this.shared = this.seats.length === 2;
    this.extras = () => []; // what the page adds to the menu
    this.match = null;
    this.sync = new ServerTime();
    this.outbox = new Outbox(onDevice, `clock:${code}:outbox`);
    this.low = new LowTime();
    this.link = this.linkTo({
      sync: this.sync,
      outbox: this.outbox,
      on: {
        snapshot: (match) => this.#take(match),
        message: (frame) => this.message.take(frame),
        asks: (frame) => this.asked.take(frame),
        seen: (frame) => this.#see(frame),
        answer: (frame, entry) => this.players.answered(frame, entry),
        dropped: (entries) => this.players.dropped(entries),
        state: (state) => this.#linked(state),
        measured: () => this.#showLink(),
        jumped: (ms, slept) => this.#jumped(ms, slept),
        program: (version) => this.#tellPage('clock-program', { version }),
      },
    });
    this.players = new Seats(this);
    this.#build();
    this.#listen();
    this.link.start();
  }

  /** Return what answers this clock: the server's socket. A page that practises sets its own before it adds the element. */
  linkTo(parts) {
    return new TableLink({ code: this.dataset.code, ...parts });
  }

  /** Show everything that a seat can do besides hitting; a page that practises has its own. */
  menu(desk, more) {
    moreSheet(desk, more);
  }

  disconnectedCallback() {
    this.link.stop();
    this.away.abort();
    cancelAnimationFrame(this.frame);
    this.frame = null;
  }

  #build() {
    this.mode = this.shared ? 'shared' : this.seats.length ? 'own' : 'watch';
    mark(this, 'data-layout', this.mode);
    this.header = new Header();
    this.sheet = new Sheet(this);
    this.status = new LiveRegion(make('p.unseen', { role: 'status' }));
    this.alert = new LiveRegion(make('p.unseen', { role: 'alert' }));
    const on = {
      press: (seat, at) => this.players.press(seat, at),
      ask: (seat, ask, at) => this.players.ask(seat, ask, at),
    };
    // The holder's half lies below; a shared phone has the left seat there, and on watch pages left comes first.
    const order = this.mode === 'own'
      ? [otherSeat(this.seats[0]), this.seats[0]]
      : this.shared
      ? ['right', 'left']
      : SEATS;
    this.faces = order.map((seat) => {
      const mine = this.seats.includes(seat);
      return new Face(seat, { small: this.mode === 'own' && !mine, acts: mine, on });
    });
    this.actions = this.seats.map((seat) => this.#actions(seat));
    const [far, near] = this.faces.map((face) => face.element);
    const bars = this.actions.map((actions) => actions.element);
    const table = make('div.table');
    this.message = new Message({
      copies: this.shared ? 2 : 1,
      now: () => this.now(),
      store: onDevice,
      changed: (shown) => mark(this, 'data-message', shown ? '' : null),
    });
    this.asked = new Asked({
      match: () => this.match,
      now: () => this.now(),
      show: (sheet) => this.sheet.show(sheet),
      close: () => this.sheet.close(),
      answer: (ask, give) => this.players.answerAsk(ask, give),
      changed: (shown) => mark(this, 'data-asked', shown ? '' : null),
    });
    const [said, saidAgain] = this.message.elements;
    if (this.shared) {
      table.append(
        far,
        make('div.strip', {}, bars[1], this.header.element, bars[0], said, saidAgain, this.asked.element),
        near,
      );
    } else table.append(this.header.element, far, near, ...bars);
    const beside = this.shared ? [] : [said, this.asked.element];
    this.replaceChildren(...beside, table, this.status.element, this.alert.element);
    this.header.connection('connecting', null);
  }

  #actions(seat) {
    const desk = {
      seat,
      shared: this.shared,
      match: () => this.match,
      reserve: (of) => clocksAt(this.match, this.now()).reserve_ms[indexOf(of)],
      show: (sheet) => this.sheet.show({ ...sheet, turned: this.faces[0].seat === seat && this.shared }),
      ask: (ask) => {
        this.sheet.close();
        this.players.ask(seat, ask, performance.now());
      },
    };
    const open = (sheet, ...rest) => () => this.match && sheet(desk, ...rest);
    const on = {
      stop: open(stopSheet),
      double: open(doubleSheet),
      undo: open(undoSheet),
      more: () => this.match && this.menu(desk, this.extras(desk)),
    };
    this.desks = { ...this.desks, [seat]: { ...desk, call: open(callSheet) } };
    return new Actions(seat, { shared: this.shared, on });
  }

  #listen() {
    this.away = new AbortController();
    const { signal } = this.away;
    const wake = () => {
      this.link.wake();
      this.#settle();
    };
    onWake(wake, signal);
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
    return this.sync.serverAt(performance.now());
  }

  #take(match) {
    const before = this.match;
    if (before && before.match !== match.match && this.seats.length) {
      // A seat belongs to a match: for the next one at this table it is taken again.
      location.assign(this.dataset.table || `/t/${match.code}/`);
      return;
    }
    if (match.code !== this.dataset.code) {
      // The director moved the match to another table: its phones go with it.
      location.assign(`/t/${match.code}/${this.seats.length ? 'clock' : 'watch'}/`);
      return;
    }
    this.match = match;
    this.presence = presenceIn(match);
    // What has to be answered now goes before whatever a sheet was asking.
    if (before && match.proposal && !before.proposal) this.sheet.close();
    this.#announce(before, match);
    this.header.settle(match);
    for (const actions of this.actions) actions.settle(match);
    this.#settle();
    this.#tellPage('clock-change', { match, before });
  }

  #announce(before, match) {
    const news = milestone(before, match);
    if (news) (news.alert ? this.alert : this.status).say(news.words);
  }

  /** Take word of whose phone was heard when. */
  #see(frame) {
    if (!this.match) return;
    const silent = (seat) => isSilent(this.presence, seat);
    const before = SEATS.filter(silent);
    this.presence = presenceIn(frame, this.match.match);
    const fallen = SEATS.find((seat) => silent(seat) && !before.includes(seat) && !this.seats.includes(seat));
    if (fallen && this.seats.length) this.status.say(phrases.phoneIsSilent(this.match, fallen));
    this.#settle();
  }

  /** Tell whether the player of `seat` is at another phone that is silent, so that this phone may press for it. */
  pressesFor(seat) {
    return this.mode === 'own' && !this.seats.includes(seat) && this.link.open && isSilent(this.presence, seat);
  }

  #linked(state) {
    mark(this, 'data-link', state);
    if (state === 'taken' && this.shared) {
      location.replace(`/t/${this.dataset.code}/clock/`); // the other seat may still be this phone's
      return;
    }
    const cover = coverOf(state, this.dataset);
    if (cover) this.#end(cover);
    this.#settle();
  }

  /** The link has ended for good: lay `cover` over the page. What lies behind can be neither pressed nor reached any more. */
  #end(cover) {
    this.sheet.close();
    for (const part of this.children) part.inert = true;
    this.append(cover);
    cover.focus();
  }

  #jumped(ms, slept) {
    if (slept && ms > 0) {
      const text = interpolate(gettext('The screen was off for %(seconds)s s.'), { seconds: Math.round(ms / 1000) });
      for (const face of this.faces) face.tell(text);
    } else if (!slept) {
      for (const face of this.faces) face.tell(gettext('The time was corrected.'));
    }
    this.#settle();
  }

  /** Draw again, unless the clock was taken from the page: the state of both halves, then the figures. */
  refresh() {
    if (this.isConnected) this.#settle();
  }

  #tellPage(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Return what only this phone knows about a seat (see `modeOf`). */
  #local(seat, figures, now) {
    const { match } = this;
    return {
      waiting: this.players.waiting(seat),
      zero: match.limits && figures.reserve_ms[indexOf(seat)] === 0,
      held: match.wait_until !== null && now < match.wait_until,
    };
  }

  #modes(figures, now) {
    return this.faces.map((face) => modeOf(this.match, face.seat, this.#local(face.seat, figures, now)));
  }

  #showLink() {
    this.header.connection(this.link.state, this.sync.synced ? qualityOf(this.sync.roundTrip) : null);
  }

  #settle() {
    const { match } = this;
    this.#showLink();
    if (!match) return;
    const now = this.now();
    const figures = clocksAt(match, now);
    this.shownModes = this.#modes(figures, now);
    this.faces.forEach((face, index) => this.#draw(face, this.shownModes[index]));
    this.#tick();
    this.faces.forEach((face) => {
      const mine = indexOf(face.seat);
      const runs = match.turn === face.seat && match.since !== null && !this.players.waiting(face.seat);
      face.run(figures.delay_ms[mine], match.turn_delay_ms, runs);
    });
    this.#schedule();
  }

  #draw(face, mode) {
    const { match } = this;
    const { seat } = face;
    const words = wordsOf(match, seat, mode, { watched: !this.seats.length, connected: this.link.open });
    face.settle({
      mode,
      name: phrases.nameOf(match, seat),
      title: face.small ? stateOf(match, seat, mode) : words.title,
      hint: face.small ? '' : words.hint,
      aside: face.small ? '' : words.aside || '',
      facts: face.small
        ? phrases.seatFacts(match, seat)
        : [...phrases.gameFacts(match), ...phrases.seatFacts(match, seat)],
      panel: face.small
        ? pressForPanel(match, seat, mode, this.pressesFor(seat))
        : panelOf(match, seat, mode, this.seats.includes(seat)),
      delayed: match.kind !== 'none' && match.delay_ms !== null,
      busy: this.players.busy(seat),
    });
  }

  #tick() {
    const { match } = this;
    this.sync.advance(performance.now());
    const now = this.now();
    const figures = clocksAt(match, now);
    if (String(this.#modes(figures, now)) !== String(this.shownModes)) {
      this.#settle();
      return;
    }
    for (const face of this.faces) {
      const mine = indexOf(face.seat);
      const shown = this.players.frozen(face.seat) || figures;
      const reserve = shown.reserve_ms[mine];
      const low = match.limits && reserve !== null &&
        this.low.take(face.seat, reserve, match.status === 'running' && match.turn === face.seat);
      if (low === 'warn') this.#tellPage('clock-low', { seat: face.seat });
      const other = this.shared ? figures.reserve_ms[1 - mine] : null;
      face.tick({ reserve, delay: shown.delay_ms[mine], low: Boolean(low), other });
    }
  }

  /** One frame at a time, and only while something runs and somebody can see it. */
  #schedule() {
    if (this.frame || document.hidden || !this.match || this.match.since === null) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.#tick();
      this.#schedule();
    });
  }

  /** Return the face of a seat. */
  face(seat) {
    return this.faces.find((face) => face.seat === seat);
  }

  /** Tell the page about a press or a refusal. */
  report(name, seat) {
    this.#tellPage(name, { seat });
  }
}

/** Return how far the browser has turned the page on the phone: 0, 90, 180 or 270 degrees. */
function angle() {
  const { orientation } = screen;
  const degrees = orientation && orientation.angle !== undefined ? orientation.angle : window.orientation || 0;
  return (degrees + 360) % 360;
}

customElements.define('match-clock', MatchClock);
