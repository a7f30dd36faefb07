"""How many matches players may start by themselves in an hour: from a phone, from an address, and in all.

Anybody may start a casual one, which is a table with a journal, or enter one where a tournament lets players. A hall or
a club shares one address, so that an address may start many. All processes count together.
"""

from functools import cache

from django.conf import settings

from clocks.engine.words import Words
from clocks.host.ratelimit import client_key
from clocks.host.shared_ratelimit import SharedRateLimiter

HOUR_S = 3_600


def spent(address: str) -> Words | None:
    """Return what `refusal` would say whichever phone asks, without counting: None while there is some left."""
    for kind, who in (("address", client_key(address)), ("all", "all")):
        if not _allowance(kind).has_left(who):
            return _words(kind, settings.CASUAL_PER_HOUR[kind])
    return None


def refusal(device_id: int | None, address: str) -> Words | None:
    """Count a match that players are to start by themselves; return why it may not be, in words, None where it may."""
    taken: list[tuple[str, int | str | None]] = []
    for kind, who in (("device", device_id), ("address", client_key(address)), ("all", "all")):
        if who is None:
            continue
        if not _allowance(kind).take(who):
            for other, account in taken:
                _allowance(other).give_back(account)
            return _words(kind, settings.CASUAL_PER_HOUR[kind])
        taken.append((kind, who))
    return None


@cache
def _allowance(kind: str) -> SharedRateLimiter:
    most = settings.CASUAL_PER_HOUR[kind]
    return SharedRateLimiter(f"casual matches of {kind}", most, most / HOUR_S)


def forget() -> None:
    """Start counting again, by the settings as they are now."""
    _allowance.cache_clear()


def _words(kind: str, most: int) -> Words:
    if kind == "device":
        return Words(
            "This phone has started %(most)s matches within an hour, which is the most that a phone may "
            "start. Wait a few minutes and try again.",
            most=most,
        )
    if kind == "address":
        return Words(
            "%(most)s matches have been started from your network within an hour, which is the most allowed. "
            "Wait a few minutes and try again.",
            most=most,
        )
    return Words(
        "%(most)s matches have been started here within an hour, which is the most that this clock allows. "
        "Wait a few minutes and try again.",
        most=most,
    )
