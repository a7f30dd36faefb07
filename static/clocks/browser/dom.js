/**
 * Create and change elements; form controls shared by pages. Text is always set as text, never as HTML; `write` and
 * `mark` change the document only where it differs.
 */

const HEARD_MS = 10_000; // then the text of a live region is removed as out of date

/**
 * @typedef {Node | string | null | undefined} One
 * @typedef {One | One[]} Child
 * @typedef {Record<string, any>} Attributes listeners, and values for `mark`
 */

/**
 * Element type of a `kind`.
 *
 * @template {string} K
 * @typedef {K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K]
 *   : K extends `${infer Tag extends keyof HTMLElementTagNameMap}.${string}` ? HTMLElementTagNameMap[Tag] : HTMLElement
 * } Made
 */

/** @param {Child[]} children */
const filled = (
  children,
) => /** @type {(Node | string)[]} */ (children.flat().filter((one) =>
  one !== null && one !== undefined && one !== ''
));

/**
 * Create an element: `make('p.lead', { hidden: true, onclick: act }, 'text', child, null)`.
 *
 * `kind` is `tag.class.class`. Attributes are set as by `mark`; those that begin with `on` are listeners. A button does
 * not submit a form unless its `type` says so. Children are nodes, text, or lists of them; null and '' are left out.
 * @template {string} K @param {K} kind @param {Attributes} [attributes] @param {...Child} children @returns {Made<K>}
 */
export function make(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  if (element instanceof HTMLButtonElement) element.type = 'button';
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else mark(element, name, value);
  }
  element.append(...filled(children));
  return /** @type {Made<K>} */ (element);
}

/** First match below `root`. Typed as non-null, because templates contain what scripts look for.
 * @param {string} selector */
export const find = (
  selector,
  /** @type {ParentNode} */ root = document,
) => /** @type {HTMLElement} */ (root.querySelector(selector));

/** Closest match among `inner` and its ancestors, also typed as non-null.
 * @param {string} selector @param {Element} inner */
export const within = (selector, inner) => /** @type {HTMLElement} */ (inner.closest(selector));

/** Create a button that calls `act` when clicked; `kind` is its class, if any.
 * @param {Child} label @param {(event: Event) => void} act */
export const button = (label, act, kind = '') =>
  make(/** @type {'button'} */ (kind ? `button.${kind}` : 'button'), { onclick: act }, label);

/**
 * Set the text of `element`, which holds nothing else. Called for hundreds of elements ten times a second, so a lone
 * text node is compared directly.
 * @param {Element} element @param {string} text
 */
export function write(element, text) {
  const first = element.firstChild;
  if (first instanceof Text && first.nextSibling === null && text !== '') {
    if (first.data !== text) first.data = text;
  } else if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Set an attribute: true sets it empty; false, null and undefined remove it.
 * @param {Element} element @param {string} name @param {string | number | boolean | null | undefined} value */
export function mark(element, name, value) {
  if (value === false || value === null || value === undefined) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Replace the content of `element` with these children.
 * @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren(...filled(children));
}

/**
 * Live region: an element with the role `status` or `alert`, which screen readers read out when its text changes. They
 * do not repeat unchanged text, so each message goes into a line that was empty.
 */
export class LiveRegion {
  timer = 0;

  /** @param {Element} element */
  constructor(element) {
    this.element = element;
    this.lines = [make('span'), make('span')];
    element.replaceChildren(...this.lines);
  }

  /** @param {string} words */
  say(words) {
    const [empty, last] = this.lines;
    last.textContent = '';
    empty.textContent = words;
    this.lines.reverse();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (empty.textContent = ''), HEARD_MS);
  }
}

/**
 * Append a `dialog` to `host` and open it as modal: the browser keeps the focus in it and makes the rest of the page
 * inert. Escape or a tap outside its content closes it, unless it `stays`. `closed()` is called once it has closed.
 * @param {Element} host @param {HTMLDialogElement} dialog
 * @param {{ stays?: boolean, closed?: () => void }} [options]
 */
export function openOver(host, dialog, { stays = false, closed = () => {} } = {}) {
  dialog.addEventListener('click', (event) => event.target === dialog && !stays && dialog.close());
  dialog.addEventListener('cancel', (event) => stays && event.preventDefault());
  dialog.addEventListener('close', () => (stays && dialog.isConnected ? dialog.showModal() : closed()));
  host.append(dialog);
  dialog.showModal();
}

let latest = 0; // number of the last choice, for unique group names

/**
 * Segmented control: radio buttons for `options`, given as [value, label] pairs.
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

/** Text field for a note of at most `longest` characters.
 * @param {string} label @param {{ longest?: number, kind?: string }} [more] */
export function noteField(label, { longest = 120, kind = 'note' } = {}) {
  const input = make('input', { type: 'text', maxlength: longest, autocomplete: 'off' });
  const element = make(`label.${kind}`, {}, make('span', {}, label), input);
  return { element, input, read: () => input.value.trim() };
}
