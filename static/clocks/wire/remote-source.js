/** Match source for one table: one socket for the server's snapshots and the commands of this phone's seats. */
import { Link, socketAt } from './link.js';
import { SourceState } from './match-source.js';
import { Outbox } from './outbox.js';
import { ServerTime } from './server-time.js';
/** @import { Seat, ServerFrame, Snapshot } from '../match/protocol.d.ts' */
/** @import { Answer, Frame } from './match-source.js' */
/** @import { Deps } from './link.js' */

// While no clock runs, one may start at any moment, so a lost server must be noticed just as fast.
const AT_PLAY = new Set(/** @type {(Snapshot['status'] | undefined)[]} */ (['ready', 'running', 'stopped', 'flagged']));

/**
 * @typedef {object} HandOver steps of offline play, sent first on a new socket
 * @property {() => object[]} frames
 * @property {(answer: Answer) => void} answered
 */

export class RemoteSource extends SourceState {
  /**
   * `code`: the table's code; `seats`: those that this page holds; `deps`: clocks and random source for the `Link`.
   * @param {{code: string, seats?: Seat[], sync?: ServerTime,
   *   outbox?: Outbox} & Partial<Deps>} parts
   */
  constructor({ code, seats = [], sync = new ServerTime(), outbox = new Outbox(null, ''), ...deps }) {
    super({ sync, outbox });
    this.seats = seats;
    /** @type {number | null} */
    this.aheadOf = null; // the version that a pong was ahead of
    /** @type {HandOver | null} */
    this.handOver = null;
    this.link = new Link({
      url: () => socketAt(`/ws/table/${code}/${this.#held()}`),
      sync,
      outbox,
      first: () => this.handOver?.frames() ?? [],
      busy: () => AT_PLAY.has(this.match?.status),
      missed: (version) => this.#missed(version),
      ...deps,
    });
    this.link.listen({
      frame: (frame, now) => this.#receive(frame, now),
      answer: (frame, entry) => this.tell('answer', frame, entry),
      other: (frame) => this.handOver?.answered(frame),
      dropped: (entries) => this.tell('dropped', entries),
      state: () => this.tell('connection'),
      measured: () => this.tell('measured'),
      jumped: (ms, slept) => this.tell('jumped', ms, slept),
      program: (version) => this.tell('program', this.program = version),
    });
  }

  start() {
    this.link.start();
  }

  stop() {
    this.link.stop();
  }

  wake() {
    this.link.wake();
  }

  /**
   * @param {Frame} frame
   * @param {Seat} seat
   */
  send(frame, seat) {
    const { match: snapshot } = this;
    if (!snapshot) return; // before the first snapshot, the match is unknown
    this.link.send(frame, { match: snapshot.match, seat });
    this.tell('sent', { frame, seat });
  }

  /** Send a frame of the hand-over, if a socket is open. */
  post(/** @type {object} */ frame) {
    this.link.post(frame);
  }

  get writable() {
    return this.link.writable;
  }

  get connection() {
    return this.link.state;
  }

  get live() {
    return this.link.open;
  }

  get ended() {
    return this.link.ended;
  }

  get heardAt() {
    return this.link.newsAt;
  }

  get lostMs() {
    return this.link.lostMs;
  }

  /** Query naming this page's seats, so that the server reports a lost one; '' until a hand-over is answered. */
  #held() {
    const { match: snapshot, seats } = this;
    if (!snapshot || !seats.length || this.handOver) return '';
    return `?match=${snapshot.match}&seats=${seats.join()}`;
  }

  #receive(/** @type {ServerFrame} */ frame, /** @type {number} */ now) {
    if (frame.t === 'match') this.#receiveMatch(frame, now);
    else if (frame.t === 'seen') this.tell('seen', frame);
    else if (frame.t === 'message') this.tell('message', this.message = frame);
    else if (frame.t === 'asks') this.tell('asks', this.asks = frame);
    else if (frame.t === 'starts') this.tell('starts', this.starts = frame);
  }

  #receiveMatch(/** @type {Snapshot} */ snapshot, /** @type {number} */ now) {
    this.sync.hint(now, snapshot.now);
    const known = this.match;
    if (!known || known.match !== snapshot.match || known.v < snapshot.v) {
      if (!known || known.status !== snapshot.status) this.link.pingSoon(now);
      this.match = snapshot;
      this.outbox.startOver(snapshot.match);
      this.tell('match', snapshot);
    } else {
      this.tell('seen', snapshot); // the state is known, but the presence is newer
    }
    this.link.ready();
  }

  /** True if a snapshot was lost: two pongs in a row were ahead of the same known version. */
  #missed(/** @type {number} */ version) {
    const known = this.match;
    const ahead = known !== null && version > known.v;
    const still = ahead && this.aheadOf === known.v;
    this.aheadOf = ahead ? known.v : null;
    return still;
  }
}
