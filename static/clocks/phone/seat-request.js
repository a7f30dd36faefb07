/** Request from another phone for a seat at this one. Loaded with the first request. */
import { must } from '../match/clocks.js';
import { button, make, write } from '../browser/dom.js';
import { nameOf } from '../words/phrases.js';
import { gettext } from '../words/i18n.js';
import { answers, paragraph } from './sheet.js';
/** @import { Ask } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */
/** @import { SeatPage } from './phone.d.ts' */

/**
 * Banner for a request. Only a tap on it opens the sheet with the answers: nothing appears under a finger that is about
 * to press.
 */
class SeatRequest {
  /**
   * `match()` returns the snapshot, `now()` the server's time; `show(sheet)` and `close()` handle the sheet;
   * `answer(ask, give)` sends the answer.
   * @param {SeatPage} page
   */
  constructor(page) {
    this.page = page;
    this.asks = /** @type {Ask[]} */ ([]);
    this.opened = /** @type {number | null} */ (null); // the request whose sheet was opened last
    this.answers = /** @type {HTMLElement | null} */ (null); // of that sheet
    this.text = make('p', { role: 'alert' });
    const open = button(gettext('Answer …'), () => this.#open());
    this.element = make('div.message.asks', { hidden: true }, make('b', {}, gettext('Seat')), this.text, open);
  }

  /** Handle an `asks` frame: all requests that wait for this phone's answer.
   * @param {{ asks: Ask[] }} frame */
  receive({ asks }) {
    if (this.answers?.isConnected && !asks.some(({ id }) => id === this.opened)) this.page.close();
    this.asks = asks;
    this.look();
  }

  /** Show the first waiting request, and look again when it expires. */
  look() {
    clearTimeout(this.timer);
    const now = this.page.now();
    const ask = this.#waiting();
    this.element.hidden = !ask;
    write(this.text, ask ? this.#says(ask) : '');
    if (ask && now !== null) this.timer = setTimeout(() => this.look(), ask.until - now);
  }

  /** First request that still waits, or undefined. */
  #waiting() {
    const now = this.page.now();
    return this.asks.find(({ until }) => now === null || until > now);
  }

  #says(/** @type {Ask} */ { seats }) {
    if (seats.length > 1) return gettext('Another phone wants to take over both seats.');
    const [seat] = seats;
    return gettext('Another phone wants to take over %(names)s’s seat.', { names: nameOf(this.page.match(), seat) });
  }

  #open() {
    const ask = this.#waiting();
    if (!ask) return;
    this.opened = ask.id;
    const answer = (/** @type {boolean} */ give) => () => {
      this.page.close();
      this.page.answer(ask, give);
    };
    this.answers = answers([
      { label: gettext('Keep it'), kind: 'primary', act: answer(false) },
      { label: gettext('Hand it over'), act: answer(true) },
    ]);
    this.page.show({
      title: gettext('Another phone wants this seat'),
      lasts: true,
      parts: [
        this.answers,
        paragraph(gettext('If you hand it over, the clock continues there and this phone stops being used.')),
      ],
    });
  }
}

/** Make the banner for requests at a clock.
 * @param {MatchClock} clock */
export const seatRequestAt = (clock) =>
  new SeatRequest({
    match: () => must(clock.match),
    now: () => clock.now(),
    show: (sheet) => clock.showSheet(sheet),
    close: () => clock.closeSheets(),
    answer: (ask, give) => must(clock.players).answerAsk(ask, give),
  });
