/**
 * How many boards a hall screen shows at a time, and how large. Pure.
 */
const MOST = 40;
const FEWEST = 24; // of a page that is followed by another
const BROAD = 1.5; // a board's width for its height, at which its words and figures fit best

/** Return the boards page by page: all on one as long as that holds them, else pages as even as they can be. */
export function pagesOf(boards) {
  const many = Math.ceil(boards.length / MOST);
  const each = many < 2 ? MOST : Math.max(FEWEST, Math.ceil(boards.length / many));
  const pages = [];
  for (let at = 0; at < boards.length; at += each) pages.push(boards.slice(at, at + each));
  return pages;
}

/** Return `{columns, rows, size}` for `count` boards in a field: the largest that fit, `size` being the height in px. */
export function layoutOf(count, width, height) {
  let best = { columns: 1, rows: 1, size: 0 };
  for (let columns = 1; columns <= Math.max(1, count); columns += 1) {
    const rows = Math.max(1, Math.ceil(count / columns));
    const size = Math.min(width / columns / BROAD, height / rows);
    if (size > best.size) best = { columns, rows, size };
  }
  return best;
}
