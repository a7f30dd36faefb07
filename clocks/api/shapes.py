"""What is answered: each thing with all its fields. Durations end in `_ms`; instants are server milliseconds."""

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from ninja import Schema
from pydantic import ConfigDict, Field

from clocks.feed.kinds import KINDS

Seat = Literal["left", "right"]
Pair = tuple[int, int]
Item = TypeVar("Item")


class Shape(Schema):
    """An answer, with exactly its fields."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class PageOf(Shape, Generic[Item]):
    """A page of a list; `next` is the cursor of the next page, null at the end."""

    items: list[Item]
    next: str | None = Field(description="Send it as `cursor` to get the next page.")


class TournamentShape(Shape):
    """A tournament that the token may see."""

    slug: str
    name: str
    created_at: datetime


class EndShape(Shape):
    """When something is expected to end, in whole minutes, from how long the tournament's games have taken so far."""

    at: int
    spread_ms: int = Field(description="One standard deviation: in two of three cases it ends within that.")


class RoundShape(Shape):
    """A round: whether clocks are required, and the setting of its matches."""

    number: int
    name: str = Field(description="Empty where it is called by its number.")
    policy: Literal["required", "on-request"] = Field(description="Whether each match has a clock by itself.")
    rules: str
    format: Literal["singles", "doubles"]
    length: int
    options: dict[str, Any]
    drawn: int = Field(description="How many matches are drawn.")
    over: int = Field(description="How many of them are decided.")
    expected_end: EndShape | None = Field(description="Null where all is decided, or nothing drawn.")


class TableShape(Shape):
    """A table, the code on its card, and the match that is played there now."""

    id: int
    name: str
    code: str
    match: int | None


class PairingShape(Shape):
    """A line of a round's draw; it becomes a match when its table is free or, on request, when a player asks."""

    id: int
    external_id: str = Field(description="What the program that drew it calls it; empty for one drawn by hand.")
    table: str
    names: tuple[str, str]
    length: int
    rules: str
    format: str
    score: Pair = Field(description="The points with which it begins.")
    options: dict[str, Any]
    match: int | None = Field(description="Its match, once it has a clock.")
    state: str = Field(description="waiting, no-clock (a result without one), or the status of its match.")


class ResultShape(Shape):
    """A match under way, or how it ended."""

    pairing: int | None
    external_id: str
    match: int | None
    round: int | None
    table: str
    names: tuple[str, str]
    length: int
    score: Pair | None
    winner: Seat | None
    by: str = Field(description="points, flag, ruling or no clock; empty until it is over.")
    state: str
    ended_at: datetime | None


class CubeShape(Shape):
    """The doubling cube."""

    value: int
    owner: Seat | None
    offered_by: Seat | None
    frozen: bool


class SeatShape(Shape):
    """Whether a phone holds a seat, and when it was last heard."""

    held: bool
    seen_at: int | None


class ProposalShape(Shape):
    """What waits for an answer, with its terms beside these fields."""

    model_config = ConfigDict(extra="allow", from_attributes=True)

    number: int = Field(description="Counts within the match, from 1; another whenever the proposal changes.")
    what: str
    by: str
    agreed: list[Seat] = Field(description="expiry: the seats that have agreed.")
    disputed: bool = Field(description="Whether a player has declined it and the director is to settle it.")


class MatchShape(Shape):
    """A match as of `now`: the snapshot that the phones get, field by field. `v` is the journal's last number.

    Fields that the phones get in later versions will be here too.
    """

    model_config = ConfigDict(extra="allow", from_attributes=True)

    t: Literal["match"]
    match: int
    v: int
    now: int
    status: Literal["setup", "ready", "running", "stopped", "flagged", "over"]
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
    resumed_by: str | None = Field(description="Who resumed with the turn of the seat not on turn, while that stands.")
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
    rules: str
    format: str
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
    expected_end: EndShape | None = Field(description="Null where it is over or taken back. It alone changes no ETag.")
    hash: str = Field(description="The last hash of its journal, to compare with one that was kept earlier.")
    holds_up_round: bool = Field(description="Whether it should end 15 minutes or more after the rest of its round.")


class TurnShape(Shape):
    """A turn that has ended. Reserves are those of its own seat."""

    number: int
    game: int
    seat: Seat
    started_at: int
    ended_at: int
    thought_ms: int = Field(description="What its clock ran: stops and the credit for the network are left out.")
    delay_ms: int
    delay_used_ms: int
    reserve_before_ms: int
    reserve_after_ms: int
    adjusted_ms: int = Field(description="What rulings gave the seat during the turn, or took.")
    credit_ms: int
    ended_by: str = Field(description="The event of the journal that ended it.")
    cube: Literal["", "double", "take", "pass"]


class EntryShape(Shape):
    """An entry of a match's journal."""

    seq: int
    at: int
    by: str
    user: str = Field(description="The director or program that asked, by name; empty for players and the server.")
    event: str
    data: dict[str, Any]
    command: dict[str, Any] | None
    credit_ms: int
    hash: str | None = Field(description="SHA-256 of this entry and of the hash before it.")


class PlannedShape(Shape):
    """What a line of a draw does, or would do."""

    line: int = Field(description="Its place in what was sent, from 0.")
    external_id: str
    act: Literal["start", "wait", "ask", "keep", "bye", "bad"] = Field(
        description="start: ready to play. wait: for its table. ask: a clock on request. keep: left as it is."
    )
    words: str
    table: str
    names: tuple[str, str]
    pairing: int | None = Field(description="The pairing that it is now; null for a bye and in a dry run.")


class DrawShape(Shape):
    """A whole draw as it was stored, or would be."""

    dry_run: bool
    lines: list[PlannedShape]
    removed: list[str] = Field(description="The matches of the round that were drawn before and are no more.")


class TrfShape(Shape):
    """A tournament as a TRF26 file."""

    trf: str = Field(description="The file's text, lines ending in CR LF.")


class BracketsShape(Shape):
    """A tournament as the tables of brackets-model: one stage with one group. `opponent1` sits left."""

    participant: list[dict[str, Any]]
    stage: list[dict[str, Any]]
    group: list[dict[str, Any]]
    round: list[dict[str, Any]]
    match: list[dict[str, Any]]
    match_game: list[dict[str, Any]]


class FileDrawShape(DrawShape):
    """A round's draw from a file of another program, and what of the file was left."""

    left: list[str] = Field(description="What we do not know: tags of TRF26, tables and fields of brackets.")


class StartedShape(Shape):
    """Which matches of a round have begun to wait for their players, and which still wait for their table."""

    started: list[int] = Field(description="The matches.")
    waiting: list[int] = Field(description="The pairings.")


class MessageShape(Shape):
    """A message to the phones and screens."""

    id: int
    text: str
    tables: list[str] = Field(description="Empty: all.")
    sent_at: int
    until: int


class LiveShape(Shape):
    """What is played now; without a token what the hall's screen shows: no codes, and no times that are hidden."""

    tournament: str
    name: str
    now: int
    number: int = Field(description="The last event of the feed: follow it from there.")
    matches: list[dict[str, Any]] = Field(
        description="Each like MatchShape, without `expected_end` and `holds_up_round`; without a token also without "
        "`code`, and with null for times that spectators are not told."
    )


class EventShape(Shape):
    """An event: the `data` of the feed and of webhooks. Fields that its kind does not have are left out.

    Those of a match have `match` to `length`, and `score` to `reserve_ms`, which say how it was right after the event.
    """

    model_config = ConfigDict(extra="allow", from_attributes=True)

    number: int = Field(description="Its place in the tournament, from 1 and without gaps.")
    at: int = Field(description="When it happened, in server milliseconds.")
    kind: str = Field(json_schema_extra={"enum": list(KINDS)})
    tournament: str
    match: int | None = Field(None, description="Null for the result of a match without a clock.")
    pairing: int | None = Field(None, description="Of the result of a match without a clock.")
    external_id: str | None = Field(None, description="What the program that drew the match calls it.")
    table: str | None = None
    round: int | None = None
    names: tuple[str, str] | None = None
    length: int | None = None
    score: Pair | None = None
    game: int | None = Field(None, description="The game that is played now, from 1.")
    status: str | None = None
    reserve_ms: Pair | None = Field(None, description="Both reserves; null where spectators are told no times.")
    winner: Seat | None = Field(None, description="game-ended, result: whose it is.")
    points: int | None = Field(None, description="game-ended: how many the winner scored.")
    how: str | None = Field(None, description="game-ended: how it was won.")
    of_game: int | None = Field(None, description="game-ended: which game it was.")
    corrected: bool | None = Field(None, description="result: whether there was another one before.")
    by: str | None = Field(None, description="clock-stopped, call: left, right or director.")
    reason: str | None = Field(None, description="clock-stopped: why.")
    seat: Seat | None = Field(None, description="flag: whose reserve is used up.")
    text: str | None = Field(None, description="message: what it says.")
    tables: list[str] | None = Field(None, description="message: at which tables; empty: at all.")


class EventsShape(Shape):
    """A page of the feed's events, for whoever polls."""

    items: list[EventShape]
    next: str | None
