/**
 * The socket to the server: keeps one alive, measures it, and sends what the outbox holds.
 *
 * `readyState` is not trusted (iOS drops sockets without a `close`): a connection is as good as its last sign of life.
 * Everything from outside comes in by the constructor, so that tests can control the time and the socket.
 */
const PING_RUNNING_MS = 2500;
const PING_IDLE_MS = 10_000;
const SILENT_MS = 6000;
const WAKE_MS = 1500; // after waking, how long a socket may take to prove that it is alive
const BURST = 8;
const BURST_GAP_MS = 120;
const STEP_MS = 250;
const BACK_OFF_MS = 1000;
const BACK_OFF_MOST_MS = 8000;
const RESTART_MS = 10_000; // a server that said that it restarts is back by then
const THROTTLED_MS = 10_000;
const TOO_MANY = 4429;

/** Close codes after which this page must not connect again by itself. */
const FINAL = { 4401: 'signed-out', 4403: 'revoked', 4404: 'gone', 4409: 'taken', 4410: 'archived' };

/** Return how long to wait before reconnecting for the `attempt`-th time (from 0): full jitter. */
export function backOff(attempt, random) {
  return random() * Math.min(BACK_OFF_MOST_MS, BACK_OFF_MS * 2 ** attempt);
}

/** Return the address of a socket of this site. */
export const socketAt = (path) => `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${path}`;

export class Link {
  /**
   * What is sent and received is the owner's business: `url()` returns the address of the next socket; `receive(frame,
   * now)` takes what is neither an answer nor about the connection; `busy()` tells whether a clock runs that this page
   * must not lose sight of: it is then pinged more often; `missed(v)` whether the state of version `v` never came;
   * `mayBeBack(code)` whether to try once more after a final code; `first()` returns the frames that a new socket
   * carries before any other; `others(frame)` takes the answers to them.
   *
   * `on` holds the listeners: `answer(frame, entry)` for acks and refusals (`entry` is the outbox's),
   * `dropped(entries)` for those given up unanswered, `state(name)`, `measured()` after each round trip, `jumped(ms,
   * slept)` when the shown time was moved at once (`slept`: because the device had been asleep), and
   * `program(version)`: which version of the program answers.
   */
  constructor({
    url,
    sync,
    outbox,
    on,
    receive,
    busy = () => true,
    missed = /** @type {(version: number) => boolean} */ (() => false),
    first = /** @type {() => object[]} */ (() => []),
    others = /** @type {(frame: any) => void} */ (() => {}),
    mayBeBack = /** @type {(code: number) => boolean} */ (() => false),
    time = () => performance.now(),
    wall = () => Date.now(),
    random = Math.random,
  }) {
    this.url = url;
    this.sync = sync;
    this.outbox = outbox;
    this.on = on;
    this.receive = receive;
    this.busy = busy;
    this.missed = missed;
    this.first = first;
    this.others = others;
    this.mayBeBack = mayBeBack;
    this.time = time;
    this.wall = wall;
    this.random = random;
    this.state = 'connecting'; // connecting, open, reconnecting, or one of FINAL
    this.attempt = 0;
    this.socket = null;
    this.restartedBy = 0; // until then it is asked for again and again without waiting longer each time
    this.restartsIn = 0; // how long a restarting server asks pages to stay away
    this.awakeAt = 0; // a ping from before the device slept measures nothing
    this.suspected = false; // the device may have slept: the next probe tells
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

  /** Tell whether the server has closed for good. */
  get ended() {
    return Object.values(FINAL).includes(this.state);
  }

  get open() {
    return this.state === 'open';
  }

  /** Put a command of `seat` (null: of none) on a match into the outbox, and send it at once if possible. */
  send(frame, { match, seat = null }) {
    this.outbox.put(match, seat, frame, this.time());
    this.#flush();
  }

  /** The page came back, or the network did: prove the connection at once. */
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

  #enter(state) {
    if (this.state === state) return;
    this.state = state;
    this.on.state(state);
  }

  #drop() {
    const { socket } = this;
    this.socket = null;
    this.wakeBy = null;
    if (!socket) return;
    for (const name of ['onopen', 'onmessage', 'onclose', 'onerror']) socket[name] = null;
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

  #closed(code) {
    this.#drop();
    if (code in FINAL && !this.mayBeBack(code)) {
      this.#enter(FINAL[code]);
      return;
    }
    if (this.restartsIn) this.restartedBy = this.time() + this.restartsIn + RESTART_MS;
    this.#retry(code === TOO_MANY ? THROTTLED_MS : this.restartsIn);
    this.restartsIn = 0;
  }

  #retry(atLeast) {
    this.#enter('reconnecting');
    this.retryAt = this.time() + atLeast + backOff(this.attempt, this.random);
    if (this.time() >= this.restartedBy) this.attempt += 1;
  }

  /** Do what is due: ping, resend, give up on a silent socket, reconnect. */
  step() {
    if (this.ended) return;
    this.#lookForSleep();
    const now = this.time();
    const dropped = this.outbox.giveUp(now);
    if (dropped.length) this.on.dropped(dropped);
    if (!this.socket) {
      if (now >= this.retryAt) this.#connect();
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

  #silent(now) {
    if (this.wakeBy && now > this.wakeBy) return true;
    // A new connection has to begin with a snapshot; an old one has to be heard, or at least to answer.
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

  #write(frame) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** Tell whether a socket is open, whether or not its first frame has come. */
  get writable() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send a frame if that is possible now; nobody waits for its answer but `others`. */
  post(frame) {
    if (this.writable) this.#write(frame);
  }

  #flush() {
    if (!this.open || !this.socket) return;
    for (const frame of this.outbox.due(this.time())) this.#write(frame);
  }

  #heard(text) {
    const now = this.time();
    this.heardAt = now;
    const frame = JSON.parse(text);
    if (frame.t === 'pong') this.#pong(frame, now);
    else if (frame.t === 'probe') this.#write({ t: 'probe', p: frame.p });
    else if (frame.t === 'restart') this.restartsIn = frame.after_ms;
    else if (frame.t === 'program') this.on.program(frame.version);
    else if (frame.t === 'ack' || frame.t === 'refused') this.#answered(frame);
    else this.receive(frame, now);
  }

  #answered(frame) {
    const entry = frame.code === 'not-stored' ? undefined : this.outbox.takeOut(frame.id);
    if (entry) this.on.answer(frame, entry);
    else this.others(frame); // or the server failed, not the command: it is sent again
  }

  #pong(frame, now) {
    this.unansweredAt = null;
    this.wakeBy = null;
    if (frame.c >= this.awakeAt) this.#measured(frame, now);
    if (this.missed(frame.v) && this.burst === 0) {
      this.#drop();
      this.#connect();
    }
  }

  #measured(frame, now) {
    const jumped = this.sync.probe(frame.c, now, frame.now);
    if (jumped) this.on.jumped(jumped, this.suspected);
    this.suspected = false;
    this.on.measured();
  }

  /** Ping soon, for a clock may just have begun to run. */
  pingSoon(now) {
    this.pingAt = Math.min(this.pingAt, now + PING_RUNNING_MS);
  }

  /** The first frame of a connection was taken: only now is it known which match the commands are for. */
  ready() {
    this.attempt = 0;
    this.#enter('open');
    this.#flush();
  }
}
