/** Keep what a clock page last heard, for the page that stands in for it while the network is gone. */
import { keepHeard } from './last.js';

const clock = document.querySelector('match-clock');

function keep() {
  const { match, link, sync, dataset } = clock;
  if (!match) return;
  const silence = performance.now() - link.heardAt;
  keepHeard(dataset.code, { at: Math.round(Date.now() - silence), now: Math.round(sync.serverAt(link.heardAt)), match });
}

clock.addEventListener('clock-change', keep);
addEventListener('pagehide', keep);
document.addEventListener('visibilitychange', () => document.hidden && keep());
