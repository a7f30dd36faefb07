"""Keep the state before the end of a game or match, and restore it on reopening."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from clocks.engine import events as e
from clocks.engine.closed_sets import Official, Reason, Status
from clocks.engine.frozen import changed
from clocks.engine.match import Halt, LastEnd, LastHit, Match, SetAside

T = TypeVar("T", Match, LastHit, LastEnd, SetAside)

_KEPT = tuple(field.name for field in fields(LastEnd))


def before_end(match: Match, at: int, credit_ms: int = 0) -> LastEnd | None:
    """State to keep when a game or match ends, by a press or by a ruling.

    If the match was over already, the state kept then; None if an earlier version kept none.
    """
    if match.status == Status.OVER:
        return match.last_end
    kept: dict[str, Any] = {name: getattr(match, name) for name in _KEPT}
    if match.turn is not None:
        used = max(0, match.clock.used(at) - credit_ms)
        kept |= {"status": Status.STOPPED, "clock": changed(match.clock, used_ms=used, since=None)}
    if match.last_hit is not None:
        # Drop the end before this one: otherwise a chain of one-hit games would nest without limit.
        kept["last_hit"] = changed(match.last_hit, last_end=None)
    kept["set_aside"] = without_last_hit(match.set_aside)
    return LastEnd(**kept)


def apply_reopened(match: Match, event: e.Reopened) -> Match:
    last = match.last_end
    assert last is not None
    kept: dict[str, Any] = {name: getattr(last, name) for name in _KEPT}
    if last.clock.turn is not None and (event.stops or last.halt is None):
        by = Official.DIRECTOR if match.setup.director else Official.SERVER  # players may end a stop by the server
        kept["halt"] = Halt(by, Reason.REOPEN, event.at)
    return changed(
        match,
        at=event.at,
        proposal=None,
        flagged=None,
        winner=None,
        won_by=None,
        called=False,
        call_note="",
        **kept,
    )


def without_last_hit(set_aside: SetAside | None) -> SetAside | None:
    """Drop the last hit of a turn set aside; otherwise kept states nest without limit."""
    return None if set_aside is None else changed(set_aside, last_hit=None)


def ruled(held: T, ruling: Callable[[Any], dict[str, Any]]) -> T:
    """Apply a ruling to a match and its kept states, so that it survives an undo.

    `ruling` returns the changed fields of a match or kept state.
    """
    after = changed(held, **ruling(held))
    for name in ("last_hit", "last_end", "set_aside"):
        kept = getattr(held, name, None)
        if kept is not None:
            after = changed(after, **{name: ruled(kept, ruling)})
    return after
