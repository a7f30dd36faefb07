"""How much somebody may ask for: a burst at once, and then a steady rate."""

import time
from collections.abc import Callable, Hashable
from ipaddress import IPv6Address

MOST_KNOWN = 20_000  # beyond this, those with everything left are forgotten


class TokenBucket:
    """What one client may spend: `burst` at once, which fills up again by `per_s` a second. Who overspends owes it."""

    __slots__ = ("_at_s", "_burst", "_left", "_per_s")

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._left, self._at_s = burst, 0.0

    def take(self, now_s: float) -> bool:
        """Spend one at an instant, in seconds by any clock that is always the same; tell whether it was left."""
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s) - 1
        self._at_s = now_s
        return self._left >= 0


class RateLimiter:
    """What each of many may spend: `burst` at once, which fills up again by `per_s` a second. Kept in memory."""

    def __init__(self, burst: float, per_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.per_s = burst, per_s
        self._clock = clock
        self._left: dict[Hashable, tuple[float, float]] = {}  # by who it is: what was left, and when

    def take(self, who: Hashable, cost: float = 1) -> bool:
        """Spend some of somebody's allowance; False if too little is left."""
        now = self._clock()
        left, at = self._left.get(who, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.per_s)
        if left < cost:
            return False
        self._keep(who, left - cost)
        return True

    def _keep(self, who: Hashable, left: float) -> None:
        now = self._clock()
        if len(self._left) >= MOST_KNOWN:
            self._forget(now)
        self._left[who] = left, now

    def has_left(self, who: Hashable) -> bool:
        """Tell whether `take` would find any."""
        left, at = self._left.get(who, (self.burst, 0.0))
        return left + (self._clock() - at) * self.per_s >= 1

    def give_back(self, who: Hashable, cost: float = 1) -> None:
        """Undo a `take`."""
        if who in self._left:
            left, at = self._left[who]
            self._left[who] = min(self.burst, left + cost), at

    def clear(self) -> None:
        """Give everybody everything back."""
        self._left.clear()

    def _forget(self, now: float) -> None:
        """Drop everybody whose allowance is full again; where nobody's is, drop everybody."""
        full_after_s = self.burst / self.per_s
        self._left = {who: (left, at) for who, (left, at) in list(self._left.items()) if now - at < full_after_s}
        if len(self._left) >= MOST_KNOWN:
            self._left.clear()


def client_key(address: str) -> str:
    """Return on whose account a client at an address asks: its own, or under IPv6 that of its network of 64 bits."""
    if ":" not in address:
        return address
    try:
        found = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))
