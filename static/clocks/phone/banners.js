/** Banners beside the clocks: the director's message, requests for a seat, a new version of the program. */
import { button, make, write } from '../browser/dom.js';
import { loaded, renewOnce } from '../browser/events.js';
import { onDevice } from '../browser/storage.js';
import { gettext } from '../words/i18n.js';
/** @import { AsksFrame, MessageFrame } from '../match/protocol.d.ts' */
/** @import { Store } from '../browser/storage.js' */
/** @import { MatchClock } from './match-clock.js' */

const READ = 'clock:message-read';

/**
 * The director's message: a banner until the player closes it, the director withdraws it or it expires.
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
      const element = make(index ? 'div.message.twin' : 'div.message', { hidden: true }, from, text, away);
      return { element, from, text };
    });
    this.elements = this.parts.map((part) => part.element);
  }

  /** Take a `message` frame; one that was closed on this phone stays closed.
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

/** Show messages of the director and requests of other phones at this clock.
 * @param {MatchClock} clock */
export function showBanners(clock) {
  const message = new Message({
    copies: clock.shared ? 2 : 1,
    now: () => clock.now(),
    store: onDevice,
  });
  const strip = clock.querySelector('.strip');
  if (strip) strip.append(...message.elements);
  else clock.prepend(...message.elements);
  clock.listen({ message: (frame) => message.receive(frame) });
  if (clock.source.message) message.receive(clock.source.message);
  watchRequests(clock);
}

/** Show requests of other phones. Loaded with the first.
 * @param {MatchClock} clock */
function watchRequests(clock) {
  /** @type {Promise<ReturnType<typeof import('./seat-request.js').showSeatRequest>> | undefined} */
  let request;
  const receive = async (/** @type {AsksFrame} */ frame) => {
    if (!request && !frame.asks.length) return;
    request ??= loaded('phone/seat-request.js', () => import('./seat-request.js')).then((made) =>
      made.showSeatRequest(clock)
    );
    (await request).receive(frame);
  };
  clock.listen({ asks: receive });
  if (clock.source.asks) receive(clock.source.asks);
}

/**
 * Compare the version of the server with that of the page. If they differ, say so and reload once no clock runs.
 * @param {MatchClock} clock
 */
export function watchVersion(clock) {
  /** @type {string | null} */
  let version = null;
  const words = make('span');
  const reload = button(gettext('Reload'), () => location.reload());
  const banner = make('div.renewal', { role: 'status' }, words, reload);
  const stands = () =>
    clock.match !== null && clock.match.status !== 'running' && clock.source.outbox.entries.length === 0;

  const show = () => {
    if (!banner.isConnected) (clock.querySelector('.strip') || clock).append(banner);
  };

  const look = () => {
    if (version === null || version === clock.dataset.version) return;
    if (stands() && !clock.sheetOpen && renewOnce(version)) return;
    show();
    reload.hidden = !stands();
    write(
      words,
      stands()
        ? gettext('A new version of the clock is available.')
        : gettext('A new version of the clock will load when the clocks stop.'),
    );
  };

  const program = (/** @type {string} */ answering) => {
    version = answering;
    look();
  };
  clock.listen({ program, changed: look });
  if (clock.source?.program) program(clock.source.program);
}
