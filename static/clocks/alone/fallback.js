/**
 * Offline play on a shared phone, which holds both seats.
 *
 * When the network is lost or a command stays unanswered, the clock switches to the local source. Each new socket sends
 * the offline steps first (clocks/live/protocol.py). The clock shows the local match until the server has answered them
 * all.
 */
import { Course, keyOf } from './course.js';
import { LocalSource } from './local-source.js';
import { onWake } from '../browser/events.js';
import { onDevice } from '../browser/storage.js';
import { gettext } from '../words/i18n.js';
import { newId } from '../wire/outbox.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { Answer, MatchSource, Sent } from '../wire/match-source.js' */
/** @import { RemoteSource } from '../wire/remote-source.js' */

const PATIENCE_MS = 1500; // timeout for the answer to a command
const AGAIN_MS = 1500;
const LONG_MS = 12_000;

export class Fallback {
  /**
   * `use(source)` switches this page's clock to another source.
   * @param {{code: string, remote: RemoteSource,
   *   use: (source: MatchSource) => void}} parts
   */
  constructor({ code, remote, use }) {
    this.remote = remote;
    this.use = use;
    this.course = new Course({ store: onDevice, key: keyOf(code), newId });
    this.local = new LocalSource({ game: this.course, sync: remote.sync, connection: 'alone' });
    /** @type {(Sent & {v: number})[]} */
    this.accepted = []; // acknowledged commands whose snapshot has not arrived
    this.handed = 0; // steps handed over since this phone went offline
    this.sent = ''; // id of the parcel sent on this socket: one at a time, or one could be missing before the next
    this.local.listen({
      sent: ({ frame, seat }) => (frame.t === 'do' ? this.#hand() : seat && remote.send(frame, seat)),
    });
    remote.listen({
      match: (match) => this.#received(match),
      connection: () => this.#connected(),
      sent: (command) => this.#expect(command),
      answer: (answer, command) => this.#noted(answer, command),
    });
    onWake(() => this.acts && remote.wake());
    if (this.course.steps.length) this.#change();
    else if (remote.match) this.#follow(remote.match);
    if (remote.connection === 'reconnecting') this.#begin();
  }

  /** True while the local source is in use. */
  get acts() {
    return this.local.runs;
  }

  /** Go offline if a command cannot be sent or, even on an open socket, stays unanswered. */
  #expect(/** @type {Sent} */ { frame }) {
    if (frame.t !== 'do' || this.acts) return;
    if (!this.remote.live) this.#begin();
    else setTimeout(() => this.#waits(frame.id) && this.#begin(), PATIENCE_MS);
  }

  #waits(/** @type {string} */ id) {
    return this.remote.outbox.entries.some(({ frame }) => frame.id === id);
  }

  /** Go offline, and carry out locally the commands that may not have reached the server. */
  #begin() {
    const { course, remote } = this;
    const { base, state } = course;
    if (this.acts || !base?.alone || state?.status === 'over' || remote.ended) return;
    const unseen = this.accepted.filter(({ v }) => v > base.v);
    const waiting = remote.outbox.entries.filter(({ frame, match }) => frame.t === 'do' && match === base.match);
    for (const { frame, seat } of [...unseen, ...waiting]) {
      if (frame.t === 'do') course.ask(frame, seat, true);
    }
    for (const { frame } of waiting) remote.outbox.takeOut(frame.id);
    this.accepted = [];
    this.handed = 0;
    this.#change();
    this.local.tell('notice', gettext('No network. This phone keeps the time by itself.'));
    this.#hand();
  }

  #change() {
    this.remote.handOver = { frames: () => this.#frames(), answered: (answer) => this.#handedOver(answer) };
    this.local.start();
    this.use(this.local);
  }

  /** Send the first parcel, unless it was sent on this socket. */
  #hand() {
    if (!this.course.steps.length || !this.remote.writable) return;
    const [frame] = this.course.frames();
    if (frame.id !== this.sent) this.remote.post(frame);
    this.sent = frame.id;
  }

  /** Frames to send first on a new socket. */
  #frames() {
    const frames = this.course.steps.length ? this.course.frames().slice(0, 1) : [];
    this.sent = frames[0]?.id ?? '';
    return frames;
  }

  #connected() {
    const { connection, ended, live } = this.remote;
    if (connection === 'reconnecting') this.#begin();
    else if (live && this.acts && !this.course.steps.length) this.#leave();
    else if (ended && this.acts) this.#show();
  }

  #received(/** @type {Snapshot} */ snapshot) {
    const { course } = this;
    this.accepted = this.accepted.filter(({ v }) => v > snapshot.v);
    if (!this.acts) {
      this.#follow(snapshot);
    } else if (snapshot.match !== course.base?.match || snapshot.code !== course.base.code) {
      this.#follow(snapshot);
      this.#show();
    } else if (!course.steps.length) this.#leave();
  }

  #follow(/** @type {Snapshot} */ match) {
    if (!match.alone) {
      this.course.end();
      return;
    }
    this.course.follow(match, Math.round((this.remote.now() ?? match.now) - Date.now()));
  }

  /** Remember a command that was acknowledged before its snapshot arrived. */
  #noted(/** @type {Answer} */ answer, /** @type {Sent} */ command) {
    if (answer.t === 'ack' && answer.v > (this.remote.match?.v ?? 0)) this.accepted.push({ ...command, v: answer.v });
  }

  /** Handle the server's answer to a parcel. */
  #handedOver(/** @type {Answer} */ answer) {
    const { course, remote } = this;
    if (!course.has(answer.id)) return;
    if (answer.t === 'refused' && answer.code === 'not-stored') {
      this.sent = '';
      setTimeout(() => this.#hand(), AGAIN_MS);
      return;
    }
    if (answer.t === 'ack') {
      const before = course.steps.length;
      course.taken(answer.id);
      this.handed += before - course.steps.length;
      this.#hand();
    } else {
      course.forget();
      const words = `${answer.words} ${gettext('What was played here after that does not count.')}`;
      this.local.tell('notice', words, LONG_MS);
      this.handed = 0;
    }
    if (!course.steps.length && remote.match && remote.match.v >= answer.v) this.#leave();
  }

  /** Go back online: no steps are left to hand over. */
  #leave() {
    const { remote, handed } = this;
    if (!remote.match) return;
    this.#follow(remote.match);
    if (handed) this.local.tell('notice', gettext('Back online. All that was played here counts.'));
    this.handed = 0;
    this.#show();
  }

  #show() {
    this.local.stop();
    this.remote.handOver = null;
    this.use(this.remote);
  }
}
