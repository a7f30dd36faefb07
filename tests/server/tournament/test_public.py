"""Matches of a player on the public pages."""

import pytest

from clocks.models import Bye, Tournament
from clocks.tournament import events, public
from tests.server.hall import drawn, next_round
from tests.server.tournament.test_events import result, section

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_player_sees_each_match_and_bye_with_its_outcome() -> None:
    first = section("swiss")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    result(first, "Bob", (3, 1))
    result(first, "Chi")
    second = next_round(first, section=first.section)
    drawn(second, "1,Bob,Chi")
    Bye.objects.create(round=second, name="Ann")
    found = events.of_tournament(Tournament.objects.get())
    assert [(each.opponent, each.score, each.won) for each in public.own(found, "ann")] == [
        ("Bob", (1, 3), False),
        (None, None, True),
    ]
    assert [(each.opponent, each.score, each.won) for each in public.own(found, "Bob")] == [
        ("Ann", (3, 1), True),
        ("Chi", None, False),
    ]
