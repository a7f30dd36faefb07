/** Overlay builder: the overlay's URL from its options, with a preview. */
import { find, write } from '../browser/dom.js';
import { Overlay } from './overlay.js';
/** @import { OverlayMatch } from './overlay.js' */

const WIDTH = 1920; // of a stream's picture, in px: fallback for the preview's width

const form = /** @type {HTMLFormElement} */ (find('[data-builder]'));
const address = find('[data-address]');
const preview = find('[data-preview]');

const begun = Date.now();
/** @type {OverlayMatch} */
const SAMPLE = {
  match: 1,
  status: 'running',
  now: begun,
  turn: 'left',
  since: begun,
  used_ms: 0,
  kind: 'simple',
  turn_reserve_ms: [754_000, 48_000],
  turn_delay_ms: 12_000,
  reserve_ms: [754_000, 48_000],
  delay_ms: [12_000, 12_000],
  limits: true,
  score: [4, 2],
  length: 7,
  names: ['Ann', 'Bob'],
  cube: { value: 2, owner: 'right', offered_by: null, frozen: false },
};
/** @type {Overlay | null} */
let overlay = null;

function build() {
  const given = new FormData(form);
  const parts = given.getAll('show').map(String);
  const all = form.querySelectorAll('[name="show"]').length;
  const said = new URLSearchParams();
  if (parts.length < all) said.set('show', parts.join(','));
  for (const [name, usual] of [['side', 'both'], ['theme', 'dark'], ['scale', '1'], ['delay_s', '0']]) {
    const value = String(given.get(name) ?? '');
    if (value && value !== usual) said.set(name, value);
  }
  const query = said.toString().replaceAll('%2C', ',');
  write(address, [given.get('of'), query].filter(Boolean).join('?'));
  preview.replaceChildren();
  Object.assign(preview.dataset, {
    show: parts.join(','),
    side: given.get('side'),
    theme: given.get('theme'),
    scale: given.get('scale') || '1',
    delay: '0',
  });
  overlay = new Overlay(preview);
  overlay.receive(SAMPLE);
  size();
}

function size() {
  const width = preview.parentElement?.clientWidth ?? WIDTH;
  preview.style.setProperty('--unit', `${width / 100}px`);
}

form.addEventListener('input', build);
addEventListener('resize', size);
build();
setInterval(() => overlay?.draw(Date.now()), 100);
