"""Updates of a match: what the sockets are told of a stored change, and what they are to those who tell them."""

import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from clocks.desk.changes import Change
from clocks.live import protocol
from clocks.models import Message
from clocks.seats import presence
from clocks.serving.frames import Frame

logger = logging.getLogger(__name__)


class Update(NamedTuple):
    """A change that was stored: the match, where it is played, who sits there, and its encoded snapshot.

    `for_spectators` is the snapshot for those who may not see the times; empty where everybody may.
    `replaced` are the devices that lost a seat by it; `moved` says that the table plays this match from now on;
    `code` is the table's; `runs` says whether a clock runs, `by_players` whether players started the match.
    `for_between` is the snapshot for the phone between the players; empty where there is none.
    """

    match_id: int
    table_id: int
    tournament_id: int
    v: int
    devices: tuple[int | None, int | None]
    text: str
    for_spectators: str = ""
    replaced: tuple[int, ...] = ()
    moved: bool = False
    code: str = ""
    for_between: str = ""
    runs: bool = False
    by_players: bool = False


class Subscriber(Protocol):
    """What the hub needs of a socket: phone, signed-in user and session, and the code of the table by which it came."""

    device_id: int | None
    user_id: int
    session: str
    code: str

    def push(self, frame: Frame) -> None: ...

    def close(self, code: int) -> None: ...

    def probe_now(self) -> None: ...


class FramePair:
    """What is told to many sockets, once with the times and once without: the same frame where they are no secret.

    The phone between the players gets its own.
    """

    __slots__ = ("for_between", "for_spectators", "full")

    def __init__(self, text: str, for_spectators: str = "", for_between: str = "") -> None:
        self.full = Frame(text)
        self.for_spectators = Frame(for_spectators) if for_spectators else self.full
        self.for_between = Frame(for_between) if for_between else None

    def push_to(self, socket: Subscriber, devices: Sequence[int | None] = ()) -> None:
        """Push to a socket what it may see of a match with these phones in its seats."""
        if self.for_between is not None and devices and socket.device_id == devices[0]:
            socket.push(self.for_between)
            return
        full = self.for_spectators is self.full or sees_times(socket, devices)
        socket.push(self.full if full else self.for_spectators)


def sees_times(socket: Subscriber, devices: Sequence[int | None] = ()) -> bool:
    """Tell whether a socket is a director's or that of a phone with a seat, not a spectator's."""
    return bool(socket.user_id) or (socket.device_id is not None and socket.device_id in devices)


def update_of(change: Change, now: int) -> Update:
    """Return a change as everybody is told of it."""
    board = change.stored
    texts = protocol.texts(board, now, presence.seen_at(board.id))
    where = (board.id, board.table_id, board.tournament_id)
    alone = protocol.with_state(texts[0], board)
    return Update(
        *where,
        board.version,
        board.devices,
        *texts,
        change.replaced,
        change.moved,
        board.code,
        alone,
        board.runs,
        board.started_by_players,
    )


def updates_of(changes: Iterable[Change], now: int) -> list[Update]:
    """Return the updates of changes; a match that cannot be told is logged, and keeps back no other."""
    updates = []
    for change in changes:
        try:
            updates.append(update_of(change, now))
        except Exception:
            logger.exception("match %d: what changed could not be told", change.stored.id)
    return updates


def message_frame(message: Message | None, now: int) -> str:
    """Return a message as the phones are told of it."""
    if message is None:
        return protocol.message(now)
    return protocol.message(now, message.pk, message.text, message.sent_at, message.until)
