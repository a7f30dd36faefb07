"""Topics of other processes: the tables and tournaments that each follows.

They may be some seconds out of date: a process ignores updates that it does not need, and `catchup` finds missed ones.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

FORGOTTEN_MS = 15_000  # a process that misses three announcements in a row counts as gone


class PeerTopic(NamedTuple):
    """Topics of another process, and the server time of their last announcement."""

    tables: set[int]
    tournaments: set[int]
    said_at: int


class PeerTopics:
    """Topics of all other processes, by their channels."""

    def __init__(self) -> None:
        self._by_channel: dict[str, PeerTopic] = {}

    def said(
        self, channel: str, tables: Iterable[int], tournaments: Iterable[int], whole: bool, at: int
    ) -> tuple[set[int], set[int]]:
        """Store a process's topics, all or additional ones. Returns the new ones."""
        known = self._by_channel.get(channel, PeerTopic(set(), set(), at))
        both = (set(tables), set(tournaments))
        new = (both[0] - known.tables, both[1] - known.tournaments)
        if not whole:
            both = (known.tables | both[0], known.tournaments | both[1])
        self._by_channel[channel] = PeerTopic(*both, at)
        return new

    def forget_silent(self, now: int) -> None:
        """Forget processes that are gone."""
        for channel, known in list(self._by_channel.items()):
            if now - known.said_at > FORGOTTEN_MS:
                del self._by_channel[channel]

    def channels(self) -> list[str]:
        """Channels of all other processes."""
        return list(self._by_channel)

    def following(self, table_id: int, tournament_id: int) -> list[str]:
        """Channels of processes that follow a table or its tournament."""
        return [
            channel
            for channel, known in self._by_channel.items()
            if table_id in known.tables or tournament_id in known.tournaments
        ]

    def shares(self, places: Mapping[int, tuple[int, int]]) -> dict[str, list[int]]:
        """Matches that each process follows, by channel.

        `places` are the matches' tables and tournaments.
        """
        shares: dict[str, list[int]] = {}
        for match_id, place in places.items():
            for channel in self.following(*place):
                shares.setdefault(channel, []).append(match_id)
        return shares
