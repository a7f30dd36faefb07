"""Those who follow tournaments through this process: only what was told last is kept, once for all of them.

Runs in the event loop's thread, except for `tell`.
"""

import asyncio
from collections import deque
from collections.abc import Sequence

from clocks.feed.encoding import Encoded, encoded_event
from clocks.models import FeedEvent

KEPT = 500  # events of a tournament: whoever is further behind reads them from the database
AT_A_TIME = 20  # readers that are woken in one turn of the loop: presses are heard in between


class Room:
    """Who follows a tournament, and what it was told last."""

    def __init__(self) -> None:
        self.readers: set[asyncio.Event] = set()
        self.last: deque[Encoded] = deque(maxlen=KEPT)

    def since(self, number: int) -> list[Encoded] | None:
        """Return what came after a number; None where that is no longer kept, or may not be all."""
        if not self.last or number < self.last[0].number - 1:
            return None
        return [each for each in self.last if each.number > number]


class Readers:
    """The rooms of this process."""

    def __init__(self) -> None:
        self.rooms: dict[int, Room] = {}
        self.loop: asyncio.AbstractEventLoop | None = None

    def join(self, tournament_id: int, woken: asyncio.Event) -> Room:
        """Let somebody follow a tournament."""
        self.loop = asyncio.get_running_loop()
        room = self.rooms.setdefault(tournament_id, Room())
        room.readers.add(woken)
        return room

    def leave(self, tournament_id: int, woken: asyncio.Event) -> None:
        """Forget somebody."""
        room = self.rooms.get(tournament_id)
        if room is not None:
            room.readers.discard(woken)
            if not room.readers:
                del self.rooms[tournament_id]

    def tell(self, events: Sequence[FeedEvent]) -> None:
        """Hand on what is new: in the recorder's thread, each event encoded once."""
        if self.loop is None or not self.rooms:
            return
        fresh = [(event.tournament_id, encoded_event(event)) for event in events if event.tournament_id in self.rooms]
        if fresh:
            self.loop.call_soon_threadsafe(lambda: asyncio.ensure_future(self._wake(fresh)))

    async def _wake(self, fresh: Sequence[tuple[int, Encoded]]) -> None:
        rooms = {}
        for tournament_id, each in fresh:
            room = self.rooms.get(tournament_id)
            if room is not None:
                rooms[tournament_id] = room
                if room.last and each.number != room.last[-1].number + 1:
                    room.last.clear()  # what is between them is read from the database
                room.last.append(each)
        for room in rooms.values():
            for number, woken in enumerate(list(room.readers), 1):
                woken.set()
                if number % AT_A_TIME == 0:
                    await asyncio.sleep(0)

    def count(self) -> int:
        """Return how many follow anything."""
        return sum(len(room.readers) for room in self.rooms.values())


readers = Readers()
