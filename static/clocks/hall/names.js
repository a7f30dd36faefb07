/** List of players with their tables, which everybody looks for when a round begins. */
import { make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { widthOf } from '../words/letters.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */

const LANGUAGE = globalThis.document?.documentElement.lang || undefined;
const byName = new Intl.Collator(LANGUAGE, { numeric: true, sensitivity: 'base' });
const BETWEEN = /\s*[/&+]\s*/; // the players of a team, as draws write them
const FEWEST = 8; // letters
const MOST = 27;

/** @typedef {{ name: string, table: string }} Person */

/** Return `{name, table}` of everybody who plays on these boards, ordered by name; players of a team one by one.
 * @param {Snapshot[]} boards */
export function entriesOf(boards) {
  /** @param {Snapshot} board @param {string} name */
  const people = (board, name) => (board.format === 'doubles' ? name.split(BETWEEN).filter(Boolean) : [name]);
  return boards
    .flatMap((board) =>
      board.names.flatMap((name) => people(board, name)).map((name) => ({ name, table: board.table }))
    )
    .sort((a, b) => byName.compare(a.name, b.name) || byName.compare(a.table, b.table));
}

/** Column width in letters: that of the longest name, within limits.
 * @param {Person[]} entries */
export const lettersOf = (entries) => Math.min(MOST, Math.max(FEWEST, ...entries.map(({ name }) => widthOf(name))));

/** Make the list of these people; a name with more letters than `longest` is written smaller.
 * @param {Person[]} entries @param {number} longest */
export const listOf = (entries, longest) =>
  make(
    'ol.hall-names',
    {},
    entries.map(({ name, table }) => {
      const called = make('span.hall-name', {}, name);
      called.style.setProperty('--longest', String(longest));
      called.style.setProperty('--letters', String(widthOf(name)));
      return make('li', {}, called, ' ', make('b', {}, make('span.unseen', {}, gettext('Table')), ' ', table));
    }),
  );
