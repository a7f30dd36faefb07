/** Starting times of a practice match: the only rules that its form needs. Pure. */
/** @import { PracticeBook, Setting } from './practice.d.ts' */

/** Starting times under `book`; the players' `own` amounts override the book's.
 * @param {PracticeBook} book @param {Setting} setting */
export function timing(book, { format, length, score, own = {} }) {
  const found = book.formats[format] || book.formats.singles;
  const kind = own.kind || found.kind;
  const delay = kind === 'none' ? 0 : found.delay_ms;
  return {
    kind,
    reserve_ms: own.reserve_ms || found.reserve_ms[2 * length - score[0] - score[1]],
    delay_ms: kind !== 'none' && own.delay_ms !== undefined ? own.delay_ms : delay,
  };
}
