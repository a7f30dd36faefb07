/** Last state of a match on this phone, kept for the offline page and the late notice. */
import { onDevice } from '../browser/storage.js';
/** @import { Seat, Snapshot } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */
/** @typedef {{ at: number, now: number, match: Snapshot, seats: Seat[], lost?: boolean }} Heard */

const PREFIX = 'clock:last:';
const MOST = 5; // tables kept; a snapshot contains no secrets

/**
 * Last state at the table with this code, or null: {at, now, match, seats, lost}. The server was last heard from `at`
 * (this phone's wall clock) or `now` (server time), in ms; `seats` are this phone's; `lost`: the connection was lost.
 * @param {string} code @returns {Heard | null}
 */
export const lastHeard = (code) => onDevice.get(PREFIX + code);

/** Store the last state at a table, and drop the oldest tables beyond `MOST`.
 * @param {string} code @param {Heard} heard */
export function keep(code, heard) {
  const age = (/** @type {string} */ key) => onDevice.get(key)?.at ?? 0;
  const others = onDevice.keys().filter((key) => key.startsWith(PREFIX) && key !== PREFIX + code);
  for (const key of others.sort((a, b) => age(b) - age(a)).slice(MOST - 1)) onDevice.set(key, null);
  onDevice.set(PREFIX + code, heard);
}

/** Store each state of the <match-clock> of this page.
 * @param {MatchClock} clock */
export function keepWhatIsHeard(clock) {
  const now = () => {
    const { match, source, dataset, seats } = clock;
    if (!match) return;
    const silence = performance.now() - source.heardAt;
    const heard = { at: Math.round(Date.now() - silence), now: Math.round(source.sync.serverAt(source.heardAt) ?? 0) };
    keep(`${dataset.code}`, { ...heard, match, seats, lost: !source.live || source.lostMs > 0 });
  };
  now();
  clock.listen({ changed: now });
  addEventListener('pagehide', now);
  document.addEventListener('visibilitychange', () => document.hidden && now());
}
