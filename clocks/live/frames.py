"""Types of the WebSocket frames, which `protocol.py` explains.

`python -m tests.script_types` generates the TypeScript types from these.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

from clocks.engine.books.carried import Book
from clocks.engine.books.rule_set import Features
from clocks.engine.clock import Seat
from clocks.engine.match import Match
from clocks.engine.refusals import Why
from clocks.engine.shown import Shown
from clocks.lag.late_presses import LatePress
from clocks.seats.takeover import Ask as Ask

SeenAt = Sequence[int | None]  # left and right, in ms of server time; None: seat free


class Taken(NamedTuple):
    """Director who handles an alert, and since when (server time in ms)."""

    by: str
    at: int


class ShownSeat(TypedDict):
    """Seat: whether a phone holds it, and when that phone was last heard from."""

    held: bool
    seen_at: int | None


class Alone(TypedDict):
    """State and rules that let a shared phone continue offline."""

    state: Match
    book: Book


class Snapshot(Shown):
    """The whole match as of `now`: a `match` frame."""

    t: Literal["match"]
    match: int
    v: int
    now: int
    table: str
    code: str
    tournament: str
    round: str
    round_number: int | None
    made_at: int
    rules_name: str
    features: Features
    lag_credit_ms: int
    late: Annotated[dict[str, Any], LatePress] | None
    lent_at: tuple[int | None, int | None]
    between: bool
    by_players: NotRequired[tuple[str, ...]]
    seats: tuple[ShownSeat, ShownSeat]
    alone: NotRequired[Alone]


class Pong(TypedDict):
    """Reply to a ping."""

    t: Literal["pong"]
    c: float
    now: int
    v: int


class Ack(TypedDict):
    """Reply to a command that was stored as version `v`."""

    t: Literal["ack"]
    id: str
    v: int
    credit_ms: int


class Refusal(TypedDict):
    """Rejection of a frame: `code` for programs, `words` for people."""

    t: Literal["refused"]
    id: str | None
    code: Why
    v: int
    words: str


class MessageFrame(TypedDict):
    """Director's message to phones or hall screens; `id` 0: none."""

    t: Literal["message"]
    now: int
    id: int
    text: str
    at: int
    until: int


class ProgramFrame(TypedDict):
    """Version of the program."""

    t: Literal["program"]
    version: str


class RestartFrame(TypedDict):
    """Notice of a restart: reconnect after `after_ms`."""

    t: Literal["restart"]
    after_ms: int


class ProbeFrame(TypedDict):
    """Round-trip probe and its reply, used by servers without control pings."""

    t: Literal["probe"]
    p: int


class BoardsFrame(TypedDict):
    """All tables of a tournament: the first frame of its page."""

    t: Literal["boards"]
    now: int
    version: str
    boards: list[Snapshot]


class MatchesFrame(TypedDict):
    """Several changed matches, optionally with `seen` times."""

    t: Literal["matches"]
    now: int
    matches: list[Snapshot]
    seats: NotRequired[Mapping[str, SeenAt]]


class SeenFrame(TypedDict):
    """When each seat's phone was last heard from, by match."""

    t: Literal["seen"]
    now: int
    seats: Mapping[str, SeenAt]


class GoneFrame(TypedDict):
    """Matches that are no longer at any table."""

    t: Literal["gone"]
    now: int
    matches: Sequence[int]


class StartsFrame(TypedDict):
    """Start times of rounds, by name, and penalties: [minutes late, penalty].

    Phones get no penalties.
    """

    t: Literal["starts"]
    now: int
    starts: Mapping[str, int]
    lateness: Sequence[tuple[int, str]]


class AsksFrame(TypedDict):
    """Pending seat requests."""

    t: Literal["asks"]
    now: int
    asks: Sequence[Ask]


class TakenFrame(TypedDict):
    """Handled alerts, and the directors who handle them."""

    t: Literal["taken"]
    taken: Mapping[str, Annotated[dict[str, Any], Taken]]


class KeptFrame(TypedDict):
    """State of the backups and of the disk."""

    t: Literal["kept"]
    at: int | None
    overdue_at: int | None
    free: int
    little: bool


class Ping(TypedDict):
    """Request for the server's time; `c` is the client's."""

    t: Literal["ping"]
    c: float


class Claim(TypedDict):
    """Claim of an alert by a director."""

    t: Literal["take"]
    id: str
    alert: str


class SeatAnswer(TypedDict):
    """Answer to a seat request."""

    t: Literal["seat"]
    id: str
    ask: int
    give: bool


ServerFrame = (
    Snapshot
    | Pong
    | Ack
    | Refusal
    | MessageFrame
    | ProgramFrame
    | RestartFrame
    | ProbeFrame
    | BoardsFrame
    | MatchesFrame
    | SeenFrame
    | GoneFrame
    | StartsFrame
    | AsksFrame
    | TakenFrame
    | KeptFrame
)


class Address(TypedDict):
    """`do` frame without arguments; `by` is the sender if `seat` is an argument."""

    t: Literal["do"]
    id: str
    at: NotRequired[int]
    match: NotRequired[int]
    seat: NotRequired[Seat]
    by: NotRequired[Seat]


class KeptAt(TypedDict):
    """Fields of a command in a hand-over other than its arguments."""

    at: int
    id: NotRequired[str]
    seat: NotRequired[Seat]
    by: NotRequired[Seat]


ClientFrame = Ping | ProbeFrame | Claim | SeatAnswer
