"""View of a match at a given time: the fields of replay lines and snapshots.

Pairs are [left, right]. `Annotated[dict[str, Any], ...]` is an object with the fields of all the types that follow.
"""

from typing import Annotated, Any, TypedDict

from clocks.engine.clock import Kind, Seat
from clocks.engine.closed_sets import EndOf, Format, Party, Reason, Status, WonBy
from clocks.engine.proposals import Terms


class ShownCube(TypedDict):
    """Doubling cube: `owner` is null if it is centred; `offered_by` has doubled."""

    value: int
    owner: Seat | None
    offered_by: Seat | None
    frozen: bool


class Pending(TypedDict):
    """Fields of a pending proposal other than its terms; `number` only in snapshots."""

    by: Party
    agreed: list[Seat]
    disputed: bool
    number: int


class Stop(TypedDict):
    """A stop of both clocks."""

    by: Party
    reason: Reason
    at: int


class HallStop(TypedDict):
    """The stop of the whole hall that stopped this match."""

    id: int
    note: str


class Declined(TypedDict):
    """The last declined proposal, and who declined it."""

    by: Party
    at: int
    proposal: Annotated[dict[str, Any], Terms, Pending]


class Look(TypedDict):
    """Fields of a replay line."""

    status: Status
    turn: Seat | None
    turn_number: int
    reserve_ms: tuple[int, int]
    delay_ms: tuple[int, int]
    score: tuple[int, int]
    game: int
    crawford: bool
    cube: ShownCube
    flagged: Seat | None
    flag_at: int | None
    control: int
    limits: bool
    offences: tuple[int, int]
    forfeit: tuple[bool, bool]
    wait_until: int | None
    proposal: Annotated[dict[str, Any], Terms, Pending] | None
    winner: Seat | None
    hits: tuple[int, int]
    called: bool


class Shown(Look):
    """Fields for pages: `Look`, plus fields for countdowns and actions."""

    since: int | None
    used_ms: int
    turn_reserve_ms: tuple[int, int]
    turn_delay_ms: int
    kind: Kind
    stop: Stop | None
    hall_stop: HallStop | None
    declined: Declined | None  # until the next press, proposal or ruling
    resumed_by: Party | None  # party that resumed the clocks with the other seat's turn
    confirmed: tuple[bool, bool]
    undo: Seat | None
    reopens: EndOf | None
    won_by: WonBy | None
    just_played: Seat | None
    cite: str
    owed_hit: Seat | None
    called_by: str
    called_at: int | None
    call_note: str
    lag_used_ms: tuple[int, int]
    lag_presses: tuple[int, int]
    game_presses: tuple[int, int]
    names: tuple[str, str]
    length: int
    rules: str
    format: Format
