/** Player lists: opponents and tables for the start of a round, and standings. */
import { make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { widthOf } from '../words/letters.js';
import { ORDINARY } from './layout.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { Line } from './events.js' */

const LANGUAGE = globalThis.document?.documentElement.lang || undefined;
const byName = new Intl.Collator(LANGUAGE, { numeric: true, sensitivity: 'base' });
const BETWEEN = /\s*[/&+]\s*/; // separators of the players of a team, as in draws
const FEWEST = 8; // letters: the least width of a column
const MOST = 27;

/** @typedef {{ name: string, opponent: string, table: string }} Person */

/** Entries `{name, opponent, table}` of all players on these boards, sorted by name; one for each player of a team.
 * @param {Snapshot[]} boards */
export function entriesOf(boards) {
  /** @param {Snapshot} board @param {string} name */
  const people = (board, name) => (board.format === 'doubles' ? name.split(BETWEEN).filter(Boolean) : [name]);
  return boards
    .flatMap((board) =>
      board.names.flatMap((seat, index) =>
        people(board, seat).map((name) => ({ name, opponent: board.names[1 - index], table: board.table }))
      )
    )
    .sort((a, b) => byName.compare(a.name, b.name) || byName.compare(a.table, b.table));
}

/** Column width in letters: that of the longest name, within limits.
 * @param {Person[]} entries */
export const lettersOf = (entries) => Math.min(MOST, Math.max(FEWEST, ...entries.map(({ name }) => widthOf(name))));

/** Create the list of these players; names with more letters than `longest` are smaller.
 * @param {Person[]} entries @param {number} longest */
export const listOf = (entries, longest) =>
  make(
    'ol.bare.hall-names',
    {},
    entries.map(({ name, opponent, table }) =>
      make(
        'li',
        {},
        called('span.hall-name', name, longest),
        ' ',
        called('span.hall-opponent', `– ${opponent}`, Math.min(longest, ORDINARY)),
        ' ',
        make('b', {}, make('span.unseen', {}, gettext('Table')), ' ', table),
      )
    ),
  );

/** Create the list of these standings; names with more letters than `longest` are smaller.
 * @param {Line[]} lines @param {number} longest */
export const standingsOf = (lines, longest) =>
  make(
    'ol.bare.hall-names.hall-places',
    {},
    lines.map(({ place, name, wins }) =>
      make('li', {}, make('b', {}, place), ' ', called('span.hall-name', name, longest), ' ', make('span', {}, wins))
    ),
  );

/** @param {string} kind @param {string} name @param {number} longest */
function called(kind, name, longest) {
  const node = make(kind, {}, name);
  node.style.setProperty('--longest', String(longest));
  node.style.setProperty('--letters', String(widthOf(name)));
  return node;
}
