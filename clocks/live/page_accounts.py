"""On whose account a request for a page waits: a session's or a phone's, if its cookie is valid.

What was found is kept for a while, so that a page costs no look-up of its own; cookies that are no longer valid count
for as long, for nothing but the queue. Made-up cookies are a stranger's: they are looked up together, eighty at a time,
and beyond `MOST_WAITING` not at all.
"""

from collections.abc import Callable
from hashlib import sha256
from time import monotonic
from typing import Any

from django.conf import settings

from clocks.live.socket import cookies_of
from clocks.live.together import Together
from clocks.people import accounts
from clocks.people.accounts import Account, Shown

KEPT_S, STRANGERS_S = 60.0, 10.0  # a phone that takes its first seat is known soon
MOST_KEPT = 20_000
MOST_WAITING = 1_000
LONGEST = 100  # characters of a cookie that may be one of ours


class PageAccounts:
    """The accounts of those who have asked lately. In the event loop's thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._kept: dict[bytes, tuple[Account | None, float]] = {}  # by the hash of the cookies; until when
        self._look_ups: Together[Shown, Account | None] = Together(lambda shown: accounts.find(shown))

    async def of(self, scope: dict[str, Any]) -> Account | None:
        """Return the account of a request; None for a stranger's."""
        shown = _shown(scope)
        if shown is None:
            return None
        key, now = sha256("\n".join(shown).encode()).digest(), self._clock()
        account, until = self._kept.get(key, (None, 0.0))
        if now < until:
            return account
        if len(self._look_ups) >= MOST_WAITING:
            return None
        try:
            account = await self._look_ups.look_up(shown)
        except Exception:  # the page, which asks the same database, will say what is wrong
            return None
        self._kept.pop(key, None)
        self._kept[key] = account, now + (STRANGERS_S if account is None else KEPT_S)
        if len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return account


def _shown(scope: dict[str, Any]) -> Shown | None:
    """Return the cookies of a request that may say who asks; None if there are none."""
    if not any(name == b"cookie" for name, _ in scope.get("headers", ())):
        return None
    cookies = cookies_of(scope)
    shown = Shown(*(cookies.get(name, "") for name in (settings.SESSION_COOKIE_NAME, settings.DEVICE_COOKIE_NAME)))
    return shown if any(shown) and max(map(len, shown)) <= LONGEST else None
