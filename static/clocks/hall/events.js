/**
 * Brackets, standings, colours and starts of a tournament's events, from a page of the server that is fetched again
 * after a result or a draw.
 */
import { widthOf } from '../words/letters.js';
import { inParts, placesLayoutOf } from './layout.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { Layout } from './layout.js' */

const SPREAD_MS = 3_000; // so that not all screens of a hall ask at the same moment
const ANEW_MS = 60_000; // a start that was changed, or a colour, is told by no frame
const SOON_MS = 60 * 60_000; // starts that are later than this are not shown yet
const LATE_MS = 60_000; // for how long a round that has started is announced

/** @typedef {{ place: string, name: string, wins: string }} Line */
/** @typedef {{ name: string, colour: string, final: boolean, brackets: Element[], lines: Line[] }} Event */
/** @typedef {{ title: string, colour: string, bracket?: Element, lines?: Line[], layout?: Layout }} EventSheet */

export class Events {
  /** `changed()` is called when something has.
   * @param {string} address @param {() => void} changed */
  constructor(address, changed) {
    this.address = address;
    this.changed = changed;
    /** @type {Event[]} */
    this.all = [];
    /** @type {Map<string, { name: string, colour: string, at: number }>} */
    this.rounds = new Map();
    /** @type {Map<number, string>} */
    this.seen = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.due = undefined;
    this.stamp = '';
    this.fetch();
    setInterval(() => this.fetch(), ANEW_MS);
  }

  /** Ask again if a match has begun, ended, or gone elsewhere.
   * @param {Snapshot[]} boards */
  look(boards) {
    for (const { match, status, table, names, round } of boards) {
      const now = [status === 'over', table, round, ...names].join('|');
      const before = this.seen.get(match);
      this.seen.set(match, now);
      if (before !== now) this.soon();
    }
  }

  soon() {
    this.due ??= setTimeout(() => this.fetch(), 300 + Math.random() * SPREAD_MS);
  }

  async fetch() {
    clearTimeout(this.due);
    this.due = undefined;
    /** @type {Record<string, string>} */
    const headers = this.stamp ? { 'If-None-Match': this.stamp } : {};
    const answer = await fetch(this.address, { headers }).catch(() => null);
    if (!answer?.ok) return;
    this.stamp = answer.headers.get('ETag') ?? '';
    this.read(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    this.changed();
  }

  /** @param {Document} page */
  read(page) {
    /** @param {Element} node @param {string} name */
    const of = (node, name) => node.getAttribute(`data-${name}`) ?? '';
    this.all = [...page.querySelectorAll('[data-event]')].map((node) => ({
      name: of(node, 'event'),
      colour: of(node, 'colour'),
      final: node.hasAttribute('data-final'),
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

  /** Return the colour of a round, '' for none.
   * @param {string} round */
  colourOf(round) {
    return this.rounds.get(round)?.colour ?? '';
  }

  /** Return the rounds that start next, all at one instant; null if none does.
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
