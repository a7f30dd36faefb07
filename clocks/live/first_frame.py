"""First frame of a page that shows a whole tournament, cached for a second.

Reading 300 tables costs as much as hundreds of presses. A page that opens shortly after another gets the same frame,
and every frame sent since.
"""

import asyncio
import time
from typing import NamedTuple

from clocks.host.server_time import now_ms
from clocks.host.version import version
from clocks.host.yielding import rest
from clocks.journal import stored
from clocks.journal.stored import StoredMatch
from clocks.live import protocol
from clocks.live.pools import opening
from clocks.live.screens import for_screens
from clocks.live.updates import FramePair, Subscriber
from clocks.seats import presence
from clocks.serving.frames import Frame

KEPT_S = 1.0  # lifetime of a cached frame, since its read began


class Read(NamedTuple):
    """Boards of a tournament, and the first frames for directors and for screens."""

    boards: list[StoredMatch]
    shown: Frame
    screens: Frame

    def push_to(self, socket: Subscriber) -> None:
        """Push the first frame to a socket."""
        socket.push(self.shown if socket.user_id else self.screens)


def read(tournament_id: int) -> Read:
    """Read and encode a tournament, yielding to other threads after each board."""
    boards, shown, screens, now = list[StoredMatch](), list[str](), list[str](), now_ms()
    began_s = time.monotonic()
    for board in stored.each_of_tournament(tournament_id):
        text, hidden = protocol.texts(board, now, presence.seen_at(board.id))
        boards.append(board)
        shown.append(text)
        screens.append(for_screens(hidden or text, board.code))
        rest(began_s)
        began_s = time.monotonic()
    return Read(boards, *(Frame(protocol.boards(now, version(), matches)) for matches in (shown, screens)))


class FirstFrame:
    """Cached or pending first frame; `since` holds frames sent since its read began.

    `turns` is held while the large frame is pushed: one socket gets it per iteration of the event loop.
    """

    def __init__(self, tournament_id: int) -> None:
        self.began_s = asyncio.get_running_loop().time()
        self.since: list[FramePair] = []
        self.turns = asyncio.Lock()
        self.is_noted = False  # True once the room has recorded its versions, for all sockets that share it
        self.reading: asyncio.Future[Read] = asyncio.ensure_future(opening(read)(tournament_id))

    def is_fresh(self) -> bool:
        """True if a page that opens now may use this frame."""
        if not self.reading.done():
            return True
        failed = self.reading.cancelled() or self.reading.exception() is not None
        return not failed and asyncio.get_running_loop().time() - self.began_s < KEPT_S
