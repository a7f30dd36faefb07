"""Sockets of one table in this process."""

from collections.abc import Iterable, Iterator

from clocks.desk.hand_over import ONLY_BETWEEN
from clocks.engine.refusals import Refused, Why
from clocks.lag.signs import Signs
from clocks.lag.silence import Silence
from clocks.live import protocol
from clocks.live.updates import FramePair, Subscriber, Update
from clocks.seats import presence
from clocks.seats.takeover import SeatRequest
from clocks.serving.frames import Frame


class TableRoom:
    """Table with sockets here: its current match, newest version and phones.

    `message` is the id of the director's message, 0 for none; `silent` marks the seats whose phones are shown as
    silent; `asks` are the pending seat requests. No phone goes silent before `silence_at`.
    """

    __slots__ = (
        "asks",
        "by_players",
        "devices",
        "match_id",
        "message",
        "runs",
        "silence_at",
        "silent",
        "sockets",
        "tournament_id",
        "v",
    )

    def __init__(self, tournament_id: int = 0) -> None:
        self.sockets: set[Subscriber] = set()
        self.message = 0
        self.match_id = 0
        self.tournament_id = tournament_id
        self.runs = False
        self.by_players = False
        self.v = 0
        self.devices: tuple[int | None, int | None] = (None, None)
        self.silent = [False, False]
        self.silence_at = 0.0
        self.asks: list[SeatRequest] = []

    def heard(self, device_id: int | None, at: int) -> None:
        """Record that a phone was heard from, for each seat that it holds."""
        if device_id is not None:
            for index, holder in enumerate(self.devices):
                if holder == device_id:
                    presence.saw(self.match_id, index, at)
            if (silence := self._silence(device_id)) is not None:
                silence.heard(at)
            if True in self.silent:
                self.tell_seen(at)

    def signs(self, device_id: int | None) -> Iterator[Signs]:
        """Ping answers of a phone on each of its sockets."""
        return (each.signs for each in self.sockets if each.device_id == device_id)

    def is_between(self, device_id: int | None) -> bool:
        """True if this is a shared phone, which holds both seats."""
        return device_id is not None and self.devices == (device_id, device_id)

    def _silence(self, device_id: int | None) -> Silence | None:
        """Silence of a shared phone; None for any other."""
        if device_id is None or not self.is_between(device_id):
            return None
        return presence.silence(self.match_id, device_id)

    def check_match(self, match_id: object) -> None:
        """Raise Refused(Why.STALE) unless this is the table's current match, or None."""
        if match_id not in (None, self.match_id):
            raise Refused(Why.STALE, "Another match is played at this table now.")

    def check_hand_over(self, device_id: int | None, match_id: object) -> None:
        """Raise Refused unless this is the shared phone of this table."""
        if not self.is_between(device_id):
            self.check_match(match_id)
            raise Refused(Why.NO_SEAT, ONLY_BETWEEN)

    def answered(self, device_id: int | None, pinged_at: int, at: int) -> None:
        """Record for each of a phone's seats an answer to the ping sent at `pinged_at`."""
        for index, holder in enumerate(self.devices if device_id is not None else ()):
            if holder == device_id:
                presence.signs(self.match_id, index).answered(pinged_at)
                if self.is_between(device_id):
                    presence.saw(self.match_id, index, at)
        if (silence := self._silence(device_id)) is not None:
            silence.heard(at)

    def probe_between(self) -> None:
        """Ping the shared phone now."""
        for socket in list(self.sockets):
            if self.is_between(socket.device_id):
                socket.probe_now()

    def spoke(self, device_id: int | None, at: int) -> None:
        """Record that the desk has all commands sent by a shared phone up to `at`.

        Does nothing while kept commands may still be in transit.
        """
        silence = self._silence(device_id)
        if silence is not None and silence.has_sent_all(at):
            presence.spoke(self.match_id, at)

    def sent_all(self, device_id: int | None) -> None:
        """Record that a shared phone has sent its kept commands."""
        if (silence := self._silence(device_id)) is not None:
            silence.sent_all()

    def missed(self, device_id: int | None, at: int) -> None:
        """Record that a shared phone was sent a ping, or disconnected, at `at`."""
        if (silence := self._silence(device_id)) is not None:
            silence.missed(at)

    def tell_seen(self, now: int, anew: bool = False) -> None:
        """Tell players' phones which one is silent, so that the other may press for it.

        Sends only changes, unless `anew`.
        """
        silent = presence.silent_seats(self.match_id, self.devices, now, self.runs)
        self.silence_at = 0 if True in silent else presence.silence_at(self.match_id, self.devices, self.runs)
        if silent == self.silent and not anew:
            return
        self.silent = silent
        frame = Frame(protocol.seen(now, {str(self.match_id): presence.as_shown(self.match_id, self.devices)}))
        for socket in list(self.sockets):
            if socket.device_id is not None and socket.device_id in self.devices:
                socket.push(frame)

    def takes(self, update: Update) -> bool:
        """Apply an update. False if it is outdated, or its match is no longer here."""
        if update.match_id == self.match_id:
            if update.v <= self.v:
                return False
        elif self.match_id and not update.moved:
            return False
        if (update.match_id, update.devices, update.runs) != (self.match_id, self.devices, self.runs):
            self.silence_at = 0
        self.match_id, self.v, self.devices, self.runs = update.match_id, update.v, update.devices, update.runs
        self.by_players = update.by_players
        return True

    def show(self, socket: Subscriber, update: Update) -> None:
        """Push the snapshot read for a new socket: to all if newer, else to that one."""
        if self.takes(update):
            frames = FramePair(update.text, update.for_spectators, update.for_between)
            for each in list(self.sockets):
                frames.push_to(each, update.devices)
        elif (self.match_id, self.v) == (update.match_id, update.v):
            FramePair(update.text, update.for_spectators, update.for_between).push_to(socket, update.devices)
        # otherwise this socket has already received something newer

    def hand_out(self, update: Update, followed: bool) -> None:
        """Push an applied update; `followed` if the match has left this table.

        Its phones then follow it. Closes sockets whose phone lost its seat, and those that joined with an old code.
        """
        frames = FramePair(update.text, update.for_spectators, update.for_between)
        for socket in list(self.sockets):
            if socket.device_id in update.replaced:
                socket.close(protocol.TAKEN_OVER)
            elif socket.code != update.code and not followed:
                socket.close(protocol.REVOKED)
            else:
                frames.push_to(socket, update.devices)

    def release(self, held: Iterable[int | None]) -> None:
        """Close the sockets of phones that held a seat (`held`) and no longer do."""
        released = set(held) - {None, *self.devices}
        for socket in list(self.sockets) if released else ():
            if socket.device_id in released:
                socket.close(protocol.REVOKED)

    def tell_asks(self, now: int, asks: list[SeatRequest] | None = None, joined: Subscriber | None = None) -> None:
        """Send phones the requests for their seats: to all on a change, else to `joined`."""
        if asks == self.asks or (joined is not None and not self.asks):
            return
        if asks is not None:
            self.asks = asks
        for socket in [joined] if joined is not None else list(self.sockets):
            if socket.device_id is not None and socket.device_id in self.devices:
                for_it = [(ask, ask.seats_of(socket.device_id, self.devices)) for ask in self.asks]
                socket.push(Frame(protocol.asks(now, [ask.wire(seats) for ask, seats in for_it if seats])))

    def tell_message(self, id_: int, text: str, joined: Subscriber | None = None) -> None:
        """Send the director's message: to all if it is new, otherwise to `joined`."""
        to = list(self.sockets) if self.message != id_ else [joined] if joined is not None and id_ else []
        self.message = id_
        for socket in to:
            socket.push(Frame(text))
