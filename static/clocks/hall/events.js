/**
 * Brackets, standings, colours and start times of a tournament's events, from a server page that is refetched after a
 * result or a draw, and every minute.
 */
import { widthOf } from '../words/letters.js';
import { inParts, placesLayoutOf } from './layout.js';
import { Part } from './part.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { Layout } from './layout.js' */

const SPREAD_MS = 3_000; // spreads the requests of a hall's screens
const ANEW_MS = 60_000; // refetch interval: no frame reports a changed start or colour
const SOON_MS = 60 * 60_000; // how long before its start a round is announced
const LATE_MS = 60_000; // and how long after

/** @typedef {{ place: string, name: string, wins: string }} Line */
/** @typedef {{ name: string, colour: string, brackets: Element[], lines: Line[] }} Event */
/** @typedef {{ title: string, colour: string, bracket?: Element, lines?: Line[], layout?: Layout }} EventSheet */

export class Events {
  /** `changed()` is called after a new version of the page at `address` has been read.
   * @param {string} address @param {() => void} changed */
  constructor(address, changed) {
    /** @type {Event[]} */
    this.all = [];
    /** @type {Map<string, { name: string, colour: string, at: number }>} */
    this.rounds = new Map();
    /** @type {Map<number, string>} */
    this.seen = new Map();
    this.part = new Part({
      address: () => address,
      spreadMs: SPREAD_MS,
      read: (text) => {
        this.read(new DOMParser().parseFromString(text, 'text/html'));
        changed();
      },
    });
    this.part.fetch();
    setInterval(() => this.part.fetch(), ANEW_MS);
  }

  /** Refetch soon if a match is new, has ended or was reopened, or its table, round or names have changed.
   * @param {Snapshot[]} boards */
  look(boards) {
    const first = this.seen.size === 0; // the first boards: the page has just been fetched
    for (const { match, status, table, names, round } of boards) {
      const now = [status === 'over', table, round, ...names].join('|');
      const before = this.seen.get(match);
      this.seen.set(match, now);
      if (before !== now && !first) this.part.soon();
    }
  }

  /** Forget matches that have left the screen, and refetch soon.
   * @param {number[]} matches */
  forget(matches) {
    for (const match of matches) this.seen.delete(match);
    this.part.soon();
  }

  /** @param {Document} page */
  read(page) {
    /** @param {Element} node @param {string} name */
    const of = (node, name) => node.getAttribute(`data-${name}`) ?? '';
    this.all = [...page.querySelectorAll('[data-event]')].map((node) => ({
      name: of(node, 'event'),
      colour: of(node, 'colour'),
      brackets: [...node.querySelectorAll('svg')],
      lines: [...node.querySelectorAll('li')].map((line) => ({
        place: of(line, 'place'),
        wins: of(line, 'wins'),
        name: line.textContent?.trim() ?? '',
      })),
    }));
    this.rounds = new Map(
      [...page.querySelectorAll('[data-round]')].map((node) => [
        of(node, 'round'),
        { name: node.textContent?.trim() ?? '', colour: of(node, 'colour'), at: Number(of(node, 'starts')) },
      ]),
    );
  }

  /** Colour of a round; '' if it has none.
   * @param {string} round */
  colourOf(round) {
    return this.rounds.get(round)?.colour ?? '';
  }

  /** Next start to announce: its time and the names of its rounds; null if there is none.
   * @param {number} now */
  nextStart(now) {
    const coming = [...this.rounds.values()].filter(({ at }) => at > now - LATE_MS && at < now + SOON_MS);
    if (!coming.length) return null;
    const at = Math.min(...coming.map((round) => round.at));
    return { at, names: coming.filter((round) => round.at === at).map(({ name }) => name) };
  }

  /** Sheets of all events: the parts of each bracket, or the standings.
   * @param {number} width @param {number} height @returns {EventSheet[]} */
  sheets(width, height) {
    return this.all.flatMap(({ name: title, colour, brackets, lines }) => {
      if (brackets.length) {
        return brackets.map((bracket) => /** @type {EventSheet} */ ({ title, colour, bracket }));
      }
      const letters = Math.max(8, ...lines.map(({ name }) => widthOf(name)));
      const layout = { ...placesLayoutOf(lines.length, letters, width, height), letters };
      return inParts(lines, layout.columns * layout.rows).map((part) => ({ title, colour, lines: part, layout }));
    });
  }
}
