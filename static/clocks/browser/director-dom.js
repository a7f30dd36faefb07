/**
 * Small ways to make and change elements. Text is always set as text, never as HTML, and only when it changed.
 */

/** Make an element: `el("p", {class: "x", "data-n": 1, hidden: true, onclick: f}, "text", child, null)`. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else setAttribute(node, name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
  return node;
}

/** Set an attribute only if it changes; `false`, `null` and `undefined` remove it, `true` sets it empty. */
export function setAttribute(node, name, value) {
  if (value === false || value === null || value === undefined) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Set the text of a node only if it changes. Hundreds are asked ten times a second: a lone text is looked at directly. */
export function setText(node, text) {
  const first = node.firstChild;
  if (first instanceof Text && first.nextSibling === null && text !== '') {
    if (first.data !== text) first.data = text;
  } else if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** Empty a node and put these children into it. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
}

const SHAPES = {
  flag: 'M6 3v18h2v-7h10l-2.6-3.5L18 7H8V3z',
  call: 'M10.6 4h2.8l-.5 10h-1.8zM12 16.2a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8z',
  info: 'M12 4.2a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8zM10.6 10h2.8v10h-2.8z',
  phone: 'M8 2h8a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm0 3v12h8V5z',
  turn: 'M6 4l14 8-14 8z',
};

/** Make one of the page's few drawings; it is decoration, the word beside it says the same. */
export function icon(shape, className = 'icon') {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', className);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', SHAPES[shape]);
  svg.append(path);
  return svg;
}
