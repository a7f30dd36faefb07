/**
 * Presses and commands of the players at this phone, and the server's answers.
 */
import { otherSeat } from '../match/clocks.js';
import * as phrases from '../words/phrases.js';
import { commandOf, newId } from '../wire/outbox.js';
import { gettext } from '../words/i18n.js';
import { declinedLine } from '../words/terms.js';
import { lostLine } from './modes.js';
import { PRESSES, SLOW_MS } from './state.js';
/** @import { Ask, Command, DoFrame, Seat } from '../match/protocol.d.ts' */
/** @import { Entry } from '../wire/outbox.js' */
/** @import { Answer, Sent } from '../wire/match-source.js' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { MatchClock } from './match-clock.js' */
/** @import { Mode } from './phone.d.ts' */
/** @import { PhoneState } from './state.js' */

const DECLINED_MS = 8000;

export class Players {
  constructor(/** @type {MatchClock} */ page) {
    this.page = page;
  }

  /** Handle a press of the pad of `seat` at `at`, the event's `timeStamp`.
   * @param {Seat} seat @param {number} at */
  press(seat, at) {
    const { match, state } = this.page;
    if (!match) return;
    const mode = state.modeOf(seat);
    if (mode === 'sent' || mode === 'sending' || mode === 'accepted') return;
    if (mode === 'ready' && state.pressOf(otherSeat(seat))) return; // the other press has settled who moves first
    if (mode !== 'wait') this.#send(seat, { do: 'hit', turn_number: match.turn_number }, at);
    else if (this.#followsAPress(match, seat)) this.#send(seat, { do: 'hit', turn_number: match.turn_number + 1 }, at);
    else this.#refuse(seat, this.#waits(match, seat), mode);
  }

  /** Handle the answer of `seat` that `first` moves first: the opponent of `first` presses if that seat is at this
   * phone; else ask for the same answer at the other phone.
   * @param {Seat} seat @param {Seat} first @param {number} at */
  choose(seat, first, at) {
    const by = otherSeat(first);
    const { match, seats } = this.page;
    if (seats.includes(by)) this.press(by, at);
    else if (match) {
      const name = phrases.nameOf(match, by);
      this.#tell(seat, gettext('Now %(name)s taps the same on the other phone.', { name }), 'ready');
    }
  }

  /** Reason why a press does not count now.
   * @param {ShownMatch} match @param {Seat} seat */
  #waits(match, seat) {
    const { source } = this.page;
    if (!source.lostMs) return phrases.clockIsRunning(match, otherSeat(seat));
    return `${gettext('No connection')}. ${lostLine(source.lostMs)}`;
  }

  /** True if the other seat's hit of this turn, made at this phone, is unanswered and the source is live: both count.
   * @param {ShownMatch} match @param {Seat} seat */
  #followsAPress(match, seat) {
    const { state, source } = this.page;
    const entry = state.pressOf(otherSeat(seat));
    return source.live && entry?.frame.t === 'do' && entry.frame.do === 'hit' &&
      entry.frame.turn_number === match.turn_number;
  }

  /** Send the command `ask` of `seat`; if the source is not live, reject all but a hit.
   * @param {Seat} seat @param {Command} ask @param {number} at */
  ask(seat, ask, at) {
    if (ask.do !== 'hit' && !this.page.source.live) {
      this.#refuse(seat, gettext('No connection, so nothing was sent. Tell your opponent and try again.'));
    } else this.#send(seat, ask, at);
  }

  /** @param {Seat} seat @param {Command} ask @param {number} at */
  #send(seat, ask, at) {
    const { page } = this;
    const { match, source } = page;
    if (!match || source.ended) return; // or the press would be sent once this phone takes the lost seat again
    // If the command names a `seat` of its own, `by` says who asks.
    const asker = 'seat' in ask ? { by: seat } : { seat };
    const made = Math.round(source.sync.serverAt(at) ?? 0);
    const frame = /** @type {DoFrame} */ ({ t: 'do', match: match.match, id: newId(), at: made, ...ask, ...asker });
    source.send(frame, seat);
    page.refresh();
    page.tell('pressed', seat);
    setTimeout(() => page.refresh(), SLOW_MS);
  }

  /** Answer another phone's request for a seat; `give`: hand it over. */
  answerAsk(/** @type {Ask} */ { id, seats: [seat] }, /** @type {boolean} */ give) {
    this.page.source.send({ t: 'seat', id: newId(), ask: id, give }, seat);
  }

  /** Handle the server's answer to a command.
   * @param {Answer} frame @param {Sent} sent */
  answered(frame, { seat, frame: sent }) {
    if (!seat) return;
    const asked = commandOf(sent);
    const { page } = this;
    if (frame.t === 'ack') {
      page.state.acknowledged(seat, asked, frame.v);
    } else {
      const press = PRESSES.includes(asked);
      const late = frame.code === 'stale' && press;
      if (press && page.state.refused(seat)) page.parts.status.say(page.state.uncountedLine(seat) ?? '');
      else if (!(late && page.state.hasOpened(sent))) {
        this.#refuse(seat, late ? gettext('Already switched.') : frame.words || frame.code);
      }
    }
    page.refresh();
  }

  /** Show who declined what, in halves without a panel that does.
   * @param {ShownMatch} match @param {ShownMatch | null} before */
  tellDeclined(match, before) {
    if (!before || !match.declined || match.declined.at === before.declined?.at) return;
    const { parts: { halves, status }, seats, shared } = this.page;
    if (!declinedLine(match)) return;
    for (const half of halves) {
      if (!half.small && half.mode !== 'stopped') half.tell(declinedLine(match, half.seat), null, DECLINED_MS);
    }
    status.say(declinedLine(match, shared ? null : seats[0]));
  }

  /** Announce that the other player's phone has gone offline or, once it is back, for how long it was offline.
   * @param {ReturnType<PhoneState['receive']>} change */
  tellPresence(change) {
    const { page } = this;
    if (!change || !page.match || !page.seats.length) return;
    const { seat, awayMs } = change;
    if (awayMs === null) {
      page.parts.status.say(phrases.phoneIsSilent(page.match, seat));
      return;
    }
    page.say(phrases.phoneIsBack(page.match, seat, awayMs));
  }

  /** Report commands that were dropped without an answer: they may have arrived.
   * @param {Entry[]} entries */
  dropped(entries) {
    for (const { seat } of entries) {
      if (seat) this.#refuse(seat, gettext('The server did not answer. Look at the clock before you try again.'));
    }
    this.page.refresh();
  }

  /** @param {Seat} seat @param {string} words @param {Mode | null} mode the only mode in which they apply */
  #refuse(seat, words, mode = null) {
    this.#tell(seat, words, mode);
    this.page.tell('refused', seat);
  }

  /** Show a notice to the player of `seat`, and announce it to screen readers.
   * @param {Seat} seat @param {string} words @param {Mode | null} mode the only mode in which they apply */
  #tell(seat, words, mode) {
    const { seats } = this.page; // a player who pressed for the absent opponent sees it on their own half
    this.page.half(seats.includes(seat) ? seat : seats[0]).tell(words, mode);
    this.page.parts.status.say(words);
  }
}
