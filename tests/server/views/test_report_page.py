"""Tournament report: pace, longest matches, stops, network and rulings."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.asserts import assertContains

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import parse_command
from clocks.host import server_time
from clocks.models import Match, Membership, Round, Tournament
from clocks.record import long_runs, tournament_report
from clocks.record.tournament_report import StopLine, TournamentReport
from tests.server import hall

pytestmark = pytest.mark.django_db(transaction=True)

MINUTE = 60_000


@pytest.fixture
def played(owner: User) -> list[Match]:
    """Two matches of a round: one over, with stops and rulings, and one still running."""
    desk.forget()
    round_ = hall.summer_open()
    Membership.objects.create(tournament=round_.tournament, user=owner, role="owner")
    matches = [pairing.match for pairing in hall.drawn(round_, "1,Ann,Bob", "2,Cid,Dan") if pairing.match]
    began = server_time.now_ms()

    def do(match: Match, at_ms: int, by: str, credit_ms: int = 0, late_ms: int = 0, **command: Any) -> None:
        at = began + at_ms
        asked = Request(match.pk, parse_command(command), by, at=at, user_id=owner.pk, credit_ms=credit_ms)
        if late_ms:
            asked.claimed_at = at - late_ms
        answer = desk.submit_and_wait(asked)
        assert answer.ok, answer

    ann_bob, cid_dan = matches
    do(ann_bob, 0, "director", do="confirm")
    do(ann_bob, 1_000, "left", do="hit")
    do(ann_bob, 21_000, "right", credit_ms=200, late_ms=3_200, do="hit")
    do(ann_bob, 31_000, "left", do="stop", reason="dice")
    do(ann_bob, 51_000, "left", do="resume")
    do(ann_bob, 61_000, "left", do="call", note="")
    do(ann_bob, 2 * MINUTE, "director", do="propose", what="time", seat="left", by_ms=30_000, note="noise")
    do(ann_bob, 2 * MINUTE + 1_000, "director", do="resume")
    do(ann_bob, 3 * MINUTE, "director", do="propose", what="end", winner="right", note="left the hall")
    do(cid_dan, 0, "director", do="confirm")
    do(cid_dan, 1_000, "left", do="hit")
    do(cid_dan, 11_000, "right", do="hit")
    return matches


@pytest.fixture
def director(played: list[Match], owner: User, client: Client) -> Client:
    client.force_login(owner)
    return client


def report_of() -> TournamentReport:
    found = tournament_report.of_tournament(Tournament.objects.get(slug="open"))
    assert found is not None
    return found


def test_each_round_has_its_pace(played: list[Match]) -> None:
    (only,) = report_of().rounds
    # Turns: Bob 19.8 s, Ann 10 + 10 + 59 s, Dan 10 s; one match of 179 s is over.
    assert (only.name, only.matches, only.over, only.ended) == ("Round 1", 2, 1, None)
    assert (only.median_ms, only.longest_ms, only.turn_ms) == (179_000, 179_000, 36_300)


def test_rounds_of_one_name_stay_apart(played: list[Match]) -> None:
    first = Round.objects.get()
    second = hall.next_round(first, name="Round 1")
    Match.objects.filter(pk=played[1].pk).update(round=second)
    found = [(each.name, each.matches, each.over) for each in report_of().rounds]
    assert found == [("Round 1", 1, 1), ("Round 1", 1, 0)]


def test_the_longest_matches_are_those_that_are_over(played: list[Match]) -> None:
    (longest,) = report_of().longest
    assert (longest.match, longest.length_ms, longest.turns, longest.stopped_ms) == (played[0], 179_000, 2, 80_000)


def test_stops_are_summed_up_by_reason(played: list[Match]) -> None:
    assert report_of().stops == [StopLine("director", 1, 60_000), StopLine("dice", 1, 20_000)]


def test_network_flags_and_calls_are_counted(played: list[Match]) -> None:
    found = report_of()
    assert (found.presses, found.credited, found.credit_ms, found.most_credit_ms) == (4, 1, 200, 200)
    assert (found.late, found.late_ms, found.flags, found.calls) == (1, 3_000, 0, 1)


def test_rulings_are_listed_with_their_reasons(played: list[Match]) -> None:
    assert [(ruling.match, ruling.what, ruling.why) for ruling in report_of().rulings] == [
        (played[0], "Ann’s time changed by +0:30", "noise"),
        (played[0], "The director ended the match: Bob won", "left the hall"),
    ]


def test_the_page_shows_the_report_and_the_results_lead_to_it(director: Client) -> None:
    shown = director.get("/director/open/report/")
    for words in ("Pace by round", "Fallen dice", "1 · 0:20", "Ann’s time changed by +0:30", "noise"):
        assertContains(shown, words)
    assertContains(director.get("/director/open/results/"), 'href="/director/open/report/"')


def test_many_rulings_leave_the_earlier_ones_to_the_records(director: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_report, "MOST_RULINGS", 1)
    assertContains(director.get("/director/open/report/"), "1 earlier ruling is in the records.")


def test_rulings_give_way_to_more_rounds_than_are_usual(played: list[Match], monkeypatch: pytest.MonkeyPatch) -> None:
    assert (len(report_of().rulings), report_of().more) == (2, 0)
    monkeypatch.setattr(tournament_report, "USUAL_ROUNDS", len(report_of().rounds) - 2)
    monkeypatch.setattr(tournament_report, "MOST_RULINGS", 2)
    assert (len(report_of().rulings), report_of().more) == (1, 1)


def test_a_reopened_match_is_not_over(played: list[Match]) -> None:
    command = parse_command({"do": "propose", "what": "reopen", "note": ""})
    assert desk.submit_and_wait(Request(played[0].pk, command, "director", at=server_time.now_ms() + 4 * MINUTE)).ok
    assert (report_of().rounds[0].over, report_of().longest) == (0, [])


def test_a_tournament_without_a_played_match_says_what_will_be_here(director: Client) -> None:
    Match.objects.update(version=1)
    assertContains(director.get("/director/open/report/"), "their pace, stops and rulings are summed up here")


def test_one_page_computes_at_a_time(director: Client) -> None:
    with long_runs._one_at_a_time:
        busy = director.get("/director/open/report/")
    assertContains(busy, "Another page is computing this. Try again in a moment.", status_code=503)


def test_too_many_matches_are_refused(director: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_runs, "MOST_RUNS", 1)
    assertContains(director.get("/director/open/report/"), "too many matches for a report", status_code=400)
