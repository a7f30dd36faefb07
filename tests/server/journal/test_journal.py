"""Exporting, replaying and verifying journals."""

import orjson
import pytest
from django.core.management import CommandError, call_command

from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Agree, Expire, Hit, Propose, Stop
from clocks.engine.proposals import GameResult
from clocks.engine.replay import run
from clocks.host.server_time import now_ms
from clocks.journal import chain, entries, stored
from clocks.live import protocol
from clocks.models import JournalEntry, Match
from tests.server.desk.test_desk import settle
from tests.server.house import make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)


def played_match() -> Match:
    """A finished match with a credit, an outage, a claimed seat, a flag and a ruling."""
    match = running_match(options={"reserve_ms": 1_000}, length=3)
    at = now_ms()
    ask = lambda command, by, after: Request(match.pk, command, by, at + after)  # noqa: E731
    credited = ask(Hit(), "right", 100)
    credited.credit_ms = 60
    flag_at = at + 200 + 13_000
    answers = settle(
        credited,
        ask(Stop("outage"), "server", 150),
        ask(Hit(), "left", 160),
    )
    assert [answer.ok for answer in answers] == [True, True, False]
    sit_down(match, "left")
    from clocks.engine.commands import Resume

    assert all(
        answer.ok
        for answer in settle(
            ask(Resume(), "left", 180),
            ask(Hit(), "left", 200),
            ask(Expire(), "server", 200 + 13_000 + 250),
            Request(match.pk, Agree("so ruled"), "director", flag_at + 5_000),
        )
    )
    return match


def test_the_export_of_a_journal_replays_to_the_stored_state() -> None:
    match = played_match()
    match.refresh_from_db()
    lines = [protocol.encode(line) for line in entries.replay_lines(match.pk)]
    *_, last = run(lines)
    board = stored.matches([match.pk])[match.pk]
    at = last["at"]
    assert last == {"at": at, "ok": True, "code": None} | orjson.loads(orjson.dumps(board.match.look(at)))
    assert last["status"] == "over"


def test_the_export_has_a_line_for_each_command_and_each_watched_flag() -> None:
    match = played_match()
    setup, *lines = entries.replay_lines(match.pk)
    assert setup == {"setup": match.setup, "hash": chain.head(match.pk)}
    assert [{key: line[key] for key in line if key != "at"} for line in lines] == [
        {"by": "director", "do": "confirm"},
        {"by": "left", "do": "hit", "credit_ms": 0},
        {"by": "right", "do": "hit", "credit_ms": 60},
        {"by": "server", "do": "stop", "reason": "outage"},
        {"by": "left", "do": "resume", "fresh_delay": False},
        {"by": "left", "do": "hit", "credit_ms": 0},
        {"do": "look"},
        {"by": "director", "do": "agree", "note": "so ruled"},
    ]


def test_verify_finds_no_fault_in_stored_matches(capsys) -> None:
    match = running_match()
    settle(Request(match.pk, Propose(GameResult(Seat.LEFT, 2)), "left", now_ms()))
    settle(Request(match.pk, Agree(), "right", now_ms()))
    make_match()
    call_command("verify")
    assert (
        capsys.readouterr().out
        == f"2 matches, {1 + Match.objects.get(pk=match.pk).version} journal entries: all as their journals say\n"
    )


@pytest.mark.parametrize(
    ("column", "value"),
    [("version", 2), ("status", "over"), ("flag_at", 5), ("setup", {"names": ["Ann", "Bob"]}), ("late", {"at": 5})],
)
def test_verify_names_a_match_that_differs_from_its_journal(column: str, value: object, capsys) -> None:
    match = running_match()
    make_match()
    Match.objects.filter(pk=match.pk).update(**{column: value})
    with pytest.raises(CommandError, match="1 differ from their journal"):
        call_command("verify")
    assert capsys.readouterr().out.startswith(
        f"match {match.pk} (Ann – Bob): {column} is stored as {value}, its journal says "
    )


def test_verify_names_a_match_whose_state_was_changed(capsys) -> None:
    match = running_match()
    match.state["score"] = [6, 0]
    match.save()
    with pytest.raises(CommandError):
        call_command("verify")
    assert capsys.readouterr().out.startswith(f"match {match.pk} (Ann – Bob): state is stored as ")


def test_verify_names_a_match_whose_journal_has_a_gap(capsys) -> None:
    match = running_match()
    JournalEntry.objects.filter(match=match, seq=2).delete()
    with pytest.raises(CommandError):
        call_command("verify")
    assert capsys.readouterr().out == (
        f"match {match.pk} (Ann – Bob): its journal cannot be folded (its journal has gaps), "
        "its chain breaks at entry 3 (hit), which is not what was written then\n"
    )
