"""Stopping and resuming all clocks at the same moment; nobody loses time."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError
from django.test import Client

from clocks import desk
from clocks.engine.closed_sets import Seat
from clocks.engine.commands import Confirm, Hit, Propose, Resume, Stop, parse_command
from clocks.engine.proposals import EndMatch, Reopen
from clocks.engine.refusals import Refused
from clocks.engine.replay import run
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal import entries, tournament_log
from clocks.journal.entries import refold, replay_lines
from clocks.models import Match, Membership, Tournament
from clocks.record import match_record, tournament_record
from clocks.tournament import hall, tables
from tests.server.house import US_2013

pytestmark = pytest.mark.django_db(transaction=True)

in_thread = database_sync_to_async


def make(tournament: Tournament, table: str, *commands: tuple[str, Any]) -> Match:
    """Create a match at a table and submit these commands, each as (by, command)."""
    match = desk.make_match(tables.add_table(tournament, table), Setup.parse(US_2013))
    for by, command in commands:
        assert desk.submit_and_wait(desk.Request(match.pk, command, by)).ok
    return Match.objects.select_related("table").get(pk=match.pk)


SLUGS = ("here", "beside", "strange", "old")
RUNNING = (("director", Confirm()), ("left", Hit()))


def hall_of(tournament: Tournament) -> dict[str, Match]:
    """Create running, stopped and unstarted matches; return them by name."""
    return {
        "one": make(tournament, "1", *RUNNING),
        "two": make(tournament, "2", *RUNNING, ("right", Hit())),
        "by a player": make(tournament, "3", *RUNNING, ("left", Stop("dice"))),
        "by the director": make(tournament, "4", *RUNNING, ("director", Stop("director"))),
        "not begun": make(tournament, "5"),
        "ready": make(tournament, "6", ("director", Confirm())),
    }


def state(match: Match) -> tuple[Any, ...]:
    """Status, seat whose turn it is, reserves and used time of a stopped match."""
    row = Match.objects.get(pk=match.pk)
    _, played = refold(row.pk)
    assert played.to_dict() == row.state
    return row.status, played.turn, played.clock.reserves(now_ms()), played.clock.used_ms


# --- stop all and resume all ---------------------------------------------------------------------------------------


def test_stop_all_stops_every_running_clock_at_one_instant(tournament: Tournament, dora: User) -> None:
    matches = hall_of(tournament)
    untouched = {name: match.version for name, match in matches.items() if name not in ("one", "two")}
    assert hall.stop_all(tournament, dora, "Fire alarm") == 2
    rows = {name: Match.objects.get(pk=match.pk) for name, match in matches.items()}
    assert {name: rows[name].version for name in untouched} == untouched
    halts = [rows[name].state["halt"] for name in ("one", "two")]
    (entry,) = tournament.hall_entries.all()
    assert (
        halts
        == [{"by": "director", "reason": "director", "at": halts[0]["at"], "hall": entry.pk, "note": "Fire alarm"}] * 2
    )
    assert (entry.event, entry.user, entry.data) == ("stopped_all", dora, {"reason": "Fire alarm"})


def test_stop_all_and_resume_all_charge_nobody(tournament: Tournament, dora: User, monkeypatch) -> None:
    matches = hall_of(tournament)
    hall.stop_all(tournament, dora, "Fire alarm")
    stopped = {name: state(match) for name, match in matches.items()}
    later = now_ms() + 25 * 60_000
    monkeypatch.setattr(hall, "now_ms", lambda: later)
    assert hall.resume_all(tournament, dora) == hall.Resumed(2, [])
    for name in ("one", "two"):
        row = Match.objects.get(pk=matches[name].pk)
        _, played = refold(row.pk)
        resumed = ("stopped", played.turn, played.clock.reserves(later), played.clock.used(later))
        assert (row.status, resumed) == ("running", stopped[name])
    others = {name: state(match) for name, match in matches.items() if name not in ("one", "two")}
    assert others == {name: stopped[name] for name in others}


def test_stop_all_is_one_transaction(tournament: Tournament, dora: User, monkeypatch) -> None:
    matches = [make(tournament, str(number), *RUNNING) for number in range(1, 21)]
    batches = []
    settle = desk._desk.settle
    monkeypatch.setattr(desk._desk.writer, "_settle", lambda batch: (batches.append(len(batch)), settle(batch)))
    assert hall.stop_all(tournament, dora, "Fire alarm") == 20
    assert hall.resume_all(tournament, dora).number == 20
    assert [size for size in batches if size] == [20, 20]
    assert set(Match.objects.values_list("status", flat=True)) == {"running"}
    assert {match.version + 2 for match in matches} == set(Match.objects.values_list("version", flat=True))


def test_matches_settled_meanwhile_are_not_resumed(tournament: Tournament, dora: User) -> None:
    restarted = make(tournament, "1", *RUNNING)
    stopped_again = make(tournament, "2", *RUNNING)
    hall.stop_all(tournament, dora, "Fire alarm")
    for match in (restarted, stopped_again):
        assert desk.submit_and_wait(desk.Request(match.pk, Resume(), "director")).ok
    assert desk.submit_and_wait(desk.Request(stopped_again.pk, Stop("dice"), "left")).ok
    assert hall.resume_all(tournament, dora) == hall.Resumed(0, [])
    assert [Match.objects.get(pk=match.pk).status for match in (restarted, stopped_again)] == ["running", "stopped"]


def test_matches_that_cannot_resume_are_named_with_the_reason(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "7", *RUNNING)
    hall.stop_all(tournament, dora, "Fire alarm")
    offer = parse_command({"do": "propose", "what": "game", "winner": "left", "points": 1})
    assert isinstance(offer, Propose)
    assert desk.submit_and_wait(desk.Request(match.pk, offer, "left")).ok
    left = ["Table 7: Answer the open proposal first."]
    assert hall.resume_all(tournament, dora) == hall.Resumed(0, left)
    assert desk.submit_and_wait(desk.Request(match.pk, parse_command({"do": "decline"}), "left")).ok
    assert hall.resume_all(tournament, dora) == hall.Resumed(1, [])


def test_matches_reopened_during_a_stop_are_named(tournament: Tournament, dora: User) -> None:
    end = ("director", Propose(EndMatch(Seat.LEFT)))
    before = make(tournament, "1", *RUNNING, end)
    during, running = (make(tournament, table, *RUNNING) for table in "23")
    hall.stop_all(tournament, dora, "Fire alarm")
    for match, command in ((during, end[1]), (before, Propose(Reopen(""))), (during, Propose(Reopen("")))):
        assert desk.submit_and_wait(desk.Request(match.pk, command, "director")).ok
    words = "Table %s: These clocks were not stopped with the rest of the hall."
    assert hall.resume_all(tournament, dora) == hall.Resumed(1, [words % "1", words % "2"])
    made = (before, during, running)
    assert [Match.objects.get(pk=match.pk).status for match in made] == ["stopped", "stopped", "running"]
    assert hall.resume_all(tournament, dora) == hall.Resumed(0, [])


def test_a_second_stop_resumes_only_its_own_matches(tournament: Tournament, dora: User) -> None:
    left_over = make(tournament, "1", *RUNNING)
    hall.stop_all(tournament, dora, "Fire alarm")
    offer = parse_command({"do": "propose", "what": "game", "winner": "left", "points": 1})
    assert desk.submit_and_wait(desk.Request(left_over.pk, offer, "left")).ok
    hall.resume_all(tournament, dora)
    assert desk.submit_and_wait(desk.Request(left_over.pk, parse_command({"do": "decline"}), "left")).ok
    running = make(tournament, "2", *RUNNING)
    hall.stop_all(tournament, dora, "Announcement")
    assert hall.resume_all(tournament, dora).number == 1
    assert [Match.objects.get(pk=match.pk).status for match in (left_over, running)] == ["stopped", "running"]


def test_two_directors_at_once_do_no_harm(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "1", *RUNNING)
    assert [hall.stop_all(tournament, dora, "Fire alarm"), hall.stop_all(tournament, dora, "Fire!")] == [1, 0]
    assert [stop.data["reason"] for stop in tournament_log.stops_in_force(tournament)] == ["Fire alarm", "Fire!"]
    assert hall.resume_all(tournament, dora).number == 1
    assert tournament_log.stops_in_force(tournament) == []
    assert Match.objects.get(pk=match.pk).status == "running"


def test_the_record_of_a_hall_stop_has_actor_and_reason(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "1", *RUNNING)
    hall.stop_all(tournament, dora, "Fire alarm")
    hall.resume_all(tournament, dora)
    told = [(line.who, line.what, line.why) for line in match_record.lines(match.pk)][-2:]
    assert told == [
        ("director dora", "The director stopped all clocks in the hall", "Fire alarm"),
        ("director dora", "Bob’s clock resumed", ""),
    ]
    *_, last = run([json.dumps(line) for line in replay_lines(match.pk)])
    shown = Match.objects.get(pk=match.pk)
    assert (last["ok"], last["status"], last["flag_at"]) == (True, "running", shown.flag_at)
    assert [(line.who, line.what, line.why) for line in tournament_record.lines(tournament)] == [
        ("dora", "Resumed all stopped clocks", ""),
        ("dora", "Stopped all clocks", "Fire alarm"),
    ]


@pytest.mark.parametrize(("path", "status"), [("stop", "running"), ("resume", "stopped")])
def test_a_stop_that_was_not_stored_is_reported_and_not_logged(
    tournament: Tournament, dora: User, monkeypatch, path: str, status: str
) -> None:
    match = make(tournament, "1", *RUNNING)
    if path == "resume":
        hall.stop_all(tournament, dora, "Fire alarm")
    book = list(tournament.hall_entries.values_list("event", flat=True))

    def disk_full(*given: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(entries, "append", disk_full)
    client = Client()
    client.force_login(dora)
    answer = client.post(f"/director/open/hall/{path}/", {"reason": "Fire alarm"})
    assert (answer.status_code, Match.objects.get(pk=match.pk).status) == (503, status)
    assert "The server could not store that. Try again." in answer.content.decode()
    assert list(tournament.hall_entries.values_list("event", flat=True)) == book


def test_one_failing_match_does_not_keep_other_clocks_running(tournament: Tournament, dora: User, monkeypatch) -> None:
    bad, good = (make(tournament, name, *RUNNING) for name in ("1", "2"))
    append = entries.append

    def not_the_first(rows: Sequence[entries.Row], *heads: Mapping[int, str]) -> dict[int, str]:
        if any(row.match_id == bad.pk for row in rows):
            raise IntegrityError("one_entry_a_seq")
        return append(rows, *heads)

    monkeypatch.setattr(entries, "append", not_the_first)
    with pytest.raises(Refused, match="could not store"):
        hall.stop_all(tournament, dora, "Fire alarm")
    (entry,) = tournament.hall_entries.all()
    halts = [Match.objects.get(pk=match.pk).state["halt"] for match in (bad, good)]
    assert (halts[0], halts[1]["hall"], entry.event) == (None, entry.pk, "stopped_all")


def test_a_stop_of_an_empty_hall_is_logged(tournament: Tournament, dora: User) -> None:
    assert hall.stop_all(tournament, dora, "Fire alarm") == 0
    assert [entry.event for entry in tournament.hall_entries.all()] == ["stopped_all"]


def test_a_stop_without_a_reason_stops_nothing(tournament: Tournament, dora: User) -> None:
    match = make(tournament, "1", *RUNNING)
    client = Client()
    client.force_login(dora)
    answer = client.post("/director/open/hall/stop/", {"other": "  "})
    assert (answer.status_code, Match.objects.get(pk=match.pk).status) == (400, "running")
    assert "Say why" in answer.content.decode()
    assert client.post("/director/open/hall/stop/", {"other": "Power cut"})["Location"] == "/director/open/"
    page = client.get("/director/open/hall/").content.decode()
    assert "The hall is stopped" in page and "Power cut" in page
    assert Match.objects.get(pk=match.pk).state["halt"]["note"] == "Power cut"


def test_a_hall_stop_reaches_only_tournaments_of_its_director(
    client: Client,
) -> None:
    dina = User.objects.create_user("dina")
    here, beside, strange, old = (Tournament.objects.create(slug=slug, name=slug.title()) for slug in SLUGS)
    for tournament in (here, beside, old):
        Membership.objects.create(tournament=tournament, user=dina, role="director")
    playing = {one.slug: make(one, "1", *RUNNING) for one in (here, beside, strange)}
    make(old, "1", *RUNNING, ("director", Propose(EndMatch(Seat.LEFT))))
    client.force_login(dina)
    page = client.get("/director/here/").content.decode()
    assert page.count("In the whole hall: Beside, too") == 2

    def status() -> dict[str, str]:
        return {slug: Match.objects.get(pk=match.pk).status for slug, match in playing.items()}

    client.post("/director/here/hall/stop/", {"reason": "Fire alarm"})
    assert status() == {"here": "stopped", "beside": "running", "strange": "running"}
    client.post("/director/here/hall/stop/", {"reason": "Fire alarm", "everywhere": "on"})
    assert status() == {"here": "stopped", "beside": "stopped", "strange": "running"}
    assert [entry.data["reason"] for entry in tournament_log.stops_in_force(beside)] == ["Fire alarm"]
    client.post("/director/here/hall/resume/")
    assert status() == {"here": "running", "beside": "stopped", "strange": "running"}
    client.post("/director/here/hall/resume/", {"everywhere": "on"})
    assert status() == dict.fromkeys(playing, "running")
    assert not old.hall_entries.exists()


def test_an_unanswered_stop_says_what_is_known(
    tournament: Tournament, dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [Tournament.objects.create(name=name, slug=name.lower()) for name in ("Beside", "Last")]
    for other in others:
        Membership.objects.create(tournament=other, user=dora, role=Membership.Role.DIRECTOR)
        make(other, "1", *RUNNING)
    real = hall.stop_all

    def busy(one: Tournament, user: User, reason: str) -> int:
        if one == others[0]:
            raise TimeoutError
        return real(one, user, reason)

    monkeypatch.setattr(hall, "stop_all", busy)
    Membership.objects.get_or_create(tournament=tournament, user=dora, defaults={"role": Membership.Role.DIRECTOR})
    client = Client()
    client.force_login(dora)
    made = make(tournament, "1", *RUNNING)
    sent = {"reason": "Announcement", "everywhere": "on"}
    response = client.post(f"/director/{tournament.slug}/hall/stop/", sent)
    assert (response.status_code, response.context["words"]) == (
        503,
        "The server is too busy to answer, and may still do it in Beside. Look at the clocks there before you try "
        "again. "
        f"It is done in {tournament.name}. It was not tried in Last.",
    )
    assert Match.objects.get(pk=made.pk).status == "stopped"
