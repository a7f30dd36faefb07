/** Fields of forms that several pages have: a choice of one, and a note. */
import { make } from './dom.js';

let latest = 0;

/**
 * A choice of one of `options` ([value, label]) as a row of segments.
 *
 * @template T @param {string} legend @param {[T, string][]} options @param {T | null} chosen
 * @param {{ name?: string, required?: boolean, changed?: (value: T) => void }} [more]
 */
export function choice(legend, options, chosen, { name, required = false, changed } = {}) {
  latest += 1;
  const group = name ?? `choice-${latest}`;
  const labels = options.map(([value, label]) => {
    const oninput = () => changed?.(value); // not onchange: forms redraw at "input"
    const radio = { type: 'radio', name: group, value, checked: value === chosen, required, oninput };
    return make('label', {}, make('input', radio), make('span', {}, label));
  });
  return make('fieldset.choice', {}, make('legend', {}, legend), make('div.segments', {}, labels));
}

/** A field for a note of at most `longest` characters.
 * @param {string} label @param {{ longest?: number, kind?: string }} [more] */
export function noteField(label, { longest = 120, kind = 'note' } = {}) {
  const input = make('input', { type: 'text', maxlength: longest, autocomplete: 'off' });
  const element = make(`label.${kind}`, {}, make('span', {}, label), input);
  return { element, input, read: () => input.value.trim() };
}
