"""Updates: encoded snapshots of stored changes, and their subscribers."""

import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from clocks.desk.changes import Change
from clocks.lag.signs import Signs
from clocks.live import protocol
from clocks.models import Message
from clocks.seats import presence
from clocks.serving.frames import Frame

logger = logging.getLogger(__name__)


class Update(NamedTuple):
    """Stored change of a match, with its encoded snapshot.

    - `text`: snapshot in full
    - `for_spectators`: without times; "" if everybody may see them
    - `for_between`: for a shared phone; "" without one
    - `devices`: phones in the seats; `replaced`: phones that lost one
    - `moved`: the match is new at its table; `code`: the table's code
    - `runs`: a clock runs; `by_players`: players started the match
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
    """Socket interface that the hub uses."""

    device_id: int | None
    user_id: int
    session: str
    code: str
    signs: Signs

    def push(self, frame: Frame) -> None: ...

    def close(self, code: int) -> None: ...

    def probe_now(self) -> None: ...


class FramePair:
    """Frame with times, and one without for spectators; the same if times are public.

    A shared phone gets a third version, with the state for offline use.
    """

    __slots__ = ("for_between", "for_spectators", "full")

    def __init__(self, text: str, for_spectators: str = "", for_between: str = "") -> None:
        self.full = Frame(text)
        self.for_spectators = Frame(for_spectators) if for_spectators else self.full
        self.for_between = Frame(for_between) if for_between else None

    def push_to(self, socket: Subscriber, devices: Sequence[int | None] = ()) -> None:
        """Push the frame that a socket may see; `devices` are the phones in the seats."""
        if self.for_between is not None and devices and socket.device_id == devices[0]:
            socket.push(self.for_between)
            return
        full = self.for_spectators is self.full or sees_times(socket, devices)
        socket.push(self.full if full else self.for_spectators)


def sees_times(socket: Subscriber, devices: Sequence[int | None]) -> bool:
    """True for a director or a phone with a seat, False for a spectator."""
    return bool(socket.user_id) or (socket.device_id is not None and socket.device_id in devices)


def update_of(change: Change, now: int) -> Update:
    """Encode a change."""
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
    """Encode changes. Logs and skips one that cannot be encoded."""
    updates = []
    for change in changes:
        try:
            updates.append(update_of(change, now))
        except Exception:
            logger.exception("match %d: what changed could not be told", change.stored.id)
    return updates


def message_frame(message: Message | None, now: int) -> str:
    """Frame with a director's message, or one that removes it."""
    if message is None:
        return protocol.message(now)
    return protocol.message(now, message.pk, message.text, message.sent_at, message.until)
