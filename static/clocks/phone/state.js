/**
 * State of the match on this phone, and the views of both halves. No DOM, no socket.
 *
 * `receive` takes frames; the halves draw `viewOf` and `figuresOf`.
 */
import { clocksAt, indexOf, isSilent, LowTime, must, presenceIn, SEATS } from '../match/clocks.js';
import * as phrases from '../words/phrases.js';
import { cardLine, lostCard, modeOf, wordsOf } from './modes.js';
import { panelOf, pressForPanel } from './panels.js';
import { commandOf } from '../wire/outbox.js';
/** @import { Seat, SeenFrame, Snapshot } from '../match/protocol.d.ts' */
/** @import { Presence } from '../match/clocks.js' */
/** @import { Frame, MatchSource } from '../wire/match-source.js' */
/** @import { Panel } from './panels.js' */
/** @import { HalfWords, Mode, Waiting } from './phone.d.ts' */

/**
 * View of a half, without its figures.
 *
 * @typedef {object} View
 * @property {Mode} mode
 * @property {string} name
 * @property {string} title
 * @property {string} hint
 * @property {boolean} [news] the hint is shown on every screen
 * @property {string} aside
 * @property {string[]} facts
 * @property {[number, string][]} score points and name of each player
 * @property {Panel | null} panel
 * @property {boolean} delayed true if the match has a delay to show
 * @property {{left: number | null, full: number, running: boolean}} gauge
 * @property {boolean} busy
 * @property {boolean} [lost] what is shown may be out of date
 *
 * @typedef {object} Figures
 * @property {number | null} reserve
 * @property {number | null} delay
 * @property {'warn' | 'low' | null} low
 * @property {number | null} other
 * @property {boolean} spends true if only the reserve runs: the turn's delay is used up
 */

/** The commands that end a turn. */
export const PRESSES = ['hit', 'double', 'take', 'pass'];
const SECOND_MS = 1000;
const TENTHS_MS = 10_000; // below this a reserve is shown in tenths
const CORRECTING_MS = 100; // redraw interval while the shown time moves towards the server's

/** A press that is unanswered for this long is shown as "sending", no longer as "sent". */
export const SLOW_MS = 1500;

/** Number of the turn that a press ends; `turn` for any other command.
 * @param {Frame} frame @param {number} turn */
const turnOf = (frame, turn) =>
  PRESSES.includes(commandOf(frame)) && 'turn_number' in frame ? frame.turn_number ?? turn : turn;

export class PhoneState {
  /**
   * `code` is the table's, `seats` are those that this phone holds; `time()` is this phone's `performance.now()`.
   * @param {{code?: string, seats: Seat[], source: MatchSource, time?: () => number}} parts
   */
  constructor({ code = '', seats, source, time = () => performance.now() }) {
    this.code = code;
    this.seats = seats;
    this.time = time;
    this.layout = seats.length === 2 ? 'shared' : seats.length ? 'own' : 'watch';
    /** @type {Snapshot | null} */
    this.match = null;
    /** @type {Presence | null} */
    this.presence = null;
    this.low = new LowTime();
    /** @type {{seat: Seat, turn: number} | null} */
    this.uncounted = null; // a press rejected because the clocks had been stopped
    this.opening = /** @type {number | null} */ (null); // turn number while the game waited to begin
    this.startLine = ''; // text about the start of the round, until the match begins
    this.source = source;
    this.version = -1; // of the last state from this source; -1: none yet
    this.accepted = { left: 0, right: 0 }; // state version of each seat's last acknowledged press
  }

  /** Change the source, and accept its first state whatever its version. */
  follow(/** @type {MatchSource} */ source) {
    this.source = source;
    this.version = -1;
    this.accepted = { left: 0, right: 0 };
  }

  /** The match, once there is one. */
  get known() {
    return must(this.match);
  }

  /** True if this page shows `snapshot`: a phone with a seat keeps to its match, a watch page to its table. */
  shows(/** @type {Snapshot} */ snapshot) {
    const { match: shown, seats, code } = this;
    return snapshot.code === code && (!shown || !seats.length || shown.match === snapshot.match);
  }

  /** Server time as this phone estimates it; null before anything is known. */
  now() {
    return this.source.sync.serverAt(this.time());
  }

  /**
   * Handle a `match` frame, unless it is old, or a `seen` frame, which only says when phones were last heard from.
   * Returns the seat of another phone that has just gone silent (`awayMs` is null) or come back; else null.
   * @param {Snapshot | SeenFrame} frame @returns {{ seat: Seat, awayMs: number | null } | null}
   */
  receive(frame) {
    const before = this.presence;
    const wereSilent = SEATS.map((seat) => before !== null && this.#isSilent(seat));
    if (frame.t === 'match' && (this.match?.match !== frame.match || this.version < frame.v)) {
      this.version = frame.v;
      if (frame.status === 'ready') this.opening = frame.turn_number;
      this.match = { ...frame, names: /** @type {[string, string]} */ (frame.names.map(phrases.softened)) };
    }
    this.presence = presenceIn(frame, this.known.match);
    const seat = SEATS.find((of) => this.#isSilent(of) !== wereSilent[indexOf(of)] && !this.seats.includes(of));
    if (!before || !seat) return null;
    if (this.#isSilent(seat)) return { seat, awayMs: null };
    const [from, to] = [before, this.presence].map(({ seenAt }) => seenAt[indexOf(seat)] ?? 0);
    return to > from ? { seat, awayMs: to - from } : null;
  }

  #isSilent(/** @type {Seat} */ seat) {
    return isSilent(must(this.presence), this.known.status, seat);
  }

  /** Record the state version of an acknowledged command of `seat`, if it was a press.
   * @param {Seat} seat @param {string} command @param {number} version */
  acknowledged(seat, command, version) {
    if (PRESSES.includes(command)) this.accepted[seat] = Math.max(this.accepted[seat], version);
  }

  /** Record a rejected press of `seat`. True if it was rejected because the clocks are stopped. */
  refused(/** @type {Seat} */ seat) {
    const { status, turn_number: turn } = this.known;
    if (status === 'stopped') this.uncounted = { seat, turn };
    return status === 'stopped';
  }

  /** Text about a press that did not count, until the clocks run again; else null. */
  uncountedLine(/** @type {Seat} */ seat) {
    const { status, turn_number: turn } = this.known;
    if (status !== 'stopped' || this.uncounted?.turn !== turn) this.uncounted = null;
    return this.uncounted?.seat === seat ? phrases.uncounted(this.known, seat) : null;
  }

  /** True if a rejected press only repeated who moves first. */
  hasOpened(/** @type {Frame} */ press) {
    return press.t === 'do' && this.known.status === 'running' && press.do === 'hit' &&
      press.turn_number === this.opening;
  }

  /** Unanswered press of `seat`, or undefined. */
  pressOf(/** @type {Seat} */ seat) {
    return this.#onTheirWay(seat).find(({ frame }) => PRESSES.includes(commandOf(frame)));
  }

  /** Unanswered commands of `seat`, except presses of earlier turns, which are settled.
   * @param {Seat} seat */
  #onTheirWay(seat) {
    const turn = this.match?.turn_number ?? 0;
    return this.source.outbox.entries.filter(({ seat: of, frame }) => of === seat && turnOf(frame, turn) >= turn);
  }

  /** Progress of the press of `seat`, or null.
   * @param {Seat} seat @returns {Waiting} */
  waiting(seat) {
    const entry = this.pressOf(seat);
    if (entry) return this.source.live && this.time() - entry.madeAt < SLOW_MS ? 'sent' : 'sending';
    return this.known.v < this.accepted[seat] ? 'accepted' : null;
  }

  /** True while a command of `seat` is unanswered. */
  busy(/** @type {Seat} */ seat) {
    return this.#onTheirWay(seat).length > 0;
  }

  /** True if this phone may press for `seat`: its commands are answered, and the seat's own phone is silent. */
  pressesFor(/** @type {Seat} */ seat) {
    return this.isCard(seat) && this.source.live && this.#isSilent(seat);
  }

  /** True if the half of `seat` is the card of a player at another phone. */
  isCard(/** @type {Seat} */ seat) {
    return this.layout === 'own' && !this.seats.includes(seat);
  }

  /** Mode of the half of `seat` at `now`. */
  modeOf(/** @type {Seat} */ seat, now = this.now() ?? 0) {
    const match = this.known;
    return modeOf(match, seat, {
      waiting: this.waiting(seat),
      zero: match.limits && clocksAt(match, now).reserve_ms[indexOf(seat)] === 0,
      held: match.wait_until !== null && now < match.wait_until,
    });
  }

  /**
   * View of the half of `seat` at `now`, without its figures.
   * @param {Seat} seat @returns {View}
   */
  viewOf(seat, now = this.now() ?? 0) {
    const match = this.known;
    const mode = this.modeOf(seat, now);
    const card = this.isCard(seat);
    const { live, lostMs } = this.source;
    /** @type {HalfWords} */
    const words = card
      ? { title: lostMs ? lostCard(match) : cardLine(match, seat, mode, this.#isSilent(seat)), hint: '' }
      : wordsOf(match, seat, mode, {
        watched: !this.seats.length,
        connected: live,
        lostMs,
        now,
        startLine: this.startLine,
      });
    const facts = phrases.seatFacts(match, seat);
    return {
      mode,
      name: phrases.nameOf(match, seat),
      title: words.title,
      hint: words.hint,
      news: Boolean(words.news),
      aside: words.aside || '',
      facts: card ? facts : [...phrases.gameFacts(match), ...facts],
      score: SEATS.map((of) => /** @type {[number, string]} */ ([match.score[indexOf(of)], phrases.nameOf(match, of)])),
      panel: card ? pressForPanel(match, seat, mode, this.pressesFor(seat)) : this.#panel(seat, mode),
      delayed: match.kind !== 'none' && match.delay_ms !== null,
      gauge: {
        left: clocksAt(match, now).delay_ms[indexOf(seat)],
        full: match.turn_delay_ms,
        running: match.turn === seat && match.since !== null &&
          !['sent', 'accepted'].includes(this.waiting(seat) ?? ''),
      },
      busy: this.busy(seat),
      lost: lostMs > 0,
    };
  }

  /** @param {Seat} seat @param {Mode} mode @returns {Panel | null} */
  #panel(seat, mode) {
    const panel = panelOf(this.known, seat, mode, this.seats.includes(seat));
    const line = panel && this.uncountedLine(seat);
    return line ? { ...panel, lines: [line, ...panel.lines] } : panel;
  }

  /**
   * Figures of `seat` at `now`, in milliseconds; `low` is 'warn' once as a reserve becomes low, then 'low'. A press
   * that is `sent` stops them; one that is still `sending` does not. `other`: the opponent's, on a shared phone.
   * @param {Seat} seat @returns {Figures}
   */
  figuresOf(seat, now = this.now() ?? 0) {
    const match = this.known;
    const mine = indexOf(seat);
    const present = clocksAt(match, now);
    const press = match.turn === seat && this.waiting(seat) === 'sent' ? this.pressOf(seat) : undefined;
    const { reserve_ms, delay_ms } = press?.frame.t === 'do' ? clocksAt(match, press.frame.at ?? now) : present;
    const reserve = reserve_ms[mine];
    const runs = match.status === 'running' && match.turn === seat;
    const low = match.limits && reserve !== null && match.status !== 'over'
      ? this.low.check(seat, reserve, runs)
      : null;
    return {
      reserve,
      delay: delay_ms[mine],
      low,
      other: this.layout === 'shared' ? present.reserve_ms[1 - mine] : null,
      spends: runs && match.since !== null && match.turn_delay_ms > 0 && delay_ms[mine] === 0,
    };
  }

  /** Milliseconds until a digit or a mode changes by itself, or null. */
  nextChange(now = this.now()) {
    const { match } = this;
    if (!match || now === null) return null;
    const { lostMs } = this.source;
    if (lostMs) return SECOND_MS - (lostMs % SECOND_MS) + 1; // the text counts the seconds
    if (phrases.isContested(match)) return SECOND_MS - ((now - must(match.stop).at) % SECOND_MS) + 1;
    if (match.since === null) return null;
    const mine = indexOf(must(match.turn));
    const { reserve_ms, delay_ms } = clocksAt(match, now);
    const [reserve, delay] = [reserve_ms[mine], delay_ms[mine]];
    /** @type {number[]} */
    const waits = [];
    if (delay) waits.push(delay % 1000 || 1000);
    if (reserve && (match.kind !== 'simple' || delay === 0)) {
      waits.push(reserve > TENTHS_MS ? reserve % 1000 || 1000 : reserve % 100 || 100);
    }
    if (match.wait_until !== null && match.wait_until > now) waits.push(match.wait_until - now);
    if (this.source.sync.correcting) waits.push(CORRECTING_MS);
    return waits.length ? Math.min(...waits) + 1 : null;
  }
}
