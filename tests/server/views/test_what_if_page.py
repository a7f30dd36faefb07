"""Page and file that compare a tournament's matches under other rules."""

import csv
import io
import re
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.template.defaultfilters import date
from django.test import Client
from django.utils.html import strip_tags
from pytest_django.asserts import assertContains

from clocks.models import JournalEntry, Match, Membership, Tournament
from clocks.record import long_runs
from clocks.record.what_if import ASSUMPTIONS
from tests.server import hall
from tests.server.record.test_what_if import thinkers as thinkers

pytestmark = pytest.mark.django_db(transaction=True)

OWN = {"rules": "us-2013", "per_point_ms": "0:40"}


@pytest.fixture
def director(thinkers: Match, owner: User, client: Client) -> Client:
    Membership.objects.create(tournament=Tournament.objects.get(slug="open"), user=owner, role="owner")
    client.force_login(owner)
    return client


def test_own_times_are_compared_with_the_match_as_played(director: Client) -> None:
    shown = director.get("/director/open/what-if/", OWN)
    rows = [(name, report.matches, report.flagged, report.lost) for name, report in shown.context["shown"]]
    assert [(str(name), *figures) for name, *figures in rows] == [
        ("As played", 1, 0, 0),
        ("US 2013 · simple delay", 1, 1, 1),
    ]
    assert [(line.player, line.flag.game) for _, line in shown.context["flags"]] == [("Bob", 1)]
    assertContains(shown, "Players would have thought as long, and played on, as they did.")


def test_the_file_has_a_row_for_each_figure(director: Client) -> None:
    text = director.get("/director/open/what-if.csv", OWN).content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == [
        *("rules", "options", "per_point_ms", "figure", "of", "value"),
        *("seat", "at", "score_left", "score_right"),
    ]
    of_book = {(row[3], row[4]): row[5] for row in rows if row[0] == "us-2013"}
    assert [of_book[key] for key in (("flagged", ""), ("lost_on_time", ""), ("enough_per_point_ms", "1%"))] == [
        "1",
        "1",
        "48001",
    ]
    assert of_book["longest_ms", "1: Round 1"] == "252000"
    assert [of_book["reserve_left_ms", f"{share}% at 60000 ms a point"] for share in (10, 50, 90)] == [
        "72000",
        "72000",
        "352000",
    ]


def test_the_file_says_when_whose_and_at_what_score_each_flag_falls(director: Client, thinkers: Match) -> None:
    text = director.get("/director/open/what-if.csv", OWN).content.decode("utf-8-sig")
    began = JournalEntry.objects.filter(match=thinkers, command__do="hit").order_by("seq")[0].at
    assert [row for row in csv.reader(io.StringIO(text)) if row[3] == "flag"] == [
        # 40 s for each of 6 points, and the delay of 12 s.
        [
            *("us-2013", "", "40000", "flag", f"match {thinkers.pk}, game 1, turn 1", "Bob"),
            *("right", str(began + 252_000), "0", "0"),
        ]
    ]


def test_the_page_says_when_whose_and_at_what_score_each_flag_falls(director: Client, thinkers: Match) -> None:
    began = JournalEntry.objects.filter(match=thinkers, command__do="hit").order_by("seq")[0].at
    fell = datetime.fromtimestamp((began + 252_000) / 1000).astimezone()
    shown = director.get("/director/open/what-if/", OWN)
    (row,) = re.findall(r"<tr>(?:(?!<tr>).)*<time.*?</tr>", shown.content.decode(), re.DOTALL)
    assert strip_tags(row).split() == [
        *"US 2013 · simple delay".split(),
        *str(thinkers).split(),
        *str(thinkers.round).split(),
        *("Bob", "1", "1", "0–0"),
        *date(fell, "j M H:i:s").split(),
    ]


def test_the_page_and_the_file_say_what_they_assume(director: Client) -> None:
    shown = director.get("/director/open/what-if/", OWN)
    text = director.get("/director/open/what-if.csv", OWN).content.decode("utf-8-sig")
    said = [row[5] for row in csv.reader(io.StringIO(text)) if row[3] == "assumption"]
    assert said == list(ASSUMPTIONS)
    for sentence in ASSUMPTIONS:
        assertContains(shown, f"<li>{sentence}</li>")


def test_the_page_has_each_round_under_each_setting(director: Client) -> None:
    shown = director.get("/director/open/what-if/", OWN)
    ((played, lines),) = shown.context["rounds"]
    assert (played.name, played.matches) == ("Round 1", 1)
    assert [(str(name), line.longest_ms) for name, line in lines] == [
        ("As played", 320_000),
        ("US 2013 · simple delay", 252_000),
    ]


def test_the_reserve_left_is_drawn_for_each_setting(director: Client) -> None:
    shown = director.get("/director/open/what-if/", OWN)
    left = shown.context["left"]
    assert [
        (str(name), len(chart.median.split()), len(chart.area.split())) for name, chart in shown.context["left_charts"]
    ] == [
        ("As played", 12, 24),
        ("US 2013 · simple delay", 12, 24),
    ]
    assert ([tick.label for tick in left.across], [tick.label for tick in left.up]) == (
        ["0:00", "1:00", "2:00", "3:00"],
        ["0:00", "5:00", "10:00", "15:00"],
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"delay_ms": "0:12"}, "Choose the books to which these times apply."),
        ({"rules": "us-2013", "per_point_ms": "0:00"}, "A reserve is at least a second."),
        (
            {"rules": "unified-2001", "delay_ms": "0:12"},
            "“Unified 2001 · penalty points” sets the delay itself. "
            "Leave the delay empty, or choose “Custom · the director’s own”.",
        ),
        ({"rules": "us-1066"}, "us-1066 is not one of the available choices."),
        ({"rules": "us-2013", "delay_ms": "12"}, "Write a time as minutes:seconds, such as 0:12."),
        ({"rules": "us-2013", "delay_ms": "200:00:00"}, "delay_ms must be"),
    ],
)
def test_a_wrong_setting_is_said_beside_the_form(director: Client, given: dict[str, str], words: str) -> None:
    assertContains(director.get("/director/open/what-if/", given), words, status_code=400)
    assert director.get("/director/open/what-if.csv", given).status_code == 400


def test_a_match_that_goes_on_is_counted_and_said(director: Client, thinkers: Match) -> None:
    hall.begin(Match.objects.exclude(pk=thinkers.pk).get())
    assertContains(director.get("/director/open/what-if/", OWN), "<small>1 not ended</small>", count=2)


def test_without_a_match_the_page_leads_to_the_rounds(director: Client, thinkers: Match) -> None:
    Match.objects.update(version=1)
    shown = director.get("/director/open/what-if/")
    assertContains(shown, "No match yet")
    assertContains(shown, '<a class="button primary" href="/director/open/rounds/">Rounds</a>', html=True)


def test_more_matches_than_a_page_computes_are_left_to_the_command(
    director: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_runs, "MOST_RUNS", 1)
    shown = director.get("/director/open/what-if/", OWN)
    assertContains(shown, "Choose fewer books, or use the command manage.py whatif.", status_code=400)


def test_one_page_computes_at_a_time(director: Client) -> None:
    with long_runs._one_at_a_time:
        busy = director.get("/director/open/what-if/", OWN)
    assertContains(busy, "Another page is computing this. Try again in a moment.", status_code=400)
    assert director.get("/director/open/what-if/", OWN).status_code == 200


def test_a_tournament_without_a_played_match_says_so(director: Client, thinkers: Match) -> None:
    Match.objects.update(version=1)
    assertContains(director.get("/director/open/what-if/"), "Once matches have been played")
