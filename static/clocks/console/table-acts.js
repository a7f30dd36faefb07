/**
 * What a director does with a table and its phones: release a seat, another table, a new code. Outside the rules: the
 * clocks are not touched. Each has the shape of a ruling (rulings.js).
 */

import { choice, entered, field } from './forms.js';
import { blockedByEnd } from './rulings.js';
import { indexOf, SEATS } from '../match/clocks.js';
import { make } from '../browser/dom.js';
import { _ } from '../words/i18n.js';
import { nameOf } from '../words/phrases.js';
/** @import { Seat } from '../match/protocol.d.ts' */
/** @import { Board, TableActs } from './console.d.ts' */

const held = (/** @type {Board} */ board) => SEATS.filter((seat) => board.seats[indexOf(seat)].held);

/**
 * Each act: as in RULINGS, except that `terms` hold the whole command; `changes(board, terms)` is what it would change.
 * @type {TableActs}
 */
export const TABLE_ACTS = {
  'release-seat': {
    label: _('Release a phone'),
    title: _('Release a seat from its phone'),
    blocked: (board) => (held(board).length === 0 ? _('No phone holds a seat.') : ''),
    fields: (board) => [
      choice(
        _('Whose phone'),
        'seat',
        held(board).map((seat) => [seat, nameOf(board, seat)]),
        held(board).length === 1 ? held(board)[0] : null,
      ),
      make('p', {}, _('Any phone can then take the seat. The clock keeps running meanwhile.')),
    ],
    terms(data) {
      const seat = /** @type {Seat | ''} */ (entered(data, 'seat'));
      return seat ? { do: 'release-seat', seat } : null;
    },
    changes: (board, { seat }) => [[_('%(name)s’s seat', { name: nameOf(board, seat) }), _('on a phone'), _('free')]],
  },
  move: {
    label: _('Another table'),
    title: _('Move the match to another table'),
    blocked: blockedByEnd,
    fields: () => [
      field(_('To table'), make('input', { name: 'to', maxlength: 20, autocomplete: 'off', required: true })),
      make('p', {}, _('The phones follow by themselves. A table that does not exist yet is created.')),
    ],
    terms(data) {
      const to = entered(data, 'to').trim();
      return to ? { do: 'move', to } : null;
    },
    changes: (board, { to }) => [[_('Table'), board.table, to]],
  },
  'replace-code': {
    label: _('New code'),
    title: _('Give the table a new code'),
    blocked: () => '',
    fields: () => [
      make(
        'p',
        {},
        _('The old card stops working, and every phone that used it is disconnected. The players keep their seats: they scan the new code.'),
      ),
    ],
    terms: () => ({ do: 'replace-code' }),
    changes: (board) => [[_('Code'), board.code, _('a new one')]],
  },
};
