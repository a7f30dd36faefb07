/**
 * Sheets that a hall's screen shows in turn: pages of boards, alternating with pages of the list of players. page.js
 * adds brackets and standings. Pure.
 */
import { inParts, layoutOf, namesLayoutOf, pagesOf } from './layout.js';
import { entriesOf, lettersOf } from './names.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { EventSheet } from './events.js' */
/** @import { Layout } from './layout.js' */
/** @import { Person } from './names.js' */

/** Kinds of sheets to show. */
export const BOTH = '';
export const BOARDS = 'boards';
export const NAMES = 'names';
export const EVENTS = 'events'; // brackets and standings
export const ALL = 'all'; // boards, names and events

/** @typedef {{ boards: Snapshot[], names: Person[] | null, layout: Layout, event?: EventSheet }} Sheet */

/** True until a match begins: its players may still be looking for their table.
 * @param {Snapshot} board */
const toBegin = (board) => ['setup', 'ready'].includes(board.status) && board.game === 1 && board.turn_number === 0;

/**
 * Sheets for these boards, each with `boards` or `names` and their layout.
 *
 * If the boards take several pages, or a match has not begun, a page of names follows each page of boards; `show` can
 * select one kind.
 * @param {Snapshot[]} boards @param {string} show @param {number} width @param {number} height @returns {Sheet[]}
 */
export function sheetsOf(boards, show, width, height) {
  if (show === EVENTS) return [];
  const pages = pagesOf(boards, width, height);
  const layout = layoutOf(pages[0]?.length ?? 0, width, height); // the same for all, so the last one does not jump
  const ofBoards = pages.map((page) => ({ boards: page, names: null, layout: { ...layout, letters: 0 } }));
  if (show === BOARDS || ([BOTH, ALL].includes(show) && pages.length < 2 && !boards.some(toBegin))) return ofBoards;
  const entries = entriesOf(boards);
  const letters = lettersOf(entries);
  const list = { ...namesLayoutOf(entries.length, letters, width, height), letters };
  const ofNames = inParts(entries, list.columns * list.rows).map((names) => ({ boards: [], names, layout: list }));
  if (show === NAMES || !ofBoards.length) return ofNames;
  const turns = Math.max(ofBoards.length, ofNames.length);
  return Array.from({ length: turns }, (each, turn) => [
    ofBoards[turn % ofBoards.length],
    ofNames[turn % ofNames.length],
  ]).flat();
}
