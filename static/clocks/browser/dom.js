/** Make elements, and write to the page only what changed. */

/**
 * Return a new element. `kind` is `tag.class.class`; `attributes` are set as they are (null and false are left out,
 * true is empty); children are elements or text.
 */
export function make(kind, attributes = {}, ...children) {
  const [tag, ...classes] = kind.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  if (tag === 'button') element.type = 'button';
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false && value !== undefined) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  element.append(...children);
  return element;
}

const written = new WeakMap();

/** Show `text` in `element`, which holds nothing else; write only when it changed. */
export function write(element, text) {
  if (written.get(element) === text) return;
  written.set(element, text);
  element.textContent = text;
}

/** Set an attribute only when it changed; null removes it. */
export function mark(element, name, value) {
  if (value === null) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

/**
 * An element with the role `status` or `alert`, which a screen reader reads out when its words change. Words that stand there
 * already are no news to it: each sentence comes into a line that was empty.
 */
export class LiveRegion {
  constructor(element) {
    this.element = element;
    this.lines = [make('span'), make('span')];
    element.replaceChildren(...this.lines);
  }

  say(words) {
    const [empty, last] = this.lines;
    last.textContent = '';
    empty.textContent = words;
    this.lines.reverse();
  }
}
