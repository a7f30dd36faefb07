/** A sheet over the page: one question, its answers, a way back. One at a time. */
import { make, openOver } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';

let latest = 0;

export class Sheet {
  /** `host` is the element that the sheet lies over; `regions` are its live regions: behind a sheet they would stay silent. */
  constructor(host, regions) {
    this.host = host;
    this.regions = regions;
    this.element = null;
  }

  get open() {
    return this.element !== null;
  }

  /** Show `title` and `parts` (elements); `turned` for the player on the far side. */
  show({ title, parts, turned = false }) {
    this.close();
    latest += 1;
    const heading = make('h2', { id: `sheet-${latest}`, tabindex: '-1', autofocus: true }, title);
    const away = make('button.away', { 'aria-label': gettext('Close'), onclick: () => this.close() }, '✕');
    const box = make('div.box', {}, make('header', {}, heading, away), make('div.body', {}, ...parts));
    const element = make('dialog.sheet', { 'data-turned': turned, 'aria-labelledby': heading.id }, box, this.regions);
    this.element = element;
    openOver(this.host, element, { closed: () => this.element === element && this.#clear() });
  }

  close() {
    this.element?.close();
    this.#clear();
  }

  #clear() {
    if (!this.element) return;
    this.host.append(...this.regions);
    this.element.remove();
    this.element = null;
  }
}

/** Return a list of answers: {label, note, kind, act}. */
export function answers(items) {
  return make(
    'div.answers',
    {},
    items.map(({ label, note, kind, act }) =>
      make(
        kind ? `button.${kind}` : 'button',
        { onclick: act },
        make('span', {}, label),
        note ? make('small', {}, note) : null,
      )
    ),
  );
}

export const heading = (text) => make('h3', {}, text);
export const paragraph = (text) => make('p', {}, text);

/** Return a choice of one of `options` ([value, label]); `changed(value)` is called at each change. */
export function choice(legend, options, chosen, changed) {
  latest += 1;
  const name = `choice-${latest}`;
  const labels = options.map(([value, label]) => {
    const onchange = () => changed(value);
    const input = make('input', { type: 'radio', name, value, checked: value === chosen, onchange });
    return make('label', {}, input, make('span', {}, label));
  });
  return make('fieldset.choice', {}, make('legend', {}, legend), make('div.segments', {}, ...labels));
}

/** Return a number with a button for each of `steps`; `format` shows it, `changed(value)` is called at each change. */
export function stepper({ legend, value, least, most, steps, label, format, changed }) {
  const shown = make('output', {}, format(value));
  const buttons = steps.map((step) => {
    const button = make('button', { 'aria-label': `${legend} ${label(step)}` }, label(step));
    button.addEventListener('click', () => {
      value = Math.min(most, Math.max(least, value + step));
      shown.textContent = format(value);
      changed(value);
    });
    return button;
  });
  const down = buttons.filter((_, index) => steps[index] < 0);
  const up = buttons.filter((_, index) => steps[index] > 0);
  return make(
    'div.stepper',
    { role: 'group', 'aria-label': legend },
    make('span.legend', {}, legend),
    ...down,
    shown,
    ...up,
  );
}

/** Return a field for a note and the element that reads it. */
export function noteField(label) {
  const input = make('input', { type: 'text', maxlength: '120', autocomplete: 'off' });
  return { element: make('label.note', {}, make('span', {}, label), input), read: () => input.value.trim() };
}
