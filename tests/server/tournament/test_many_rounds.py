"""Tournaments with more than 99 rounds, such as groups of four before a knockout."""

import pytest

from clocks.models import Round
from clocks.tournament import places
from tests.server.hall import client_of, drawn, summer_open
from tests.server.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)


def test_round_100_can_be_changed_on_its_page() -> None:
    summer_open(number=100)
    director, path = client_of("director"), "/director/open/rounds/100/edit/"
    form = director.get(path).context["form"]
    sent = {name: form[name].value() for name in ("number", "policy", "rules", "format", "length")}
    assert director.post(path, sent | {"name": "Quarter-finals"}).status_code == 302
    assert Round.objects.get().name == "Quarter-finals"


def test_matches_of_round_100_are_listed() -> None:
    round_ = summer_open(number=100)
    drawn(round_, "1,Ann,Bob")
    found = Program(round_.tournament).get("/matches?round=100")["items"]
    assert [match["names"] for match in found] == [["Ann", "Bob"]]


def test_a_place_names_the_number_of_round_100() -> None:
    words = places.words("winner", "1", Round(number=100))
    assert places.read(words) == places.Reference("winner", "1", 100)
