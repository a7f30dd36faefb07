"""Places in a tournament with several events, for the director and the public."""

import re

import pytest
from django.test import Client

from clocks.models import Pairing, Round, Section, Tournament
from tests.server.hall import client_of, drawn, summer_open
from tests.server.views.test_public_pages import text

pytestmark = pytest.mark.django_db(transaction=True)

PATH, PUBLIC, PART = "/director/open/standings/", "/e/open/standings/", "/e/open/standings/?part"
EXPLAINED = (
    "The places are those of the standings, event by event: finals before the groups that lead to them."
    " A player who went on in another event is listed there only."
)


def event(tournament: Tournament, number: int, *lines: str, section: Section, winner: str = "left") -> Round:
    """Draw a round of an event, with every match won by the same side."""
    round_ = Round.objects.create(tournament=tournament, section=section, number=number, policy="on-request", length=3)
    drawn(round_, *lines)
    Pairing.objects.filter(round=round_).update(winner=winner)
    return round_


def made(name: str, method: str = "knockout", **more: object) -> Section:
    return Section.objects.create(tournament=Tournament.objects.get(), name=name, method=method, **more)


def main_and_consolation() -> Tournament:
    """A knockout of four whose final is not drawn, and its losers' consolation."""
    tournament = summer_open(number=99).tournament
    Tournament.objects.update(public=True)
    main = made("Main")
    consolation = made("Consolation", losers_of=main, losers_rounds=1)
    event(tournament, 1, "1,Ann,Bob", "2,Chi,Dov", section=main)
    event(tournament, 2, "3,Bob,Dov", section=consolation)
    return tournament


def places(client: Client, path: str = PATH) -> str:
    """Text of the places on a standings page."""
    page = client.get(path)
    section = re.search(r'<section class="event" aria-labelledby="places">.*?</section>', page.content.decode(), re.S)
    if section is None:
        return ""
    page.content = section[0].encode()
    return text(page).replace(EXPLAINED + " ", "").strip()


def test_a_player_is_placed_in_the_last_event_the_player_went_on_to() -> None:
    tournament = main_and_consolation()
    director = client_of("director")
    assert places(director) == "Places Main still in Ann, Chi Consolation final 1 Bob 2 Dov"
    event(tournament, 3, "1,Ann,Chi", section=Section.objects.get(name="Main"), winner="")
    open_ = "1 match not decided"
    assert places(director) == f"Places {open_} Main {open_} still in Ann, Chi Consolation final 1 Bob 2 Dov"
    Pairing.objects.filter(round__number=3).update(winner="right")
    assert places(director) == "Places final Main final 1 Chi 2 Ann Consolation final 1 Bob 2 Dov"
    assert EXPLAINED in text(director.get(PATH))


def test_everybody_reads_the_same_places_as_results_come_in() -> None:
    tournament = main_and_consolation()
    last = event(tournament, 3, "1,Ann,Chi", section=Section.objects.get(name="Main"), winner="")
    director = client_of("director")
    for winner in ("", "left", "right"):
        Pairing.objects.filter(round=last).update(winner=winner)
        assert places(Client(), PUBLIC) == places(Client(), PART) == places(director)


def test_losers_who_are_not_drawn_again_keep_their_shared_place() -> None:
    tournament = main_and_consolation()
    Pairing.objects.filter(round__number=2).delete()
    Round.objects.get(number=2).delete()
    side = made("Side", "swiss")
    event(tournament, 4, "5,Bob,Ann", section=side)
    assert places(client_of("director")) == "Places Main still in Ann, Chi 3–4 Bob, Dov Side 1 Bob 2 Ann"


def test_the_public_reads_at_once_that_losers_go_on_elsewhere() -> None:
    main_and_consolation()
    assert "3–4 Bob, Dov" not in places(Client(), PUBLIC)
    Section.objects.update(losers_of=None)
    assert "3–4 Bob, Dov" in places(Client(), PUBLIC)


def test_places_are_not_final_while_an_event_has_no_draw() -> None:
    tournament = main_and_consolation()
    event(tournament, 3, "1,Ann,Chi", section=Section.objects.get(name="Main"))
    shown = "Main final 1 Ann 2 Chi Consolation final 1 Bob 2 Dov"
    last_chance = made("Last chance", losers_of=Section.objects.get(name="Consolation"))
    assert (places(client_of("director")), places(Client(), PUBLIC)) == (f"Places {shown}", f"Places {shown}")
    last_chance.delete()
    assert (places(client_of("director")), places(Client(), PUBLIC)) == (f"Places final {shown}",) * 2


def test_finals_stand_before_the_groups_that_lead_to_them() -> None:
    tournament = summer_open(number=99).tournament
    finals = made("Finals")
    event(tournament, 1, "1,Ann,Bob", section=made("Group A", "circle", feeds=finals))
    event(tournament, 2, "2,Chi,Dov", section=made("Group B", "circle", feeds=finals))
    event(tournament, 3, "1,Ann,Chi", section=finals)
    shown = "Places final Finals final 1 Ann 2 Chi Group A final 2 Bob Group B final 2 Dov"
    assert places(client_of("director")) == shown


def test_a_tournament_with_one_event_has_its_standings_only() -> None:
    tournament = summer_open(number=99).tournament
    event(tournament, 1, "1,Ann,Bob", section=made("Main"))
    assert places(client_of("director")) == ""


def test_printed_results_begin_with_the_places_of_the_tournament() -> None:
    tournament = main_and_consolation()
    event(tournament, 3, "1,Ann,Chi", section=Section.objects.get(name="Main"))
    page = client_of("director").get("/director/open/results/")
    shown = "Places · final Main 1 Ann 2 Chi Consolation 1 Bob 2 Dov Main · final 1 Ann 2 Chi 3–4 Bob, Dov"
    assert shown in text(page)


def test_the_hall_shows_who_has_which_place_in_the_tournament() -> None:
    tournament = main_and_consolation()
    assert hall() == {"Places · Consolation": ["1 Bob", "2 Dov"]}
    event(tournament, 3, "1,Ann,Chi", section=Section.objects.get(name="Main"))
    assert hall() == {"Places · Main": ["1 Ann", "2 Chi"], "Places · Consolation": ["1 Bob", "2 Dov"]}


def hall() -> dict[str, list[str]]:
    """Lists on the hall screen: places and names by title."""
    page = Client().get("/hall/open/events/").content.decode()
    lists = re.findall(r'data-event="([^"]+)"(.*?)</section>', page, re.S)
    lines = {title: re.findall(r'data-place="([^"]+)"[^>]*>([^<]+)</li>', found) for title, found in lists}
    return {title: [" ".join(each) for each in found] for title, found in lines.items() if found}
