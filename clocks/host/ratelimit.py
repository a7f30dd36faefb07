"""In-memory token-bucket rate limiters."""

import time
from collections.abc import Callable, Hashable
from ipaddress import IPv6Address

MOST_KNOWN = 20_000  # most buckets in memory; at this number, full ones are dropped


class TokenBucket:
    """Token bucket: `burst` tokens, refilled at `per_s` a second. May go negative."""

    __slots__ = ("_at_s", "_burst", "_left", "_per_s")

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._left, self._at_s = burst, 0.0

    def take(self, now_s: float) -> bool:
        """Take a token at `now_s`, in seconds of any clock. False if none was left."""
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s) - 1
        self._at_s = now_s
        return self._left >= 0


class RateLimiter:
    """In-memory token-bucket rate limiter, one bucket per key."""

    def __init__(self, burst: float, per_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.per_s = burst, per_s
        self._whole = burst, per_s
        self._clock = clock
        self._left: dict[Hashable, tuple[float, float]] = {}  # tokens left and time of that count, by key

    def share_among(self, processes: int) -> None:
        """Divide burst and rate among processes, each of which has its own buckets."""
        burst, per_s = self._whole
        self.burst, self.per_s = burst / processes, per_s / processes

    def take(self, who: Hashable, cost: float = 1) -> bool:
        """Take tokens from a key's bucket. False, and nothing taken, if too few are left."""
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
        """True if `take` would succeed at a cost of 1."""
        left, at = self._left.get(who, (self.burst, 0.0))
        return left + (self._clock() - at) * self.per_s >= 1

    def give_back(self, who: Hashable, cost: float = 1) -> None:
        """Undo a `take`; the bucket holds at most `burst`."""
        if who in self._left:
            left, at = self._left[who]
            self._left[who] = min(self.burst, left + cost), at

    def clear(self) -> None:
        """Refill all buckets."""
        self._left.clear()

    def _forget(self, now: float) -> None:
        """Drop buckets that are full again; if none is, drop all."""
        full_after_s = self.burst / self.per_s
        self._left = {who: (left, at) for who, (left, at) in list(self._left.items()) if now - at < full_after_s}
        if len(self._left) >= MOST_KNOWN:
            self._left.clear()


def client_key(address: str) -> str:
    """Rate-limit key for a client address: the address, or its /64 for IPv6."""
    if ":" not in address:
        return address
    try:
        found = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))
