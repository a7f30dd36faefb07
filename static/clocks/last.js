/**
 * What this phone last heard of a match, kept so that it can be shown while the network is gone. A snapshot holds nothing
 * secret; the newest few are kept.
 */
import { storage } from './storage.js';

const PREFIX = 'clock:last:';
const MOST = 5;

/** Return what was last heard at the table with this code: {at, now, match}, or null. `at` is this phone's wall clock. */
export function lastHeard(code) {
  try {
    return JSON.parse(storage().getItem(PREFIX + code));
  } catch {
    return null;
  }
}

/** Keep what was heard at the table with this code. */
export function keepHeard(code, heard) {
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
