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
 * @property {(frame: SeenFrame | Snapshot) => void} seen when each phone was heard
 * @property {(frame: MessageFrame) => void} message of the director
 * @property {(frame: StartsFrame) => void} starts of rounds
 * @property {(frame: AsksFrame) => void} asks pending seat requests
 * @property {(version: string) => void} program the version of the program that answers
 * @property {() => void} connection `connection` or `live` changed, or the server is lost or heard again
 * @property {() => void} measured a round trip
 * @property {(ms: number, slept: boolean) => void} jumped the shown time was moved at once
 * @property {(entry: Sent) => void} sent a command is on its way
 * @property {(answer: Answer, entry: Sent) => void} answer
 * @property {(entries: Entry[]) => void} dropped commands given up unanswered
 * @property {(words: string, ms?: number) => void} notice for the players
 *
 * @typedef {object} SourceActs
 * @property {() => void} start
 * @property {() => void} stop
 * @property {() => void} wake the page or the network is back
 * @property {(frame: Frame, seat: Seat) => void} send a command of that seat
 * @property {Connection} connection
 * @property {boolean} live whether commands are answered
 * @property {boolean} ended whether this page may no longer use the match
 * @property {number} lostMs milliseconds since the server was heard; 0 unless it counts as lost
 * @property {number} heardAt when the source was last heard, by `performance.now()`
 *
 * @typedef {SourceState & SourceActs} MatchSource
 */

/**
 * Signals of an object: `listen({ match(frame) {} })` adds a listener, `tell('match', frame)` calls all listeners.
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
   * Call `name` of every listener.
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

  /** Games and times of the match; null if this phone does not have them all.
   * @returns {MatchSummary | null} */
  summary() {
    return null;
  }

  /** The match's time now; null before anything is known. */
  now() {
    return this.sync.serverAt(performance.now());
  }
}
