/**
 * Overlay for a stream: each player's name, clock, delay, score and cube, delayed as long as the stream.
 *
 * A finished match stays until the next one at its table begins, so the picture does not jump.
 */
import { make, write } from '../browser/dom.js';
import { clocksAt, LOW_MS, SEATS } from '../match/clocks.js';
import { formatDelay, formatTime } from '../words/times.js';
/** @import { Turn } from '../match/clocks.js' */
/** @import { Snapshot } from '../match/protocol.d.ts' */

const MOST_WAITING = 2_000; // most snapshots queued for the stream's delay

/**
 * Snapshot fields that an overlay shows.
 *
 * @typedef {Pick<
 *   Snapshot,
 *   'match' | 'now' | 'names' | 'length' | 'score' | 'cube' | 'status' | keyof Turn
 * >} OverlayMatch
 */

export class Overlay {
  /** `root.dataset` holds the options: `show`, `side`, `theme`, `scale`, `delay` (the stream's, in seconds).
   * @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.parts = new Set((root.dataset.show ?? '').split(','));
    this.delayMs = Number(root.dataset.delay ?? 0) * 1000;
    this.waiting = /** @type {{ snapshot: OverlayMatch, at: number, anew: boolean }[]} */ ([]);
    this.shown = /** @type {OverlayMatch | null} */ (null);
    this.seats = /** @type {ReturnType<Overlay['make']> | null} */ (null);
    root.style.setProperty('--scale', root.dataset.scale ?? '1');
  }

  /** Queue a snapshot until the stream reaches its time.
   * @param {OverlayMatch} snapshot */
  receive(snapshot) {
    this.#wait(snapshot, snapshot.now, false);
  }

  /** Queue another table's match until the stream reaches `at`, when the director chose that table.
   * @param {OverlayMatch | undefined} snapshot @param {number} at */
  startOver(snapshot, at) {
    if (snapshot) this.#wait(snapshot, at, true);
  }

  /** @param {OverlayMatch} snapshot @param {number} at @param {boolean} anew */
  #wait(snapshot, at, anew) {
    this.waiting.push({ snapshot, at, anew });
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
  }

  /** Draw the match as it was at `now` minus the stream's delay.
   * @param {number} now */
  draw(now) {
    const then = now - this.delayMs;
    for (let [next] = this.waiting; next && (this.shown === null || next.at <= then); [next] = this.waiting) {
      this.waiting.shift();
      this.#receive(next);
    }
    if (this.shown === null) return;
    this.seats ??= this.make();
    const { reserve_ms: reserves, delay_ms: delays } = clocksAt(this.shown, then);
    for (const { seat, index, box, name, clock, delay, score, cube } of this.seats) {
      const { cube: { value, owner }, turn, since } = this.shown;
      write(name, this.shown.names[index]);
      write(clock, formatTime(reserves[index]));
      write(delay, delays[index] === null ? '' : formatDelay(delays[index]));
      write(score, `${this.shown.score[index]} / ${this.shown.length}`);
      write(cube, owner === seat ? `× ${value}` : '');
      box.classList.toggle('on-turn', turn === seat && since !== null);
      box.classList.toggle('low', reserves[index] !== null && reserves[index] <= LOW_MS);
    }
  }

  /** @param {{ snapshot: OverlayMatch, anew: boolean }} next */
  #receive({ snapshot, anew }) {
    const { shown } = this;
    const ended = shown?.status === 'over';
    if (!anew && ended && snapshot.match !== shown.match && snapshot.status === 'setup') return;
    this.shown = snapshot;
  }

  /** Make the parts of each seat that is shown. */
  make() {
    const side = this.root.dataset.side;
    const seats = SEATS.map((seat, index) => ({ seat, index })).filter(({ seat }) => side === 'both' || side === seat);
    return seats.map(({ seat, index }) => {
      /** @param {string} kind @param {string} shown */
      const part = (kind, shown) => make(`span.overlay-${kind}`, { hidden: !this.parts.has(shown) });
      const made = {
        name: part('name', 'names'),
        clock: part('clock', 'clocks'),
        delay: part('delay', 'delay'),
        score: part('score', 'score'),
        cube: part('cube', 'cube'),
      };
      const box = make('div.overlay-seat', {}, ...Object.values(made));
      this.root.append(box);
      return { seat, index, box, ...made };
    });
  }
}
