/** What the time without the server cost the player of this phone. */
import { clocksAt, indexOf } from '../match/clocks.js';
/** @import { Snapshot } from '../match/protocol.d.ts' */
/** @import { MatchClock } from './match-clock.js' */

/**
 * @typedef {object} Absence
 * @property {number} at server time of the return
 * @property {number} offlineMs
 * @property {number} ranMs how much of the player's reserve it took without their knowing
 */

/**
 * Call `back(absence)` each time the server is heard again after it was lost, for a phone with one seat.
 * @param {MatchClock} clock
 * @param {(absence: Absence) => void} back
 */
export function watchAbsence(clock, back) {
  const [seat] = clock.seats;
  if (clock.seats.length !== 1) return;
  /** @param {Snapshot} match @param {number} now */
  const reserveAt = (match, now) => clocksAt(match, now).reserve_ms[indexOf(seat)] ?? 0;
  /** @type {{ match: Snapshot, heardAt: number, reserve: number } | null} */
  let left = null;
  const look = () => {
    const { lostMs, live, heardAt, match, sync } = clock.source;
    if (!match) return;
    if (lostMs && !left) {
      left = { match, heardAt, reserve: reserveAt(match, sync.serverAt(heardAt) ?? 0) };
    } else if (left && live && !lostMs) {
      const { match: before, heardAt: from, reserve } = left;
      left = null;
      if (before.match !== match.match) return;
      const at = clock.now() ?? 0;
      const known = before.turn_number === match.turn_number; // the same turn: what ran was shown
      const ranMs = known ? 0 : Math.max(0, reserve - reserveAt(match, at));
      back({ at, offlineMs: performance.now() - from, ranMs });
    }
  };
  clock.listen({ connection: look });
  look();
}
