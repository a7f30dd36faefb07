/**
 * A press of this match came late, and its player was charged for it: a line beside the clocks says so at both phones,
 * and one tap asks for the time back. Nothing is covered. Loaded once the clock is there.
 */
import { button, make, mark, write } from '../browser/dom.js';
import { onDevice } from '../browser/storage.js';
import { elapsed } from '../words/times.js';
import { gettext, interpolate } from '../words/i18n.js';
import { hasNoDirector, nameOf } from '../words/phrases.js';

const KEY = 'clock:late-read';
const OTHERS_MS = 30_000; // whoever lost nothing need not put it away

/** Tell whether the players may give back time by themselves: the other is asked for it, else the director. */
const settlesTime = (match) => match.features.time_by_agreement || hasNoDirector(match);

/** Return what is said of `late`, `mine` to the player whose press it was. */
function lateLine(match, late, mine) {
  const values = {
    name: nameOf(match, late.seat),
    late: Math.round(late.late_ms / 1000),
    charged: elapsed(late.charged_ms),
  };
  return interpolate(
    mine
      ? gettext('Your press arrived %(late)s s late; %(charged)s was charged.')
      : gettext('%(name)s’s press arrived %(late)s s late; %(charged)s was charged.'),
    values,
  );
}

/** Return the command by which the player who lost that time asks for it. Its note goes into the record, in English. */
function askedBack(match, late) {
  const seconds = Math.round(late.late_ms / 1000);
  const note = `Late press: arrived ${seconds} s late, ${elapsed(late.charged_ms)} was charged`;
  if (!settlesTime(match)) return { do: 'call', note };
  return { do: 'propose', what: 'time', seat: late.seat, by_ms: late.charged_ms, note };
}

/** Show from now on what came late at this clock. */
export class LateNotice {
  constructor(clock) {
    this.clock = clock;
    this.text = make('p', { role: 'status' });
    this.ask = button('', () => this.#ask());
    const away = button(gettext('OK'), () => this.#putAway());
    const answers = make('div.settles', {}, this.ask, away);
    this.element = make('div.message.late', { hidden: true }, make('b', {}, gettext('Late press')), this.text, answers);
    const strip = clock.querySelector('.strip');
    if (strip) strip.append(this.element);
    else clock.querySelector('.hold').before(this.element);
    clock.addEventListener('clock-change', () => this.look());
    this.look();
  }

  look() {
    clearTimeout(this.timer);
    const { clock } = this;
    const late = this.#news();
    this.element.hidden = !late;
    mark(clock, 'data-late', late ? '' : null);
    write(this.text, late ? lateLine(clock.match, late, !clock.shared && this.#isMine(late)) : '');
    if (!late) return;
    this.ask.hidden = !this.#isMine(late) || clock.match.proposal !== null;
    write(
      this.ask,
      settlesTime(clock.match) ? gettext('Ask for it back') : gettext('Ask the director for it'),
    );
    if (!this.#isMine(late)) this.timer = setTimeout(() => this.look(), late.at + OTHERS_MS - clock.now());
  }

  #isMine({ seat }) {
    return this.clock.seats.includes(seat);
  }

  /** Return the late press that is still to be told here, or null. */
  #news() {
    const { clock } = this;
    const late = clock.match?.late;
    if (!late?.charged_ms || clock.match.status === 'over' || this.#name(late) === this.read) return null;
    if (onDevice.get(KEY) === this.#name(late)) return null;
    return this.#isMine(late) || clock.now() < late.at + OTHERS_MS ? late : null;
  }

  #name({ at }) {
    return `${this.clock.match.match}:${at}`;
  }

  #ask() {
    const { match, players } = this.clock;
    if (!match.late) return;
    const { open } = this.clock.link; // without a connection nothing is sent, and the line stays
    players.ask(match.late.seat, askedBack(match, match.late), performance.now());
    if (open) this.#putAway();
  }

  #putAway() {
    this.read = this.#name(this.clock.match.late ?? { at: 0 }); // where nothing can be kept, while the page is open
    onDevice.set(KEY, this.read);
    this.look();
  }
}
