/**
 * The program that answers is not the version this page came with: say so, and reload the page once no clock runs.
 */
import { button, make, write } from '../browser/dom.js';
import { renewOnce } from '../browser/renewal.js';
import { gettext } from '../words/i18n.js';

/** Watch from now on which version answers this clock. */
export function watchVersion(clock) {
  let version = null;
  let banner = null;
  const stands = () => clock.match !== null && clock.match.status !== 'running' && clock.outbox.entries.length === 0;

  const show = () => {
    if (banner) return;
    const words = make('span');
    const reload = button(gettext('Reload'), () => location.reload());
    banner = { words, reload, element: make('div.renewal', { role: 'status' }, words, reload) };
    (clock.querySelector('.strip') || clock).append(banner.element);
  };

  const look = () => {
    if (version === null || version === clock.dataset.version) return;
    if (stands() && !clock.sheetOpen && renewOnce(version)) return;
    show();
    banner.reload.hidden = !stands();
    write(
      banner.words,
      stands()
        ? gettext('A new version of the clock is available.')
        : gettext('A new version of the clock will load when the clocks stop.'),
    );
  };

  clock.addEventListener('clock-program', ({ detail }) => {
    version = detail.version;
    look();
  });
  clock.addEventListener('clock-change', look);
}
