/** The director's message: a banner beside the clocks. Loaded with the first message. */
import { button, make, write } from '../browser/dom.js';
import { onDevice } from '../browser/storage.js';
import { gettext } from '../words/i18n.js';
/** @import { MessageFrame } from '../match/protocol.d.ts' */
/** @import { Store } from '../browser/storage.js' */
/** @import { MatchClock } from './match-clock.js' */

const READ = 'clock:message-read';

/**
 * Banner until the player closes it, the director withdraws it or it expires.
 */
export class Message {
  /**
   * `copies` is 2 on a phone between the players; `now()` returns the server's time; `store` keeps the id of the
   * message that was closed.
   * @param {{ copies: number, now: () => number | null, store: Pick<Store, 'get' | 'set'> }} page
   */
  constructor({ copies, now, store }) {
    this.now = now;
    this.store = store;
    this.parts = Array.from({ length: copies }, (_, index) => {
      const text = make('p', { role: index === 0 && 'alert' }); // read out once, even if shown twice
      const from = make('b');
      const away = button(gettext('OK'), () => this.#putAway());
      const kind = index ? 'div.message.spoken.twin' : 'div.message.spoken';
      const element = make(kind, { hidden: true }, from, text, away);
      return { element, from, text };
    });
    this.elements = this.parts.map((part) => part.element);
  }

  /** Handle a `message` frame; a message that was closed on this phone stays closed.
   * @param {MessageFrame} frame */
  receive(frame) {
    clearTimeout(this.timer);
    this.id = frame.id;
    const left = frame.until - (this.now() ?? frame.now);
    const shown = frame.id !== 0 && left > 0 && !this.#wasRead(frame.id);
    this.#show(shown, frame.text);
    if (shown) this.timer = setTimeout(() => this.#show(false, ''), left);
  }

  #wasRead(/** @type {number} */ id) {
    return id === this.read || this.store.get(READ) === id;
  }

  /** @param {boolean} shown @param {string} words */
  #show(shown, words) {
    for (const { element, from, text } of this.parts) {
      element.hidden = !shown;
      write(from, shown ? gettext('Director') : '');
      write(text, shown ? words : '');
    }
  }

  #putAway() {
    clearTimeout(this.timer);
    this.read = this.id; // without storage it stays closed while the page is open
    this.#show(false, '');
    this.store.set(READ, this.id);
  }
}

/** Messages at a clock, for each player of a shared phone.
 * @param {MatchClock} clock */
export const messageAt = (clock) =>
  new Message({ copies: clock.shared ? 2 : 1, now: () => clock.now(), store: onDevice });
