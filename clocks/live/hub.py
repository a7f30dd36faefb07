"""Registry of this process's sockets, by table and tournament.

Runs in the event loop's thread. Each update is encoded once for all sockets. A table's sockets follow its current
match.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from clocks.host.server_time import now_ms
from clocks.journal.stored import StoredMatch
from clocks.live import protocol
from clocks.live.table_room import TableRoom
from clocks.live.tournament_room import TournamentRoom
from clocks.live.updates import Subscriber, Update
from clocks.seats.takeover import SeatRequest
from clocks.serving.frames import Frame

AT_A_TIME = 20  # tables checked per iteration of the event loop


class Hub:
    """Sockets of this process, and the versions last sent to them."""

    def __init__(self) -> None:
        self.tables: dict[int, TableRoom] = {}
        self.tables_of: dict[int, set[int]] = {}  # tables with sockets, by tournament
        self.tournaments: dict[int, TournamentRoom] = {}
        self.loop: asyncio.AbstractEventLoop | None = None
        self.begins: Callable[[int | None, int | None], None] = (
            _nobody_asks  # called when a table or tournament gets its first socket
        )
        self.begun = 0  # number of calls to `begins`
        self.moves = 0  # number of updates that placed a match at a table
        self.ends: Callable[[int, TableRoom], None] = _nobody_hears  # called when a table's last socket has left
        self.told: dict[int, int] = {}  # last version sent here, by match
        self._with_message: set[int] = set()  # tables whose phones show a director's message
        self._asked: set[int] = set()  # tables with pending seat requests
        self._starts: dict[int, Mapping[str, int]] = {}  # start times sent to phones, by tournament

    def join_table(self, socket: Subscriber, table_id: int, tournament_id: int) -> TableRoom:
        """Subscribe a socket to a table of a tournament."""
        self.loop = asyncio.get_running_loop()
        room = self.tables.get(table_id)
        if room is None:
            room = self.tables[table_id] = TableRoom(tournament_id)
            self.tables_of.setdefault(tournament_id, set()).add(table_id)
            self._begin(table_id, None)
        room.sockets.add(socket)
        return room

    def leave_table(self, socket: Subscriber, table_id: int) -> None:
        """Unsubscribe a socket from a table."""
        room = self.tables.get(table_id)
        if room is not None:
            room.sockets.discard(socket)
            if not room.sockets:
                del self.tables[table_id]
                self._with_message.discard(table_id)
                self.tables_of[room.tournament_id].discard(table_id)
                if not self.tables_of[room.tournament_id]:
                    del self.tables_of[room.tournament_id]
                    self._starts.pop(room.tournament_id, None)
                self.ends(table_id, room)

    def join_tournament(self, socket: Subscriber, tournament_id: int) -> TournamentRoom:
        """Subscribe a socket to all tables of a tournament."""
        self.loop = asyncio.get_running_loop()
        room = self.tournaments.get(tournament_id)
        if room is None:
            room = self.tournaments[tournament_id] = TournamentRoom()
            room.begin()
            self._begin(None, tournament_id)
        room.sockets.add(socket)
        return room

    def shown_as(self, slug: str) -> int | None:
        """Tournament that hall screens here watch under this slug, or None."""
        return next((key for key, room in self.tournaments.items() if room.slug == slug), None)

    def leave_tournament(self, socket: Subscriber, tournament_id: int) -> None:
        """Unsubscribe a socket from a tournament."""
        room = self.tournaments.get(tournament_id)
        if room is not None:
            room.sockets.discard(socket)
            if not room.sockets:
                room.rest()
                del self.tournaments[tournament_id]

    def _begin(self, table_id: int | None, tournament_id: int | None) -> None:
        self.begun += 1
        self.begins(table_id, tournament_id)

    def deliver(self, update: Update) -> None:
        """Push an update to its table and tournament, and to the match's old table."""
        room = self.tables.get(update.table_id)
        held = room.devices if room is not None and room.match_id == update.match_id else ()
        if room is not None and room.takes(update):
            room.hand_out(update, followed=False)
            if held != update.devices:
                room.release(held)
        if update.moved:
            self.moves += 1
            for table_id, left in self.tables.items():
                if table_id != update.table_id and left.match_id == update.match_id and left.takes(update):
                    left.hand_out(update, followed=True)
        watching = self.tournaments.get(update.tournament_id)
        if watching is not None:
            watching.note(update)
        self.told[update.match_id] = max(update.v, self.told.get(update.match_id, 0))

    def places(self, match_ids: Collection[int]) -> dict[int, tuple[int, int]]:
        """Table and tournament of each of these matches with table sockets. Thread-safe."""
        if not match_ids:
            return {}
        return {
            room.match_id: (table_id, room.tournament_id)
            for table_id, room in list(self.tables.items())
            if room.match_id in match_ids
        }

    def matches_at(self, table_ids: Collection[int], tournament_ids: Collection[int]) -> list[int]:
        """Matches with sockets here at these tables, or at any table of these tournaments."""
        theirs = [table_id for key in tournament_ids for table_id in sorted(self.tables_of.get(key, ()))]
        asked = dict.fromkeys([*table_ids, *theirs])
        return [self.tables[table_id].match_id for table_id in asked if table_id in self.tables]

    def tell_back(self, match_ids: Collection[int], now: int) -> None:
        """Send presence to the tables of matches in which a phone has returned."""
        for table_id, _ in self.places(match_ids).values():
            self.tables[table_id].tell_seen(now, anew=True)

    def knows_later(self, board: StoredMatch) -> bool:
        """True if sockets here were sent a later version of this match."""
        return self.told.get(board.id, 0) > board.version

    def tell_seen(self, now: int) -> None:
        """Check tables where a phone may have gone silent, a few per loop iteration."""
        self._tell_seen_at([room for room in self.tables.values() if room.silence_at <= now], now)

    def _tell_seen_at(self, rooms: Sequence[TableRoom], now: int) -> None:
        for room in rooms[:AT_A_TIME]:
            room.tell_seen(now)
        if len(rooms) > AT_A_TIME and self.loop is not None:
            self.loop.call_soon(self._tell_seen_at, rooms[AT_A_TIME:], now)

    def tell_asks(self, asks: Sequence[SeatRequest], now: int) -> None:
        """Send all pending seat requests to the phones and directors concerned."""
        before, self._asked = self._asked, {ask.table_id for ask in asks}
        for table_id in (before | self._asked) & self.tables.keys():
            room = self.tables[table_id]
            room.tell_asks(now, [ask for ask in asks if ask.table_id == table_id and ask.match_id == room.match_id])
        for tournament_id, watching in self.tournaments.items():
            watching.tell_asks(now, [ask for ask in asks if ask.tournament_id == tournament_id])

    def claim_alert(self, tournament_id: int, alert: str, by: str, at: int) -> None:
        """Record who handles an alert of a tournament."""
        room = self.tournaments.get(tournament_id)
        if room is not None:
            room.claim_alert(alert, by, at)

    def tell_messages(self, messages: Mapping[int, tuple[int, str]]) -> None:
        """Send directors' messages to phones: id and frame by table."""
        for table_id, (id_, text) in messages.items():
            self.tell_message(table_id, id_, text)

    def tell_message(self, table_id: int, id_: int, text: str, joined: Subscriber | None = None) -> None:
        """Send a table's message: to all if it is new, otherwise to `joined`."""
        room = self.tables.get(table_id)
        if room is not None:
            room.tell_message(id_, text, joined)
            (self._with_message.add if id_ else self._with_message.discard)(table_id)

    def tell_screens(self, messages: Mapping[int, tuple[int, str]]) -> None:
        """Send directors' messages to hall screens: id and frame by tournament."""
        for tournament_id, (id_, text) in messages.items():
            room = self.tournaments.get(tournament_id)
            if room is not None:
                room.tell_message(id_, text)

    def tell_starts(self, starts: Mapping[int, tuple[Mapping[str, int], Sequence[Any]]]) -> None:
        """Send changed start times by tournament; directors also get penalties."""
        for tournament_id, told in starts.items():
            room = self.tournaments.get(tournament_id)
            if room is not None:
                room.tell_starts(told)
            starts_at, _ = told
            tables = self.tables_of.get(tournament_id, ())
            if tables and starts_at != self._starts.get(tournament_id, {}):
                self._starts[tournament_id] = starts_at
                frame = Frame(protocol.starts(now_ms(), starts_at, []))
                for socket in [socket for table_id in tables for socket in self.tables[table_id].sockets]:
                    socket.push(frame)

    def show_starts(self, socket: Subscriber, tournament_id: int) -> None:
        """Send start times to a phone that has joined a table."""
        if starts_at := self._starts.get(tournament_id):
            socket.push(Frame(protocol.starts(now_ms(), starts_at, [])))

    def forget_matches(self, gone: Mapping[int, Collection[int]]) -> None:
        """Remove matches that are no longer at any table, by tournament."""
        for tournament_id, match_ids in gone.items():
            room = self.tournaments.get(tournament_id)
            if room is not None:
                room.forget(match_ids)

    def end_matches(self, ended: Mapping[int, int]) -> None:
        """Close the sockets of tables whose match was removed and not replaced."""
        for table_id, match_id in ended.items():
            room = self.tables.get(table_id)
            for socket in list(room.sockets) if room is not None and room.match_id == match_id else ():
                socket.close(protocol.NO_SUCH_MATCH)

    def end_tournaments(self, ended: Mapping[int, int]) -> None:
        """Close the sockets of ended tournaments, each with its close code.

        They were deleted or archived; directors may continue to watch an archived one.
        """
        for tournament_id in ended.keys() & self.tournaments.keys():
            self.tournaments[tournament_id].slug = ""
        for tournament_id, code in ended.items():
            rooms: list[TableRoom | TournamentRoom] = [
                self.tables[table_id] for table_id in self.tables_of.get(tournament_id, ())
            ]
            if tournament_id in self.tournaments:
                rooms.append(self.tournaments[tournament_id])
            for socket in [socket for room in rooms for socket in room.sockets]:
                if code != protocol.PUT_AWAY or not socket.user_id:
                    socket.close(code)

    def followed(self) -> set[int]:
        """Tournaments with sockets here, at one table or for all. Thread-safe."""
        return set(self.tables_of) | set(self.tournaments)

    def tell_kept(self, text: str) -> None:
        """Send the state of the backups to directors."""
        for room in self.tournaments.values():
            room.tell_kept(text)

    def revoke(self, revoked: Collection[tuple[int, int]]) -> None:
        """Close sockets of users who may no longer watch, given as (tournament, user)."""
        for tournament_id, room in self.tournaments.items():
            for socket in list(room.sockets):
                if (tournament_id, socket.user_id) in revoked:
                    socket.close(protocol.REVOKED)

    def sign_out(self, ended: Collection[tuple[str, int]]) -> None:
        """Close sockets of ended sessions, given as (stored key, user)."""
        for room in self.tournaments.values():
            for socket in list(room.sockets):
                if (socket.session, socket.user_id) in ended:
                    socket.close(protocol.NOT_SIGNED_IN)

    def sessions(self) -> set[tuple[str, int]]:
        """Sessions of users who watch, as (stored key, user). Thread-safe."""
        return {
            (socket.session, socket.user_id)
            for room in list(self.tournaments.values())
            for socket in list(room.sockets)
            if socket.user_id
        }

    def watchers(self) -> set[tuple[int, int]]:
        """Signed-in users who watch, as (tournament, user). Thread-safe."""
        return {
            (tournament_id, socket.user_id)
            for tournament_id, room in list(self.tournaments.items())
            for socket in list(room.sockets)
            if socket.user_id
        }

    def sockets(self) -> list[Subscriber]:
        """All sockets of this process."""
        at_tables = [socket for room in self.tables.values() for socket in room.sockets]
        return at_tables + [socket for room in self.tournaments.values() for socket in room.sockets]

    def with_messages(self, tournament_ids: Collection[int]) -> tuple[list[int], list[int]]:
        """Tables and tournaments that may need a message. Thread-safe.

        These are the ones in `tournament_ids`, and those that show an older message.
        """
        tables = set(self._with_message).union(*(list(self.tables_of.get(key, ())) for key in tournament_ids))
        shown = [key for key, room in list(self.tournaments.items()) if room.message or key in tournament_ids]
        return list(tables), shown

    def match_at(self, table_id: int) -> tuple[int, int]:
        """Match at a table and the version last sent; zeros if none. Thread-safe."""
        room = self.tables.get(table_id)
        return (0, 0) if room is None else (room.match_id, room.v)

    def matches_in(self, tournament_id: int) -> dict[int, int] | None:
        """Versions last sent, by match; None unless the whole tournament is watched.

        Thread-safe. The dict is live and read-only: the next update changes it.
        """
        room = self.tournaments.get(tournament_id)
        return None if room is None else room.versions


def _nobody_asks(table_id: int | None, tournament_id: int | None) -> None:
    """Default of `Hub.begins`: a single process announces nothing."""


def _nobody_hears(table_id: int, room: TableRoom) -> None:
    """Default of `Hub.ends`: a single process announces nothing."""


hub = Hub()
