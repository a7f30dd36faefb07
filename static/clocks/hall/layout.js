/**
 * Layout of one sheet of a hall's screen: how many boards or names, and how large. Pure; a size is the font size of a
 * name, in px.
 *
 * The smallest size is legible from 8 m on a picture 3 m wide: capitals of 23 mm, twice what good eyes need.
 */
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @typedef {{ columns: number, rows: number, size: number, letters: number }} Layout */
const LEGIBLE = 0.0108; // smallest size, as a share of the width of the picture
const LEAST = 13; // px: smallest size in a small window
const LETTER = 0.6; // letter width in em, of a wide typeface
export const ORDINARY = 17; // letters of an ordinary full name; longer names are smaller
const BOARD = { width: ORDINARY * LETTER + 1, height: 7.4 }; // size of a board, in em of its names
const ENTRY = { height: 1.4, table: 4.5 }; // em: height of a line of a list, width of its table
const OPPONENT = 0.75; // font size of the opponent's name, in em of the name
const DASH = 2; // letters taken by the dash before the opponent's name
const LARGEST = 2.2; // largest size of a list, as a multiple of the smallest: it is sorted, so it need not be larger
const FEWEST = 12; // up to this many boards stay on one page, even below the legible size

/** @param {number} width */
const least = (width) => Math.max(LEAST, width * LEGIBLE);

/**
 * Layout in which `count` boards are as large as possible: `{columns, rows, size}`; `size` is the font size of their
 * names.
 * @param {number} count @param {number} width @param {number} height
 */
export function layoutOf(count, width, height) {
  let best = { columns: 1, rows: 1, size: 0 };
  for (let columns = 1; columns <= Math.max(1, count); columns += 1) {
    const rows = Math.max(1, Math.ceil(count / columns));
    const size = Math.min(width / columns / BOARD.width, height / rows / BOARD.height);
    if (size > best.size) best = { columns, rows, size };
  }
  return best;
}

/** Split the boards into as few pages as possible, each legible or of at most `FEWEST` boards; all but the last have
 * the same length.
 * @param {Snapshot[]} boards @param {number} width @param {number} height @returns {Snapshot[][]} */
export function pagesOf(boards, width, height) {
  let pages = 1;
  const each = () => Math.ceil(boards.length / pages);
  while (each() > FEWEST && layoutOf(each(), width, height).size < least(width)) pages += 1;
  return inParts(boards, each());
}

/**
 * Layout `{columns, rows, size}` of a list of `count` names with opponents and tables; the longest name has `letters`.
 * If not all names fit, it is the layout of each of several sheets.
 * @param {number} count @param {number} letters @param {number} width @param {number} height
 */
export const namesLayoutOf = (count, letters, width, height) =>
  listLayoutOf(
    count,
    (letters + OPPONENT * (DASH + Math.min(letters, ORDINARY))) * LETTER + ENTRY.table,
    width,
    height,
  );

/** Same for standings: place, name and wins.
 * @param {number} count @param {number} letters @param {number} width @param {number} height */
export const placesLayoutOf = (count, letters, width, height) =>
  listLayoutOf(count, letters * LETTER + 2 * ENTRY.table, width, height);

/** @param {number} count @param {number} wide @param {number} width @param {number} height */
function listLayoutOf(count, wide, width, height) {
  const smallest = least(width);
  let best = { columns: 1, rows: 1, size: smallest };
  for (let share = LARGEST; share >= 1; share -= 0.1) {
    const size = smallest * share;
    const columns = Math.max(1, Math.floor(width / (size * wide)));
    const rows = Math.max(1, Math.floor(height / (size * ENTRY.height)));
    best = { columns, rows, size };
    if (columns * rows >= count) break;
  }
  // Drop empty columns, and even out the others.
  const columns = Math.min(best.columns, Math.max(1, Math.ceil(count / best.rows)));
  return { ...best, columns, rows: Math.min(best.rows, Math.max(1, Math.ceil(count / columns))) };
}

/** Split a list into parts of `most`; the last may be shorter.
 * @template T @param {T[]} list @param {number} most @returns {T[][]} */
export function inParts(list, most) {
  const parts = [];
  for (let at = 0; at < list.length; at += most) parts.push(list.slice(at, at + most));
  return parts;
}
