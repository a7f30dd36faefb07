/**
 * The socket of a director's page: every board of a tournament on one connection, and commands that say which board.
 */
import { Link, socketAt } from './link.js';
import { newId, Outbox } from './outbox.js';
import { ServerTime } from './server-time.js';
/** @import { Command, MatchesFrame, ServerFrame } from '../match/protocol.d.ts' */
/** @import { Answer, Frame } from './match-source.js' */
/** @import { Connection } from './link.js' */
/** @import { OnLink } from './link-parts.d.ts' */

/**
 * How far what is shown is behind: news comes at most 0.28 s late and digits are written each 0.1 s, so no clock,
 * running or just hit, is off by more than 0.2 s.
 */
const BEHIND_MS = 85;

const SIGNED_OUT = 4401;

/**
 * @typedef {Exclude<ServerFrame, MatchesFrame>} TournamentFrame what a page is told
 * @typedef {Answer | null} Reply null: none came
 * @typedef {{ frame: (frame: TournamentFrame) => void, state: (state: Connection) => void }} OnTournament
 */

export class TournamentLink {
  /**
   * `path` is the socket's. `listen` holds `frame(object)` for `boards`, `match`, `gone`, `seen`, `taken`, `starts` and
   * `message` frames, and `state(name)`. What comes together in a `matches` frame is handed on one by one.
   * @param {string} path @param {OnTournament} listen
   */
  constructor(path, listen) {
    /** @type {Map<string, (reply: Reply) => void>} */
    const answered = new Map(); // by the id of the command
    /** @type {(id: string, answer: Reply) => void} */
    const resolve = (id, answer) => {
      answered.get(id)?.(answer);
      answered.delete(id);
    };
    /** @type {OnLink} */
    const on = {
      state: (name) => {
        const { wire } = this;
        if (name === 'reconnecting') {
          this.newsAt ??= wire.wall() - (wire.time() - wire.heardAt);
        } else if (name === 'open') this.newsAt = null;
        if (wire.ended) { for (const id of answered.keys()) resolve(id, null); }
        listen.state(name);
      },
      jumped() {}, // figures are computed again from the next drawing on
      answer: (frame, entry) => resolve(entry.frame.id, frame),
      dropped: (entries) => entries.forEach(({ frame }) => resolve(frame.id, null)),
      measured() {}, // the age of its news is shown, not its quality
    };
    this.wire = new Link({
      url: () => socketAt(path),
      sync: new ServerTime(),
      outbox: new Outbox(null, ''),
      on,
      receive: (frame, now) => this.#receive(frame, now),
      // The session has ended, but another page of this browser may have begun a new one, as a new password does: try
      // once.
      retryAfterFinal: (code) => code === SIGNED_OUT && this.open,
    });
    this.listen = listen;
    this.answered = answered;
    /** @type {number | null} */
    this.newsAt = null; // the last news, once it is lost; by the wall clock, which also runs while the device sleeps
  }

  start() {
    this.wire.start();
  }

  /** The page came back, or the network did. */
  wake() {
    this.wire.wake();
  }

  get state() {
    return this.wire.state;
  }

  /** @returns {boolean} */
  get open() {
    return this.wire.open;
  }

  /** @param {ServerFrame} frame @param {number} now */
  #receive(frame, now) {
    if (frame.t === 'boards') {
      this.wire.sync.hint(now, frame.now);
      this.listen.frame(frame);
      this.wire.ready();
    } else if (frame.t === 'matches') {
      for (const match of frame.matches) this.listen.frame(match);
      if (frame.seats) this.listen.frame({ t: 'seen', now: frame.now, seats: frame.seats });
    } else {
      this.listen.frame(frame);
    }
  }

  /**
   * Ask for something on a board: `command` is `{do, ...arguments}`. Resolves with the ack or the refusal; with null
   * when none came and it is not known whether the command arrived.
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

  /** Tell everybody that whoever is signed in here is on the way to an alert.
   * @param {number} match @param {string} alert @returns {Promise<Reply>} */
  comingTo(match, alert) {
    return this.#request({ t: 'take', id: newId(), alert }, match);
  }

  /** Give the seat that a phone asks for (`ask`: its number), or keep it.
   * @param {number} match @param {number} ask @param {boolean} give @returns {Promise<Reply>} */
  settleSeat(match, ask, give) {
    return this.#request({ t: 'seat', id: newId(), ask, give }, match);
  }

  /** Return the server's time in milliseconds, or the device's own before anything is known. */
  now() {
    return this.wire.sync.serverAt(this.wire.time()) ?? this.wire.wall();
  }

  /** Return the instant, in the server's time, for which clocks are shown. */
  shownAt() {
    return this.now() - BEHIND_MS;
  }

  /** Return how old what is shown is, in milliseconds: 0 while connected. */
  age() {
    return this.newsAt === null ? 0 : Math.max(0, this.wire.wall() - this.newsAt);
  }
}
