"""Stop and resume all clocks of the hall."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext

from clocks import desk
from clocks.desk.requests import Reply, Request
from clocks.engine.closed_sets import Official, Reason
from clocks.engine.commands import Command, ResumeAll, StopAll
from clocks.engine.refusals import Refused, Why
from clocks.host.server_time import now_ms
from clocks.journal import stored, tournament_log
from clocks.journal.tournament_events import ResumedAll, StoppedAll
from clocks.models import Tournament
from clocks.wording.language import said


class Resumed(NamedTuple):
    """Result of resuming the hall: number of resumed clocks, and why others were not."""

    number: int
    left: list[str]


def stop_all(tournament: Tournament, user: User, reason: str) -> int:
    """Stop all running clocks of a tournament at the same time; return how many.

    Raises Refused(Why.NOT_STORED) if the server failed to stop one, or TimeoutError if the desk did not answer in time,
    although it may still stop them.
    """
    requests = _requests(
        [(board.id, StopAll(0, reason)) for board in stored.matches_of_tournament(tournament.pk)], user
    )

    def write() -> None:
        stop = tournament_log.write(tournament, user, StoppedAll(reason))
        for request in requests:
            request.command = StopAll(stop.pk, reason)

    return sum(answer.ok for answer in _submit(requests, write))


def resume_all(tournament: Tournament, user: User) -> Resumed:
    """Resume the clocks stopped with the whole hall, as if no time had passed.

    If no stop is in force, resume clocks that earlier calls failed to resume. Matches reopened during a stop are named,
    not resumed. Raises Refused(Why.NOT_STORED) if the server failed, or TimeoutError if the desk did not answer in
    time, although it may still resume them.
    """
    boards = {board.id: board for board in stored.matches_of_tournament(tournament.pk)}
    halts = {key: board.match.halt for key, board in boards.items() if board.match.halt}
    stops = tournament_log.stops_in_force(tournament)
    in_force = {stop.pk for stop in stops} or {halt.hall for halt in halts.values() if halt.hall}
    commands = [
        (key, ResumeAll(halt.hall or 0))
        for key, halt in halts.items()
        if halt.hall in in_force or (stops and halt.reason is Reason.REOPEN and halt.at >= stops[0].at)
    ]
    answers = _submit(
        _requests(commands, user),
        lambda: tournament_log.write(tournament, user, ResumedAll(sorted(in_force))),
    )
    pairs = [(boards[match_id].table, answer) for (match_id, _), answer in zip(commands, answers, strict=True)]
    words = gettext("Table %(table)s: %(words)s")
    left = [words % {"table": table, "words": said(answer.words)} for table, answer in pairs if not answer.ok]
    return Resumed(len(answers) - len(left), left)


def _requests(commands: Collection[tuple[int, Command]], user: User) -> list[Request]:
    now = now_ms()
    return [Request(match_id, command, Official.DIRECTOR, now, user_id=user.pk) for match_id, command in commands]


def _submit(requests: Sequence[Request], write: Callable[[], object]) -> list[Reply]:
    """Submit the requests; `write` adds the log entry in the same transaction."""
    answers = desk.submit_all_and_wait(requests, write)
    for answer in answers:
        if answer.code in (Why.NOT_STORED, Why.BAD_MESSAGE):
            raise Refused(Why.NOT_STORED)
    return answers
