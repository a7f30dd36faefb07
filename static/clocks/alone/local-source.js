/**
 * Match source run by the engine on this phone. Lets flags fall on time, and corrects its time after the phone slept.
 */
import { gettext } from '../words/i18n.js';
import { SourceState } from '../wire/match-source.js';
import { Outbox } from '../wire/outbox.js';
import { ServerTime } from '../wire/server-time.js';
/** @import { DoFrame, Seat, Snapshot, Why } from '../match/protocol.d.ts' */
/** @import { MatchSummary } from '../match/summary.d.ts' */
/** @import { Connection, Frame } from '../wire/match-source.js' */

const LOOK_MS = 1000;
const WRONG_MS = 1000;
const LONGEST_MS = 2 ** 31 - 1;

/**
 * @typedef {object} Game a match and its rules
 * @property {number} offset match time minus this phone's wall clock, in ms
 * @property {number | null} flagAt when the running clock's flag falls
 * @property {(frame: DoFrame, seat: Seat) => Why | null} ask carries out a command; the refusal's code, or null
 * @property {(now: number) => boolean} letFall lets the flag fall if it is due; true if it fell
 * @property {(now: number) => Snapshot} look
 * @property {MatchSummary | null} [summary]
 */

export class LocalSource extends SourceState {
  /** @param {{game: Game, connection: Connection, sync?: ServerTime}} parts */
  constructor({ game, connection, sync = new ServerTime() }) {
    super({ sync, outbox: new Outbox(null, '') });
    this.game = game;
    this.name = connection;
    this.runs = false;
  }

  get connection() {
    return this.name;
  }

  /** Summary of the match, or null if this phone missed part of it.
   * @override */
  summary() {
    return this.game.summary ?? null;
  }

  get live() {
    return true;
  }

  get ended() {
    return false;
  }

  get lostMs() {
    return 0;
  }

  get heardAt() {
    return performance.now();
  }

  start() {
    this.stop();
    this.runs = true;
    this.wake();
    this.looking = setInterval(() => this.wake(), LOOK_MS);
    this.#publish();
  }

  stop() {
    this.runs = false;
    clearInterval(this.looking);
    clearTimeout(this.timer);
  }

  /** Switch to the wall clock's time if that differs by over a second (the phone slept), then let a due flag fall. */
  wake() {
    const at = performance.now();
    const byWall = Date.now() + this.game.offset;
    const now = this.now();
    if (now === null || Math.abs(now - byWall) > WRONG_MS) {
      this.sync.probes = [];
      const jumped = this.sync.probe(at, at, byWall);
      if (jumped > 0) this.tell('jumped', jumped, true);
    }
    if (this.game.letFall(this.#instant())) this.#publish();
  }

  /**
   * @param {Frame} frame
   * @param {Seat} seat
   */
  send(frame, seat) {
    if (frame.t === 'do') {
      this.wake();
      const code = this.game.ask(frame, seat);
      const answer = {
        t: /** @type {const} */ ('refused'),
        id: frame.id,
        v: 0,
        words: gettext('That is not possible now.'),
      };
      if (code) this.tell('answer', { ...answer, code }, { seat, frame });
      this.#publish();
    }
    this.tell('sent', { frame, seat });
  }

  #instant() {
    return Math.round(this.now() ?? Date.now() + this.game.offset);
  }

  /** Publish a snapshot, and schedule a wake-up for the flag. */
  #publish() {
    const now = this.#instant();
    this.match = this.game.look(now);
    this.tell('match', this.match);
    clearTimeout(this.timer);
    const due = this.game.flagAt;
    if (due !== null) this.timer = setTimeout(() => this.wake(), Math.max(0, Math.min(due - now, LONGEST_MS)) + 1);
  }
}
