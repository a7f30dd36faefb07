/**
 * What answers a practice clock in place of the server: the same frames, on this phone alone. It stands where a
 * `TableLink` stands elsewhere. The time is the phone's own; a match outlasts a reload where the phone has somewhere to keep it.
 */
import { clocksAt } from '../match/clocks.js';
import * as practice from './match.js';
import { onDevice } from '../browser/storage.js';
import { gettext } from '../words/i18n.js';

const KEY = 'clock:practice';

/** Return the match that this phone keeps, or null. */
export const keptMatch = () => onDevice.get(KEY);

/** Keep a match on this phone; null forgets it. */
export const keepMatch = (match) => onDevice.set(KEY, match);

export class LocalLink {
  constructor({ match, sync, on }) {
    this.match = match;
    this.sync = sync;
    this.on = on;
    this.state = 'open';
    this.open = true;
    this.ended = false;
  }

  start() {
    const now = performance.now();
    this.sync.suspects(now, Date.now());
    this.sync.probe(now, now, Date.now());
    this.on.state(this.state);
    this.#publish();
  }

  stop() {
    clearTimeout(this.timer);
  }

  /** The page came back: while the phone slept its other clock went on. */
  wake() {
    const now = performance.now();
    if (this.sync.suspects(now, Date.now())) {
      const jumped = this.sync.probe(now, now, Date.now());
      if (jumped > 0) this.on.jumped(jumped, true);
    }
    this.#letFall();
  }

  /** Answer a command of `seat`. */
  send(frame, { seat }) {
    this.#letFall();
    const next = this.#after(frame, seat);
    if (next) {
      this.match = next;
      this.#publish();
    } else {
      this.on.answer({ t: 'refused', words: gettext('That is not possible now.') }, { seat, frame });
    }
  }

  #after(frame, seat) {
    const { match } = this;
    const at = Math.max(frame.at, match.since || 0);
    switch (frame.do) {
      case 'hit':
        return frame.turn_number === match.turn_number ? practice.hit(match, seat, at) : null;
      case 'stop':
        return practice.stop(match, seat, at);
      case 'resume':
        return practice.resume(match, frame.turn_of, at, frame.fresh_delay);
      case 'agree':
        return practice.settle(match);
      case 'end-game':
        return practice.endGame(match, frame.score, at);
      default:
        return null;
    }
  }

  #now() {
    return this.sync.serverAt(performance.now());
  }

  #letFall() {
    const fallen = practice.fall(this.match, this.#now());
    if (!fallen) return;
    this.match = fallen;
    this.#publish();
  }

  /** Keep the match, show it, and wake up when its flag is due. */
  #publish() {
    keepMatch(this.match);
    const now = this.#now();
    this.on.snapshot(practice.lookAt(this.match, Math.round(now)));
    clearTimeout(this.timer);
    const { flag_at: due } = clocksAt(this.match, now);
    if (due !== null) this.timer = setTimeout(() => this.#letFall(), Math.max(0, Math.min(due - now, 2 ** 31 - 1)) + 1);
  }
}
