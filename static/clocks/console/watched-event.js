/**
 * An event that a director's page watches: its boards, alerts, lines for the lane, and commands.
 *
 * A page watches its own event and, for the lane, the director's other events.
 */
import { alertsOf, gathered, paceAlertsOf, seatAlertsOf } from './alerts.js';
import { Boards } from '../match/boards.js';
import { describer } from './alert-lines.js';
import { gettext } from '../words/i18n.js';
import { Lateness } from './lateness.js';
import { Pace } from './pace.js';
import { roundsPlayed } from '../words/rounds.js';
import { TournamentLink } from '../wire/tournament-link.js';
/** @import { Ask, Command } from '../match/protocol.d.ts' */
/** @import { Reply, TournamentFrame } from '../wire/tournament-link.js' */
/** @import { Alert, AlertKind, Board, EventAddress, EventPage, Reach } from './console.d.ts' */

export class WatchedEvent {
  /** @param {EventAddress} address @param {EventPage} page */
  constructor({ name, director, socket, pace, may, starts, lateness }, page) {
    this.name = name;
    this.director = director;
    this.page = page;
    this.me = page.me;
    this.may = new Set(may);
    this.mayRule = this.may.has('rule');
    this.boards = /** @type {Boards<Board>} */ (new Boards()); // no time is hidden from directors
    this.asks = /** @type {Ask[]} */ ([]); // pending seat requests
    this.dismissed = /** @type {Set<string>} */ (new Set());
    this.played = /** @type {Set<string>} */ (new Set()); // rounds being played
    this.lateness = new Lateness(starts, lateness);
    this.link = new TournamentLink(socket);
    this.pace = new Pace(pace, {
      changed: (matches) => page.expect(matches),
      beside: (events, more) => page.beside(events, more),
      now: () => this.link.now(),
    });
    this.describe = describer(this);
  }

  /** Stop watching the event. */
  stop() {
    this.link.stop();
    this.pace.stop();
  }

  /** Handle a frame. False for a stale snapshot.
   * @param {TournamentFrame} frame */
  receive(frame) {
    if (frame.t === 'boards') {
      this.boards.replace(/** @type {Board[]} */ (frame.boards));
      this.pace.askIn(0);
    } else if (frame.t === 'match') {
      const before = this.boards.get(frame.match);
      const board = /** @type {Board} */ (frame);
      if (!this.boards.put(board)) return false;
      this.pace.heard(before, board);
    } else if (frame.t === 'gone') {
      this.boards.forget(frame.matches);
    } else if (frame.t === 'starts') {
      this.lateness = new Lateness(frame.starts, frame.lateness);
    } else if (frame.t === 'taken') {
      this.page.alarm.taken(frame.taken);
    } else if (frame.t === 'asks') {
      this.asks = frame.asks;
    } else if (frame.t === 'seen') {
      this.boards.see(frame.seats, frame.now);
    }
    return true;
  }

  /** Alerts at `now` of the boards that need a director, by match id; none if this page may no longer watch.
   * @param {number} now */
  alerts(now) {
    const found = /** @type {Map<number, Alert[]>} */ (new Map());
    for (const board of this.link.ended ? [] : this.boards.byMatch.values()) {
      const { alarm } = this.page;
      const ruled = alertsOf(board, this.boards.seats(board), now, (key) => alarm.takenBy(key), this.lateness)
        .filter(({ key }) => !this.dismissed.has(key));
      const end = this.pace.get(board.match);
      const wants = [...ruled, ...seatAlertsOf(board, this.asks, now), ...paceAlertsOf(board, end)];
      if (wants.length > 0) found.set(board.match, wants);
    }
    return found;
  }

  /** Lines of the lane for these alerts, grouped if many are of a kind.
   * @param {Alert[]} alerts */
  lines(alerts) {
    this.played = roundsPlayed([...this.boards.byMatch.values()]);
    return gathered(alerts).map((line) =>
      line.group ? { ...line, key: `${line.key} ${this.director}`, event: this } : { ...line, event: this }
    );
  }

  /** Name the players missing at a board that has not started.
   * @param {Board} board */
  missing(board) {
    return this.lateness.says(board, this.link.shownAt());
  }

  /** Send a command. Returns '' if it was accepted, else an error message.
   * @param {number} match @param {Command} command */
  async send(match, command) {
    return this.#words(() => this.link.ask(match, command));
  }

  /** Send a command from the lane, and show an error. True if accepted.
   * @param {number} match @param {Command} command */
  async ask(match, command) {
    const words = await this.send(match, command);
    const { table = '' } = this.boards.get(match) ?? {};
    return this.#said(words && gettext('Table %(table)s: %(words)s', { table, words }));
  }

  /** Answer a seat request.
   * @param {Board} board @param {Ask} ask @param {boolean} give */
  async settleSeat(board, ask, give) {
    this.#said(await this.#words(() => this.link.settleSeat(board.match, ask.id, give)));
  }

  /** Tell all directors that this one is on the way. True if the server accepted it.
   * @param {Alert} alert */
  async coming({ key, board }) {
    const lost = gettext('There is no connection, so nobody was told that you are coming.');
    return this.#said(await this.#words(() => this.link.comingTo(board.match, key), lost));
  }

  /** Dismiss an alert that needs no action, on this page.
   * @param {Alert} alert */
  dismiss({ key }) {
    this.dismissed.add(key);
    this.page.second();
  }

  /** @param {number} match @param {Reach} [reach] */
  open(match, reach) {
    this.page.open(match, reach);
  }

  /** @param {Board} board */
  strikeOut(board) {
    this.page.strikeOut(board);
  }

  /** @param {AlertKind} kind */
  showKind(kind) {
    this.page.showKind(kind);
  }

  /** Send a request. Returns '' if it was accepted, else an error message; `lost` is that for no connection.
   * @param {() => Promise<Reply>} request */
  async #words(request, lost = gettext('There is no connection, so nothing was sent.')) {
    if (!this.link.open) return lost;
    const answer = await request();
    if (answer === null) return gettext('The server did not answer. Look at the board before you try again.');
    return answer.t === 'ack' ? '' : answer.words;
  }

  /** Show an error message; true if there is none.
   * @param {string} words */
  #said(words) {
    if (words) this.page.say(words);
    return words === '';
  }
}
