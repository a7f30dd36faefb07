/**
 * Parts of the forms of rulings, and the preview of their changes.
 */
import { choice, fill, make, mark } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';
import { nameOf } from '../words/phrases.js';
import { SEATS } from '../match/clocks.js';
/** @import { Seat } from '../match/protocol.d.ts' */
/** @import { Board, ChangeLine } from './console.d.ts' */

/**
 * Parse `1:30`, `0:05` or `1:05:00` to milliseconds. Null for anything else: a bare number is ambiguous.
 * @param {string} text
 */
export function readTime(text) {
  const read = /^\s*(?:(\d{1,2}):(?=\d\d:))?(\d{1,3}):([0-5]\d)\s*$/.exec(text);
  return read ? (Number(read[1] ?? 0) * 3600 + Number(read[2]) * 60 + Number(read[3])) * 1000 : null;
}

/** Value of a form's field, or ''.
 * @param {FormData} data @param {string} name */
export const entered = (data, name) => String(data.get(name) ?? '');

/** @param {string} label @param {HTMLElement} control */
export const field = (label, control) => make('label.field', {}, make('span', {}, label), control);

/** @param {string} legend @param {string} name @param {[string, string][]} options @param {string | null} chosen */
export const requiredChoice = (legend, name, options, chosen) =>
  choice(legend, options, chosen, { name, required: true });

/** Choice of a player.
 * @param {Board} board @param {string} legend @param {string} name @param {Seat | null} chosen */
export const seats = (board, legend, name, chosen) =>
  requiredChoice(legend, name, SEATS.map((seat) => [seat, nameOf(board, seat)]), chosen);

/** @param {string} name @param {number} value @param {number} min @param {number} max */
export const number = (name, value, min, max) =>
  make('input', { type: 'number', inputmode: 'numeric', name, value, min, max, required: true });

/** Buttons that fill in an input: `[[label, value], ...]`.
 * @param {HTMLInputElement} input @param {[string, string][]} values */
export function presets(input, values) {
  const set = (/** @type {string} */ value) => {
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return make(
    'span.row',
    {},
    values.map(([label, value]) => make('button.chip', { onclick: () => set(value) }, label)),
  );
}

/** List of changes; `update(lines)` redraws it only if they differ. */
export function changeList() {
  const node = make('dl.changes');
  let shown = '';
  const update = (/** @type {ChangeLine[]} */ lines) => {
    const text = JSON.stringify(lines);
    if (text === shown) return;
    shown = text;
    mark(node, 'hidden', lines.length === 0);
    fill(
      node,
      lines.map(([what, before, after]) =>
        make(
          'div',
          {},
          make('dt', {}, what),
          make(
            'dd',
            {},
            make('span.before', {}, before),
            make('span.arrow', { 'aria-hidden': 'true' }, '→'),
            make('span.unseen', {}, gettext('becomes')),
            make('b.after', {}, after),
          ),
        )
      ),
    );
  };
  return { node, update };
}
