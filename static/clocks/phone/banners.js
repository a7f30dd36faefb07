/**
 * What is said beside the clocks and covers neither: the director's message, another phone that asks for a seat, a new
 * version of the program.
 */
import { SEATS } from '../match/clocks.js';
import { button, make, write } from '../browser/dom.js';
import { renewOnce } from '../browser/events.js';
import { onDevice } from '../browser/storage.js';
import { nameOf } from '../words/phrases.js';
import { gettext, interpolate } from '../words/i18n.js';
import { answers, paragraph } from './sheet.js';

const READ = 'clock:message-read';

/**
 * What the director tells the phones: a banner until it is put away here, withdrawn by the director, or out of date.
 */
export class Message {
  /**
   * `copies` is 2 on a phone that lies between the players; `now()` gives the server's time; `store` keeps what was put
   * away.
   */
  constructor({ copies, now, store }) {
    this.now = now;
    this.store = store;
    this.parts = Array.from({ length: copies }, (_, index) => {
      const text = make('p', { role: index === 0 && 'alert' }); // said once, even where it is shown twice
      const from = make('b');
      const away = button(gettext('OK'), () => this.#putAway());
      const element = make(index ? 'div.message.twin' : 'div.message', { hidden: true }, from, text, away);
      return { element, from, text };
    });
    this.elements = this.parts.map((part) => part.element);
  }

  /** Take a `message` frame; the one that was put away on this phone stays away. */
  receive(frame) {
    clearTimeout(this.timer);
    this.id = frame.id;
    const left = frame.until - (this.now() ?? frame.now);
    const shown = frame.id !== 0 && left > 0 && !this.#wasRead(frame.id);
    this.#show(shown, frame.text);
    if (shown) this.timer = setTimeout(() => this.#show(false, ''), left);
  }

  #wasRead(id) {
    return id === this.read || this.store.get(READ) === id;
  }

  #show(shown, words) {
    for (const { element, from, text } of this.parts) {
      element.hidden = !shown;
      write(from, shown ? gettext('Director') : '');
      write(text, shown ? words : '');
    }
  }

  #putAway() {
    clearTimeout(this.timer);
    this.read = this.id; // where nothing can be kept, it stays away while the page is open
    this.#show(false, '');
    this.store.set(READ, this.id);
  }
}

/**
 * Another phone asks for a seat of this one. A line says so, so that nothing comes up under a finger that is about to
 * press; only a tap on it opens the sheet with the answers.
 */
export class SeatRequest {
  /**
   * `match()` gives the snapshot, `now()` the server's time; `show(sheet)` and `close()` handle the sheet; `answer(id,
   * give)` sends.
   */
  constructor(page) {
    this.page = page;
    this.asks = [];
    this.text = make('p', { role: 'alert' });
    const open = button(gettext('Answer …'), () => this.#open());
    this.element = make('div.message.asks', { hidden: true }, make('b', {}, gettext('Seat')), this.text, open);
  }

  /** Take an `asks` frame: all that wait for this phone's answer. */
  receive({ asks }) {
    if (this.opened && !asks.some(({ id }) => id === this.opened)) {
      this.page.close();
      this.opened = null;
    }
    this.asks = asks;
    this.look();
  }

  /** Show what is still waiting, and keep looking until nothing is. */
  look() {
    clearTimeout(this.timer);
    const now = this.page.now();
    const ask = this.#waiting();
    this.element.hidden = !ask;
    write(this.text, ask ? this.#says(ask) : '');
    if (ask && now !== null) this.timer = setTimeout(() => this.look(), ask.until - now);
  }

  /** Return the first request that still waits, or undefined. */
  #waiting() {
    const now = this.page.now();
    return this.asks.find(({ until }) => now === null || until > now);
  }

  #says({ seats }) {
    const names = SEATS.filter((seat) => seats.includes(seat)).map((seat) => nameOf(this.page.match(), seat));
    return interpolate(gettext('Another phone wants to take over %(names)s’s seat.'), { names: names.join(', ') });
  }

  #open() {
    const ask = this.#waiting();
    if (!ask) return;
    this.opened = ask.id;
    const answer = (give) => () => {
      this.opened = null;
      this.page.close();
      this.page.answer(ask, give);
    };
    this.page.show({
      title: gettext('Another phone wants this seat'),
      lasts: true,
      parts: [
        paragraph(this.#says(ask)),
        paragraph(gettext('If you hand it over, the clock continues there and this phone stops being used.')),
        answers([
          { label: gettext('Keep it'), kind: 'primary', act: answer(false) },
          { label: gettext('Hand it over'), act: answer(true) },
        ]),
      ],
    });
  }
}

/** Show from now on what the director and other phones say to this clock. */
export function showBanners(clock) {
  const now = () => clock.now();
  const message = new Message({
    copies: clock.shared ? 2 : 1,
    now,
    store: onDevice,
  });
  const request = new SeatRequest({
    match: () => clock.match,
    now,
    show: (sheet, seat) => clock.showSheet(sheet, seat),
    close: () => clock.closeSheets(),
    answer: (ask, give) => clock.players.answerAsk(ask, give),
  });
  const elements = [request.element, ...message.elements]; // a request lapses sooner than a message
  const strip = clock.querySelector('.strip');
  if (strip) strip.append(...elements);
  else clock.prepend(...elements);
  clock.listen({ message: (frame) => message.receive(frame), asks: (frame) => request.receive(frame) });
  const { message: told, asks } = clock.source;
  if (told) message.receive(told);
  if (asks) request.receive(asks);
}

/**
 * Watch from now on which version of the program answers this clock: where it is not that of the page, say so, and
 * reload the page once no clock runs.
 */
export function watchVersion(clock) {
  let version = null;
  let banner = null;
  const stands = () =>
    clock.match !== null && clock.match.status !== 'running' && clock.source.outbox.entries.length === 0;

  const show = () => {
    if (banner) return;
    const words = make('span');
    const reload = button(gettext('Reload'), () => location.reload());
    banner = { words, reload, element: make('div.renewal', { role: 'status' }, words, reload) };
    (clock.querySelector('.strip') || clock).append(banner.element);
  };

  const look = () => {
    if (version === null || version === clock.dataset.version) return;
    if (stands() && !clock.sheetOpen && renewOnce(version)) return;
    show();
    banner.reload.hidden = !stands();
    write(
      banner.words,
      stands()
        ? gettext('A new version of the clock is available.')
        : gettext('A new version of the clock will load when the clocks stop.'),
    );
  };

  const program = (answering) => {
    version = answering;
    look();
  };
  clock.listen({ program, changed: look });
  if (clock.source?.program) program(clock.source.program);
}
