/**
 * This phone's estimate of the server's time. Pure; the caller passes in every clock reading.
 *
 * `at` is always `performance.now()`; the wall clock is used only to detect that the phone slept, during which
 * `performance.now()` may stand still. Offset = server time - `at`, at the midpoint of a round trip.
 */
const KEPT = 16;
const KEPT_MS = 5 * 60_000;
const SLEEP_MS = 1000;
const JUMP_MS = 1000;
const SLEW = 0.2; // of the time that passes: meanwhile digits run at most 20 % fast or slow, never backwards

/** @typedef {{ at: number, rtt: number, offset: number }} Probe a round trip */

export class ServerTime {
  constructor() {
    this.probes = /** @type {Probe[]} */ ([]); // {at, rtt, offset}, oldest first
    this.offset = /** @type {number | null} */ (null); // what is shown now; moves towards the best probe
    this.advancedAt = 0;
    this.drift = /** @type {number | null} */ (null); // wall clock - performance.now() when last looked at
  }

  get synced() {
    return this.probes.length > 0;
  }

  /** True while the shown time moves towards the best probe. */
  get correcting() {
    const { best, offset } = this;
    return best !== null && offset !== null && Math.abs(best.offset - offset) > 1;
  }

  /** Probe with the shortest round trip, or null. */
  get best() {
    return this.probes.reduce(
      (best, probe) => (best && best.rtt <= probe.rtt ? best : probe),
      /** @type {Probe | null} */ (null),
    );
  }

  /** Error bound of the best probe in ms: half its round trip; null if not synchronised. */
  get errorBound() {
    return this.best && this.best.rtt / 2;
  }

  /** Median of the last five round trips in ms, or null. */
  get roundTrip() {
    const late = this.probes.slice(-5).map((probe) => probe.rtt).sort((a, b) => a - b);
    return late.length ? late[late.length >> 1] : null;
  }

  /** Use the time in the first frame until the first probe.
   * @param {number} at @param {number} serverNow */
  hint(at, serverNow) {
    if (this.offset === null) this.offset = serverNow - at;
  }

  /** Add a round trip. Returns how far the shown time jumped, in ms; 0 if it only slews.
   * @param {number} sentAt @param {number} receivedAt @param {number} serverNow */
  probe(sentAt, receivedAt, serverNow) {
    const rtt = Math.max(0, receivedAt - sentAt);
    this.probes.push({ at: receivedAt, rtt, offset: serverNow - (sentAt + receivedAt) / 2 });
    this.probes = this.probes.slice(-KEPT).filter((probe) => receivedAt - probe.at < KEPT_MS);
    return this.advance(receivedAt);
  }

  /** Move the shown time towards the best probe. Returns the jump if they are too far apart to slew.
   * @param {number} at */
  advance(at) {
    const elapsed = Math.max(0, at - this.advancedAt);
    this.advancedAt = Math.max(at, this.advancedAt);
    const { best } = this;
    if (!best) return 0;
    if (this.offset === null) this.offset = best.offset;
    const wrong = best.offset - this.offset;
    if (Math.abs(wrong) > JUMP_MS) {
      this.offset = best.offset;
      return wrong;
    }
    this.offset += Math.sign(wrong) * Math.min(Math.abs(wrong), SLEW * elapsed);
    return 0;
  }

  /**
   * True if the phone's two clocks have drifted apart since the last call: it slept, or somebody set its wall clock.
   *
   * Its probes are then dropped. The shown time stays until the next probe, which tells the two cases apart.
   * @param {number} at @param {number} wall
   */
  suspects(at, wall) {
    const drift = wall - at;
    const moved = this.drift !== null && Math.abs(drift - this.drift) > SLEEP_MS;
    this.drift = drift;
    if (moved) this.probes = [];
    return moved;
  }

  /** Server time at `at`; null before the first hint or probe.
   * @param {number} at */
  serverAt(at) {
    return this.offset === null ? null : at + this.offset;
  }
}

/** Quality of a connection with this round trip in ms: `good`, `fair`, `poor` or `bad`.
 * @param {number | null} rtt */
export function qualityOf(rtt) {
  if (rtt === null) return 'bad';
  if (rtt < 150) return 'good';
  if (rtt < 300) return 'fair';
  return rtt < 500 ? 'poor' : 'bad';
}
