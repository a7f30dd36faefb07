/**
 * Source of a clock's match and target of its commands: the server (`RemoteSource`), or the engine on this phone
 * (`LocalSource`).
 *
 * @import {
 *   Ack, AsksFrame, Claim, DoFrame, MessageFrame, Refusal, SeatAnswer, Seat, SeenFrame, Snapshot, StartsFrame
 * } from '../match/protocol.d.ts'
 * @import { MatchSummary } from '../match/summary.d.ts'
 * @import { Entry, Outbox } from './outbox.js'
 * @import { ServerTime } from './server-time.js'
 *
 * @typedef {Ack | Refusal} Answer
 * @typedef {DoFrame | SeatAnswer | Claim} Frame
 * @typedef {{frame: Frame, seat: Seat | null}} Sent
 * @typedef {import('./link.js').Connection | 'alone'} Connection alone: without the server
 *
 * @typedef {object} SourceCalls signals of a source
 * @property {(match: Snapshot) => void} match a new state
 * @property {(frame: SeenFrame | Snapshot) => void} seen when each phone was last heard from
 * @property {(frame: MessageFrame) => void} message from the director
 * @property {(frame: StartsFrame) => void} starts scheduled starts of rounds
 * @property {(frame: AsksFrame) => void} asks pending seat requests
 * @property {(version: string) => void} program version of the server's program
 * @property {() => void} connection `connection` or `live` changed, or the server was lost or has been heard from again
 * @property {() => void} measured a round trip was measured
 * @property {(ms: number, slept: boolean) => void} jumped the shown time jumped; `slept` if the phone may have slept
 * @property {(entry: Sent) => void} sent a command is on its way
 * @property {(answer: Answer, entry: Sent) => void} answer
 * @property {(entries: Entry[]) => void} dropped commands given up without an answer
 * @property {(words: string, ms?: number) => void} notice for the players
 *
 * @typedef {object} SourceActs
 * @property {() => void} start
 * @property {() => void} stop
 * @property {() => void} wake the page or the network is back
 * @property {(frame: Frame, seat: Seat) => void} send a frame of that seat
 * @property {Connection} connection
 * @property {boolean} live whether commands are answered
 * @property {boolean} ended whether this page may no longer use the match
 * @property {number} lostMs milliseconds since the server was last heard from; 0 unless it counts as lost
 * @property {number} heardAt when the source was last heard from, by `performance.now()`
 *
 * @typedef {SourceState & SourceActs} MatchSource
 */

/**
 * Event emitter: `listen({ match(frame) {} })` adds a listener, `tell('match', frame)` calls all listeners.
 * @template {Record<string, (...values: any[]) => void>} Calls
 */
export class Signals {
  constructor() {
    /** @type {Set<Partial<Calls>>} */
    this.listeners = new Set();
  }

  /**
   * Add a listener. Returns a function that removes it.
   * @param {Partial<Calls>} listener
   * @returns {() => void}
   */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Call the `name` callback of every listener that has one.
   * @template {keyof Calls} Name
   * @param {Name} name
   * @param {Parameters<Calls[Name]>} values
   */
  tell(name, ...values) {
    for (const listener of Array.from(this.listeners)) listener[name]?.(...values);
  }
}

/** @extends {Signals<SourceCalls>} */
export class SourceState extends Signals {
  /** @param {{sync: ServerTime, outbox: Outbox}} parts */
  constructor({ sync, outbox }) {
    super();
    this.sync = sync; // the match's time
    this.outbox = outbox; // commands that wait for an answer
    /** @type {Snapshot | null} */
    this.match = null;
    /** @type {MessageFrame | null} */
    this.message = null;
    /** @type {AsksFrame | null} */
    this.asks = null;
    /** @type {StartsFrame | null} */
    this.starts = null;
    /** @type {string | null} */
    this.program = null;
  }

  /** Summary of the match; null if this phone missed part of it.
   * @returns {MatchSummary | null} */
  summary() {
    return null;
  }

  /** Current match time in ms; null until it is known. */
  now() {
    return this.sync.serverAt(performance.now());
  }
}
