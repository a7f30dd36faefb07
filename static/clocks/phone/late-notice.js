/**
 * Notice of time lost to the network: a press came late, or this phone was offline while its player's clock ran. A
 * banner tells the player until it is closed, even after a reload; one tap asks for the time back.
 */
import { button, make, write } from '../browser/dom.js';
import { onDevice } from '../browser/storage.js';
import { clocksAt, indexOf, must } from '../match/clocks.js';
import { elapsed } from '../words/times.js';
import { gettext } from '../words/i18n.js';
import { hasNoDirector, nameOf } from '../words/phrases.js';
/** @import { Command, LatePress, Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { ShownMatch } from '../words/phrases.js' */
/** @import { Heard } from './last-heard.js' */
/** @import { MatchClock } from './match-clock.js' */

/** @typedef {{ seat: Seat, at: number, ms: number, title: string, words: string, note: string }} Loss */
/** @typedef {{ match: number, seat: Seat, at: number, offlineMs: number, ranMs: number }} Unread */

const KEY = 'clock:late-read';
const UNREAD = 'clock:absence';
const A_SECOND_MS = 1000;
const OTHERS_MS = 30_000; // after this it closes by itself for the player who lost nothing

/** True if the players may give back time by agreement, without the director. */
const settlesTime = (/** @type {ShownMatch} */ match) => match.features.time_by_agreement || hasNoDirector(match);

/** Sentence about the press `late`; `mine`: for the player who pressed.
 * @param {ShownMatch} match @param {LatePress} late @param {boolean} mine */
function lateLine(match, late, mine) {
  const values = {
    name: nameOf(match, late.seat),
    late: Math.round(late.late_ms / 1000),
    charged: elapsed(late.charged_ms),
  };
  return mine
    ? gettext('Your press arrived %(late)s s late; %(charged)s was charged.', values)
    : gettext('%(name)s’s press arrived %(late)s s late; %(charged)s was charged.', values);
}

/**
 * Reserve in ms that the turn of `match` had used by `at`, when it was first shown after `before`; 0 if it is not the
 * turn of `seat`, the match has changed, or the same turn was seen running in `before`.
 * @param {Snapshot} match @param {Snapshot} before @param {Seat} seat @param {number} at
 */
function ranUnseen(match, before, seat, at) {
  if (match.turn !== seat || match.match !== before.match) return 0;
  const sawItRun = before.turn === seat && before.since !== null;
  if (sawItRun && before.turn_number === match.turn_number) return 0;
  const reserve = (/** @type {Snapshot} */ of) => clocksAt(of, at).reserve_ms[indexOf(seat)] ?? 0;
  // A turn that was resumed may have used time earlier, which was seen.
  const began = Math.min(match.turn_reserve_ms?.[indexOf(seat)] ?? 0, sawItRun ? Infinity : reserve(before));
  return Math.max(0, began - reserve(match));
}

/** Sentences about an absence, and what it cost.
 * @param {{ offlineMs: number, ranMs: number }} absence */
function absenceLine({ offlineMs, ranMs }) {
  const values = { time: elapsed(offlineMs), ran: elapsed(ranMs) };
  return gettext('You were offline for %(time)s. Your clock ran for %(ran)s of it.', values);
}

/** Command that asks for the lost time of `seat`. Its note goes into the record, in English.
 * @param {ShownMatch} match @param {Loss} loss @returns {Command} */
function askedBack(match, { seat, ms, note }) {
  if (!settlesTime(match)) return { do: 'call', note };
  return { do: 'propose', what: 'time', seat, by_ms: ms, note };
}

/**
 * Notice at a clock. The cost of an absence is the time that the turn had already run when this phone showed it.
 */
export class LateNotice {
  /** `before` is the last state before a reload. At `shownAt`, before this script had loaded, the page showed `match`
   * and had lost the server for `lostMs`.
   * @param {MatchClock} clock
   * @param {{ before: Heard | null, match: Snapshot, shownAt: number, lostMs: number }} loaded */
  constructor(clock, { before, match, shownAt, lostMs }) {
    this.clock = clock;
    this.kept = /** @type {Unread | null} */ (onDevice.get(UNREAD)); // possibly of another match or seat
    this.leftAt = lostMs ? shownAt - lostMs : null; // when the lost server was last heard from; null once reported
    this.backAt = Infinity; // when it was heard from again
    this.title = make('b');
    this.text = make('p', { role: 'status' });
    this.ask = button('', () => this.#ask());
    const away = button(gettext('OK'), () => this.#putAway());
    const answers = make('div.row.settles', {}, this.ask, away);
    this.element = make('div.message.late', { hidden: true }, this.title, this.text, answers);
    if (!clock.shared) {
      if (before?.lost && before.seats.includes(clock.seats[0])) {
        this.leftAt = performance.now() - (Date.now() - before.at);
        this.#lookForGap(match, before.match, shownAt);
      }
      this.#lookForGap(must(clock.match), match, performance.now());
      clock.listen({
        connection: () => this.#lookForLoss(),
        changed: (after, known) => known && this.#lookForGap(after, known, performance.now()),
      });
      clock.source.listen({ measured: () => this.#tellReturn() });
      this.#lookForLoss();
    }
    clock.listen({ changed: () => this.look() });
    this.look();
  }

  #lookForLoss() {
    const { lostMs, heardAt, live } = this.clock.source;
    if (lostMs) {
      this.leftAt ??= heardAt;
      this.backAt = Infinity;
    } else if (live) this.backAt = Math.min(this.backAt, performance.now());
  }

  /** Report an absence that cost nothing, once a later ping is answered: any missed state arrives before that. */
  #tellReturn() {
    const answer = this.clock.source.sync.probes.at(-1);
    if (this.leftAt === null || !answer || answer.at - answer.rtt < this.backAt) return;
    this.clock.say(gettext('You were offline for %(time)s.', { time: elapsed(this.backAt - this.leftAt) }));
    this.leftAt = null;
  }

  /** Record how long the player's clock ran before this phone showed it. The phone was offline for at least that long,
   * even if it did not notice.
   * @param {Snapshot} match @param {Snapshot} before @param {number} shownAt */
  #lookForGap(match, before, shownAt) {
    const at = Math.max(match.now, must(this.clock.source.sync.serverAt(shownAt)));
    const ranMs = ranUnseen(match, before, this.clock.seats[0], at);
    if (ranMs < A_SECOND_MS) return;
    const atLeastMs = Math.max(ranMs, at - (match.since ?? at));
    this.#add(at, this.leftAt === null ? atLeastMs : shownAt - this.leftAt, ranMs);
    this.leftAt = null;
  }

  /** Unread absences of this seat, or null. */
  get #unread() {
    const { clock, kept } = this;
    return !clock.shared && kept?.seat === clock.seats[0] && kept.match === clock.match?.match ? kept : null;
  }

  #add(/** @type {number} */ at, /** @type {number} */ offlineMs, /** @type {number} */ ranMs) {
    const { match } = must(this.clock.match);
    const unread = this.#unread ?? { offlineMs: 0, ranMs: 0 };
    const sum = { offlineMs: unread.offlineMs + offlineMs, ranMs: unread.ranMs + ranMs };
    this.#keep({ match, seat: this.clock.seats[0], at, ...sum });
  }

  /** Store unread absences, so that they survive a reload; null clears them. */
  #keep(/** @type {Unread | null} */ unread) {
    this.kept = unread;
    onDevice.set(UNREAD, unread);
  }

  look() {
    clearTimeout(this.timer);
    const { clock } = this;
    const loss = this.#loss();
    this.element.hidden = !loss;
    write(this.title, loss ? loss.title : '');
    write(this.text, loss ? loss.words : '');
    if (!loss) return;
    const match = must(clock.match);
    this.ask.hidden = !this.#isMine(loss) || match.proposal !== null;
    write(
      this.ask,
      settlesTime(match) ? gettext('Ask for it back') : gettext('Ask the director for it'),
    );
    if (!this.#isMine(loss)) this.timer = setTimeout(() => this.look(), loss.at + OTHERS_MS - must(clock.now()));
  }

  #isMine(/** @type {{ seat: Seat }} */ { seat }) {
    return this.clock.seats.includes(seat);
  }

  /** Loss to show here now, or null.
   * @returns {Loss | null} */
  #loss() {
    const { clock } = this;
    if (!clock.match || clock.match.status === 'over') return null;
    const late = this.#news();
    if (late) {
      const [seconds, charged] = [Math.round(late.late_ms / 1000), elapsed(late.charged_ms)];
      return {
        seat: late.seat,
        at: late.at,
        ms: late.charged_ms,
        title: gettext('Late press'),
        words: lateLine(clock.match, late, !clock.shared && this.#isMine(late)),
        note: `Late press: arrived ${seconds} s late, ${charged} was charged`,
      };
    }
    const absence = this.#unread;
    if (!absence) return null;
    return {
      seat: clock.seats[0],
      at: absence.at,
      ms: Math.round(absence.ranMs),
      title: gettext('Offline'),
      words: absenceLine(absence),
      note: `Offline for ${elapsed(absence.offlineMs)}, the clock ran for ${elapsed(absence.ranMs)} of it`,
    };
  }

  /** Late press to show here, or null. */
  #news() {
    const { clock } = this;
    const match = must(clock.match);
    const { late } = match;
    if (!late?.charged_ms || this.#name(late) === this.read) return null;
    const lentAt = match.lent_at[indexOf(late.seat)];
    if (lentAt !== null && late.at < lentAt) { // shown at the phone that had the seat then
      this.#read(late);
      return null;
    }
    if (onDevice.get(KEY) === this.#name(late)) return null;
    return this.#isMine(late) || must(clock.now()) < late.at + OTHERS_MS ? late : null;
  }

  #name(/** @type {LatePress} */ { at }) {
    return `${must(this.clock.match).match}:${at}`;
  }

  #ask() {
    const { match, players } = this.clock;
    const loss = this.#loss();
    if (!loss || !match) return;
    const { live } = this.clock.source; // offline nothing is sent, and the banner stays
    players?.ask(loss.seat, askedBack(match, loss), performance.now());
    if (live) this.#putAway();
  }

  #putAway() {
    const late = this.#news();
    if (late) this.#read(late);
    else this.#keep(null);
    this.look();
  }

  /** Do not show a late press again at this phone or, without storage, until the page is reloaded. */
  #read(/** @type {LatePress} */ late) {
    this.read = this.#name(late);
    onDevice.set(KEY, this.read);
  }
}
