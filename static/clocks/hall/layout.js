/**
 * Number and size of the boards and names on one sheet of a hall's screen. Pure; sizes are a name's font size in px.
 *
 * The smallest size is what can be read from 8 m when the picture is 3 m wide: capitals of 23 mm, twice what good eyes
 * need.
 */
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @typedef {{ columns: number, rows: number, size: number, letters: number }} Layout */
const LEGIBLE = 0.0108; // of the width of the picture
const LEAST = 13; // in a small window
const LETTER = 0.6; // the width of a letter, in widths of its type: that of a broad typeface
export const ORDINARY = 17; // letters of a full name; a longer one is written smaller
const BOARD = { width: ORDINARY * LETTER + 1, height: 7.4 }; // size of a board, in font sizes of its names
const ENTRY = { height: 1.4, table: 4.5 }; // a line of the list of names, and what its table takes
const OPPONENT = 0.75; // size of the opponent beside it, in sizes of the name
const DASH = 2; // letters before the opponent's name
const LARGEST = 2.2; // largest size of the list, in smallest sizes: a name is found by its place, too
const FEWEST = 12; // boards on a page that is followed by another

/** @param {number} width */
const least = (width) => Math.max(LEAST, width * LEGIBLE);

/**
 * Return `{columns, rows, size}` for `count` boards in a field: the largest that fit, `size` being that of the names.
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

/** Return the boards page by page: as few pages as can be read from afar, filled as evenly as possible.
 * @param {Snapshot[]} boards @param {number} width @param {number} height @returns {Snapshot[][]} */
export function pagesOf(boards, width, height) {
  let pages = 1;
  const each = () => Math.ceil(boards.length / pages);
  while (each() > FEWEST && layoutOf(each(), width, height).size < least(width)) pages += 1;
  return inParts(boards, each());
}

/**
 * Return `{columns, rows, size}` for a list of `count` names with their tables, the longest of `letters`; not all need
 * fit.
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
  // No more columns than there are names for, and all of the same length.
  const columns = Math.min(best.columns, Math.max(1, Math.ceil(count / best.rows)));
  return { ...best, columns, rows: Math.min(best.rows, Math.max(1, Math.ceil(count / columns))) };
}

/** Return a list in parts of `most`, the last of which may be shorter.
 * @template T @param {T[]} list @param {number} most @returns {T[][]} */
export function inParts(list, most) {
  const parts = [];
  for (let at = 0; at < list.length; at += most) parts.push(list.slice(at, at + most));
  return parts;
}
