/**
 * Socket for a whole tournament: all boards on one connection, and commands that name their match.
 */
import { Link, socketAt } from './link.js';
import { Signals } from './match-source.js';
import { newId, Outbox } from './outbox.js';
import { ServerTime } from './server-time.js';
/** @import { Command, MatchesFrame, ServerFrame } from '../match/protocol.d.ts' */
/** @import { Answer, Frame } from './match-source.js' */
/** @import { Connection } from './link.js' */

/**
 * Delay of the shown clocks. Updates arrive at most 0.28 s late and digits are redrawn every 0.1 s, so no clock,
 * running or just hit, is off by more than 0.2 s.
 */
const BEHIND_MS = 85;

const SIGNED_OUT = 4401;

/**
 * @typedef {Exclude<ServerFrame, MatchesFrame>} TournamentFrame frames that a page gets
 * @typedef {Answer | null} Reply null: no answer
 *
 * @typedef {object} TournamentCalls signals of a tournament's link
 * @property {(frame: TournamentFrame) => void} frame the snapshots of a `matches` frame come one by one
 * @property {(state: Connection) => void} state
 */

/** @extends {Signals<TournamentCalls>} */
export class TournamentLink extends Signals {
  /** `path`: the path of the socket's URL. */
  constructor(/** @type {string} */ path) {
    super();
    /** @type {Map<string, (reply: Reply) => void>} */
    this.answered = new Map(); // by the id of the command
    /** @type {number | null} */
    this.newsAt = null; // time of the last frame before a loss, by the wall clock, which also runs during sleep
    this.wire = new Link({
      url: () => socketAt(path),
      sync: new ServerTime(),
      outbox: new Outbox(null, ''),
      // The session has ended, but another tab may have started a new one, e.g. after a password change: retry once.
      retryAfterFinal: (code) => code === SIGNED_OUT && this.open,
    });
    this.wire.listen({
      frame: (frame, now) => this.#receive(frame, now),
      state: (name) => this.#entered(name),
      answer: (frame, entry) => this.#resolve(entry.frame.id, frame),
      dropped: (entries) => entries.forEach(({ frame }) => this.#resolve(frame.id, null)),
    });
  }

  #entered(/** @type {Connection} */ state) {
    const { wire } = this;
    if (state === 'reconnecting') this.newsAt ??= wire.wall() - (wire.time() - wire.heardAt);
    else if (state === 'open') this.newsAt = null;
    if (wire.ended) { for (const id of this.answered.keys()) this.#resolve(id, null); }
    this.tell('state', state);
  }

  /** @param {string} id @param {Reply} answer */
  #resolve(id, answer) {
    this.answered.get(id)?.(answer);
    this.answered.delete(id);
  }

  start() {
    this.wire.start();
  }

  stop() {
    this.wire.stop();
  }

  /** Check the connection at once: the page or the network is back. */
  wake() {
    this.wire.wake();
  }

  get state() {
    return this.wire.state;
  }

  /** True if this page may no longer watch the tournament. */
  get ended() {
    return this.wire.ended;
  }

  /** @returns {boolean} */
  get open() {
    return this.wire.open;
  }

  /** @param {ServerFrame} frame @param {number} now */
  #receive(frame, now) {
    if (frame.t === 'boards') {
      this.wire.sync.hint(now, frame.now);
      this.tell('frame', frame);
      this.wire.ready();
    } else if (frame.t === 'matches') {
      for (const match of frame.matches) this.tell('frame', match);
      if (frame.seats) this.tell('frame', { t: 'seen', now: frame.now, seats: frame.seats });
    } else {
      this.tell('frame', frame);
    }
  }

  /**
   * Send a command to a match: `{do, ...arguments}`. Resolves to the ack or the refusal; to null if neither came, but
   * the command may have arrived.
   * @param {number} match @param {Command} command @returns {Promise<Reply>}
   */
  ask(match, command) {
    return this.#request({ t: 'do', id: newId(), match, at: Math.round(this.now()), ...command }, match);
  }

  /** @param {Frame} frame @param {number} match @returns {Promise<Reply>} */
  #request(frame, match) {
    return new Promise((resolve) => {
      this.answered.set(frame.id, resolve);
      this.wire.send(frame, { match });
    });
  }

  /** Tell the other directors that this one is on the way to an alert.
   * @param {number} match @param {string} alert @returns {Promise<Reply>} */
  comingTo(match, alert) {
    return this.#request({ t: 'take', id: newId(), alert }, match);
  }

  /** Answer the seat request with the id `ask`: give the seat, or keep it.
   * @param {number} match @param {number} ask @param {boolean} give @returns {Promise<Reply>} */
  settleSeat(match, ask, give) {
    return this.#request({ t: 'seat', id: newId(), ask, give }, match);
  }

  /** Server time in ms; the device's wall clock until it is known. */
  now() {
    return this.wire.sync.serverAt(this.wire.time()) ?? this.wire.wall();
  }

  /** Server time that the shown clocks are drawn for. */
  shownAt() {
    return this.now() - BEHIND_MS;
  }

  /** Age of the shown state in ms; 0 while connected. */
  age() {
    return this.newsAt === null ? 0 : Math.max(0, this.wire.wall() - this.newsAt);
  }
}
