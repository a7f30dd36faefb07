"""The sockets of this process: who watches which table and which tournament, and one encoded text for all of them.

Everything here runs in the event loop's thread. A table's sockets follow the match that is played there now.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from clocks.live import protocol
from clocks.live.table_room import Place
from clocks.live.tournament_room import Gallery
from clocks.live.updates import News, Socket
from clocks.seats.takeover import Ask


class Hub:
    """All sockets of this process."""

    def __init__(self) -> None:
        self.places: dict[int, Place] = {}
        self.galleries: dict[int, Gallery] = {}
        self.loop: asyncio.AbstractEventLoop | None = None

    def join_table(self, socket: Socket, table_id: int) -> Place:
        """Let a socket follow a table."""
        self.loop = asyncio.get_running_loop()
        place = self.places.setdefault(table_id, Place())
        place.sockets.add(socket)
        return place

    def leave_table(self, socket: Socket, table_id: int) -> None:
        """Forget a socket of a table."""
        place = self.places.get(table_id)
        if place is not None:
            place.sockets.discard(socket)
            if not place.sockets:
                del self.places[table_id]

    def join_tournament(self, socket: Socket, tournament_id: int) -> Gallery:
        """Let a socket follow all tables of a tournament."""
        self.loop = asyncio.get_running_loop()
        gallery = self.galleries.get(tournament_id)
        if gallery is None:
            gallery = self.galleries[tournament_id] = Gallery()
            gallery.begin()
        gallery.sockets.add(socket)
        return gallery

    def leave_tournament(self, socket: Socket, tournament_id: int) -> None:
        """Forget a socket of a tournament."""
        gallery = self.galleries.get(tournament_id)
        if gallery is not None:
            gallery.sockets.discard(socket)
            if not gallery.sockets:
                gallery.rest()
                del self.galleries[tournament_id]

    def deliver(self, news: News) -> None:
        """Hand a change to the sockets of its table and tournament, and to those of the table that it has left."""
        place = self.places.get(news.table_id)
        held = place.devices if place is not None and place.match_id == news.match_id else ()
        if place is not None and place.takes(news):
            place.hand_out(news, followed=False)
            if held != news.devices:
                place.release(held)
        if news.moved:
            for table_id, left in self.places.items():
                if table_id != news.table_id and left.match_id == news.match_id and left.takes(news):
                    left.hand_out(news, followed=True)
        gallery = self.galleries.get(news.tournament_id)
        if gallery is not None:
            gallery.note(news)

    def tell_seen(self, now: int) -> None:
        """Tell at every table whose phone has fallen silent, or is back."""
        for place in self.places.values():
            place.tell_seen(now)

    def tell_asks(self, asks: Sequence[Ask], now: int) -> None:
        """Tell the phones and directors concerned which phones ask for a seat: `asks` are all that wait anywhere."""
        for table_id, place in self.places.items():
            place.tell_asks(now, [ask for ask in asks if ask.table_id == table_id and ask.match_id == place.match_id])
        for tournament_id, gallery in self.galleries.items():
            gallery.tell_asks(now, [ask for ask in asks if ask.tournament_id == tournament_id])

    def take(self, tournament_id: int, alert: str, by: str, at: int) -> None:
        """Note who is coming to deal with an alert of a tournament."""
        gallery = self.galleries.get(tournament_id)
        if gallery is not None:
            gallery.take(alert, by, at)

    def tell_messages(self, messages: Mapping[int, tuple[int, str]]) -> None:
        """Tell each of these tables its message: number and frame."""
        for table_id, (id_, text) in messages.items():
            place = self.places.get(table_id)
            if place is not None:
                place.tell_message(id_, text)

    def tell_screens(self, messages: Mapping[int, tuple[int, str]]) -> None:
        """Tell the hall's screens of each of these tournaments its message to all: number and frame."""
        for tournament_id, (id_, text) in messages.items():
            gallery = self.galleries.get(tournament_id)
            if gallery is not None:
                gallery.tell_message(id_, text)

    def revoke(self, revoked: Collection[tuple[int, int]]) -> None:
        """Close the sockets of users who may no longer watch a tournament: pairs of tournament and user."""
        for tournament_id, gallery in self.galleries.items():
            for socket in list(gallery.sockets):
                if (tournament_id, socket.user_id) in revoked:
                    socket.close(protocol.REVOKED)

    def sign_out(self, ended: Collection[tuple[str, int]]) -> None:
        """Close the sockets that came by a session which has ended: pairs of its stored key and the user."""
        for gallery in self.galleries.values():
            for socket in list(gallery.sockets):
                if (socket.session, socket.user_id) in ended:
                    socket.close(protocol.NOT_SIGNED_IN)

    def sessions(self) -> set[tuple[str, int]]:
        """Return by which sessions users watch, as pairs of stored key and user. Callable from any thread."""
        return {
            (socket.session, socket.user_id)
            for gallery in list(self.galleries.values())
            for socket in list(gallery.sockets)
            if socket.user_id
        }

    def watchers(self) -> set[tuple[int, int]]:
        """Return who watches as a signed-in user: pairs of tournament and user. Callable from any thread."""
        return {
            (tournament_id, socket.user_id)
            for tournament_id, gallery in list(self.galleries.items())
            for socket in list(gallery.sockets)
            if socket.user_id
        }

    def sockets(self) -> list[Socket]:
        """Return every socket of this process."""
        at_tables = [socket for place in self.places.values() for socket in place.sockets]
        return at_tables + [socket for gallery in self.galleries.values() for socket in gallery.sockets]

    def watched(self) -> tuple[dict[int, tuple[int, int]], dict[int, dict[int, int]]]:
        """Return the match and version last told, by table, and the versions by match, by tournament.

        Callable from any thread.
        """
        tables = {table_id: (place.match_id, place.v) for table_id, place in list(self.places.items())}
        tournaments = {key: dict(gallery.versions) for key, gallery in list(self.galleries.items())}
        return tables, tournaments


hub = Hub()
