/**
 * Another version of the program answers than this page came with: say so, and load the page anew as soon as no clock
 * runs. Once for each version, so that two servers of different versions cannot make it spin; after that by a tap.
 */
import { button, make, write } from './dom.js';
import { gettext } from '../words/i18n.js';

const RENEWED = 'clock:renewed';
const clock = document.querySelector('match-clock');
let version = null;
let banner = null;

const stands = () => clock.match !== null && clock.match.status !== 'running' && clock.outbox.entries.length === 0;

function renewedBefore() {
  try {
    return sessionStorage.getItem(RENEWED) === version;
  } catch {
    return true;
  }
}

function renew() {
  try {
    sessionStorage.setItem(RENEWED, version);
  } catch {
    // Nowhere to remember it: only a tap comes here.
  }
  location.reload();
}

function show() {
  if (banner) return;
  const words = make('span');
  const reload = button(gettext('Reload'), renew);
  banner = { words, reload, element: make('div.renewal', { role: 'status' }, words, reload) };
  (clock.querySelector('.strip') || clock).append(banner.element);
}

function look() {
  if (version === null || version === clock.dataset.version) return;
  if (stands() && !clock.sheet.open && !renewedBefore()) {
    renew();
    return;
  }
  show();
  banner.reload.hidden = !stands();
  write(
    banner.words,
    stands()
      ? gettext('A new version of the clock is available.')
      : gettext('A new version of the clock will load when the clocks stop.'),
  );
}

clock.addEventListener('clock-program', ({ detail }) => {
  version = detail.version;
  look();
});
clock.addEventListener('clock-change', look);
