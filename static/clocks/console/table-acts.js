/**
 * Actions on a table and its phones: release a seat, move the match, replace the code. They do not touch the clocks.
 * Each has the shape of a ruling (rulings.js).
 */

import { entered, field, requiredChoice } from './forms.js';
import { blockedByEnd } from './rulings.js';
import { indexOf, SEATS } from '../match/clocks.js';
import { make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { nameOf } from '../words/phrases.js';
/** @import { Seat } from '../match/protocol.d.ts' */
/** @import { Board, TableActs } from './console.d.ts' */

const held = (/** @type {Board} */ board) => SEATS.filter((seat) => board.seats[indexOf(seat)].held);

/**
 * Like RULINGS, except that `terms()` returns the whole command. `changes(board, terms)` returns the preview.
 * @type {TableActs}
 */
export const TABLE_ACTS = {
  'release-seat': {
    label: gettext('Release a phone'),
    title: gettext('Release a seat from its phone'),
    blocked: (board) => (held(board).length === 0 ? gettext('No phone holds a seat.') : ''),
    fields: (board) => [
      requiredChoice(
        gettext('Whose phone'),
        'seat',
        held(board).map((seat) => [seat, nameOf(board, seat)]),
        held(board).length === 1 ? held(board)[0] : null,
      ),
      make('p', {}, gettext('Any phone can then take the seat. The clock keeps running meanwhile.')),
    ],
    terms(data) {
      const seat = /** @type {Seat | ''} */ (entered(data, 'seat'));
      return seat ? { do: 'release-seat', seat } : null;
    },
    changes: (
      board,
      { seat },
    ) => [[gettext('%(name)s’s seat', { name: nameOf(board, seat) }), gettext('on a phone'), gettext('free')]],
  },
  move: {
    label: gettext('Another table'),
    title: gettext('Move the match to another table'),
    blocked: blockedByEnd,
    fields: () => [
      field(gettext('To table'), make('input', { name: 'to', maxlength: 20, autocomplete: 'off', required: true })),
      make('p', {}, gettext('The phones follow by themselves. A table that does not exist yet is created.')),
    ],
    terms(data) {
      const to = entered(data, 'to').trim();
      return to ? { do: 'move', to } : null;
    },
    changes: (board, { to }) => [[gettext('Table'), board.table, to]],
  },
  'replace-code': {
    label: gettext('New code'),
    title: gettext('Give the table a new code'),
    blocked: () => '',
    fields: () => [
      make(
        'p',
        {},
        gettext(
          'The old card stops working, and every phone that used it is disconnected. The players keep their seats: they scan the new code.',
        ),
      ),
    ],
    terms: () => ({ do: 'replace-code' }),
    changes: (board) => [[gettext('Code'), board.code, gettext('a new one')]],
  },
};
