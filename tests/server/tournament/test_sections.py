"""Events of a tournament: sections of rounds, and names of rounds."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from clocks.models import Pairing, Round, Section, Tournament
from clocks.tournament import advance, draw, places, sections
from tests.server.hall import client_of, drawn, next_round, summer_open
from tests.server.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)

NEXT = "/director/open/rounds/1/next/"
NEW = {"policy": "on-request", "rules": "us-2013", "format": "singles", "length": "3", "name": "", "starts_at": ""}


def imported() -> Client:
    """Import and decide a first round of four; return a director's client."""
    drawn(summer_open(policy="on-request"), "1,Ann,Bob", "2,Chi,Dov")
    Pairing.objects.update(winner="left")
    return client_of("director")


def named() -> list[tuple[str, str]]:
    """Names of each round and its section."""
    return [(str(each), str(each.section)) for each in Round.objects.select_related("section")]


def test_a_next_round_makes_a_section_of_imported_rounds() -> None:
    director = imported()
    assert director.post(NEXT, {"how": "winners", "into": "2"}).status_code == 200
    assert named() == [("Round 1", "Knockout"), ("Round 2", "Knockout")]
    assert Section.objects.get().name == ""


def test_the_consolation_of_an_imported_round_has_its_own_numbers() -> None:
    director = imported()
    director.post(NEXT, {"how": "losers", "into": "2"})
    director.post(NEXT, {"how": "winners", "into": "3"})
    assert named() == [
        ("Main, round 1", "Main"),
        ("Consolation, round 1", "Consolation"),
        ("Main, round 2", "Main"),
    ]


def test_a_round_made_by_hand_continues_the_only_section() -> None:
    director = imported()
    director.post(NEXT, {"how": "swiss", "into": "2"})
    assert director.post("/director/open/rounds/new/", {**NEW, "number": "3"}).status_code == 302
    assert named()[2] == ("Round 3", "Swiss")


def test_a_second_event_of_its_kind_is_numbered() -> None:
    tournament = summer_open().tournament
    sections.make(tournament, "swiss", "Swiss")
    sections.make(tournament, "swiss")
    sections.make(tournament, "swiss")
    assert list(tournament.sections.order_by("pk").values_list("name", flat=True)) == ["Swiss", "Swiss 2", "Swiss 3"]


def test_a_round_made_by_hand_belongs_to_the_chosen_event() -> None:
    director = imported()
    director.post(NEXT, {"how": "losers", "into": "2"})
    page = director.get("/director/open/rounds/new/").content.decode()
    assert re.findall(r"<option value=\"\d+\"[^>]*>(Main|Consolation)<", page) == ["Main", "Consolation"]
    section = Section.objects.get(name="Consolation")
    sent = {**NEW, "number": "3", "section": str(section.pk)}
    assert director.post("/director/open/rounds/new/", sent).status_code == 302
    assert named()[2] == ("Consolation, round 2", "Consolation")


def test_a_second_section_names_the_rounds_without_one() -> None:
    imported()
    drawn(next_round(Round.objects.get()), "1,Xia,Yan", "2,Zoe,Udo")
    sections.make(Tournament.objects.get(), "swiss", "Side event")
    assert [name for name, _section in named()] == ["Main, round 1", "Knockout, round 1"]


def test_a_placeholder_names_the_round_of_its_event() -> None:
    round_ = summer_open(policy="on-request", name="Main, round 1")
    drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    (final,) = drawn(next_round(round_), '1,winner of table 1,"winner of table 2 (main, round 1)"')
    assert final.setup["names"] == ["winner of table 1 (Main, round 1)", "winner of table 2 (Main, round 1)"]
    assert places.read(final.setup["names"][1]) == places.Reference("winner", "2", None, "main, round 1")
    again = draw.parse('left,right\n"winner of table 2 (Main, round 1)",Zoe\n', round_).lines[0]
    assert again.references["left"].table == "2"


def test_a_placeholder_that_does_not_fit_has_the_number() -> None:
    round_ = Round(number=12, name="x" * 60)
    assert places.words("loser", "2" * 20, round_) == f"loser of table {'2' * 20}, round 12"
    assert html.unescape(places.words("loser", "2", round_)) == f"loser of table 2 ({'x' * 60})"


def test_a_round_whose_name_is_removed_is_called_after_its_event() -> None:
    director = imported()
    director.post(NEXT, {"how": "losers", "into": "2"})
    director.post(NEXT, {"how": "winners", "into": "3"})
    section = str(Section.objects.get(name="Main").pk)
    sent = {**NEW, "number": "3", "section": section, "name": "Final"}
    director.post("/director/open/rounds/3/edit/", sent)
    assert named()[2] == ("Final", "Main")
    director.post("/director/open/rounds/3/edit/", {**sent, "name": ""})
    assert named()[2] == ("Main, round 2", "Main")


def test_the_log_of_a_tournament_names_the_event_of_a_round() -> None:
    director = imported()
    director.post(NEXT, {"how": "losers", "into": "2"})
    director.post("/director/open/rounds/new/", {**NEW, "number": "3", "section": str(Section.objects.last().pk)})
    program = Program(Tournament.objects.get())
    program.ask("post", "/rounds", {})
    page = html.unescape(director.get("/director/open/hall/").content.decode())
    assert "Created round 4 · Consolation, round 3" in page


def test_programs_read_and_choose_the_stage_of_a_round() -> None:
    director = imported()
    program = Program(Tournament.objects.get())
    assert program.get("/rounds/1")["stage"] == ""  # the only event is not named
    director.post(NEXT, {"how": "losers", "into": "2"})
    for asked, name in (({}, "Consolation, round 2"), ({"stage": "main"}, "Main, round 2")):
        made = program.ask("post", "/rounds", asked).json()
        assert (made["name"], made["stage"]) == (name, name.partition(",")[0])
    refused = program.ask("post", "/rounds", {"stage": "Side"})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/stage")
    found = [(each["round"], each["stage"]) for each in program.get("/results")["items"]]
    assert found == [(1, "Main"), (1, "Main")]


def test_a_name_for_an_event_names_its_nameless_rounds() -> None:
    imported().post(NEXT, {"how": "winners", "into": "2"})
    assert [name for name, _section in named()] == ["Round 1", "Round 2"]
    sections.rename(Section.objects.get(), "Main")
    assert [name for name, _section in named()] == ["Main, round 1", "Main, round 2"]


def test_the_only_event_without_a_name_leaves_its_rounds_nameless() -> None:
    imported().post(NEXT, {"how": "winners", "into": "2"})
    sections.rename(Section.objects.get(), "")
    assert list(Round.objects.values_list("name", flat=True)) == ["", ""]


@pytest.mark.parametrize("name", ["", "B"])
def test_an_event_renames_only_rounds_named_after_it(name: str) -> None:
    first = summer_open(name="A, round 1")
    section = Section.objects.create(tournament=first.tournament, name="A", method="knockout")
    Round.objects.update(section=section)
    next_round(first, name="All stars", section=section)
    sent = {"name": name, "method": "knockout"}
    assert client_of("director").post(f"/director/open/events/{section.pk}/", sent).status_code == 302
    renamed = [each.name for each in Round.objects.order_by("number")]
    assert renamed == [f"{name or 'A'}, round 1", "All stars"]


def test_an_undrawn_round_of_an_event_is_its_next() -> None:
    first = summer_open()
    section = sections.make(first.tournament, "knockout")
    sections.put(first, section)
    assert advance.of_section(section, 0).round == first


def test_a_round_keeps_the_name_that_it_is_given() -> None:
    tournament = Tournament.objects.create(slug="open", name="Summer Open")
    client_of("director")
    user = User.objects.get(username="director")
    names = [sections.make_round(tournament, "", {"length": 5}, user).name]
    sections.make(tournament, "knockout", "Main")
    for given in ({"length": 5}, {"name": "Final"}):
        names.append(sections.make_round(tournament, "main", given, user).name)
    assert names == ["", "Main, round 1", "Final"]


def test_a_round_gets_a_name_that_is_free() -> None:
    first = summer_open()
    section = sections.make(first.tournament, "knockout", "Main")
    sections.put(first, section)
    sections.put(sections.new_round(section), section)
    first.delete()
    assert sections.round_name(section) == "Main, round 3"
