/**
 * Offline match on a shared phone: its state, and the steps that the server does not have yet. Both are kept in
 * `store`, so that they survive a reload. No DOM, no socket.
 *
 * A step has the shape of a `do` frame. Steps are handed over in batches, called parcels. A parcel never changes,
 * because the server may have received it even if its answer was lost.
 */
import { afterFlag, perform } from '../engine/decide.js';
import { flagAt, lookAt } from '../engine/match.js';
import { must } from '../match/clocks.js';
import { newTally, summaryAfter, tallied } from './tally.js';
/** @import { DoFrame, Match, Seat, Snapshot, Why } from '../match/protocol.d.ts' */
/** @import { Asked } from '../engine/match.js' */
/** @import { Tally } from './tally.js' */

const MOST = 64; // steps per parcel
const LARGEST = 3600; // characters per parcel: its frame stays below 4 KiB
const VERSION_STEP = 1e-6; // added to the version per offline snapshot, so it stays below the server's next

/**
 * @typedef {{ id: string, count: number }} Parcel the next `count` steps, in order
 * @typedef {Omit<DoFrame, 't' | 'match' | 'id'> & { at: number, id?: string }} Step
 * @typedef {{ get: (key: string) => any, set: (key: string, value: unknown) => unknown }} Kept
 */

/** @param {string} code */
export const keyOf = (code) => `clock:${code}:alone`;

/** Fields that a tally depends on, as JSON.
 * @param {Match} match */
const gist = ({ turn_number, game, status, score, clock }) =>
  JSON.stringify([turn_number, game, status, score, clock.turn, clock.used_ms, clock.reserve_ms]);

export class Course {
  /** `newId()` returns a unique id.
   * @param {{ store: Kept, key: string, newId: () => string }} parts */
  constructor({ store, key, newId }) {
    this.store = store;
    this.key = key;
    this.newId = newId;
    const kept = store.get(key);
    const found = kept?.base?.alone ? kept : {};
    this.base = /** @type {Snapshot | null} */ (found.base ?? null); // the server's last snapshot
    this.state = /** @type {Match | null} */ (found.state ?? null); // the state of the match on this phone
    this.tally = /** @type {Tally | null} */ (found.tally ?? null); // null unless this phone saw all of the match
    this.steps = /** @type {Step[]} */ (found.steps ?? []);
    this.parcels = /** @type {Parcel[]} */ (found.parcels ?? []);
    this.offset = /** @type {number} */ (found.offset ?? 0); // server time minus this phone's wall clock, in ms
    this.shown = this.base ? this.base.v : 0; // the version last shown
  }

  get book() {
    return must(this.base?.alone).book;
  }

  #keep() {
    const { base, state, tally, steps, parcels, offset } = this;
    this.store.set(this.key, { base, state, tally, steps, parcels, offset });
  }

  /** Restart from the server's snapshot, which includes all steps. `offset`: server time minus wall clock, in ms.
   * @param {Snapshot} snapshot @param {number} offset */
  follow(snapshot, offset) {
    const { state } = must(snapshot.alone);
    this.tally = this.#followed(snapshot, state);
    this.base = snapshot;
    this.state = state;
    this.steps = [];
    this.parcels = [];
    this.offset = offset;
    this.shown = snapshot.v;
    this.#keep();
  }

  /** Tally after a snapshot; null if this phone missed a change.
   * @param {Snapshot} snapshot @param {Match} state */
  #followed({ match, v }, state) {
    const { base, state: before, tally } = this;
    if (!state.turn_number) return newTally(state);
    if (!before || !tally || base?.match !== match) return null;
    const entries = before.proposal && !state.proposal ? 2 : 1; // an agreement and its effect
    if (v - base.v <= entries) return tallied(tally, before, state);
    return gist(before) === gist(state) ? tally : null; // unchanged: the missed versions were this phone's own steps
  }

  /** @param {Match} state */
  #become(state) {
    if (this.tally) this.tally = tallied(this.tally, must(this.state), state);
    this.state = state;
  }

  /** Summary of the match, or null if this phone missed part of it. */
  get summary() {
    return this.tally && this.state && summaryAfter(this.tally, this.state);
  }

  /**
   * Carry out a command of `seat`; `sent`: the server may have it already. Returns the refusal's code, or null.
   * @param {DoFrame} frame
   * @param {Seat | null} seat
   * @returns {Why | null}
   */
  ask({ t: _t, match: _match, id, at: asked = 0, ...command }, seat, sent = false) {
    const last = this.steps.at(-1)?.at ?? 0;
    const state = must(this.state);
    const at = Math.max(asked, last + 1, state.at);
    const { match, refusal } = perform(
      state,
      this.book,
      /** @type {Asked} */ (command),
      /** @type {Seat} */ (seat),
      at,
    );
    this.#become(match);
    if (!refusal) this.steps.push({ ...command, at, ...(sent ? { id } : {}) });
    this.#keep();
    return refusal;
  }

  /** Let the flag fall if it is due at `now`. True if it fell.
   * @param {number} now */
  letFall(now) {
    const fallen = afterFlag(must(this.state), this.book, now);
    if (fallen === this.state) return false;
    this.#become(fallen);
    this.#keep();
    return true;
  }

  /** Timestamp at which the running clock's flag falls, or null. */
  get flagAt() {
    return flagAt(must(this.state), this.book);
  }

  /** Snapshot of the match at `now`.
   * @param {number} now @returns {Snapshot} */
  look(now) {
    const { alone: _, ...base } = must(this.base);
    this.shown += VERSION_STEP;
    return { ...base, ...lookAt(must(this.state), this.book, now), now, v: this.shown };
  }

  /** Put new steps in parcels; return the `do` frames of all parcels, in order.
   * @returns {{ id: string }[]} */
  frames() {
    let done = this.parcels.reduce((sum, { count }) => sum + count, 0);
    while (done < this.steps.length) {
      let count = 1;
      const fits = () => JSON.stringify(this.steps.slice(done, done + count + 1)).length <= LARGEST;
      while (count < MOST && done + count < this.steps.length && fits()) count += 1;
      this.parcels.push({ id: this.newId(), count });
      done += count;
    }
    this.#keep();
    let from = 0;
    return this.parcels.map(({ id, count }) => {
      const kept = this.steps.slice(from, from + count);
      from += count;
      return { t: 'do', id, do: 'hand-over', match: must(this.base).match, kept };
    });
  }

  /** True if a parcel has this id.
   * @param {string | null} id */
  has(id) {
    return this.parcels.some((parcel) => parcel.id === id);
  }

  /** Drop the parcel with this id and all before it: the server has them.
   * @param {string | null} id */
  taken(id) {
    while (this.has(id)) this.steps.splice(0, must(this.parcels.shift()).count);
    this.#keep();
  }

  /** Clear everything: this phone is no longer shared. */
  end() {
    this.base = null;
    this.state = null;
    this.tally = null;
    this.steps = [];
    this.parcels = [];
    this.store.set(this.key, null);
  }

  /** Drop the steps: the server rejected them. */
  forget() {
    this.steps = [];
    this.parcels = [];
    this.#keep();
  }
}
