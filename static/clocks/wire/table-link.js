/**
 * One match on one socket: the snapshot as it is now, and commands of the seats that this phone holds.
 */
import { Link, socketAt } from './link.js';

export class TableLink {
  /**
   * `code` is the table's, `seats` are those that the page holds. `on` holds what a `Link` tells, and
   * `snapshot(match)`, `seen(frame)`: whose phone was heard when, `message(frame)` of the director and `asks(frame)`:
   * which phones want a seat. `hands` are a Link's time, chance and socket.
   */
  constructor({ code, seats = [], sync, outbox, on, ...hands }) {
    this.on = on;
    this.snapshot = null;
    this.aheadOf = null; // the version that a pong was ahead of
    this.standIn = null; // what works in place of the server while it cannot be reached, if anything
    this.wire = new Link({
      url: () => socketAt(`/ws/table/${code}/${this.#held(seats)}`),
      sync,
      outbox,
      on: {
        ...on,
        answer: (frame, entry) => {
          this.standIn?.pressed(frame, entry);
          on.answer(frame, entry);
        },
        state: (state) => {
          this.standIn?.linked(state);
          on.state(state);
        },
      },
      first: () => this.standIn?.first() ?? [],
      others: (frame) => this.standIn?.handedOver(frame),
      receive: (frame, now) => this.#receive(frame, now),
      busy: () => this.snapshot?.status === 'running',
      missed: (version) => this.#missed(version),
      ...hands,
    });
  }

  start() {
    this.wire.start();
  }

  stop() {
    this.wire.stop();
  }

  /** The page came back, or the network did. */
  wake() {
    this.standIn?.wake();
    this.wire.wake();
  }

  /** Send a command of `seat`. */
  send(frame, { seat }) {
    if (this.standIn?.takes(frame, seat)) return;
    this.wire.send(frame, { match: this.snapshot.match, seat });
  }

  /** Return the state of the connection; `alone` while this phone works on its own. */
  get state() {
    return this.standIn?.acts ? 'alone' : this.wire.state;
  }

  /** Tell whether commands are answered, by the server or by the stand-in. */
  get open() {
    return this.wire.open || Boolean(this.standIn?.acts);
  }

  get ended() {
    return this.wire.ended;
  }

  get heardAt() {
    return this.wire.heardAt;
  }

  /**
   * Return what the address says of the seats that this page holds, so that it hears if they were lost while it was
   * away. What a stand-in has played is answered first.
   */
  #held(seats) {
    if (!this.snapshot || !seats.length || this.standIn?.acts) return '';
    return `?match=${this.snapshot.match}&seats=${seats.join()}`;
  }

  #receive(frame, now) {
    if (frame.t === 'message') this.on.message(frame);
    else if (frame.t === 'asks') this.on.asks(frame);
    else if (frame.t === 'seen') this.on.seen(frame);
    else if (frame.t === 'match') this.#receiveMatch(frame, now);
  }

  #receiveMatch(match, now) {
    this.wire.sync.hint(now, match.now);
    const known = this.snapshot;
    if (!known || known.match !== match.match || known.v < match.v) {
      if (!known || known.status !== match.status) this.wire.pingSoon(now);
      this.snapshot = match;
      this.wire.outbox.startOver(match.match);
      if (!this.standIn?.holds(match)) this.on.snapshot(match);
    } else {
      this.on.seen(match); // the state is known; who was heard since may be news
    }
    this.wire.ready();
  }

  /** A snapshot was lost on the way if the version is still ahead at the next pong; a new socket begins with one. */
  #missed(version) {
    const known = this.snapshot;
    const ahead = known !== null && version > known.v;
    const still = ahead && this.aheadOf === known.v;
    this.aheadOf = ahead ? known.v : null;
    return still;
  }
}
