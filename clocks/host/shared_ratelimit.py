"""Token-bucket rate limiters shared by all server processes, in PostgreSQL.

On SQLite there is one process, and the buckets are in memory: a page must not hold the write lock that a press needs.
"""

from collections.abc import Hashable

from django.db import connection

from clocks.host.ratelimit import RateLimiter

TABLE = "clocks_spending"
KEPT_S = 2 * 3_600  # a bucket may be deleted this many seconds after its last use: it is full again by then
TIDIED_EACH = 500  # takes of this process between deletions of old buckets

_FULL = "LEAST(%(burst)s, kept.remaining + (EXTRACT(EPOCH FROM clock_timestamp()) - kept.at) * %(per_s)s)"
_SPEND = (
    f"INSERT INTO {TABLE} AS kept (who, remaining, at)"
    " VALUES (%(who)s, %(burst)s - %(cost)s, EXTRACT(EPOCH FROM clock_timestamp()))"
    f" ON CONFLICT (who) DO UPDATE SET remaining = {_FULL} - %(cost)s, at = EXTRACT(EPOCH FROM clock_timestamp())"
    f" WHERE {_FULL} >= %(least)s RETURNING remaining"
)
_REMAINING = f"SELECT {_FULL} FROM {TABLE} AS kept WHERE who = %(who)s"
_GIVE_BACK = f"UPDATE {TABLE} SET remaining = remaining + %(cost)s WHERE who = %(who)s"
_TIDY = f"DELETE FROM {TABLE} WHERE at < EXTRACT(EPOCH FROM clock_timestamp()) - {KEPT_S}"


class SharedRateLimiter(RateLimiter):
    """Shared rate limiter; `name` is the prefix of its keys.

    `has_left` is an estimate: it only knows this process's last `take`.
    """

    def __init__(self, name: str, burst: float, per_s: float) -> None:
        super().__init__(burst, per_s)
        self._name = name
        self._changes = 0

    def take(self, who: Hashable, cost: float = 1) -> bool:
        """Take tokens from a key's bucket. False, and nothing taken, if too few are left."""
        if connection.vendor == "sqlite":
            return super().take(who, cost)
        return self._spend(who, cost, least=cost)

    def owe(self, who: Hashable) -> None:
        """Take a token; on PostgreSQL even if none is left, down to a debt of `burst`."""
        if connection.vendor == "sqlite":
            super().take(who)
        else:
            self._spend(who, 1, least=-self.burst)

    def give_back(self, who: Hashable, cost: float = 1) -> None:
        """Undo a `take`."""
        super().give_back(who, cost)
        if connection.vendor != "sqlite":
            with connection.cursor() as cursor:
                cursor.execute(_GIVE_BACK, {"who": self._key(who), "cost": cost})

    def _spend(self, who: Hashable, cost: float, least: float) -> bool:
        bucket: dict[str, str | float] = {
            "who": self._key(who),
            "burst": self.burst,
            "per_s": self.per_s,
            "cost": cost,
            "least": least,
        }
        self._changes += 1
        with connection.cursor() as cursor:
            if self._changes % TIDIED_EACH == 0:
                cursor.execute(_TIDY)
            cursor.execute(_SPEND, bucket)
            spent = cursor.fetchone()
            if spent is None:
                cursor.execute(_REMAINING, bucket)
            (remaining,) = spent or cursor.fetchone() or (self.burst,)
        self._keep(who, float(remaining))
        return spent is not None

    def _key(self, who: Hashable) -> str:
        return f"{self._name} {who}"
