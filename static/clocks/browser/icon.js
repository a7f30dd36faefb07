/** Icons of the console and the hall's screen. */
const SHAPES = {
  flag: 'M6 3v18h2v-7h10l-2.6-3.5L18 7H8V3z',
  call: 'M10.6 4h2.8l-.5 10h-1.8zM12 16.2a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8z',
  info: 'M12 4.2a1.9 1.9 0 1 1 0 3.8 1.9 1.9 0 0 1 0-3.8zM10.6 10h2.8v10h-2.8z',
  phone: 'M8 2h8a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm0 3v12h8V5z',
  turn: 'M6 4l14 8-14 8z',
};

/** Make a decorative icon, hidden from screen readers.
 * @param {keyof typeof SHAPES} shape */
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
