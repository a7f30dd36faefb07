"""Map journal and log entries to feed events."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from clocks.engine import events as e
from clocks.engine.closed_sets import Official, Status
from clocks.engine.match import Match
from clocks.feed.folds import Folds
from clocks.journal.tournament_events import (
    MessageSent,
    MessageWithdrawn,
    ResultCorrected,
    ResultEntered,
    ResultWithdrawn,
    parse,
)
from clocks.models import HallEntry, JournalEntry

IN_JOURNAL = frozenset(
    event.name
    for event in (
        e.Confirmed,
        e.Stopped,
        e.StoppedAll,
        e.FlagFell,
        e.DirectorCalled,
        e.GameEnded,
        e.MatchEnded,
        e.ExpiryApplied,
        e.ScoreSet,
        e.Reopened,
    )
)
IN_LOG = tuple(each.name for each in (MessageSent, MessageWithdrawn, ResultEntered, ResultCorrected, ResultWithdrawn))
KINDS = {
    "match-begun": "Both players have confirmed the setting of a match.",
    "game-ended": "A game has ended; `winner` scored `points`.",
    "clock-stopped": "A clock was stopped: by whom, and why.",
    "flag": "The reserve of `seat` is used up.",
    "call": "The director was called.",
    "result": "A match is decided, or its result was corrected.",
    "result-withdrawn": "The end of a match or its result was taken back.",
    "message": "The director sent a message to the phones.",
    "message-withdrawn": "A message was withdrawn.",
}


class Happened(NamedTuple):
    """Kind and data of an event, without names."""

    kind: str
    data: dict[str, Any]


def of_entry(entry: JournalEntry, folds: Folds) -> list[Happened]:
    """Feed events of a journal entry: none, one, or two if a game decides the match."""
    before, after, event = folds.around(entry)
    return [Happened(kind, {**data, **_standing(after, entry.at)}) for kind, data in _kinds(before, after, event)]


def _kinds(before: Match, after: Match, event: e.Event) -> Iterator[tuple[str, dict[str, Any]]]:
    match event:
        case e.Confirmed() if all(after.confirmed) and not all(before.confirmed) and after.hits == (0, 0):
            if after.game == 1:
                yield "match-begun", {}
        case e.Stopped(by=by, reason=reason):
            yield "clock-stopped", {"by": by, "reason": reason}
        case e.StoppedAll():
            yield "clock-stopped", {"by": Official.DIRECTOR.value, "reason": "hall"}
        case e.FlagFell(seat=seat):
            yield "flag", {"seat": seat}
        case e.DirectorCalled(by=by):
            yield "call", {"by": by}
        case e.GameEnded(winner=winner, points=points, how=how):
            yield "game-ended", {"winner": winner, "points": points, "how": how, "of_game": before.game}
        case e.Reopened() | e.ScoreSet() if before.status == Status.OVER and after.status != Status.OVER:
            yield "result-withdrawn", {}
    decided = (before.status, before.winner, before.score) != (after.status, after.winner, after.score)
    if after.status == Status.OVER and decided:
        yield "result", {"winner": after.winner, "corrected": before.status == Status.OVER}


def _standing(match: Match, at: int) -> dict[str, Any]:
    return {
        "score": list(match.score),
        "game": match.game,
        "status": match.status,
        "reserve_ms": list(match.clock.reserves(at)),
    }


def of_log_entry(entry: HallEntry) -> list[Happened]:
    """Feed events of a tournament log entry: none or one."""
    match parse(entry.event, entry.data):
        case MessageSent(tables=tables):
            return [Happened("message", {"to_all": not tables})]
        case MessageWithdrawn():
            return [Happened("message-withdrawn", {"to_all": True})]
        case ResultEntered(pairing=int(pairing)):
            return [Happened("result", {"pairing": pairing, "corrected": False})]
        case ResultCorrected(pairing=int(pairing)):
            return [Happened("result", {"pairing": pairing, "corrected": True})]
        case ResultWithdrawn(pairing=int(pairing)):
            return [Happened("result-withdrawn", {"pairing": pairing})]
    return []
