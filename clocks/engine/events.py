"""Events of a match, each with its timestamp and all the data that `evolve` needs.

A match is the fold of its events.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Crawford, Fate, HowWon, Party, Reason, Swap
from clocks.engine.codec import decode
from clocks.engine.proposals import Consequence, Terms
from clocks.engine.table_events import OUTSIDE_THE_RULES as OUTSIDE_THE_RULES
from clocks.engine.table_events import CodeReplaced as CodeReplaced
from clocks.engine.table_events import Event as Event
from clocks.engine.table_events import HandedOver as HandedOver
from clocks.engine.table_events import Moved as Moved
from clocks.engine.table_events import NamesCorrected as NamesCorrected
from clocks.engine.table_events import NamesRemoved as NamesRemoved
from clocks.engine.table_events import SeatGranted as SeatGranted
from clocks.engine.table_events import SeatReleased as SeatReleased
from clocks.engine.table_events import SeatTaken as SeatTaken


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
    """The player who had stopped both clocks gave the reason later."""

    name: ClassVar[str] = "stop_explained"
    by: Seat
    reason: Reason


@dataclass(frozen=True, slots=True)
class StopContested(Event):
    """`by` denied that the dice were picked up (US 4.2); the clocks stay stopped."""

    name: ClassVar[str] = "stop_contested"
    by: Seat


@dataclass(frozen=True, slots=True)
class StoppedAll(Event):
    """The director stopped the whole hall; `hall` is the number of that stop."""

    name: ClassVar[str] = "stopped_all"
    hall: int
    note: str


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The clock of `turn_of` runs; `fresh` if its delay restarts within the same turn.

    `swap` and `by` are set if `by` gave the turn to the other seat, which sets the interrupted turn aside. Earlier
    versions wrote neither, and set nothing aside. `uncredited`: the press after the swap does not add to the lag
    budget; earlier versions did not write it, and counted that press.
    """

    name: ClassVar[str] = "resumed"
    turn_of: Seat
    fresh: bool = False
    by: Party | None = None
    swap: Swap | None = None
    uncredited: bool = False


@dataclass(frozen=True, slots=True)
class Proposed(Event):
    name: ClassVar[str] = "proposed"
    by: Party
    terms: Terms


@dataclass(frozen=True, slots=True)
class Agreed(Event):
    """A party agreed; `settled` if no other agreement is needed."""

    name: ClassVar[str] = "agreed"
    by: Party
    note: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Declined(Event):
    """A party declined; `left` is the fate of the proposal."""

    name: ClassVar[str] = "declined"
    by: Party
    note: str
    left: Fate
    owed_hit: Seat | None = None


@dataclass(frozen=True, slots=True)
class AgreementWithdrawn(Event):
    """A player withdrew the agreement to a flag's consequence, which stays pending."""

    name: ClassVar[str] = "agreement_withdrawn"
    by: Seat


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """`winner` scores `points`; `how` is pass, game, or the agreed outcome."""

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
    """The end of the match or of the last game was undone.

    With `stops`, the reopening itself stops the clocks. Earlier versions did not write it, and restored a stop from
    before the end.
    """

    name: ClassVar[str] = "reopened"
    note: str
    stops: bool = False


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
    """The score was corrected, also that of a finished match, which then may go on.

    `keeps`: it goes on with a cube frozen for the next game, and with a game or a break that waited when it ended.
    Earlier versions did not write it, and always began a new game with a free cube.
    """

    name: ClassVar[str] = "score_set"
    score: tuple[int, int]
    crawford: Crawford
    keeps: bool = False


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
    """The reserve of `seat` expired at `at`; the server proposes `consequence`."""

    name: ClassVar[str] = "flag_fell"
    seat: Seat
    consequence: Consequence


@dataclass(frozen=True, slots=True)
class ExpiryApplied(Event):
    """The consequence of the flag of `seat` took effect.

    `lost_at_zero`: if this ends the match, both clocks show the reserves of the consequence. Earlier versions did not
    write it, and added the delay to the expired clock.
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
    kept: bool = False  # the note stays until the clocks run again; earlier versions dropped it


# Administrative events, which do not affect play.
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
        StopContested,
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
    """Rebuild an event from its name and data in the journal."""
    return decode(EVENTS[name], plain)
