/** Another version of the program answers than a page came with: the page loads anew, by itself only once a version. */
import { inTab } from './storage.js';

const KEY = 'clock:renewed';

/** Load the page anew for this version, unless that was done: two servers of different versions cannot make it spin. */
export function renewOnce(version) {
  if (inTab.get(KEY) === version || !inTab.set(KEY, version)) return false;
  location.reload();
  return true;
}
