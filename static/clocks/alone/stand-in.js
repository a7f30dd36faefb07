/**
 * Stands in for the server while the phone between the players has no network: such a phone holds both clocks.
 *
 * It works on its own as soon as the network is gone, or has not answered a press for a while. Once the network is
 * back, what was played goes first over the socket (clocks/live/protocol.py); until that is answered the match is shown
 * as it is here.
 */
import { Clockwork } from './clockwork.js';
import { Course, keyOf } from './course.js';
import { onDevice } from '../browser/storage.js';
import { gettext } from '../words/i18n.js';
import { newId } from '../wire/outbox.js';

const PATIENCE_MS = 1500; // for the answer to a press
const AGAIN_MS = 1500;
const LONG_MS = 12_000;
const FINAL = ['signed-out', 'revoked', 'gone', 'taken', 'archived'];

export class StandIn {
  /** `clock` is the <match-clock>, `link` its TableLink. */
  constructor(clock) {
    this.clock = clock;
    this.link = clock.link;
    this.on = clock.link.on;
    this.course = new Course({ store: onDevice, key: keyOf(clock.dataset.code), newId });
    this.work = new Clockwork({ course: this.course, sync: clock.sync, on: this.on });
    this.answered = []; // presses that the server has accepted and not shown yet: {frame, seat, v}
    this.handed = 0; // steps that were handed over since this phone began to work on its own
    this.sent = new Set(); // the parcels that this socket has carried
    this.link.standIn = this;
    if (this.course.steps.length) this.work.start();
    else if (this.link.snapshot) this.#follow(this.link.snapshot);
    if (this.link.wire.state === 'reconnecting') this.#begin();
  }

  /** Tell whether this phone is working on its own. */
  get acts() {
    return this.work.runs;
  }

  /** The page came back. */
  wake() {
    if (this.acts) this.work.look();
  }

  /** Take a command of `seat` in place of the server; return whether it did. */
  takes(frame, seat) {
    if (frame.t !== 'do') return false;
    if (!this.acts && this.link.wire.open) {
      setTimeout(() => this.#waits(frame) && this.#begin(), PATIENCE_MS);
      return false;
    }
    this.#begin();
    if (!this.acts) return false;
    this.work.ask(frame, seat);
    this.#hand();
    return true;
  }

  #waits({ id }) {
    return this.clock.outbox.entries.some(({ frame }) => frame.id === id);
  }

  /** Begin to work on its own, with what was asked and may not have arrived. */
  #begin() {
    const { course, clock } = this;
    if (this.acts || !course.base?.alone || course.state.status === 'over' || this.link.wire.ended) return;
    const unseen = this.answered.filter(({ v }) => v > course.base.v);
    const waiting = clock.outbox.entries.filter(({ frame, match }) => frame.t === 'do' && match === course.base.match);
    for (const { frame, seat } of [...unseen, ...waiting]) course.ask(frame, seat, true);
    for (const { frame } of waiting) clock.outbox.takeOut(frame.id);
    this.answered = [];
    this.handed = 0;
    clock.state.accepted = { left: 0, right: 0 };
    this.#tell(gettext('No network. This phone keeps the time by itself.'));
    this.work.start();
    this.#hand();
  }

  /** Hand over what can be handed over at once. */
  #hand() {
    if (!this.course.steps.length || !this.link.wire.writable) return;
    for (const frame of this.course.frames().filter(({ id }) => !this.sent.has(id))) {
      this.sent.add(frame.id);
      this.link.wire.post(frame);
    }
  }

  /** Return what a new socket carries before anything else. */
  first() {
    const frames = this.acts && this.course.steps.length ? this.course.frames() : [];
    this.sent = new Set(frames.map(({ id }) => id));
    return frames;
  }

  /** The connection is in another state. */
  linked(state) {
    if (state === 'reconnecting') this.#begin();
    else if (state === 'open' && this.acts && !this.course.steps.length) this.#leave();
    else if (FINAL.includes(state)) this.work.stop();
  }

  /** A new snapshot has come; return whether it is not to be shown yet. */
  holds(match) {
    const { course } = this;
    this.answered = this.answered.filter(({ v }) => v > match.v);
    if (!this.acts) {
      this.#follow(match);
      return false;
    }
    if (match.match !== course.base.match || match.code !== course.base.code) {
      this.work.stop();
      this.#follow(match);
      return false;
    }
    if (!course.steps.length) this.#leave(match);
    return true;
  }

  #follow(match) {
    if (!match.alone) {
      this.course.end();
      return;
    }
    const offset = Math.round(this.clock.sync.serverAt(performance.now()) - Date.now());
    this.course.follow(match, offset);
  }

  /** The server has answered a press of this phone. */
  pressed(frame, { frame: asked, seat }) {
    if (frame.t === 'ack' && frame.v > (this.link.snapshot?.v ?? 0)) {
      this.answered.push({ frame: asked, seat, v: frame.v });
    }
  }

  /** The server has answered a parcel. */
  handedOver(frame) {
    const { course } = this;
    if (!course.has(frame.id)) return;
    if (frame.code === 'not-stored') {
      this.sent.delete(frame.id);
      setTimeout(() => this.#hand(), AGAIN_MS);
      return;
    }
    if (frame.t === 'ack') {
      const before = course.steps.length;
      course.taken(frame.id);
      this.handed += before - course.steps.length;
    } else {
      course.forget();
      this.#tell(`${frame.words} ${gettext('What was played here after that does not count.')}`, LONG_MS);
      this.handed = 0;
    }
    if (!course.steps.length && this.link.snapshot.v >= frame.v) this.#leave();
  }

  /** The server has all that was played here: show what it says. */
  #leave(match = this.link.snapshot) {
    const { course, work } = this;
    if (!match) return;
    work.stop();
    const shown = course.shown;
    this.#follow(match);
    if (this.handed) this.#tell(gettext('Back online. All that was played here counts.'));
    this.handed = 0;
    this.on.snapshot({ ...match, v: Math.max(match.v, shown + 1e-6) });
  }

  #tell(words, ms) {
    for (const half of this.clock.halves) half.tell(words, null, ms);
    this.clock.status.say(words);
  }
}
