"""The what-if report through the API has the figures of the page and its CSV file."""

import pytest
from django.test import Client

from clocks.models import Match, Tournament
from clocks.record import long_runs, what_if
from tests.server.programs import Program
from tests.server.record.test_what_if import thinkers as thinkers
from tests.server.views.test_what_if_page import director as director

pytestmark = pytest.mark.django_db(transaction=True)

WHAT_IF = "/what-if"


@pytest.fixture
def program(thinkers: Match) -> Program:
    return Program(Tournament.objects.get(slug="open"))


def test_a_program_reads_each_setting_after_the_match_as_played(program: Program) -> None:
    found = program.get(f"{WHAT_IF}?rules=us-2013&rules=unified-2001&per_point_ms=40000")
    assert [(each["rules"], each["per_point_ms"], each["flagged"], each["lost_on_time"]) for each in found] == [
        (None, None, 0, 0),
        ("us-2013", 40_000, 1, 1),
        ("unified-2001", 40_000, 1, 0),
    ]


def test_a_program_reads_rounds_curves_and_assumptions(program: Program, thinkers: Match) -> None:
    _, found = program.get(f"{WHAT_IF}?rules=us-2013&per_point_ms=60000")
    assert found["rounds"] == [{"number": 1, "name": "Round 1", "matches": 1, "longest_ms": 320_000}]
    assert found["reserve_left_curve"][3] == {
        "per_point_ms": 60_000,
        "reserve_left_ms": {"10": 72_000, "50": 72_000, "90": 352_000},
    }
    assert found["assumptions"] == list(what_if.ASSUMPTIONS)


def test_the_file_of_a_program_is_the_directors(program: Program, director: Client) -> None:
    query = "rules=us-2013&per_point_ms=40000&delay_ms=12000"
    own = program.ask("get", f"{WHAT_IF}.csv?{query}")
    page = director.get("/director/open/what-if.csv", {"rules": "us-2013", "per_point_ms": "0:40", "delay_ms": "0:12"})
    assert (own.status_code, own["Content-Type"], own.content) == (200, "text/csv; charset=utf-8", page.content)


def test_a_delay_may_be_none_at_all(program: Program) -> None:
    _, found = program.get(f"{WHAT_IF}?rules=us-2013&delay_ms=0")
    assert found["options"] == {"delay_ms": 0}


@pytest.mark.parametrize("query", ["rules=us-1066", "rules=us-2013&delay_ms=-1", "rules=us-2013&per_point_ms=x"])
def test_a_wrong_setting_is_refused_with_its_field(program: Program, query: str) -> None:
    refused = program.ask("get", f"{WHAT_IF}?{query}")
    field = query.rpartition("&")[2].partition("=")[0]
    pointers = [each["pointer"].partition("/")[0] for each in refused.json()["errors"]]
    assert (refused.status_code, pointers) == (422, [field])


def test_a_second_request_at_the_same_time_is_told_to_try_again(program: Program) -> None:
    with long_runs._one_at_a_time:
        busy = program.ask("get", WHAT_IF)
    assert (busy.status_code, busy["Retry-After"]) == (503, "2")
