"""Events page of a tournament: adding, configuring, renaming and removing events."""

import html

import pytest
from django.test import Client

from clocks.models import Pairing, Round, Section, Tournament
from clocks.tournament import sections
from tests.server.hall import client_of, drawn, summer_open

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/director/open/events/"
MAIN = {"name": "Main", "method": "knockout"}


def imported() -> Client:
    """Import and decide a first round; return a director's client."""
    drawn(summer_open(policy="on-request"), "1,Ann,Bob", "2,Chi,Dov")
    Pairing.objects.update(winner="left")
    return client_of("director")


def names() -> list[str]:
    """Names of all rounds."""
    return list(map(str, Round.objects.all()))


def test_an_event_for_losers_is_added_and_fed_by_the_imported_rounds() -> None:
    director = imported()
    sections.adopt(Tournament.objects.get())
    main = Section.objects.get()
    sent = {"name": "Consolation", "method": "knockout", "length": "5", "losers_of": str(main.pk), "colour": "blue"}
    assert director.post(PATH, sent).status_code == 302
    made = Section.objects.get(name="Consolation")
    assert (made.length, made.losers_of, made.losers_rounds, made.colour) == (5, main, None, "blue")
    assert names() == ["Main, round 1"]
    page = html.unescape(director.get(PATH).content.decode())
    assert "losers of Main" in page
    assert "Bob – Dov" in html.unescape(director.get("/director/open/next/").content.decode())


def test_a_renamed_event_renames_its_rounds() -> None:
    director = imported()
    sections.make(Tournament.objects.get(), "swiss", "Side")
    main = Section.objects.get(name="Main")
    assert director.post(f"{PATH}{main.pk}/", {**MAIN, "name": "Championship"}).status_code == 302
    assert names() == ["Championship, round 1"]


def test_the_only_event_needs_no_name_until_it_gets_one() -> None:
    director = imported()
    sections.adopt(Tournament.objects.get())
    path = f"{PATH}{Section.objects.get().pk}/"
    assert director.post(path, {"name": "", "method": "swiss", "rounds_planned": "5"}).status_code == 302
    assert (names(), Section.objects.get().rounds_planned) == (["Round 1"], 5)
    assert director.post(path, MAIN).status_code == 302
    assert names() == ["Main, round 1"]


def test_two_events_have_different_names() -> None:
    director = imported()
    assert director.post(PATH, {**MAIN, "name": "Side"}).status_code == 302
    answer = director.post(PATH, {**MAIN, "name": "side"})
    assert (answer.status_code, Section.objects.count()) == (400, 2)
    assert "There is already an event called side." in html.unescape(answer.content.decode())


def test_events_do_not_feed_each_other_in_a_circle() -> None:
    director = imported()
    one = sections.make(Tournament.objects.get(), "knockout", "One")
    two = sections.make(one.tournament, "knockout", "Two", losers_of=one)
    answer = director.post(f"{PATH}{one.pk}/", {**MAIN, "name": "One", "losers_of": str(two.pk)})
    assert answer.status_code == 400
    assert "The events would feed each other in a circle." in html.unescape(answer.content.decode())


def test_only_an_event_without_rounds_is_removed() -> None:
    director = imported()
    side = sections.make(Tournament.objects.get(), "swiss", "Side")
    main = Section.objects.get(name="Main")
    assert director.post(f"{PATH}{side.pk}/remove/").status_code == 302
    assert director.post(f"{PATH}{main.pk}/remove/").status_code == 409
    assert list(Section.objects.all()) == [main]
