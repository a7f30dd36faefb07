"""The first frame of a page that shows a whole tournament: read and encoded once for all who open it at that time.

Reading 300 tables costs as much as hundreds of presses. Whoever opens a page shortly after somebody else gets what was
read then, and every frame that has been sent since.
"""

import asyncio
import time
from typing import NamedTuple

from clocks.host.server_time import now_ms
from clocks.host.version import version
from clocks.journal import stored
from clocks.journal.stored import StoredMatch
from clocks.live import protocol
from clocks.live.pools import opening
from clocks.live.updates import FramePair, Subscriber
from clocks.seats import presence
from clocks.serving.frames import Frame

KEPT_S = 1.0  # from when the reading began


class Read(NamedTuple):
    """What was read about a tournament: its boards, and the first frame for directors and for screens."""

    boards: list[StoredMatch]
    shown: Frame
    screens: Frame

    def push_to(self, socket: Subscriber) -> None:
        """Push the first frame to a socket."""
        socket.push(self.shown if socket.user_id else self.screens)


def read(tournament_id: int) -> Read:
    """Read a tournament and encode it, in twice the time that it takes: those who are playing come in between.

    Without a pause after each board this thread would give the interpreter away only when it must, a millisecond after
    somebody asks for it, and a press asks some thirty times.
    """
    boards, shown, screens, now = list[StoredMatch](), list[str](), list[str](), now_ms()
    began_s = time.monotonic()
    for board in stored.each_of_tournament(tournament_id):
        text, hidden = protocol.texts(board, now, presence.seen_at(board.id))
        boards.append(board)
        shown.append(text)
        screens.append(protocol.without_code(hidden or text, board.code))
        time.sleep(time.monotonic() - began_s)
        began_s = time.monotonic()
    return Read(boards, *(Frame(protocol.boards(now, version(), matches)) for matches in (shown, screens)))


class FirstFrame:
    """A reading that is under way or done; `since` are the frames that were sent after it began."""

    def __init__(self, tournament_id: int) -> None:
        self.began_s = asyncio.get_running_loop().time()
        self.since: list[FramePair] = []
        self.is_noted = False  # by the room, which compares it with what it knows, once for all who share it
        self.reading: asyncio.Future[Read] = asyncio.ensure_future(opening(read)(tournament_id))

    def is_fresh(self) -> bool:
        """Tell whether somebody who opens a page now may have this one."""
        if not self.reading.done():
            return True
        failed = self.reading.cancelled() or self.reading.exception() is not None
        return not failed and asyncio.get_running_loop().time() - self.began_s < KEPT_S
