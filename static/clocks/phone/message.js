/**
 * What the director tells the phones: a banner until it is put away here, withdrawn by the director, or out of date.
 */
import { make, write } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';

const KEY = 'clock:message-read';

export class Message {
  /**
   * `copies` is 2 on a phone that lies between the players; `now()` gives the server's time; `store` keeps what was put
   * away; `changed(shown)` is called when the banner comes and goes.
   */
  constructor({ copies, now, store, changed }) {
    this.now = now;
    this.store = store;
    this.changed = changed;
    this.parts = Array.from({ length: copies }, (_, index) => {
      const text = make('p', { role: index === 0 && 'alert' }); // said once, even where it is shown twice
      const button = make('button', {}, gettext('OK'));
      button.addEventListener('click', () => this.#putAway());
      const from = make('b');
      const element = make('div.message', { hidden: true }, from, text, button);
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
    return id === this.read || this.store.get(KEY) === id;
  }

  #show(shown, words) {
    for (const { element, from, text } of this.parts) {
      element.hidden = !shown;
      write(from, shown ? gettext('Director') : '');
      write(text, shown ? words : '');
    }
    this.changed(shown);
  }

  #putAway() {
    clearTimeout(this.timer);
    this.read = this.id; // where nothing can be kept, it stays away while the page is open
    this.#show(false, '');
    this.store.set(KEY, this.id);
  }
}
