/** When a reserve is low: once per crossing, armed again only well above. Pure. */
const LOW_MS = 60_000;
const REARM = 1.5;

export class LowTime {
  constructor(threshold = LOW_MS) {
    this.threshold = threshold;
    this.warned = { left: false, right: false };
  }

  /**
   * Take a seat's reserve in milliseconds and whether its clock runs; return 'warn' at the crossing, 'low' below, else null.
   */
  take(seat, reserve, running) {
    if (reserve > this.threshold * REARM) this.warned[seat] = false;
    if (reserve > this.threshold) return null;
    if (this.warned[seat] || !running) return 'low';
    this.warned[seat] = true;
    return 'warn';
  }
}
