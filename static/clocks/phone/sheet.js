/** A sheet over the page: one question, its answers, a way back. One at a time. */
import { make } from '../browser/dom.js';
import { gettext } from '../words/i18n.js';

let latest = 0;

export class Sheet {
  /** `host` is the element that the sheet lies over; `turned()` tells whether it faces the far player now. */
  constructor(host) {
    this.host = host;
    this.element = null;
  }

  get open() {
    return this.element !== null;
  }

  /** Show `title` and `parts` (elements); `turned` for the player on the far side. */
  show({ title, parts, turned = false }) {
    const opener = this.open ? this.opener : document.activeElement;
    this.close();
    this.opener = opener;
    latest += 1;
    const heading = make('h2', { id: `sheet-${latest}`, tabindex: '-1' }, title);
    const away = make('button.away', { 'aria-label': gettext('Close'), onclick: () => this.close() }, '✕');
    const body = make('div.body', {}, ...parts);
    const box = make(
      'div.box',
      { role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': heading.id },
      make('header', {}, heading, away),
      body,
    );
    this.element = make('div.sheet', { 'data-turned': turned }, box);
    this.element.addEventListener('click', (event) => {
      if (event.target === this.element) this.close();
    });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.host.append(this.element);
    heading.focus({ preventScroll: true });
  }

  close() {
    if (!this.element) return;
    this.element.remove();
    this.element = null;
    if (this.opener && this.opener.isConnected) this.opener.focus({ preventScroll: true });
  }

  #key(event) {
    if (event.key === 'Escape') this.close();
    if (event.key !== 'Tab') return;
    const stops = [...this.element.querySelectorAll('button:not(:disabled), input, textarea, a[href]')];
    const edge = event.shiftKey ? stops[0] : stops[stops.length - 1];
    const outside = !stops.includes(document.activeElement);
    if (document.activeElement !== edge && !(outside && event.shiftKey)) return;
    event.preventDefault();
    (event.shiftKey ? stops[stops.length - 1] : stops[0]).focus();
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
