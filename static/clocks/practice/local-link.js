/**
 * What answers a practice clock in place of the server: the same frames, on this phone alone. It stands where a
 * `TableLink` stands elsewhere. The time is the phone's own; a match outlasts a reload where the phone has somewhere to
 * keep it.
 */
import { afterFlag, perform } from '../engine/decide.js';
import { flagAt } from '../engine/match.js';
import { otherSeat } from '../match/clocks.js';
import { snapshotOf } from './match.js';
import { onDevice } from '../browser/storage.js';
import { gettext } from '../words/i18n.js';

const KEY = 'clock:practice';

/** Return the match that this phone keeps, or null: none, or one that an earlier program kept. */
export function keptMatch() {
  const kept = onDevice.get(KEY);
  return kept && kept.state && kept.book ? kept : null;
}

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

  /** The page came back: while the phone slept, its wall clock went on. */
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
    const { state, book } = this.match;
    const at = Math.max(frame.at, state.at);
    let done = perform(state, book, frame, seat, at);
    // What a flag means is read by both players on the one phone: one of them agrees for both.
    const expires = frame.do === 'agree' && done.match.status === 'flagged';
    if (expires && !done.refusal) done = perform(done.match, book, { do: 'agree' }, otherSeat(seat), at);
    if (done.refusal) {
      this.on.answer({ t: 'refused', words: gettext('That is not possible now.') }, { seat, frame });
    } else this.#become(done.match);
  }

  #become(state) {
    this.match = { ...this.match, state, v: this.match.v + 1 };
    this.#publish();
  }

  #now() {
    return this.sync.serverAt(performance.now());
  }

  #letFall() {
    const { state, book } = this.match;
    const fallen = afterFlag(state, book, this.#now());
    if (fallen !== state) this.#become(fallen);
  }

  /** Keep the match, show it, and wake up when its flag is due. */
  #publish() {
    keepMatch(this.match);
    const now = this.#now();
    this.on.snapshot(snapshotOf(this.match, Math.round(now)));
    clearTimeout(this.timer);
    const due = flagAt(this.match.state, this.match.book);
    if (due !== null) this.timer = setTimeout(() => this.#letFall(), Math.max(0, Math.min(due - now, 2 ** 31 - 1)) + 1);
  }
}
