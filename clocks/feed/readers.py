"""Those who follow tournaments through this process: only what was told last is kept, once for all of them.

An event is encoded once, and the very same bytes go to all who want the same of it. That is done here and not by the
readers themselves: five hundred tasks that wake up at one event would be in the way of every press.

Runs in the event loop's thread, except for `tell`.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Protocol

from clocks.feed.encoding import Encoded, Wanted, encoded_event, in_one
from clocks.models import FeedEvent
from clocks.serving.streams import Piece

KEPT = 500  # events of a tournament: whoever is further behind reads them from the database
AT_A_TIME = 10  # readers that are written to in one turn of the loop: presses are heard in between
PAUSE_S = 0.002  # until the next of them: a thousand readers are told within a quarter of a second

logger = logging.getLogger(__name__)


class Reader(Protocol):
    """Somebody who is connected."""

    def tell(self, room: "Room") -> bool:
        """Send what is new in the room; return whether anything was written."""


class Room:
    """Who follows a tournament, and what it was told last."""

    def __init__(self) -> None:
        self.readers: set[Reader] = set()
        self._last: deque[Encoded] = deque(maxlen=KEPT)
        self._pieces: dict[tuple[int, Wanted], Piece] = {}  # of what was told last, by the number before it

    def hear(self, event: Encoded) -> None:
        """Keep an event; what is missing between it and the one before is read from the database."""
        if self._last and event.number != self._last[-1].number + 1:
            self._last.clear()
        self._last.append(event)
        self._pieces.clear()

    @property
    def number(self) -> int:
        """Return the number of the last event; 0 while nothing was told."""
        return self._last[-1].number if self._last else 0

    def reaches(self, number: int) -> bool:
        """Tell whether all that was told after a number is kept."""
        return bool(self._last) and number >= self._last[0].number - 1

    def since(self, number: int, wanted: Wanted) -> Piece:
        """Return what was told after a number: the same piece for all who want the same."""
        piece = self._pieces.get((number, wanted))
        if piece is None:
            told = in_one((each for each in self._last if each.number > number), wanted)
            piece = self._pieces[number, wanted] = Piece(told)
        return piece


class Readers:
    """The rooms of this process."""

    def __init__(self) -> None:
        self.rooms: dict[int, Room] = {}
        self.loop: asyncio.AbstractEventLoop | None = None

    def join(self, tournament_id: int, reader: Reader) -> Room:
        """Let somebody follow a tournament."""
        self.loop = asyncio.get_running_loop()
        room = self.rooms.setdefault(tournament_id, Room())
        room.readers.add(reader)
        return room

    def leave(self, tournament_id: int, reader: Reader) -> None:
        """Forget somebody."""
        room = self.rooms.get(tournament_id)
        if room is not None:
            room.readers.discard(reader)
            if not room.readers:
                del self.rooms[tournament_id]

    def tell(self, events: Sequence[FeedEvent]) -> None:
        """Hand on what is new: in the recorder's thread, each event encoded once."""
        if self.loop is None or not self.rooms:
            return
        fresh = [(event.tournament_id, encoded_event(event)) for event in events if event.tournament_id in self.rooms]
        if fresh:
            self.loop.call_soon_threadsafe(lambda: asyncio.ensure_future(self._tell(fresh)))

    async def _tell(self, fresh: Sequence[tuple[int, Encoded]]) -> None:
        rooms: dict[Room, None] = {}
        for tournament_id, event in fresh:
            room = self.rooms.get(tournament_id)
            if room is not None:
                room.hear(event)
                rooms[room] = None
        for room in rooms:
            await _tell_in_turn(room, list(room.readers))

    def count(self) -> int:
        """Return how many follow anything."""
        return sum(len(room.readers) for room in self.rooms.values())


async def _tell_in_turn(room: Room, listening: Iterable[Reader]) -> None:
    """Tell readers what is new in their room, a few at a time."""
    written = 0
    for reader in listening:
        try:
            written += reader.tell(room)
        except Exception:
            logger.exception("a reader of the feed could not be told")
        if written == AT_A_TIME:
            written = 0
            await asyncio.sleep(PAUSE_S)


readers = Readers()
