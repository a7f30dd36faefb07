"""Brackets, standings, colours and start times for the hall screen."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clocks.models import Pairing, Round, Section, Tournament
from tests.server.hall import client_of, drawn, next_round, summer_open
from tests.server.large_event import knockout_of, swiss_of

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/hall/open/events/"


def part() -> str:
    """Events HTML, as sent to an anonymous hall screen."""
    answer = Client().get(PATH)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_swiss_is_sent_as_lines_with_place_wins_and_colour() -> None:
    first = summer_open(policy="on-request", starts_at=datetime(2026, 5, 1, 12, 30, tzinfo=UTC))
    first.section = Section.objects.create(tournament=first.tournament, method="swiss", name="Side", colour="green")
    first.name = "Side, round 1"
    first.save()
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    Pairing.objects.update(winner="left")
    page = part()
    assert re.findall(r'data-place="(\d)"\s+data-wins="(\d)">(\w+)', page) == [
        ("1", "1", "Ann"), ("1", "1", "Chi"), ("3", "0", "Bob"), ("3", "0", "Dov"),
    ]  # fmt: skip
    assert 'data-event="Side"' in page
    starts = int(datetime(2026, 5, 1, 12, 30, tzinfo=UTC).timestamp() * 1000)
    line = f'<p data-round="Side, round 1" data-colour="green" data-starts="{starts}">Side, round 1</p>'
    assert line in re.sub(r"\s+", " ", page)


def test_parts_of_a_bracket_that_are_decided_leave_the_screen() -> None:
    knockout_of(32)
    Pairing.objects.filter(round__number=1, setup__names__0="Jørgen Player 0000").update(match=None)
    page = part()
    assert page.count("<svg") == 2, "the part with the open match, and that with the final"
    Tournament.objects.update(slug="old")
    knockout_of(32)
    assert part().count("<svg") == 1


def test_the_screen_asks_again_without_being_sent_the_same() -> None:
    drawn(summer_open(policy="on-request"), "1,Ann,Bob")
    answer = Client().get(PATH)
    again = Client().get(PATH, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    Round.objects.update(starts_at=datetime(2026, 5, 1, tzinfo=UTC))
    assert Client().get(PATH, headers={"If-None-Match": answer["ETag"]}).status_code == 200


def test_a_hall_is_shown_to_everybody_without_public_pages() -> None:
    drawn(summer_open(policy="on-request"), "1,Ann,Bob")
    answers = [Client().get(path).status_code for path in ("/e/open/", "/hall/open/", PATH)]
    assert (answers, "Ann" in part()) == ([404, 200, 200], True)


def test_casual_matches_and_archived_tournaments_are_not_sent() -> None:
    summer_open()
    Tournament.objects.update(archived_at=datetime(2026, 5, 1, tzinfo=UTC))
    assert Client().get(PATH).status_code == 404
    assert Client().get("/hall/casual/events/").status_code == 404


def test_a_name_with_markup_is_sent_as_text() -> None:
    first = summer_open(policy="on-request")
    first.section = Section.objects.create(tournament=first.tournament, method="knockout", name="<b>Main</b>")
    first.save()
    drawn(first, '1,<i>Ann</i> "A",Bob', "2,Chi,Dov")
    next_round(first, section=first.section)
    page = part()
    assert "<i>" not in page and "<b>" not in page
    assert page.count("&lt;i&gt;Ann&lt;/i&gt; &quot;A&quot;") == 1


@pytest.mark.parametrize("address", ["/director/open/standings/", "/e/open/standings/", PATH])
@pytest.mark.parametrize("method", ["knockout", "swiss"])
def test_standings_take_as_many_queries_for_64_players_as_for_8(method: str, address: str) -> None:
    counts = []
    for players in (8, 64):
        knockout_of(players) if method == "knockout" else swiss_of(players, 3)
        client = client_of("viewer")
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        counts.append(len(queries))
        Tournament.objects.filter(slug="open").update(slug=f"old-{players}")
    assert counts[0] == counts[1] <= 16, counts
