/**
 * Outbox: commands that await the server's answer. The caller passes in the time and the store.
 *
 * A resent frame keeps its id, turn number and claimed time; the server carries out each id only once. A `hit` also
 * survives a reload of the page. Other frames are given up after 10 s without an answer, because a stop or a claim that
 * arrives minutes late would do harm. Nothing secret is stored: an HttpOnly cookie proves the seat.
 */
/**
 * @import { Frame } from './match-source.js'
 * @import { Seat } from '../match/protocol.d.ts'
 *
 * @typedef {{match: number, seat: Seat | null, frame: Frame, madeAt: number, sentAt: number | null}} Entry
 */

const RESEND_MS = 1500;
const GIVE_UP_MS = 10_000;

/** Name of the command in a `do` frame; '' for other frames. */
export const commandOf = (/** @type {Frame} */ frame) => (frame.t === 'do' ? frame.do : '');

export class Outbox {
  /** `store` keeps unanswered hits under this clock's `key`; without a store they are lost with the page.
   * @param {{ get: (key: string) => any, set: (key: string, value: unknown) => unknown } | null} store
   * @param {string} key */
  constructor(store, key) {
    this.store = store;
    this.key = key;
    /** @type {Entry[]} */
    this.entries = this.#stored();
  }

  #stored() {
    const hits = this.store?.get(this.key);
    return Array.isArray(hits) ? hits.map((kept) => ({ ...kept, madeAt: 0, sentAt: null })) : [];
  }

  #store() {
    const hits = this.entries.filter((entry) => commandOf(entry.frame) === 'hit');
    const kept = hits.map(({ match, seat, frame }) => ({ match, seat, frame }));
    this.store?.set(this.key, kept.length ? kept : null);
  }

  /** Keep a frame of `seat` until it is answered or given up.
   * @param {number} match @param {Seat | null} seat @param {Frame} frame @param {number} now */
  put(match, seat, frame, now) {
    this.entries.push({ match, seat, frame, madeAt: now, sentAt: null });
    this.#store();
  }

  /** Return the frames to send now (unsent on this connection, or unanswered for 1.5 s), and mark them as sent.
   * @param {number} now */
  due(now) {
    const due = this.entries.filter((entry) => entry.sentAt === null || now - entry.sentAt >= RESEND_MS);
    for (const entry of due) entry.sentAt = now;
    return due.map((entry) => entry.frame);
  }

  /** Mark all as unsent, for a new connection. */
  reconnected() {
    for (const entry of this.entries) entry.sentAt = null;
  }

  /** Remove and return the entry with this id, or undefined.
   * @param {string} id */
  takeOut(id) {
    const entry = this.entries.find(({ frame }) => frame.id === id);
    if (entry) this.#keep((other) => other !== entry);
    return entry;
  }

  /** Remove and return entries unanswered for 10 s, except hits.
   * @param {number} now */
  giveUp(now) {
    const old = this.entries.filter(({ frame, madeAt }) => commandOf(frame) !== 'hit' && now - madeAt >= GIVE_UP_MS);
    if (old.length) this.#keep((entry) => !old.includes(entry));
    return old;
  }

  /** Remove the entries of all other matches.
   * @param {number} match */
  startOver(match) {
    if (this.entries.some((entry) => entry.match !== match)) this.#keep((entry) => entry.match === match);
  }

  /** @param {(entry: Entry) => boolean} wanted */
  #keep(wanted) {
    this.entries = this.entries.filter(wanted);
    this.#store();
  }
}

/**
 * UUID version 7 (RFC 9562), which begins with the time, so that ids made together are adjacent in the journal's index.
 * `crypto.randomUUID` makes version 4, and is missing on plain http.
 */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
