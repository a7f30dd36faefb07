/** Whose phone has been silent for so long that the other phone may press for its player. Pure. */
import { indexOf } from './clocks.js';

const SILENT_MS = 10_000;
const AT_REST_MS = 1000; // this much longer where no clock runs: a page at rest speaks only every ten seconds

/** Return for how long a phone has not been heard that counts as silent, by the status of its match. */
export const silentMs = (status) => (status === 'running' ? SILENT_MS : SILENT_MS + AT_REST_MS);

/** Return `{now, seenAt: [left, right]}` of a `match` or `seen` frame: when each seat's phone was heard, as of then. */
export function presenceIn(frame, match) {
  const seenAt = frame.t === 'seen' ? frame.seats[match] || [null, null] : frame.seats.map((seat) => seat.seen_at);
  return { now: frame.now, seenAt };
}

/**
 * Tell whether the phone of `seat`, in a match of this status, was silent when the server last said who was heard.
 * Time that passes here without news proves nothing, and a free seat has no phone.
 */
export function isSilent({ now, seenAt }, status, seat) {
  const at = seenAt[indexOf(seat)];
  return at !== null && now - at >= silentMs(status);
}
