/**
 * Choices on the hall's screen: the round, what to show, and which tournament's screen follows. They are kept in the
 * page's URL, so they survive a reload.
 */
import { fill, find, make, mark } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { roundsOf, roundsPlayed } from '../words/rounds.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */

const ALL = '*'; // every round
const PLAYED = ''; // the rounds being played

export class Choices {
  /** `chosen()` is called when the round or the kind of sheets has been changed.
   * @param {() => void} chosen */
  constructor(chosen) {
    this.rounds = /** @type {HTMLSelectElement} */ (find('[data-round]'));
    this.shows = /** @type {HTMLSelectElement} */ (find('[data-show]'));
    this.others = /** @type {HTMLSelectElement | null} */ (document.querySelector('[data-then]'));
    this.offered = ''; // the rounds last offered, as JSON
    const asked = new URLSearchParams(location.search);
    this.round = asked.get('round') ?? PLAYED;
    this.shows.value = asked.get('show') ?? '';
    if (this.shows.selectedIndex < 0) this.shows.selectedIndex = 0;
    this.follows = (asked.get('then') ?? '').split(',').filter((slug) => /^[-\w]+$/.test(slug));
    if (this.others) {
      this.others.value = this.follows[0] ?? '';
      this.others.addEventListener('change', () => {
        this.follows = this.others?.value ? [this.others.value] : [];
        this.#keep();
      });
    }
    this.rounds.addEventListener('change', () => {
      this.round = this.rounds.value;
      this.#keep();
      chosen();
    });
    this.shows.addEventListener('change', () => {
      this.#keep();
      chosen();
    });
    const language = /** @type {HTMLFormElement} */ (find('[data-language]'));
    language.addEventListener('change', () => {
      const next = /** @type {HTMLInputElement} */ (language.elements.namedItem('next'));
      next.value = location.pathname + location.search; // keeps the choices made since the page loaded
      language.submit();
    });
  }

  /** Kind of sheets to show, a constant of sheets.js. */
  get show() {
    return this.shows.value;
  }

  #keep() {
    const address = new URL(location.href);
    for (const [name, value] of [['round', this.round], ['show', this.show], ['then', this.follows.join()]]) {
      if (value) address.searchParams.set(name, value);
      else address.searchParams.delete(name);
    }
    history.replaceState(null, '', address);
  }

  /** URL of the next tournament's screen, or ''. From there, the other screens follow, and finally `here` again.
   * @param {string} here */
  next(here) {
    const [slug, ...rest] = this.follows;
    if (!slug) return '';
    const asked = new URLSearchParams(this.show ? { show: this.show } : {});
    asked.set('then', [...rest, here].join());
    return `/hall/${slug}/?${asked}`;
  }

  /** Boards of the chosen rounds.
   * @param {Snapshot[]} boards */
  among(boards) {
    if (this.round === ALL) return boards;
    const rounds = this.round === PLAYED ? roundsPlayed(boards) : new Set([this.round]);
    return boards.filter(({ round }) => rounds.has(round));
  }

  /** Fill the round menu with the rounds of these boards, if they have changed.
   * @param {Snapshot[]} boards */
  offer(boards) {
    const rounds = roundsOf(boards);
    const played = roundsPlayed(boards);
    const now = rounds.filter(([round]) => played.has(round)).map(([, name]) => name).filter(Boolean).join(', ');
    const named = rounds.filter(([round]) => round);
    const text = JSON.stringify([rounds, now, this.round]);
    mark(this.rounds, 'hidden', named.length === 0 && this.round === PLAYED);
    if (text === this.offered) return;
    this.offered = text;
    const gone = ![PLAYED, ALL, ...rounds.map(([round]) => round)].includes(this.round);
    fill(
      this.rounds,
      make(
        'option',
        { value: PLAYED },
        now ? gettext('Now: %(rounds)s', { rounds: now }) : gettext('Being played now'),
      ),
      named.map(([value, name]) => make('option', { value }, name)),
      gone ? make('option', { value: this.round }, this.round) : null,
      make('option', { value: ALL }, gettext('All rounds')),
    );
    this.rounds.value = this.round;
  }
}
