/**
 * What a hall's screen turns over, one sheet after another: pages of boards, and between them the list of who plays
 * where. Pure.
 */
import { inParts, layoutOf, namesLayoutOf, pagesOf } from './layout.js';
import { entriesOf, lettersOf } from './names.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */

/** What may be chosen to be shown. */
export const BOTH = '';
export const BOARDS = 'boards';
export const NAMES = 'names';

/** Tell whether somebody still has to find their table: a match that has not begun.
 * @param {Snapshot} board */
const toBegin = (board) => ['setup', 'ready'].includes(board.status) && board.game === 1 && board.turn_number === 0;

/**
 * Return the sheets for these boards in a field, each with `boards` or `names` and the `{columns, rows, size}` of its
 * kind.
 *
 * Where boards take several pages, or a match has still to begin, a page of names follows each page of boards in turn;
 * `show` chooses one of the two alone.
 * @param {Snapshot[]} boards @param {string} show @param {number} width @param {number} height
 */
export function sheetsOf(boards, show, width, height) {
  const pages = pagesOf(boards, width, height);
  const layout = layoutOf(pages[0]?.length ?? 0, width, height); // the same for all, so the last one does not jump
  const ofBoards = pages.map((page) => ({ boards: page, names: null, layout: { ...layout, letters: 0 } }));
  if (show === BOARDS || (show === BOTH && pages.length < 2 && !boards.some(toBegin))) return ofBoards;
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
