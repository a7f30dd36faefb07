"""A player's matches on the public pages."""

import pytest
from django.utils import timezone

from clocks.models import Bye, Player, Tournament
from clocks.tournament import events, public, tables
from tests.server.hall import begin, drawn, next_round, summer_open, win
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


def test_a_player_of_the_list_or_of_a_draw_is_found_by_name() -> None:
    first = section("swiss")
    drawn(first, "1,Zoë Lee,Ben Orr", *(f"{n},Lee {n:02},Orr {n:02}" for n in range(2, 23)))
    Player.objects.filter(name="Ben Orr").delete()
    for name in ("Cy Poe", "Åke Lee"):
        Player.objects.create(tournament=first.tournament, name=name)
    known = public.names(first.tournament, events.of_tournament(first.tournament))
    lees, orrs = ([f"{name} {n:02}" for n in range(2, 23)] for name in ("Lee", "Orr"))
    assert list(known.values()) == ["Åke Lee", "Ben Orr", "Cy Poe", *lees, *orrs, "Zoë Lee"]
    assert public.search(known, " zoë  LEE") == ["Zoë Lee"]
    assert public.search(known, "zo lee") == ["Zoë Lee"]
    assert public.search(known, "lee") == ["Åke Lee", *lees[:19]]
    assert public.search(known, "lee poe") == []
    assert public.search(known, " ") == []


def test_matches_that_are_not_over_are_shown_in_table_order() -> None:
    round_ = summer_open()
    _tenth, second, third, _first = drawn(round_, "10,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "1,Gus,Hana")
    begin(second.match)
    win(third.match)
    tables.add_table(round_.tournament, "4")
    assert [
        (each.table, each.names, each.score, each.length, each.state, each.round)
        for each in public.playing(round_.tournament)
    ] == [
        ("1", ["Gus", "Hana"], [0, 0], 3, "setup", round_),
        ("2", ["Chi", "Dov"], [0, 0], 3, "running", round_),
        ("10", ["Ann", "Bob"], [0, 0], 3, "setup", round_),
    ]


def test_a_member_of_a_team_has_the_matches_of_the_team() -> None:
    drawn(summer_open(format="doubles"), "1,Ann & Bob,Chi & Dov")
    found = events.of_tournament(Tournament.objects.get())
    assert [(each.seat, each.opponent) for each in public.own(found, "dov")] == [("Chi & Dov", "Ann & Bob")]
    assert public.own(found, "Do") == []


def test_public_tournaments_are_listed_the_newest_first() -> None:
    made = [Tournament.objects.create(slug=f"t{n}", name=f"T{n}", public=n != 1) for n in range(4)]
    Tournament.objects.filter(pk=made[2].pk).update(archived_at=timezone.now())
    assert list(public.tournaments()) == [made[3], made[0]]
