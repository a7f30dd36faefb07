"""Who watches a tournament from this process: directors' pages and hall screens, told at most four times a second.

Runs in the event loop's thread, like the hub.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from clocks.desk.changes import Change
from clocks.host.server_time import now_ms
from clocks.journal.stored import StoredMatch
from clocks.live import protocol
from clocks.live.first_frame import FirstFrame
from clocks.live.updates import FramePair, Subscriber, Update, update_of
from clocks.seats import presence
from clocks.seats.takeover import SeatRequest
from clocks.serving.frames import Frame

FLUSH_S = 0.255  # between two frames to a room: a little more than a quarter, so that no second ever sees five
SEEN_S = 5.0
MOST_TAKEN = 500  # alerts for which it is kept who took them: more than a hall has tables


class Taken(NamedTuple):
    """Who said that they are coming to deal with an alert, and when (server milliseconds)."""

    by: str
    at: int


class TournamentRoom:
    """The sockets that watch a tournament, and the updates that wait for the next flush.

    `slug` is the tournament's, once it is known that everybody may watch it. `message` is what the director tells all
    tables, 0 for nothing, and `message_text` the frame that says so, None where nobody was told yet; `starts` is when
    rounds start and what being late costs.
    `taken` holds, by the alert's name on the page, who took it. It is kept in memory alone: it says who is on the way,
    not what was decided, and is forgotten when nobody is watching.
    """

    __slots__ = (
        "_first",
        "_flush_at",
        "_flushed_s",
        "_read",
        "_seen_at",
        "_seen_due",
        "_seen_passed_over",
        "asks",
        "holders",
        "kept",
        "message",
        "message_text",
        "slug",
        "sockets",
        "starts",
        "taken",
        "versions",
        "waiting",
    )

    def __init__(self) -> None:
        self.sockets: set[Subscriber] = set()
        self.waiting: dict[int, Update] = {}
        self.versions: dict[int, int] = {}
        self.holders: dict[int, tuple[int | None, int | None]] = {}
        self.taken: dict[str, Taken] = {}
        self.slug = ""
        self.message = 0
        self.message_text: str | None = None
        self.asks: list[SeatRequest] = []
        self.starts: tuple[Mapping[str, int], Sequence[Any]] | None = None
        self.kept = ""
        self._first: FirstFrame | None = None
        self._flush_at: asyncio.TimerHandle | None = None
        self._flushed_s = -FLUSH_S  # by the loop's clock: the last flush
        self._read = False  # whether anybody here was shown all boards yet
        self._seen_at: asyncio.TimerHandle | None = None
        self._seen_due = False
        self._seen_passed_over = False

    def begin(self) -> None:
        """Tell every few seconds when each seat's phone was last heard, until `rest`."""
        self._seen_at = asyncio.get_running_loop().call_later(SEEN_S, self.tell_seen)

    def rest(self) -> None:
        """Stop the timers: nobody watches."""
        for timer in (self._flush_at, self._seen_at):
            if timer is not None:
                timer.cancel()
        self._flush_at = self._seen_at = None

    def first_frame(self, tournament_id: int) -> FirstFrame:
        """Return what whoever joins now is shown first: the reading of somebody else, if it is fresh enough."""
        if self._first is None or not self._first.is_fresh():
            self._first = FirstFrame(tournament_id)
        return self._first

    # --- boards ------------------------------------------------------------------------------------------------------

    def knows(self, match_id: int, v: int, devices: tuple[int | None, int | None]) -> bool:
        """Note the version of a match that everybody here is told; return False when it is no news."""
        if self.versions.get(match_id, 0) >= v:
            return False
        self.versions[match_id], self.holders[match_id] = v, devices
        return True

    def note(self, update: Update) -> None:
        """Keep the newest snapshot of a match for the next flush."""
        if self.knows(update.match_id, update.v, update.devices):
            self.waiting[update.match_id] = update
            self._flush_soon()

    def was_read(self, boards: Iterable[StoredMatch]) -> None:
        """Note what was read for a socket that has just joined; what is news to the others waits for their flush.

        The first reading is no news: whoever waits for it has it. So it is where a board has moved on meanwhile.
        """
        first, self._read = not self._read, True
        for board in boards:
            if self.knows(board.id, board.version, board.devices) and not first:
                self.waiting[board.id] = update_of(Change(board), now_ms())
                self._flush_soon()

    def tell_seen(self) -> None:
        """Tell everybody here, with the next flush, when each seat's phone was last heard; again every few seconds."""
        self._seen_due = True
        self._flush_soon()
        self.begin()

    def _flush_soon(self) -> None:
        """Flush at the end of this turn of the loop; if that is too soon after the last, as soon as it may."""
        if self._flush_at is None:
            loop = asyncio.get_running_loop()
            self._flush_at = loop.call_later(max(0.0, self._flushed_s + FLUSH_S - loop.time()), self._flush)

    def _flush(self) -> None:
        """Send what waits, as one frame: a board, many boards, or who was seen.

        A single board goes as an ordinary `match` frame; who was seen then waits for the next flush, once.
        """
        self._flush_at, self._flushed_s = None, asyncio.get_running_loop().time()
        waiting, self.waiting = list(self.waiting.values()), {}
        seen = self._seen_due and (len(waiting) != 1 or self._seen_passed_over)
        self._seen_due = self._seen_passed_over = self._seen_due and not seen
        if self._seen_due:
            self._flush_soon()
        seats = self._seen() if seen else None
        screens = [protocol.without_code(update.for_spectators or update.text, update.code) for update in waiting]
        frames = FramePair(_frame([update.text for update in waiting], seats), _frame(screens, seats))
        if self._first is not None and self._first.is_fresh():
            self._first.since.append(frames)
        else:
            self._first = None
        for socket in list(self.sockets):
            frames.push_to(socket)

    def _seen(self) -> dict[str, list[int | None]]:
        return {str(match_id): presence.as_shown(match_id, devices) for match_id, devices in self.holders.items()}

    def forget(self, gone: Collection[int]) -> None:
        """Tell which matches are at no table any more."""
        for match_id in gone:
            self.versions.pop(match_id, None)
            self.holders.pop(match_id, None)
            self.waiting.pop(match_id, None)
        self._first = None
        frame = Frame(protocol.gone(now_ms(), sorted(gone)))
        for socket in list(self.sockets):
            socket.push(frame)

    # --- when rounds start -------------------------------------------------------------------------------------------

    def tell_starts(
        self, starts: tuple[Mapping[str, int], Sequence[Any]] | None = None, joined: Subscriber | None = None
    ) -> None:
        """Tell the directors' pages when rounds start, where that has changed; or the one that has just joined."""
        if joined is None:
            if starts == self.starts:
                return
            self.starts = starts
        if self.starts is None:
            return
        frame = Frame(protocol.starts(now_ms(), *self.starts))
        for socket in [joined] if joined is not None else list(self.sockets):
            if socket.user_id:
                socket.push(frame)

    # --- the director's message --------------------------------------------------------------------------------------

    def tell_message(self, id_: int, text: str, joined: Subscriber | None = None) -> None:
        """Tell the hall's screens what the director says to all; where they know it, only whoever has just joined."""
        screens = [socket for socket in self.sockets if not socket.user_id]
        to = screens if self.message != id_ else [joined] if joined is not None and id_ else []
        self.message, self.message_text = id_, text
        for socket in to:
            socket.push(Frame(text))

    # --- phones that ask for a seat ----------------------------------------------------------------------------------

    def tell_asks(self, now: int, asks: list[SeatRequest] | None = None, joined: Subscriber | None = None) -> None:
        """Tell the directors' pages which phones ask for a seat, when that has changed; or whoever has just joined."""
        if asks == self.asks or (joined is not None and not self.asks):
            return
        if asks is not None:
            self.asks = asks
        frame = Frame(protocol.asks(now, [ask.wire(ask.seats) for ask in self.asks]))
        for socket in [joined] if joined is not None else list(self.sockets):
            if socket.user_id:
                socket.push(frame)

    # --- copies -----------------------------------------------------------------------------------------------------

    def tell_kept(self, text: str) -> None:
        """Tell the directors' pages what is known of copies, when that has changed."""
        if text != self.kept:
            self.kept = text
            for socket in list(self.sockets):
                if socket.user_id:
                    socket.push(Frame(text))

    # --- who is coming -----------------------------------------------------------------------------------------------

    def claim_alert(self, alert: str, by: str, at: int) -> None:
        """Note that somebody is coming, and tell the directors' pages; whoever says so last is the one."""
        self.taken.pop(alert, None)
        self.taken[alert] = Taken(by, at)
        if len(self.taken) > MOST_TAKEN:
            del self.taken[next(iter(self.taken))]
        frame = Frame(protocol.taken({alert: self.taken[alert]._asdict()}))
        for socket in list(self.sockets):
            if socket.user_id:
                socket.push(frame)

    def all_taken(self) -> str:
        """Return what a director's page that has just joined is told of this."""
        return protocol.taken({alert: taken._asdict() for alert, taken in self.taken.items()})


def _frame(texts: Sequence[str], seats: Mapping[str, Any] | None) -> str:
    """Return what a flush sends: one board alone as it is, else everything together."""
    if not texts and seats is not None:
        return protocol.seen(now_ms(), seats)
    if len(texts) == 1 and seats is None:
        return texts[0]
    return protocol.matches(now_ms(), texts, seats)
