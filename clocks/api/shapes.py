"""Response schemas. Durations end in `_ms`; timestamps are ms of server time."""

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from ninja import Schema
from pydantic import ConfigDict, Field

from clocks.api.values import Format, Pair, ResultState, Rules, Seat, Stage, State
from clocks.feed.kinds import KINDS

Item = TypeVar("Item")


class Shape(Schema):
    """Base of all responses; rejects fields that are not declared."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class PageOf(Shape, Generic[Item]):
    """A page of a list; `next` is the cursor of the next page, null on the last."""

    items: list[Item]
    next: str | None = Field(description="Send it as `cursor` to get the next page.")


class TournamentShape(Shape):
    """A tournament that the token may see."""

    slug: str
    name: str
    created_at: datetime


class EndShape(Shape):
    """Expected end, rounded to minutes, estimated from the games so far."""

    at: int
    spread_ms: int = Field(description="One standard deviation: two of three end within it.")


class RoundShape(Shape):
    """A round: its clock policy, the setting of its matches, and its progress."""

    number: int = Field(description="Number within the tournament, across its stages.")
    name: str = Field(description="Empty if the round has only a number.")
    stage: Stage
    policy: Literal["required", "on-request"] = Field(description="Whether each match gets a clock without asking.")
    rules: Rules
    format: Format
    length: int
    options: dict[str, Any]
    drawn: int = Field(description="Matches drawn.")
    over: int = Field(description="Matches decided.")
    expected_end: EndShape | None = Field(description="Null if all matches are decided, or none is drawn.")


class TableShape(Shape):
    """A table, the code on its card, and its current match."""

    id: int
    name: str
    code: str
    match: int | None


class PairingShape(Shape):
    """A pairing of a draw. Its match starts when its table is free, or on request."""

    id: int
    external_id: str = Field(description="The id given by the program that drew it; empty if drawn by hand.")
    table: str
    names: tuple[str, str]
    length: int
    rules: Rules
    format: Format
    score: Pair = Field(description="The score at the start.")
    options: dict[str, Any]
    match: int | None = Field(description="Its match, once it has a clock.")
    state: Literal["waiting", "no-clock"] | State = Field(description="no-clock: it has a result without one.")


class ResultShape(Shape):
    """The result of a match, or its current state if it is not over."""

    pairing: int | None
    external_id: str
    match: int | None
    round: int | None
    stage: Stage
    table: str
    names: tuple[str, str]
    length: int
    score: Pair | None
    winner: Seat | None
    by: Literal["", "points", "flag", "ruling", "no clock"] = Field(description="Empty until it is over.")
    state: ResultState
    ended_at: datetime | None


class CubeShape(Shape):
    """The doubling cube."""

    value: int
    owner: Seat | None
    offered_by: Seat | None
    frozen: bool


class SeatShape(Shape):
    """A seat: whether it is held by a phone, and when that was last heard from."""

    held: bool
    seen_at: int | None


class ProposalShape(Shape):
    """A pending proposal. Its terms are additional fields."""

    model_config = ConfigDict(extra="allow", from_attributes=True)

    number: int = Field(description="Number within the match, from 1; a changed proposal gets a new one.")
    what: str
    by: str
    agreed: list[Seat] = Field(description="expiry: the seats that have agreed.")
    disputed: bool = Field(description="True if a player declined it, so that the director has to settle it.")


class MatchShape(Shape):
    """A match as of `now`: the snapshot that the phones get.

    `v` is the number of its last journal entry. Fields that later versions add for the phones will appear here too.
    """

    model_config = ConfigDict(extra="allow", from_attributes=True)

    t: Literal["match"]
    match: int
    v: int
    now: int
    status: State
    turn: Seat | None
    turn_number: int
    reserve_ms: Pair = Field(description="What both clocks show at `now`.")
    delay_ms: Pair
    score: Pair
    game: int
    crawford: bool
    cube: CubeShape
    flagged: Seat | None
    flag_at: int | None
    control: int
    limits: bool
    offences: Pair
    forfeit: tuple[bool, bool]
    wait_until: int | None
    proposal: ProposalShape | None
    winner: Seat | None
    hits: Pair
    called: bool
    since: int | None
    used_ms: int
    turn_reserve_ms: Pair
    turn_delay_ms: int
    kind: Literal["none", "simple", "bronstein"]
    stop: dict[str, Any] | None
    hall_stop: dict[str, Any] | None
    declined: dict[str, Any] | None = Field(description="Who declined which proposal, until the next press or ruling.")
    resumed_by: str | None = Field(description="Who resumed with the turn of the other seat, until that is undone.")
    confirmed: tuple[bool, bool]
    undo: Seat | None
    reopens: str | None
    won_by: Literal["single", "gammon", "backgammon", "pass", "time", "ended"] | None
    just_played: Seat | None
    cite: str
    owed_hit: Seat | None
    called_by: str
    called_at: int | None
    call_note: str
    lag_used_ms: Pair
    lag_presses: Pair
    game_presses: Pair
    names: tuple[str, str]
    length: int
    rules: Rules
    format: Format
    table: str
    code: str
    tournament: str
    round: str
    round_number: int | None
    made_at: int
    rules_name: str
    features: Any
    lag_credit_ms: int
    late: dict[str, Any] | None
    lent_at: Any
    seats: tuple[SeatShape, SeatShape]
    expected_end: EndShape | None = Field(description="Null once it is over or taken back. Not part of the ETag.")
    hash: str = Field(description="The last hash of its journal, to compare with one kept earlier.")
    holds_up_round: bool = Field(description="True if it should end 15 minutes or more after the rest of its round.")


class TurnShape(Shape):
    """A finished turn. Reserves are those of the seat whose turn it was."""

    number: int
    game: int
    seat: Seat
    started_at: int
    ended_at: int
    thought_ms: int = Field(description="How long its clock ran, without stops and lag credit.")
    delay_ms: int
    delay_used_ms: int
    reserve_before_ms: int
    reserve_after_ms: int
    adjusted_ms: int = Field(description="Time that rulings added during the turn, negative if they took time.")
    credit_ms: int
    ended_by: str = Field(description="The journal event that ended it.")
    cube: Literal["", "double", "take", "pass"]


class EntryShape(Shape):
    """An entry of a match's journal."""

    seq: int
    at: int
    by: str
    user: str = Field(description="Name of the director or program; empty for players and the server.")
    event: str
    data: dict[str, Any]
    command: dict[str, Any] | None
    credit_ms: int
    hash: str | None = Field(description="SHA-256 of this entry and of the hash before it.")


class PlannedShape(Shape):
    """The outcome for one pairing of a draw; in a dry run, the expected outcome."""

    line: int = Field(description="Index in the request, from 0.")
    external_id: str
    act: Literal["start", "wait", "ask", "keep", "bye", "bad"] = Field(
        description="start: ready to play. wait: for its table. ask: a clock on request. keep: unchanged."
    )
    words: str
    table: str
    names: tuple[str, str]
    pairing: int | None = Field(description="Its pairing; null for a bye and in a dry run.")


class DrawShape(Shape):
    """A whole draw as stored, or in a dry run as it would be."""

    dry_run: bool
    lines: list[PlannedShape]
    removed: list[str] = Field(description="Matches of the old draw that are not in the new one.")


class TrfShape(Shape):
    """A tournament as a TRF26 file."""

    trf: str = Field(description="The text of the file, with CR LF line ends.")


class BracketsShape(Shape):
    """A tournament for brackets-model: one stage, one group; `opponent1` sits left."""

    participant: list[dict[str, Any]]
    stage: list[dict[str, Any]]
    group: list[dict[str, Any]]
    round: list[dict[str, Any]]
    match: list[dict[str, Any]]
    match_game: list[dict[str, Any]]


class FileDrawShape(DrawShape):
    """The draw imported from a file, and what was ignored in it."""

    left: list[str] = Field(description="Ignored parts: unknown tags of TRF26, unknown tables and fields of brackets.")


class StartedShape(Shape):
    """Matches that have just started, and pairings that are still waiting."""

    started: list[int] = Field(description="Ids of matches.")
    waiting: list[int] = Field(description="Ids of pairings.")


class MessageShape(Shape):
    """A message to the phones and screens."""

    id: int
    text: str
    tables: list[str] = Field(description="Names of tables; empty: all.")
    sent_at: int
    until: int


class LiveShape(Shape):
    """Live boards. The public view omits `code` and has null for hidden times."""

    tournament: str
    name: str
    now: int
    number: int = Field(description="The last event of the feed. Follow it from there.")
    matches: list[dict[str, Any]] = Field(description="MatchShape without `expected_end` and `holds_up_round`.")


class EventShape(Shape):
    """An event: the `data` of the feed and of webhooks.

    Fields that do not apply to its kind are omitted. In match events, `match` to `reserve_ms` are as after the event.
    """

    model_config = ConfigDict(extra="allow", from_attributes=True)

    number: int = Field(description="Number within the tournament, from 1, without gaps.")
    at: int = Field(description="In milliseconds of server time.")
    kind: str = Field(json_schema_extra={"enum": list(KINDS)})
    tournament: str
    match: int | None = Field(None, description="Null for a match without a clock.")
    pairing: int | None = Field(None, description="Only for a match without a clock.")
    external_id: str | None = Field(None, description="The id given by the program that drew the match.")
    table: str | None = None
    round: int | None = None
    stage: Stage | None = None
    names: tuple[str, str] | None = None
    length: int | None = None
    score: Pair | None = None
    game: int | None = Field(None, description="The current game, from 1.")
    status: str | None = None
    reserve_ms: Pair | None = Field(None, description="Both reserves; null if times are hidden from spectators.")
    winner: Seat | None = Field(None, description="game-ended, result: who won.")
    points: int | None = Field(None, description="game-ended: points for the winner.")
    how: str | None = Field(None, description="game-ended: how it was won.")
    of_game: int | None = Field(None, description="game-ended: number of the game.")
    corrected: bool | None = Field(None, description="result: True if it replaces an earlier one.")
    by: str | None = Field(None, description="clock-stopped, call: left, right or director.")
    reason: str | None = Field(None, description="clock-stopped: why.")
    seat: Seat | None = Field(None, description="flag: whose reserve ran out.")
    text: str | None = Field(None, description="message: its text.")
    tables: list[str] | None = Field(None, description="message: names of tables; empty: all.")


class EventsShape(Shape):
    """A page of events."""

    items: list[EventShape]
    next: str | None
