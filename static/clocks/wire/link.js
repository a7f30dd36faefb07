/**
 * WebSocket connection to the server: reconnects, measures round trips and sends the outbox.
 *
 * `readyState` is not trusted, because iOS drops sockets without a `close` event: a connection that stays silent is
 * dead. Time and randomness are constructor arguments, so that tests can control them.
 */
import { Signals } from './match-source.js';
/** @import { Answer, Frame } from './match-source.js' */
/** @import { LinkCalls, LinkParts } from './link-parts.d.ts' */
/** @import { Pong, Seat, ServerFrame } from '../match/protocol.d.ts' */
const PING_RUNNING_MS = 2500;
const PING_IDLE_MS = 10_000;
const SILENT_MS = 6000;
const LOST_MS = 3000;
const UNANSWERED_MS = 500; // how long a pong may take before the server may count as lost
const WAKE_MS = 1500; // how long a socket may be silent after a wake
const BURST = 8;
const BURST_GAP_MS = 120;
const STEP_MS = 250;
const BACK_OFF_MS = 1000;
const BACK_OFF_MOST_MS = 8000;
const RESTART_MS = 10_000; // a restart takes at most this long
const THROTTLED_MS = 10_000;
const TOO_MANY = 4429;

/** Close codes after which this page must not reconnect by itself. */
const FINAL =
  /** @type {const} */ ({ 4401: 'signed-out', 4403: 'revoked', 4404: 'gone', 4409: 'taken', 4410: 'archived' });

/** Delay in ms before reconnect number `attempt` (from 0): exponential back-off with full jitter.
 * @param {number} attempt @param {() => number} random */
export function backOff(attempt, random) {
  return random() * Math.min(BACK_OFF_MOST_MS, BACK_OFF_MS * 2 ** attempt);
}

/** WebSocket URL on this site.
 * @param {string} path */
export const socketAt = (path) => `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${path}`;

/**
 * @typedef {'connecting' | 'open' | 'reconnecting' | typeof FINAL[keyof typeof FINAL]} Connection
 * @typedef {{time: () => number, wall: () => number, random: () => number}} Deps
 */

/** @extends {Signals<LinkCalls>} */
export class Link extends Signals {
  /**
   * `url()` returns the URL of the next socket; `busy()` is true if a clock may run, so that pings are frequent;
   * `missed(v)` is true if version `v` was missed; `retryAfterFinal(code)` if a final close code may be retried.
   * `first()` returns the frames to send first on a new socket.
   * @param {LinkParts} parts
   */
  constructor({
    url,
    sync,
    outbox,
    busy = () => true,
    missed = () => false,
    first = () => [],
    retryAfterFinal = () => false,
    time = () => performance.now(),
    wall = () => Date.now(),
    random = Math.random,
  }) {
    super();
    this.url = url;
    this.sync = sync;
    this.outbox = outbox;
    this.busy = busy;
    this.missed = missed;
    this.first = first;
    this.retryAfterFinal = retryAfterFinal;
    this.time = time;
    this.wall = wall;
    this.random = random;
    /** @type {Connection} */
    this.state = 'connecting';
    this.attempt = 0;
    this.socket = /** @type {WebSocket | null} */ (null);
    this.retryAt = /** @type {number | null} */ (null);
    this.wakeBy = /** @type {number | null} */ (null);
    this.connectedAt = 0;
    this.heardAt = 0;
    this.pingAt = Infinity;
    this.unansweredAt = /** @type {number | null} */ (null);
    this.burst = 0;
    this.restartedBy = 0; // until then the back-off does not grow
    this.restartsIn = 0; // ms that a restarting server asks pages to wait
    this.awakeAt = 0; // end of the last sleep: earlier pings measure nothing
    this.suspected = false; // the device may have slept: the next round trip tells
    this.wasLost = false;
    this.newsAt = this.time(); // time of the last frame on any socket
  }

  start() {
    this.sync.suspects(this.time(), this.wall());
    this.stepper = setInterval(() => this.step(), STEP_MS);
    this.#connect();
  }

  stop() {
    clearInterval(this.stepper);
    this.#drop();
  }

  /** True if this page must not reconnect. */
  get ended() {
    return /** @type {Connection[]} */ (Object.values(FINAL)).includes(this.state);
  }

  get open() {
    return this.state === 'open';
  }

  /** Milliseconds since the server was last heard from; 0 unless it counts as lost. */
  get lostMs() {
    const now = this.time();
    const asks = this.open && (this.unansweredAt === null || now - this.unansweredAt < UNANSWERED_MS);
    if (asks || this.state === 'connecting' || this.ended) return 0;
    return now - this.newsAt >= LOST_MS ? now - this.newsAt : 0;
  }

  /** Signal that the server was lost, or has been heard from again. When it is back, send a burst of pings: their pongs
   * arrive after all delayed frames. */
  #lookForLoss() {
    const lost = this.lostMs > 0;
    if (this.wasLost === lost) return;
    this.wasLost = lost;
    this.tell('state', this.state);
    if (!lost && this.open) this.#burst();
  }

  /** Put a command for a match into the outbox, and send it at once if possible; `seat` is null for a director.
   * @param {Frame} frame @param {{ match: number, seat?: Seat | null }} of */
  send(frame, { match, seat = null }) {
    this.outbox.put(match, seat, frame, this.time());
    this.#flush();
  }

  /** Check the connection at once: the page or the network is back. */
  wake() {
    if (this.ended) return;
    this.#lookForSleep();
    if (this.socket && this.open) {
      this.#burst();
      this.wakeBy = this.time() + WAKE_MS;
    } else {
      this.attempt = 0;
      this.#connect();
    }
  }

  /** @param {Connection} state */
  #enter(state) {
    if (this.state === state) return;
    this.state = state;
    this.tell('state', state);
  }

  #drop() {
    const { socket } = this;
    this.socket = null;
    this.wakeBy = null;
    if (!socket) return;
    socket.onopen =
      socket.onmessage =
      socket.onclose =
      socket.onerror =
        null;
    socket.close();
  }

  #connect() {
    this.#drop();
    this.retryAt = null;
    const socket = new WebSocket(this.url());
    const now = this.time();
    this.socket = socket;
    this.connectedAt = now;
    this.heardAt = now;
    this.pingAt = Infinity; // none before it is open
    this.unansweredAt = null;
    socket.onopen = () => this.#opened();
    socket.onmessage = (event) => this.#heard(event.data);
    socket.onclose = (event) => this.#closed(event.code);
  }

  #opened() {
    this.heardAt = this.time();
    this.outbox.reconnected();
    for (const frame of this.first()) this.#write(frame);
    this.#burst();
  }

  /** @param {number} code */
  #closed(code) {
    this.#drop();
    const final = FINAL[/** @type {keyof typeof FINAL} */ (code)];
    if (final && !this.retryAfterFinal(code)) {
      this.#enter(final);
      return;
    }
    if (this.restartsIn) this.restartedBy = this.time() + this.restartsIn + RESTART_MS;
    this.#retry(code === TOO_MANY ? THROTTLED_MS : this.restartsIn);
    this.restartsIn = 0;
  }

  /** @param {number} atLeast */
  #retry(atLeast) {
    this.#enter('reconnecting');
    this.retryAt = this.time() + atLeast + backOff(this.attempt, this.random);
    if (this.time() >= this.restartedBy) this.attempt += 1;
  }

  /** Do what is due: ping, resend, give up on a silent socket, reconnect. */
  step() {
    if (this.ended) return;
    this.#lookForSleep();
    this.#lookForLoss();
    const now = this.time();
    const dropped = this.outbox.giveUp(now);
    if (dropped.length) this.tell('dropped', dropped);
    if (!this.socket) {
      if (now >= (this.retryAt ?? 0)) this.#connect();
      return;
    }
    if (this.#silent(now)) {
      this.#drop();
      this.#retry(0);
      return;
    }
    if (now >= this.pingAt) this.#ping();
    this.#flush();
  }

  /** @param {number} now */
  #silent(now) {
    if (this.wakeBy && now > this.wakeBy) return true;
    // A new socket must deliver a snapshot; an open one must be heard from while busy, or else answer pings.
    const since = !this.open ? this.connectedAt : this.busy() ? this.heardAt : this.unansweredAt;
    return since !== null && now - since >= SILENT_MS;
  }

  #lookForSleep() {
    if (!this.sync.suspects(this.time(), this.wall())) return;
    this.suspected = true;
    this.awakeAt = this.time();
    if (this.open) this.#burst();
  }

  #burst() {
    this.burst = BURST;
    this.#ping();
  }

  #ping() {
    const now = this.time();
    if (this.burst > 0) this.burst -= 1;
    this.pingAt = now + (this.burst > 0 ? BURST_GAP_MS : this.busy() ? PING_RUNNING_MS : PING_IDLE_MS);
    if (this.burst > 0) setTimeout(() => this.#pingIfDue(), BURST_GAP_MS);
    if (this.unansweredAt === null) this.unansweredAt = now;
    this.#write({ t: 'ping', c: now });
  }

  #pingIfDue() {
    if (this.socket && this.time() >= this.pingAt) this.#ping();
  }

  /** @param {object} frame */
  #write(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** True if a socket is open, even before its first frame. */
  get writable() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send a frame if a socket is open; its answer is signalled as `other`.
   * @param {object} frame */
  post(frame) {
    if (this.writable) this.#write(frame);
  }

  #flush() {
    if (!this.open || !this.socket) return;
    for (const frame of this.outbox.due(this.time())) this.#write(frame);
  }

  /** @param {string} text */
  #heard(text) {
    const now = this.time();
    this.heardAt = now;
    this.newsAt = now;
    const frame = JSON.parse(text);
    if (frame.t === 'pong') this.#pong(frame, now);
    else if (frame.t === 'probe') this.#write({ t: 'probe', p: frame.p });
    else if (frame.t === 'restart') this.restartsIn = frame.after_ms;
    else if (frame.t === 'program') this.tell('program', frame.version);
    else if (frame.t === 'ack' || frame.t === 'refused') this.#answered(frame);
    else this.tell('frame', frame, now);
    this.#lookForLoss();
  }

  /** @param {Answer} frame */
  #answered(frame) {
    const failed = frame.t === 'refused' && frame.code === 'not-stored';
    const entry = failed || frame.id === null ? undefined : this.outbox.takeOut(frame.id);
    if (entry) this.tell('answer', frame, entry);
    else this.tell('other', frame); // not from the outbox, or not stored by the server: it is sent again
  }

  /** @param {Pong} frame @param {number} now */
  #pong(frame, now) {
    this.unansweredAt = null;
    this.wakeBy = null;
    if (frame.c >= this.awakeAt) this.#measured(frame, now);
    if (this.missed(frame.v) && this.burst === 0) {
      this.#drop();
      this.#connect();
    }
  }

  /** @param {Pong} frame @param {number} now */
  #measured(frame, now) {
    const jumped = this.sync.probe(frame.c, now, frame.now);
    if (jumped) this.tell('jumped', jumped, this.suspected);
    this.suspected = false;
    this.tell('measured');
  }

  /** Ping soon: a clock may have started.
   * @param {number} now */
  pingSoon(now) {
    this.pingAt = Math.min(this.pingAt, now + PING_RUNNING_MS);
  }

  /** Open for commands: the first frame has said which match they are for. */
  ready() {
    this.attempt = 0;
    this.#enter('open');
    this.#flush();
  }
}
