"""Limits on new and open sockets, per address, phone and director.

A whole hall may share one address, so the limits per address are high. A client with a cookie is looked up before it is
rejected, because phones with seats and directors have limits of their own.
"""

from collections import Counter
from collections.abc import Hashable
from typing import Protocol

from django.conf import settings

from clocks.host.ratelimit import RateLimiter, client_key
from clocks.live import protocol
from clocks.serving.asgi import Scope
from clocks.serving.files import granted

MOST_STRANGERS, MOST_OF_ADDRESS = 4_000, 2_000  # open anonymous sockets, in all and per address
# Open sockets per phone and per director (a console has one per event). Beyond that, the oldest is closed.
MOST_OF_PHONE, MOST_OF_DIRECTOR = 20, 60

TABLE_OPENS = RateLimiter(burst=4_000, per_s=200.0)  # per address: all phones of a hall may connect at once
TOURNAMENT_OPENS = RateLimiter(burst=200, per_s=20.0)  # per address: directors' pages and hall screens


class Socket(Protocol):
    """Socket interface that admission uses."""

    def close(self, code: int) -> None: ...


class Admission:
    """Open sockets of this process, counted by address, phone and director."""

    def __init__(self) -> None:
        self._strangers: dict[Socket, str] = {}  # address of each anonymous socket
        self._of_address: Counter[str] = Counter()
        self._known: dict[Hashable, dict[Socket, None]] = {}  # sockets of each owner, oldest first
        self._who: dict[Socket, Hashable] = {}

    def enter(self, socket: Socket, address: str) -> bool:
        """Count an anonymous socket. False if a limit is exceeded."""
        self._strangers[socket] = address
        self._of_address[address] += 1
        most = min(MOST_STRANGERS, granted() // 2)
        return len(self._strangers) <= most and self._of_address[address] <= MOST_OF_ADDRESS

    def recognise(self, socket: Socket, who: Hashable, most: int) -> None:
        """Count a socket of a phone or director.

        If the owner has more than `most`, closes the oldest.
        """
        self._forget_stranger(socket)
        self._who[socket] = who
        theirs = self._known.setdefault(who, {})
        theirs[socket] = None
        if len(theirs) > most:
            oldest = next(iter(theirs))
            self.leave(oldest)
            oldest.close(protocol.TOO_MANY_MESSAGES)

    def is_known(self, socket: Socket) -> bool:
        """True for a director's socket or a seated phone's."""
        return socket in self._who

    def leave(self, socket: Socket) -> None:
        """Forget a socket."""
        self._forget_stranger(socket)
        who = self._who.pop(socket, None)
        if who is not None:
            theirs = self._known[who]
            theirs.pop(socket, None)
            if not theirs:
                del self._known[who]

    def _forget_stranger(self, socket: Socket) -> None:
        address = self._strangers.pop(socket, None)
        if address is not None:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]


admission = Admission()

AT_TABLES, OF_DIRECTORS = "/ws/table/", "/ws/director/"


def turned_away(scope: Scope) -> int | None:
    """Close code for a WebSocket that can be rejected without a lookup, or None.

    Rejects a client whose address is over its limit, unless a cookie might identify it. All others are counted, and
    looked up, when they open.
    """
    client, path = scope["client"], scope["path"]
    opens = TABLE_OPENS if path.startswith(AT_TABLES) else TOURNAMENT_OPENS
    if not client or opens.has_left(client_key(client[0])):
        return None
    by = {AT_TABLES: settings.DEVICE_COOKIE_NAME, OF_DIRECTORS: settings.SESSION_COOKIE_NAME}
    named = [cookie.encode() for begin, cookie in by.items() if path.startswith(begin)]
    cookies = b";".join(value for name, value in scope["headers"] if name == b"cookie")
    return None if any(name in cookies for name in named) else protocol.TOO_MANY_MESSAGES
