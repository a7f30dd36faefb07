"""Duration of each turn of a match in milliseconds, from its journal.

`thought_ms` is the time that the turn's clock ran, without stops and lag credit. If the delay was restarted within
the turn, each part has its own delay.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from clocks.engine.clock import Kind, Seat
from clocks.engine.closed_sets import HowWon, Swap
from clocks.engine.events import (
    Doubled,
    Event,
    ExpiryApplied,
    GameEnded,
    HitUndone,
    Reopened,
    Resumed,
    Took,
)
from clocks.engine.match import Match
from clocks.record.look_back import Step
from clocks.record.replaying import steps


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A completed turn. Timestamps are ms of server time; reserves are this seat's.

    `ended_by` is the name of the journal event; `cube` is double, take or pass if that ended the turn, else "";
    `adjusted_ms` is the time that rulings gave the seat during the turn (negative: took away).
    """

    number: int
    game: int
    seat: Seat
    started_at: int
    ended_at: int
    thought_ms: int
    delay_ms: int
    delay_used_ms: int
    reserve_before_ms: int
    reserve_after_ms: int
    adjusted_ms: int
    credit_ms: int
    ended_by: str
    cube: str


@dataclass(slots=True)
class _Open:
    """The current turn; `parts` are the times before each restart of its delay."""

    started_at: int
    reserve_ms: int
    parts: list[int]


def of_match(match_id: int) -> list[TurnLine]:
    """Turns of a match, in order."""
    return turns(steps(match_id))


def turns(steps: Iterable[Step], *, flagged: bool = False) -> list[TurnLine]:
    """Completed turns; one that is undone or resumed is open again.

    With `flagged`, includes a turn whose flag has fallen, before its consequence is applied.
    """
    found: list[tuple[TurnLine, _Open]] = []
    going: _Open | None = None
    fell: TurnLine | None = None  # the turn, as it was when its flag fell
    for before, after, event, credit_ms in steps:
        seat = before.clock.turn
        if after.flagged is not before.flagged:
            fell = _ended(before, after, event, credit_ms, going) if after.flagged and going else None
        if isinstance(event, HitUndone | Reopened):
            reopens = after.clock.turn is not None  # False if the opening was undone: no turn is open then
            while len(found) > int(reopens) and found[-1][0].number > after.turn_number:
                found.pop()  # nobody is charged for turns swapped since
            if found and reopens:
                _line, going = found.pop()
            continue
        if seat is not None and going is not None:
            if after.clock.turn is seat and after.turn_number == before.turn_number:
                if isinstance(event, ExpiryApplied) or (isinstance(event, Resumed) and event.fresh):
                    going.parts.append(before.clock.used(event.at))
                continue
            found.append((_ended(before, after, event, credit_ms, going), going))
        going = _come_back(found, event) or _begun(after, event.at)
    return [line for line, _ in found] + ([fell] if flagged and fell else [])


def _come_back(found: list[tuple[TurnLine, _Open]], event: Event) -> _Open | None:
    """Pop the completed turn that a resume continues; None if a new one begins."""
    if not isinstance(event, Resumed) or event.swap is not Swap.BACK:
        return None
    last = max((at for at, (line, _) in enumerate(found) if line.seat is event.turn_of), default=None)
    return None if last is None else found.pop(last)[1]


def _begun(match: Match, at: int) -> _Open | None:
    seat = match.clock.turn
    return None if seat is None else _Open(at, match.clock.reserve_ms[seat.index], [])


def _ended(before: Match, after: Match, event: Event, credit_ms: int, going: _Open) -> TurnLine:
    seat = before.clock.turn
    assert seat is not None
    parts = [*going.parts, max(0, before.clock.used(event.at) - credit_ms)]
    delay_ms = 0 if before.clock.control.kind is Kind.NONE else before.clock.control.delay_ms
    thought_ms, delay_used_ms = sum(parts), sum(min(part, delay_ms) for part in parts)
    reserve_after_ms = after.clock.reserves(event.at)[seat.index]
    return TurnLine(
        number=before.turn_number,
        game=before.game,
        seat=seat,
        started_at=going.started_at,
        ended_at=event.at,
        thought_ms=thought_ms,
        delay_ms=delay_ms,
        delay_used_ms=delay_used_ms,
        reserve_before_ms=going.reserve_ms,
        reserve_after_ms=reserve_after_ms,
        adjusted_ms=reserve_after_ms - (going.reserve_ms - thought_ms + delay_used_ms),
        credit_ms=credit_ms,
        ended_by=event.name,
        cube=_cube(event),
    )


def _cube(event: Event) -> str:
    if isinstance(event, Doubled):
        return "double"
    if isinstance(event, Took):
        return "take"
    return "pass" if isinstance(event, GameEnded) and event.how == HowWon.PASS else ""
