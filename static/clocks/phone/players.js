/**
 * The players at this phone: their presses and commands on the way to the server, and what comes back.
 */
import { otherSeat } from '../match/clocks.js';
import * as phrases from '../words/phrases.js';
import { commandOf, newId } from '../wire/outbox.js';
import { gettext } from '../words/i18n.js';
import { declinedLine } from '../words/terms.js';
import { lostLine } from './modes.js';
import { PRESSES, SLOW_MS } from './state.js';
/** @import { Ask } from '../match/protocol.d.ts' */
/** @import { Sent } from '../wire/match-source.js' */

const DECLINED_MS = 8000;

export class Players {
  /** `page` is the <match-clock>. */
  constructor(page) {
    this.page = page;
  }

  /** A finger landed on the pad of `seat` at `at` (the event's `timeStamp`). */
  press(seat, at) {
    const { match, state } = this.page;
    if (!match) return;
    const mode = state.modeOf(seat);
    if (mode === 'sent' || mode === 'sending' || mode === 'accepted') return;
    if (mode === 'ready' && state.pressOf(otherSeat(seat))) return; // who moves first has been said
    if (mode !== 'wait') this.#send(seat, { do: 'hit', turn_number: match.turn_number }, at);
    else if (this.#followsAPress(seat)) this.#send(seat, { do: 'hit', turn_number: match.turn_number + 1 }, at);
    else this.#refuse(seat, this.#waits(seat), mode);
  }

  /** Why a press does not count now. */
  #waits(seat) {
    const { match, source } = this.page;
    if (!source.lostMs) return phrases.clockIsRunning(match, otherSeat(seat));
    return `${gettext('No connection')}. ${lostLine(source.lostMs)}`;
  }

  /** On a shared phone the other's press may still be on its way: both count, in their order. */
  #followsAPress(seat) {
    const { state, source, match } = this.page;
    const entry = state.pressOf(otherSeat(seat));
    return source.live && entry && entry.frame.do === 'hit' && entry.frame.turn_number === match.turn_number;
  }

  /** `seat` asks for `ask`, a command without its address. */
  ask(seat, ask, at) {
    if (ask.do !== 'hit' && !this.page.source.live) {
      this.#refuse(seat, gettext('No connection, so nothing was sent. Tell your opponent and try again.'));
    } else this.#send(seat, ask, at);
  }

  #send(seat, ask, at) {
    const { page } = this;
    if (page.source.ended) return; // the seat is no longer this phone's: nothing is kept for when it is taken again
    // Where `seat` is whose reserve changes, or who gets a phone, `by` says who asks.
    const asker = 'seat' in ask ? { by: seat } : { seat };
    const frame = {
      t: 'do',
      match: page.match.match,
      id: newId(),
      at: Math.round(page.source.sync.serverAt(at)),
      ...ask,
      ...asker,
    };
    page.source.send(frame, seat);
    page.refresh();
    page.tell('pressed', seat);
    setTimeout(() => page.refresh(), SLOW_MS);
  }

  /** Answer the phone of `ask`, which wants a seat of this one. */
  answerAsk(/** @type {Ask} */ { id, seats: [seat] }, /** @type {boolean} */ give) {
    this.page.source.send({ t: 'seat', id: newId(), ask: id, give }, seat);
  }

  /** The server's word on a command. */
  answered(frame, /** @type {Sent} */ { seat, frame: sent }) {
    const asked = commandOf(sent);
    const { page } = this;
    if (frame.t === 'ack') {
      page.state.acknowledged(seat, asked, frame.v);
    } else {
      const press = PRESSES.includes(asked);
      const late = frame.code === 'stale' && press;
      if (press && page.state.refused(seat)) this.page.status.say(page.state.uncountedLine(seat));
      else if (!(late && page.state.hasOpened(sent))) {
        this.#refuse(seat, late ? gettext('Already switched.') : frame.words || frame.code);
      }
    }
    page.refresh();
  }

  /** Say who declined what where no panel does. */
  tellDeclined(match, before) {
    if (!before || !match.declined || match.declined.at === before.declined?.at) return;
    const { halves, seats, shared, status } = this.page;
    if (!declinedLine(match)) return;
    for (const half of halves) {
      if (!half.small && half.mode !== 'stopped') half.tell(declinedLine(match, half.seat), null, DECLINED_MS);
    }
    status.say(declinedLine(match, shared ? null : seats[0]));
  }

  /** Commands that were given up unanswered: whether they arrived is not known. */
  dropped(entries) {
    for (const { seat } of entries) {
      this.#refuse(seat, gettext('The server did not answer. Look at the clock before you try again.'));
    }
    this.page.refresh();
  }

  #refuse(seat, words, mode = null) {
    const { seats } = this.page; // whoever pressed for a player at another phone reads it on their own half
    this.page.half(seats.includes(seat) ? seat : seats[0]).tell(words, mode);
    this.page.status.say(words);
    this.page.tell('refused', seat);
  }
}
