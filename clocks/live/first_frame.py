"""The first frame of a page that shows a whole tournament: read and encoded once for all who open it at that time.

Reading 300 tables costs as much as hundreds of presses. Whoever opens a page shortly after somebody else gets what was
read then, and every frame that has been sent since.
"""

import asyncio
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
    """Read a tournament and encode it."""
    boards, now = stored.matches_of_tournament(tournament_id), now_ms()
    texts = [protocol.texts(board, now, presence.seen_at(board.id)) for board in boards]
    screens = [
        protocol.without_code(hidden or text, board.code) for board, (text, hidden) in zip(boards, texts, strict=True)
    ]
    shown = [text for text, _ in texts]
    return Read(boards, *(Frame(protocol.boards(now, version(), matches)) for matches in (shown, screens)))


class FirstFrame:
    """A reading that is under way or done; `since` are the frames that were sent after it began."""

    def __init__(self, tournament_id: int) -> None:
        self.began_s = asyncio.get_running_loop().time()
        self.since: list[FramePair] = []
        self.reading: asyncio.Future[Read] = asyncio.ensure_future(opening(read)(tournament_id))

    def is_fresh(self) -> bool:
        """Tell whether somebody who opens a page now may have this one."""
        if not self.reading.done():
            return True
        failed = self.reading.cancelled() or self.reading.exception() is not None
        return not failed and asyncio.get_running_loop().time() - self.began_s < KEPT_S
