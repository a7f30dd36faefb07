/** The practice match on this phone, kept across reloads if the phone has storage. */
import { onDevice } from '../browser/storage.js';
/** @import { Practice } from './practice.d.ts' */

const KEY = 'clock:practice';

/** Stored match; null if there is none, or an older version stored it in another form.
 * @returns {Practice | null} */
export function keptMatch() {
  const kept = onDevice.get(KEY);
  return kept && kept.state && kept.book ? kept : null;
}

/** Store the match on this phone. */
export const keepMatch = (/** @type {Practice} */ match) => onDevice.set(KEY, match);

/** Remove the match from this phone. */
export const forgetMatch = () => onDevice.set(KEY, null);
