/**
 * What a stream shows of a match: each player's name, clock, delay, score and cube, as they were the stream's delay
 * ago.
 *
 * A match that has ended stays until the next one at its table has begun, so that the picture does not jump.
 */
import { make, write } from '../browser/dom.js';
import { clocksAt, LOW_MS, SEATS } from '../match/clocks.js';
import { formatDelay, formatTime } from '../words/times.js';

const MOST_WAITING = 2_000; // snapshots, of a long delay

export class Overlay {
  /** `root` says in its data what is shown: `show`, `side`, `theme`, `scale`, `delay` (of the stream, in seconds). */
  constructor(root) {
    this.root = root;
    this.parts = new Set((root.dataset.show ?? '').split(','));
    this.delayMs = Number(root.dataset.delay ?? 0) * 1000;
    this.waiting = [];
    this.shown = null;
    this.seats = null;
    root.style.setProperty('--scale', root.dataset.scale ?? '1');
  }

  /** Take a snapshot; it is shown once the stream has come to that moment. */
  receive(snapshot) {
    this.#wait(snapshot, snapshot.now, false);
  }

  /** Show another table's match once the stream has come to `at`, when the director pointed there. */
  startOver(snapshot, at) {
    if (snapshot) this.#wait(snapshot, at, true);
  }

  #wait(snapshot, at, anew) {
    this.waiting.push({ snapshot, at, anew });
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
  }

  /** Draw the match as it was at `now` less the stream's delay. */
  draw(now) {
    const then = now - this.delayMs;
    while (this.waiting.length && (this.shown === null || this.waiting[0].at <= then)) {
      this.#receive(this.waiting.shift());
    }
    if (this.shown === null) return;
    this.seats ??= this.#make();
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

  #receive({ snapshot, anew }) {
    const ended = this.shown !== null && this.shown.status === 'over';
    if (!anew && ended && snapshot.match !== this.shown.match && snapshot.status === 'setup') return;
    this.shown = snapshot;
  }

  #make() {
    const side = this.root.dataset.side;
    const seats = SEATS.map((seat, index) => ({ seat, index })).filter(({ seat }) => side === 'both' || side === seat);
    return seats.map(({ seat, index }) => {
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
