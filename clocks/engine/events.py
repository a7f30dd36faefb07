"""What has happened. A match is the fold of these; each says when, and everything that `evolve` must know."""

from dataclasses import dataclass
from typing import Any, ClassVar

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Crawford, Fate, HowWon, Party, Reason
from clocks.engine.codec import decode, encode
from clocks.engine.proposals import Consequence, Terms


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at `at`; `name` is its word in the journal."""

    name: ClassVar[str] = ""
    at: int

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain JSON values; `event_from_dict` reads it back."""
        plain: dict[str, Any] = encode(self)
        return plain


@dataclass(frozen=True, slots=True)
class Confirmed(Event):
    name: ClassVar[str] = "confirmed"
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class ClockHit(Event):
    """`seat` ended a turn (or, in `ready`, started the other's clock)."""

    name: ClassVar[str] = "hit"
    seat: Seat
    credit_ms: int


@dataclass(frozen=True, slots=True)
class Doubled(Event):
    name: ClassVar[str] = "doubled"
    seat: Seat
    credit_ms: int


@dataclass(frozen=True, slots=True)
class Took(Event):
    name: ClassVar[str] = "took"
    seat: Seat
    credit_ms: int


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """Both clocks stopped, by a seat, the director or the server."""

    name: ClassVar[str] = "stopped"
    by: Party
    reason: Reason


@dataclass(frozen=True, slots=True)
class StopExplained(Event):
    """The player who stopped both clocks at once has said why."""

    name: ClassVar[str] = "stop_explained"
    by: Seat
    reason: Reason


@dataclass(frozen=True, slots=True)
class StoppedAll(Event):
    """The director stopped both clocks together with all others in the hall; `hall` numbers that stop."""

    name: ClassVar[str] = "stopped_all"
    hall: int
    note: str


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The clock of `turn_of` runs; `fresh` where its delay restarts within the same turn."""

    name: ClassVar[str] = "resumed"
    turn_of: Seat
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Proposed(Event):
    name: ClassVar[str] = "proposed"
    by: Party
    terms: Terms


@dataclass(frozen=True, slots=True)
class Agreed(Event):
    """A party agreed; `settled` where that was the last one needed."""

    name: ClassVar[str] = "agreed"
    by: Party
    note: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Declined(Event):
    """A party declined: the proposal is `withdrawn`, `ended`, or `standing` for the director."""

    name: ClassVar[str] = "declined"
    by: Party
    note: str
    left: Fate
    owed_hit: Seat | None = None


@dataclass(frozen=True, slots=True)
class AgreementWithdrawn(Event):
    """A player who had agreed to what a flag leads to has taken that back; the proposal waits as before."""

    name: ClassVar[str] = "agreement_withdrawn"
    by: Seat


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """`winner` scores `points`; `how` is pass, game, or the outcome that was conceded or claimed."""

    name: ClassVar[str] = "game_ended"
    winner: Seat
    points: int
    how: HowWon
    credit_ms: int = 0


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    name: ClassVar[str] = "match_ended"
    winner: Seat
    note: str


@dataclass(frozen=True, slots=True)
class Reopened(Event):
    """The director took back the end of the match, or of the last game."""

    name: ClassVar[str] = "reopened"
    note: str


@dataclass(frozen=True, slots=True)
class DelayForfeited(Event):
    name: ClassVar[str] = "delay_forfeited"
    seat: Seat


@dataclass(frozen=True, slots=True)
class ForfeitDropped(Event):
    name: ClassVar[str] = "forfeit_dropped"
    seat: Seat


@dataclass(frozen=True, slots=True)
class HitUndone(Event):
    name: ClassVar[str] = "hit_undone"
    by: Party


@dataclass(frozen=True, slots=True)
class ScoreSet(Event):
    name: ClassVar[str] = "score_set"
    score: tuple[int, int]
    crawford: Crawford


@dataclass(frozen=True, slots=True)
class CubeSet(Event):
    name: ClassVar[str] = "cube_set"
    value: int
    owner: Seat | None


@dataclass(frozen=True, slots=True)
class TimeGiven(Event):
    name: ClassVar[str] = "time_given"
    seat: Seat
    by_ms: int
    note: str


@dataclass(frozen=True, slots=True)
class FlagFell(Event):
    """The reserve of `seat` was used up at `at`; `consequence` waits to be agreed."""

    name: ClassVar[str] = "flag_fell"
    seat: Seat
    consequence: Consequence


@dataclass(frozen=True, slots=True)
class ExpiryApplied(Event):
    """What follows from the flag of `seat` was agreed. `lost_at_zero`: where it ends the match, the clocks stay as the
    consequence says; what an earlier version wrote paid the delay back on the clock that had run out.
    """

    name: ClassVar[str] = "expiry_applied"
    seat: Seat
    consequence: Consequence
    lost_at_zero: bool = False


@dataclass(frozen=True, slots=True)
class DirectorCalled(Event):
    name: ClassVar[str] = "director_called"
    by: Party
    note: str


@dataclass(frozen=True, slots=True)
class CallAnswered(Event):
    name: ClassVar[str] = "call_answered"
    note: str
    kept: bool = False  # whether its note stays until the clocks run again; earlier versions dropped it


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """A device sat down: recorded, but of no concern to the rules.

    `lent` are those of its seats that it took from a silent phone after both had confirmed, or that a helper gave it
    too soon or after the other one; `together` where it lies between the players and answers for both.
    """

    name: ClassVar[str] = "seat_taken"
    device: int
    seats: tuple[Seat, ...]
    lent: tuple[Seat, ...] = ()
    together: bool = False


@dataclass(frozen=True, slots=True)
class SeatReleased(Event):
    """The director freed the seat of `seat`."""

    name: ClassVar[str] = "seat_released"
    seat: Seat
    note: str


@dataclass(frozen=True, slots=True)
class SeatGranted(Event):
    """The director let the phone in the seat of `seat` do everything."""

    name: ClassVar[str] = "seat_granted"
    seat: Seat
    note: str


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The match moved from the table named `before` to the one named `after`."""

    name: ClassVar[str] = "moved"
    before: str
    after: str
    note: str


@dataclass(frozen=True, slots=True)
class CodeReplaced(Event):
    """The table has a new code."""

    name: ClassVar[str] = "code_replaced"
    before: str
    after: str
    note: str


@dataclass(frozen=True, slots=True)
class NamesCorrected(Event):
    """The players are called `names` from here on."""

    name: ClassVar[str] = "names_corrected"
    names: tuple[str, str]
    note: str


@dataclass(frozen=True, slots=True)
class HandedOver(Event):
    """Phone `device` handed over at `heard_at` what it was asked without a network since `since`: `taken` of `kept`
    commands were accepted, and come before this entry; `code` is why the next one was refused, if any."""

    name: ClassVar[str] = "handed_over"
    device: int
    since: int
    heard_at: int
    kept: int
    taken: int
    code: str = ""


@dataclass(frozen=True, slots=True)
class NamesRemoved(Event):
    """Names and notes were removed from the whole journal up to here: the players had others than these `names`."""

    name: ClassVar[str] = "names_removed"
    names: tuple[str, str]


# Recorded, but of no concern to the rules.
BESIDE_THE_RULES = (SeatTaken, SeatReleased, SeatGranted, Moved, CodeReplaced, HandedOver, NamesCorrected, NamesRemoved)

EVENTS: dict[str, type[Event]] = {
    kind.name: kind
    for kind in (
        Confirmed,
        ClockHit,
        Doubled,
        Took,
        Stopped,
        StopExplained,
        StoppedAll,
        Resumed,
        Proposed,
        Agreed,
        Declined,
        AgreementWithdrawn,
        GameEnded,
        MatchEnded,
        Reopened,
        DelayForfeited,
        ForfeitDropped,
        HitUndone,
        ScoreSet,
        CubeSet,
        TimeGiven,
        FlagFell,
        ExpiryApplied,
        DirectorCalled,
        CallAnswered,
        *BESIDE_THE_RULES,
    )
}


def event_from_dict(name: str, plain: dict[str, Any]) -> Event:
    """Return the event that the journal holds under `name`."""
    return decode(EVENTS[name], plain)
