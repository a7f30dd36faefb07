/**
 * Expected ends of the boards, which the server estimates from the games so far, and the director's other events.
 * Fetched once a minute and soon after each game. Draws nothing.
 */
import { timeOfDay } from './time-of-day.js';
import { gettext } from '../words/i18n.js';
/** @import { Board, End, EventAddress, NamedEvent } from './console.d.ts' */

const EVERY_MS = 60_000;
const AFTER_A_GAME_MS = 1_000;
const AT_MOST_EVERY_MS = 10_000;

export class Pace {
  /**
   * `changed(matches)` gets the matches whose expected ends changed, `beside(events, more)` the director's other events
   * in progress and those that the lane leaves out; `now()` is server time.
   * @param {string} address
   * @param {{
   *   changed: (matches: number[]) => void,
   *   beside?: (events: EventAddress[], more: NamedEvent[]) => void,
   *   now: () => number,
   * }} page
   */
  constructor(address, { changed, beside = () => {}, now }) {
    this.address = address;
    this.changed = changed;
    this.beside = beside;
    this.now = now;
    this.ends = /** @type {Map<number, End>} */ (new Map()); // by match id
    this.asked = -Infinity;
    this.stopped = false;
    this.due = Infinity;
  }

  get(/** @type {number} */ match) {
    return this.ends.get(match);
  }

  /** Ask again soon after the end of a game; `before` is the previous snapshot, if any.
   * @param {Board | undefined} before @param {Board} board */
  heard(before, board) {
    const same = before && before.game === board.game && (before.status === 'over') === (board.status === 'over');
    if (same) return;
    const wait = Math.max(AFTER_A_GAME_MS, this.asked + AT_MOST_EVERY_MS - performance.now());
    this.askIn(wait);
  }

  askIn(/** @type {number} */ ms) {
    const due = performance.now() + ms;
    if (this.due <= due && this.due > performance.now()) return;
    clearTimeout(this.next);
    this.due = due;
    if (!this.stopped) this.next = setTimeout(() => this.ask(), ms);
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.next);
  }

  async ask() {
    this.asked = performance.now();
    this.due = Infinity;
    this.askIn(EVERY_MS);
    try {
      const answer = await fetch(this.address);
      if (!answer.ok) return;
      const { matches, beside = [], more = [] } = await answer.json();
      this.receive(matches);
      this.beside(beside, more);
    } catch {
      // The socket reports a lost network; the last estimates stay until it is back.
    }
  }

  receive(/** @type {Record<string, End>} */ told) {
    const before = this.ends;
    this.ends = new Map(Object.entries(told).map(([match, end]) => [Number(match), end]));
    for (const [match, end] of this.ends) {
      if (end.holds_up) end.since = before.get(match)?.since ?? this.now();
    }
    const all = new Set([...before.keys(), ...this.ends.keys()]);
    const other = (/** @type {number} */ match) =>
      JSON.stringify(before.get(match)) !== JSON.stringify(this.ends.get(match));
    this.changed([...all].filter(other));
  }
}

/** Expected end of a match for its cell, or ''.
 * @param {End | undefined} end */
export const untilSays = (end) => (end ? gettext('until about %(time)s', { time: timeOfDay(end.at) }) : '');

/** Expected end of a match, with its spread.
 * @param {End | undefined} end */
export const endSays = (end) =>
  end
    ? gettext('expected end %(time)s, ± %(number)s min', {
      time: timeOfDay(end.at),
      number: Math.round(end.spread_ms / 60_000),
    })
    : '';
