"""The other processes, and what each of them follows: the tables and tournaments for which it has sockets.

A process that is told too much passes it over, and one that is told too little finds the rest by its look for missed
updates (`catchup`). So what is known here may be some seconds old.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

FORGOTTEN_MS = 15_000  # a process that has said nothing for so long has ended: three statements are missing


class PeerTopic(NamedTuple):
    """What another process follows, and when it last said so (server milliseconds)."""

    tables: set[int]
    tournaments: set[int]
    said_at: int


class PeerTopics:
    """The other processes by the channels at which they hear."""

    def __init__(self) -> None:
        self._by_channel: dict[str, PeerTopic] = {}

    def said(
        self, channel: str, tables: Iterable[int], tournaments: Iterable[int], whole: bool, at: int
    ) -> tuple[set[int], set[int]]:
        """Take up what a process says that it follows: all of it, or what is new. Return what it did not follow yet."""
        known = self._by_channel.get(channel, PeerTopic(set(), set(), at))
        both = (set(tables), set(tournaments))
        new = (both[0] - known.tables, both[1] - known.tournaments)
        if not whole:
            both = (known.tables | both[0], known.tournaments | both[1])
        self._by_channel[channel] = PeerTopic(*both, at)
        return new

    def forget_silent(self, now: int) -> None:
        """Forget those that have said nothing for long."""
        for channel, known in list(self._by_channel.items()):
            if now - known.said_at > FORGOTTEN_MS:
                del self._by_channel[channel]

    def channels(self) -> list[str]:
        """Return the channels of all."""
        return list(self._by_channel)

    def following(self, table_id: int, tournament_id: int) -> list[str]:
        """Return the channels of those that have sockets for a table or its tournament."""
        return [
            channel
            for channel, known in self._by_channel.items()
            if table_id in known.tables or tournament_id in known.tournaments
        ]

    def shares(self, places: Mapping[int, tuple[int, int]]) -> dict[str, list[int]]:
        """Return which of these matches each process follows, by its channel: matches by table and tournament."""
        shares: dict[str, list[int]] = {}
        for match_id, place in places.items():
            for channel in self.following(*place):
                shares.setdefault(channel, []).append(match_id)
        return shares
