/** What this phone last heard of a match, kept to be shown while the network is gone. */
import { storage } from '../browser/storage.js';

const PREFIX = 'clock:last:';
const MOST = 5; // matches; a snapshot holds nothing secret

/** Return what was last heard at the table with this code: {at, now, match}, or null. `at` is this phone's wall clock. */
export function lastHeard(code) {
  try {
    return JSON.parse(storage().getItem(PREFIX + code));
  } catch {
    return null;
  }
}

/** Keep what was heard at the table with this code, and forget the oldest. */
function keep(code, heard) {
  const kept = storage();
  const age = (key) => (lastHeard(key.slice(PREFIX.length)) || { at: 0 }).at;
  try {
    const others = Object.keys(kept).filter((key) => key.startsWith(PREFIX) && key !== PREFIX + code);
    for (const key of others.sort((a, b) => age(b) - age(a)).slice(MOST - 1)) kept.removeItem(key);
    kept.setItem(PREFIX + code, JSON.stringify(heard));
  } catch {
    // Nowhere to keep it: then the page without network says only that there is none.
  }
}

/** Keep from now on what the <match-clock> of this page hears. */
export function keepWhatIsHeard(clock) {
  const now = () => {
    const { match, link, sync, dataset } = clock;
    if (!match) return;
    const silence = performance.now() - link.heardAt;
    keep(dataset.code, { at: Math.round(Date.now() - silence), now: Math.round(sync.serverAt(link.heardAt)), match });
  };
  clock.addEventListener('clock-change', now);
  addEventListener('pagehide', now);
  document.addEventListener('visibilitychange', () => document.hidden && now());
}
