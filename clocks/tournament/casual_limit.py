"""Rate limits for casual matches: per phone, per address, and in total.

Anybody may start a casual match, or enter a match in a tournament that allows it; each creates a table and a journal. A
hall or club shares one address, so the limit per address is high. All processes share the limits. Those per address and
in total are separate for each tournament, so that casual matches cannot block its matches.
"""

from functools import cache

from django.conf import settings

from clocks.engine.words import Words, counted
from clocks.host.ratelimit import client_key
from clocks.host.shared_ratelimit import SharedRateLimiter

HOUR_S = 3_600


def spent(address: str) -> Words | None:
    """Refusal for any phone at this address, or None if within limits. Counts nothing."""
    for kind, key in (("address", client_key(address)), ("all", "all")):
        if not _limiter(kind).has_left(key):
            return _words(kind, settings.CASUAL_PER_HOUR[kind])
    return None


def refusal(device_id: int | None, address: str, tournament_id: int | None = None) -> Words | None:
    """Count a match to be started, or entered in a tournament, against all limits.

    Return None if allowed; otherwise count nothing and return the refusal.
    """
    within = "" if tournament_id is None else f" {tournament_id}"
    taken: list[tuple[str, int | str | None]] = []
    for kind, key in (("device", device_id), ("address", f"{client_key(address)}{within}"), ("all", f"all{within}")):
        if key is None:
            continue
        if not _limiter(kind).take(key):
            for other, taken_key in taken:
                _limiter(other).give_back(taken_key)
            return _words(kind, settings.CASUAL_PER_HOUR[kind])
        taken.append((kind, key))
    return None


@cache
def _limiter(kind: str) -> SharedRateLimiter:
    most = settings.CASUAL_PER_HOUR[kind]
    return SharedRateLimiter(f"casual matches of {kind}", most, most / HOUR_S)


def forget() -> None:
    """Drop this process's limiters, so that the settings are read again."""
    _limiter.cache_clear()


def _words(kind: str, most: int) -> Words:
    if kind == "device":
        return counted(
            "This phone has started %(most)s match within an hour, which is the most that a phone may "
            "start. Wait a few minutes and try again.",
            "This phone has started %(most)s matches within an hour, which is the most that a phone may "
            "start. Wait a few minutes and try again.",
            most,
            most=most,
        )
    if kind == "address":
        return counted(
            "%(most)s match has been started from your network within an hour, which is the most allowed. "
            "Wait a few minutes and try again.",
            "%(most)s matches have been started from your network within an hour, which is the most allowed. "
            "Wait a few minutes and try again.",
            most,
            most=most,
        )
    return counted(
        "%(most)s match has been started here within an hour, which is the most that this clock allows. "
        "Wait a few minutes and try again.",
        "%(most)s matches have been started here within an hour, which is the most that this clock allows. "
        "Wait a few minutes and try again.",
        most,
        most=most,
    )
