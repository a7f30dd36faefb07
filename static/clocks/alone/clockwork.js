/**
 * Lets a course run on this phone: shows it, lets its flag fall on time, and keeps the right time while the phone
 * sleeps.
 */
import { gettext } from '../words/i18n.js';

const LOOK_MS = 1000;
const WRONG_MS = 1000;
const LONGEST_MS = 2 ** 31 - 1;

export class Clockwork {
  /** `on` holds what a Link tells: `snapshot(match)`, `answer(frame, entry)`, `jumped(ms, slept)`. */
  constructor({ course, sync, on }) {
    this.course = course;
    this.sync = sync;
    this.on = on;
    this.runs = false;
  }

  start() {
    this.runs = true;
    this.look();
    this.looking = setInterval(() => this.look(), LOOK_MS);
    this.publish();
  }

  stop() {
    this.runs = false;
    clearInterval(this.looking);
    clearTimeout(this.timer);
  }

  /** Believe the wall clock where the phone's two clocks have drifted apart: it slept. */
  look() {
    const at = performance.now();
    const byWall = Date.now() + this.course.offset;
    const now = this.sync.serverAt(at);
    if (now === null || Math.abs(now - byWall) > WRONG_MS) {
      this.sync.probes = [];
      const jumped = this.sync.probe(at, at, byWall);
      if (jumped > 0) this.on.jumped(jumped, true);
    }
    if (this.course.letFall(this.now())) this.publish();
  }

  now() {
    return Math.round(this.sync.serverAt(performance.now()));
  }

  /** Take a step of `seat`; what the rules refuse is answered as by the server. */
  ask(frame, seat) {
    this.look();
    const code = this.course.ask(frame, seat);
    if (code) this.on.answer({ t: 'refused', code, words: gettext('That is not possible now.') }, { seat, frame });
    this.publish();
  }

  /** Show the match as it is here, and wake up when its flag is due. */
  publish() {
    const now = this.now();
    this.on.snapshot(this.course.look(now));
    clearTimeout(this.timer);
    const due = this.course.flagAt;
    if (due !== null) this.timer = setTimeout(() => this.look(), Math.max(0, Math.min(due - now, LONGEST_MS)) + 1);
  }
}
