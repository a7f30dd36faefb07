/** Whose phone has been silent for so long that the other phone may press for its player. Pure. */
import { indexOf } from './clocks.js';

export const SILENT_MS = 10_000;

/** Return `{now, seenAt: [left, right]}` of a `match` or `seen` frame: when each seat's phone was heard, as of then. */
export function presenceIn(frame, match) {
  const seenAt = frame.t === 'seen' ? frame.seats[match] || [null, null] : frame.seats.map((seat) => seat.seen_at);
  return { now: frame.now, seenAt };
}

/**
 * Tell whether the phone of `seat` was silent when the server last said who was heard. Time that passes here without
 * news proves nothing, and a free seat has no phone.
 */
export function isSilent({ now, seenAt }, seat) {
  const at = seenAt[indexOf(seat)];
  return at !== null && now - at >= SILENT_MS;
}
