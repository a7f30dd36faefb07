"""Hand-over: commands that a shared phone kept offline.

A shared phone holds both seats and works offline. Its commands are decided one by one at the times that it claims, but
no earlier than the last stored event or the phone's last sign of life, and no later than now. So both clocks together
are always charged exactly the time that has passed, and a phone that was reachable cannot backdate. The first rejected
command ends the hand-over.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from clocks.desk.requests import Key, Reply, Request
from clocks.engine.closed_sets import Official, Party, Reason
from clocks.engine.commands import Command, HandOver, Resume
from clocks.engine.decide.perform import perform
from clocks.engine.events import Event, HandedOver
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.refusals import REFUSALS, Refused, Why
from clocks.journal import entries
from clocks.journal.stored import StoredMatch
from clocks.lag import late_presses
from clocks.lag.late_presses import LatePress

SLACK_MS = 1_000  # tolerated error of a phone's estimate of server time
ALONE = {"alone": True}
ONLY_BETWEEN = "Only the phone between the players hands over what was played on it."


class Taken(NamedTuple):
    """Result of a hand-over; `late` is a press to show as late."""

    answer: Reply
    rows: list[entries.Row]
    match: Match
    late: LatePress | None


class Sequence:
    """Entries of a hand-over so far, and the match after them."""

    def __init__(self, request: Request, board: StoredMatch) -> None:
        self.match = board.match
        self.late = board.late
        self.rows: list[entries.Row] = []
        self._request = request
        self._board = board

    def ask(self, command: Command, by: Party, at: int, claimed_at: int, id_: str | None) -> Refused | None:
        """Perform a command at `at`; return the refusal, if any."""
        outcome = perform(self.match, command, by, at)
        asked = replace(self._request, command=command, by=by, command_id=id_, claimed_at=claimed_at, credit_ms=0)
        self._write(outcome.events, asked)
        self.match = outcome.match
        return outcome.refusal

    def end(self, event: HandedOver) -> None:
        """Add the entry about the hand-over, with the phone's last sign of life."""
        heard_at = self._request.dated_from or None
        self._write(
            (event,), replace(self._request, by=Official.SERVER, claimed_at=None, credit_ms=0, heard_at=heard_at)
        )
        self.match = evolve(self.match, event)

    def _write(self, events: tuple[Event, ...], asked: Request) -> None:
        """Add entries for events that follow the current state."""
        version = self._board.version + len(self.rows)
        was_alone = asked.by != Official.SERVER and asked.dated_from < asked.at
        marks = ALONE if was_alone else entries.NO_MARKS
        rows = entries.event_rows(self._board.id, version, events, asked, marks)
        self.late = late_presses.shown_after(self.late, self.match, zip(events, rows, strict=True))
        self.rows += rows


def take_over(request: Request, command: HandOver, board: StoredMatch, known: Mapping[Key, Reply]) -> Taken:
    """Carry out kept commands until one is rejected; skip those accepted before.

    Raises Refused if the first one is rejected, or if this is not the match's shared phone.
    """
    if request.device_id is None or board.between != request.device_id:
        raise Refused(Why.NO_SEAT, ONLY_BETWEEN)
    sequence, taken, refusal = Sequence(request, board), 0, None
    if request.dated_from < request.at:
        _go_on_after_an_outage(sequence, board.match)
    for kept, id_ in zip(command.kept, command.ids(request.command_id), strict=True):
        earlier = known.get((board.id, id_))
        if earlier is None or not earlier.ok:
            refusal = earlier.refusal() if earlier else _at_the_wrong_time(kept.at, request, board)
            if refusal is None:
                at = max(sequence.match.at, dated(request, kept.at))
                refusal = sequence.ask(kept.command, kept.seat, at, kept.at, id_)
            if refusal is not None:
                break
        taken += 1
    if refusal is not None and not taken:
        raise refusal
    if sequence.rows:
        since, kept_all = command.kept[0].at, len(command.kept)
        code = "" if refusal is None else refusal.code
        sequence.end(HandedOver(sequence.match.at, request.device_id, since, request.at, kept_all, taken, code))
    v = board.version + len(sequence.rows)
    answer = (
        Reply(True, v) if refusal is None else Reply(False, v, refusal.code, refusal.words, partly=bool(sequence.rows))
    )
    return Taken(answer, sequence.rows, sequence.match, sequence.late)


def _go_on_after_an_outage(sequence: Sequence, match: Match) -> None:
    """Resume a clock stopped for an outage of which the phone knew nothing."""
    halt = match.halt
    if halt is None or match.turn is None:
        return
    if (halt.by, halt.reason, halt.at) == (Official.SERVER, Reason.OUTAGE, match.at):
        sequence.ask(Resume(), match.turn, halt.at, halt.at, None)


def dated(request: Request, claimed_at: int) -> int:
    """Time at which a kept command counts: `claimed_at`, limited to the silence."""
    return min(max(claimed_at, request.dated_from), request.at)


def _at_the_wrong_time(at: int, request: Request, board: StoredMatch) -> Refused | None:
    if at < board.match.at - SLACK_MS and not _is_last_by(request.device_id, board):
        return Refused(Why.OVERRULED, REFUSALS[Why.OVERRULED])
    if at > request.at + SLACK_MS:
        return Refused(Why.BAD_VALUE, "at must not be later than now.")
    return None


def _is_last_by(device_id: int | None, board: StoredMatch) -> bool:
    """True if this phone made the last entry.

    It may then claim an earlier time, because a previous command of its own may have counted later than claimed.
    """
    last_by = board.last_device
    return device_id == (entries.device_of(board.id, board.version) if last_by is None else last_by)
