/**
 * The program that answers is not the version that a page came with: the page reloads, by itself only once for a
 * version.
 */
import { inTab } from './storage.js';

const KEY = 'clock:renewed';

/** Reload the page for this version, unless that was done: two servers of different versions cannot make it loop. */
export function renewOnce(version) {
  if (inTab.get(KEY) === version || !inTab.set(KEY, version)) return false;
  location.reload();
  return true;
}
