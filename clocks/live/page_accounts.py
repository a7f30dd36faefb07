"""Accounts for the page queue: a session's or a phone's, if its cookie is valid.

Results are cached for a while, even if a cookie becomes invalid meanwhile: only the queue relies on them. A client with
unknown cookies is a stranger. Lookups run in batches of eighty; beyond `MOST_WAITING`, clients count as strangers.
"""

from collections.abc import Callable
from hashlib import sha256
from time import monotonic

from django.conf import settings

from clocks.live.socket import cookies_of
from clocks.live.together import Together
from clocks.people import accounts
from clocks.people.accounts import Account, Shown
from clocks.serving.asgi import Scope

KEPT_S, STRANGERS_S = 60.0, 10.0  # shorter for strangers, because a phone becomes known when it takes its first seat
MOST_KEPT = 20_000
MOST_WAITING = 1_000
LONGEST = 100  # characters of the longest cookie looked up; ours are shorter


class PageAccounts:
    """Cache of accounts, used in the event loop's thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._kept: dict[bytes, tuple[Account | None, float]] = {}  # account and its expiry, by hash of the cookies
        self._look_ups: Together[Shown, Account | None] = Together(lambda shown: accounts.find(shown))

    async def of(self, scope: Scope) -> Account | None:
        """Account of a request; None for a stranger."""
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
        except Exception:  # the page uses the same database, and reports the error itself
            return None
        self._kept.pop(key, None)
        self._kept[key] = account, now + (STRANGERS_S if account is None else KEPT_S)
        if len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return account


def _shown(scope: Scope) -> Shown | None:
    """Session and phone cookies of a request; None if both lack or one is too long."""
    if not any(name == b"cookie" for name, _ in scope.get("headers", ())):
        return None
    cookies = cookies_of(scope)
    shown = Shown(*(cookies.get(name, "") for name in (settings.SESSION_COOKIE_NAME, settings.DEVICE_COOKIE_NAME)))
    return shown if any(shown) and max(map(len, shown)) <= LONGEST else None
