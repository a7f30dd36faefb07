"""Readers connected to this process, and a buffer of recent events per tournament.

Each new event is encoded once, and readers with the same filter share the same bytes. Readers are written to in turn
rather than by a task each: waking five hundred tasks at once would delay presses.

Everything but `Readers.tell` runs in the event loop's thread.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Protocol

from clocks.feed.encoding import Encoded, Wanted, encoded_event, in_one
from clocks.models import FeedEvent
from clocks.serving.streams import Piece

KEPT = 500  # events buffered per tournament; older ones come from the database
AT_A_TIME = 10  # readers per iteration of the event loop, so that presses run in between
PAUSE_S = 0.002  # seconds between batches: writing to a thousand readers takes a quarter of a second

logger = logging.getLogger(__name__)


class Reader(Protocol):
    """A connected reader."""

    def tell(self, room: "Room") -> bool:
        """Send the room's new events; True if anything was written."""


class Room:
    """Readers of a tournament, and its recent events."""

    def __init__(self) -> None:
        self.readers: set[Reader] = set()
        self._last: deque[Encoded] = deque(maxlen=KEPT)
        self._pieces: dict[tuple[int, Wanted], Piece] = {}  # encoded events, by last number sent and filter

    def hear(self, event: Encoded) -> None:
        """Buffer an event. After a gap, drop earlier ones: readers use the database."""
        if self._last and event.number != self._last[-1].number + 1:
            self._last.clear()
        self._last.append(event)
        self._pieces.clear()

    @property
    def number(self) -> int:
        """Number of the last event buffered; 0 if there is none yet."""
        return self._last[-1].number if self._last else 0

    def reaches(self, number: int) -> bool:
        """True if every event after this number is buffered."""
        return bool(self._last) and number >= self._last[0].number - 1

    def since(self, number: int, wanted: Wanted) -> Piece:
        """Events after a number, as one piece shared by all readers with the same filter."""
        piece = self._pieces.get((number, wanted))
        if piece is None:
            told = in_one((each for each in self._last if each.number > number), wanted)
            piece = self._pieces[number, wanted] = Piece(told)
        return piece


class Readers:
    """Rooms of this process, by tournament id."""

    def __init__(self) -> None:
        self.rooms: dict[int, Room] = {}
        self.loop: asyncio.AbstractEventLoop | None = None

    def join(self, tournament_id: int, reader: Reader) -> Room:
        """Subscribe a reader to a tournament."""
        self.loop = asyncio.get_running_loop()
        room = self.rooms.setdefault(tournament_id, Room())
        room.readers.add(reader)
        return room

    def leave(self, tournament_id: int, reader: Reader) -> None:
        """Unsubscribe a reader."""
        room = self.rooms.get(tournament_id)
        if room is not None:
            room.readers.discard(reader)
            if not room.readers:
                del self.rooms[tournament_id]

    def tell(self, events: Sequence[FeedEvent]) -> None:
        """Publish new events, each encoded once. Called in the recorder's thread."""
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
        """Number of connected readers."""
        return sum(len(room.readers) for room in self.rooms.values())


async def _tell_in_turn(room: Room, listening: Iterable[Reader]) -> None:
    """Write a room's new events to its readers, a few at a time."""
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
