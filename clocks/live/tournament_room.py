"""Sockets of one tournament in this process: directors' pages and hall screens.

Matches and presence are sent at most four times a second. Runs in the event loop's thread, like the hub.
"""

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from clocks.desk.changes import Change
from clocks.host.server_time import now_ms
from clocks.journal.stored import StoredMatch
from clocks.live import protocol
from clocks.live.first_frame import FirstFrame
from clocks.live.frames import SeenAt, Taken
from clocks.live.screens import for_screens
from clocks.live.updates import FramePair, Subscriber, Update, update_of
from clocks.seats import presence
from clocks.seats.takeover import SeatRequest
from clocks.serving.frames import Frame

FLUSH_S = 0.255  # a little over a quarter of a second, so that no second has five frames
SEEN_S = 5.0
AT_A_TIME = 20  # sockets per iteration of the event loop
MOST_TAKEN = 500  # handled alerts remembered; more than a hall has tables


class TournamentRoom:
    """Sockets that watch a tournament, and updates pending for the next flush.

    - `slug`: the tournament's, once it is known to be public
    - `message`: id of the director's message to all tables, 0 for none; `message_text`: its frame, None before one
    - `starts`: start times of rounds, and lateness penalties
    - `taken`: handled alerts by name; in memory only, as long as somebody watches
    """

    __slots__ = (
        "_first",
        "_flush_at",
        "_flushed_s",
        "_outgoing",
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
        self._flushed_s = -FLUSH_S  # last flush, by the loop's clock
        self._outgoing: deque[tuple[FramePair, list[Subscriber]]] = deque()  # frames, and the sockets still to get them
        self._read = False  # True after the first read
        self._seen_at: asyncio.TimerHandle | None = None
        self._seen_due = False
        self._seen_passed_over = False

    def begin(self) -> None:
        """Start sending presence every few seconds, until `rest`."""
        self._seen_at = asyncio.get_running_loop().call_later(SEEN_S, self.tell_seen)

    def rest(self) -> None:
        """Stop the timers; nobody is watching any more."""
        for timer in (self._flush_at, self._seen_at):
            if timer is not None:
                timer.cancel()
        self._flush_at = self._seen_at = None

    def first_frame(self, tournament_id: int) -> FirstFrame:
        """First frame for a new socket: the cached one if it is fresh."""
        if self._first is None or not self._first.is_fresh():
            self._first = FirstFrame(tournament_id)
        return self._first

    # --- boards ------------------------------------------------------------------------------------------------------

    def knows(self, match_id: int, v: int, devices: tuple[int | None, int | None]) -> bool:
        """Record a version to be sent to all sockets. False if they have it already."""
        if self.versions.get(match_id, 0) >= v:
            return False
        self.versions[match_id], self.holders[match_id] = v, devices
        return True

    def note(self, update: Update) -> None:
        """Queue the newest snapshot of a match for the next flush."""
        if self.knows(update.match_id, update.v, update.devices):
            self.waiting[update.match_id] = update
            self._flush_soon()

    def was_read(self, boards: Iterable[StoredMatch]) -> None:
        """Record boards that were read for a new socket; queue those new to the others.

        The first read queues nothing, because every socket gets it.
        """
        first, self._read = not self._read, True
        for board in boards:
            if self.knows(board.id, board.version, board.devices) and not first:
                self.waiting[board.id] = update_of(Change(board), now_ms())
                self._flush_soon()

    def tell_seen(self) -> None:
        """Send presence with the next flush; repeats every few seconds."""
        self._seen_due = True
        self._flush_soon()
        self.begin()

    def _flush_soon(self) -> None:
        """Flush in the next iteration, but not within FLUSH_S of the last flush."""
        if self._flush_at is None:
            loop = asyncio.get_running_loop()
            self._flush_at = loop.call_later(max(0.0, self._flushed_s + FLUSH_S - loop.time()), self._flush)

    def _flush(self) -> None:
        """Send pending boards and presence as one frame.

        A single board is sent as an ordinary `match` frame; presence is then postponed to the next flush, but only
        once.
        """
        self._flush_at, self._flushed_s = None, asyncio.get_running_loop().time()
        waiting, self.waiting = list(self.waiting.values()), {}
        seen = self._seen_due and (len(waiting) != 1 or self._seen_passed_over)
        self._seen_due = self._seen_passed_over = self._seen_due and not seen
        if self._seen_due:
            self._flush_soon()
        seats = self._seen() if seen else None
        screens = [for_screens(update.for_spectators or update.text, update.code) for update in waiting]
        frames = FramePair(_frame([update.text for update in waiting], seats), _frame(screens, seats))
        if self._first is not None and self._first.is_fresh():
            self._first.since.append(frames)
        else:
            self._first = None
        self._send(frames)

    def _send(self, frames: FramePair) -> None:
        """Push to all sockets, a few per iteration of the event loop.

        Frames keep their order.
        """
        self._outgoing.append((frames, list(self.sockets)))
        if len(self._outgoing) == 1:
            self._send_some()

    def _send_some(self) -> None:
        """Push the first frame to some sockets.

        Schedules the rest first, so that an exception cannot drop it.
        """
        frames, sockets = self._outgoing.popleft()
        if sockets[AT_A_TIME:]:
            self._outgoing.appendleft((frames, sockets[AT_A_TIME:]))
        if self._outgoing:
            asyncio.get_running_loop().call_soon(self._send_some)
        for socket in sockets[:AT_A_TIME]:
            if socket in self.sockets:
                frames.push_to(socket)

    def _seen(self) -> dict[str, SeenAt]:
        return {str(match_id): presence.as_shown(match_id, devices) for match_id, devices in self.holders.items()}

    def forget(self, gone: Collection[int]) -> None:
        """Remove matches that are no longer at any table."""
        for match_id in gone:
            self.versions.pop(match_id, None)
            self.holders.pop(match_id, None)
            self.waiting.pop(match_id, None)
        self._first = None
        self._send(FramePair(protocol.gone(now_ms(), sorted(gone))))

    # --- when rounds start -------------------------------------------------------------------------------------------

    def tell_starts(
        self, starts: tuple[Mapping[str, int], Sequence[Any]] | None = None, joined: Subscriber | None = None
    ) -> None:
        """Send start times to directors: to all on a change, else to `joined`."""
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
        """Send the director's message: to all screens if it is new, else to `joined`."""
        screens = [socket for socket in self.sockets if not socket.user_id]
        to = screens if self.message != id_ else [joined] if joined is not None and id_ else []
        self.message, self.message_text = id_, text
        for socket in to:
            socket.push(Frame(text))

    # --- seat requests ----------------------------------------------------------------------------------

    def tell_asks(self, now: int, asks: list[SeatRequest] | None = None, joined: Subscriber | None = None) -> None:
        """Send the seat requests to directors: to all on a change, else to `joined`."""
        if asks == self.asks or (joined is not None and not self.asks):
            return
        if asks is not None:
            self.asks = asks
        frame = Frame(protocol.asks(now, [ask.wire(ask.seats) for ask in self.asks]))
        for socket in [joined] if joined is not None else list(self.sockets):
            if socket.user_id:
                socket.push(frame)

    # --- backups -----------------------------------------------------------------------------------------------------

    def tell_kept(self, text: str) -> None:
        """Send the state of the backups to directors, if it has changed."""
        if text != self.kept:
            self.kept = text
            for socket in list(self.sockets):
                if socket.user_id:
                    socket.push(Frame(text))

    # --- handled alerts -----------------------------------------------------------------------------------------------

    def claim_alert(self, alert: str, by: str, at: int) -> None:
        """Record who handles an alert, and notify directors. The last claim wins."""
        self.taken.pop(alert, None)
        self.taken[alert] = Taken(by, at)
        if len(self.taken) > MOST_TAKEN:
            del self.taken[next(iter(self.taken))]
        frame = Frame(protocol.taken({alert: self.taken[alert]._asdict()}))
        for socket in list(self.sockets):
            if socket.user_id:
                socket.push(frame)

    def all_taken(self) -> str:
        """Frame with all handled alerts, for a new director's page."""
        return protocol.taken({alert: taken._asdict() for alert, taken in self.taken.items()})


def _frame(texts: Sequence[str], seats: Mapping[str, SeenAt] | None) -> str:
    """Frame of a flush: a single board unchanged, otherwise everything combined."""
    if not texts and seats is not None:
        return protocol.seen(now_ms(), seats)
    if len(texts) == 1 and seats is None:
        return texts[0]
    return protocol.matches(now_ms(), texts, seats)
