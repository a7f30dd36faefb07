"""Next-round page: contents, draws and announcements."""

import html
import re

import pytest
from django.test import Client

from clocks.models import Message, Pairing, Player, Round, Section, Table, Tournament
from clocks.tournament import sections
from tests.server.hall import client_of, drawn, next_round, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)

NEXT = "/director/open/next/"


def two_events() -> Client:
    """Director's client, after a decided round of four with a consolation event."""
    round_ = summer_open()
    main = sections.make(round_.tournament, "knockout")
    sections.put(round_, main)
    drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    sections.make(main.tournament, "knockout", "Consolation", losers_of=main, losers_rounds=1)
    Pairing.objects.update(match=None, winner="left")
    Table.objects.update(current=None)
    return client_of("director")


def sent(page: str, *more: tuple[str, object]) -> dict[str, object]:
    """Form fields submitted by the page's button, plus `more`."""
    stamp = re.findall(r'name="stamp" value="(\w+)"', page)[0]
    events = re.findall(r'name="events" value="(\d+)" checked', page)
    return {"stamp": stamp, "events": events, "starts_in": "", **dict(more)}


def said(page: str) -> str:
    """Text of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))


def next_steps() -> list[str]:
    """Labels of the primary buttons on the page of round 1."""
    page = client_of("director").get("/director/open/rounds/1/").content.decode()
    return re.findall(r'<a class="button primary"\s+href="[^"]+">([^<]+)</a>', page)


def test_the_page_of_a_round_stresses_what_comes_next() -> None:
    one, two = drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    stressed = [next_steps()]
    for pairing in (one, two):
        win(pairing.match)
        stressed.append(next_steps())
    assert stressed == [["Find your table"], [], ["Next round"]]


def test_one_button_draws_and_announces_both_events() -> None:
    director = two_events()
    page = director.get(NEXT).content.decode()
    assert "Ann – Chi" in said(page) and "Bob – Dov" in said(page)
    answer = director.post(NEXT, sent(page), follow=True)
    assert answer.redirect_chain == [("/director/open/rounds/", 302)]
    assert "Drawn and announced: Main, round 2 · Consolation, round 1." in said(answer.content.decode())
    found = Pairing.objects.filter(round__number__gt=1).values_list("round__name", "table__name", "match__status")
    assert list(found) == [("Main, round 2", "1", "setup"), ("Consolation, round 1", "2", "setup")]
    assert [message.text for message in Message.objects.all()] == [
        "Main, round 2 · Consolation, round 1 is drawn. Please go to your tables."
    ]


def test_an_undecided_match_leaves_its_event_for_the_director_to_tick() -> None:
    director = two_events()
    Pairing.objects.filter(table__name="2").update(winner="")
    page = director.get(NEXT).content.decode()
    assert "Table 2 is not decided: Chi – Dov." in said(page)
    assert sent(page)["events"] == []
    assert "Choose at least one event." in said(director.post(NEXT, sent(page)).content.decode())
    main = str(Section.objects.get(name="Main").pk)
    assert director.post(NEXT, sent(page, ("events", [main]))).status_code == 302
    assert Pairing.objects.get(round__number=2).setup["names"] == ["Ann", "winner of table 2 (Main, round 1)"]


@pytest.mark.parametrize("minutes", ["", "10"], ids=["at once", "in ten minutes"])
def test_the_announcement_of_many_events_is_as_long_as_a_message_may_be(minutes: str) -> None:
    round_ = summer_open()
    for n in range(8):
        section = sections.make(round_.tournament, "knockout", f"Group {n} of the first stage")
        round_ = next_round(round_, section=section) if n else round_
        sections.put(round_, section)
        drawn(round_, f"{n}1,Ann {n},Bob {n}", f"{n}2,Chi {n},Dov {n}")
    Pairing.objects.update(match=None, winner="left")
    Table.objects.update(current=None)
    director = client_of("director")
    page = director.get(NEXT).content.decode()
    assert director.post(NEXT, sent(page, ("starts_in", minutes))).status_code == 302
    text = Message.objects.get().text
    assert len(text) == 200 and text.startswith("Group 0 of the first stage")
    assert re.search(r"… is drawn(\. Please go to your tables| and starts at \d\d:\d\d)\.$", text)
    assert Round.objects.count() == 16


def test_a_result_that_comes_meanwhile_is_shown_before_it_is_drawn() -> None:
    director = two_events()
    page = director.get(NEXT).content.decode()
    Pairing.objects.filter(table__name="2").update(winner="right")
    answer = director.post(NEXT, sent(page))
    assert answer.status_code == 400
    assert "A result has changed the draw. Check it again." in said(answer.content.decode())
    assert "Ann – Dov" in said(answer.content.decode()) and Round.objects.count() == 1
    assert director.post(NEXT, sent(answer.content.decode())).status_code == 302


def test_the_next_round_starts_in_ten_minutes() -> None:
    director = two_events()
    page = director.get(NEXT).content.decode()
    director.post(NEXT, sent(page, ("starts_in", "10")))
    starts = set(Round.objects.filter(number__gt=1).values_list("starts_at", flat=True))
    assert len(starts) == 1 and None not in starts
    assert re.fullmatch(r".* is drawn and starts at \d\d:\d\d\.", Message.objects.get().text)


def test_an_imported_round_asks_once_how_it_goes_on() -> None:
    drawn(summer_open(policy="on-request"), "1,Ann,Bob", "2,Chi,Dov")
    Pairing.objects.update(winner="left")
    director = client_of("director")
    assert director.get(NEXT)["Location"] == "/director/open/rounds/1/next/"
    director.post("/director/open/rounds/1/next/", {"how": "winners", "into": "2"})
    assert "Ann – Chi" in said(director.get(NEXT).content.decode())


def test_a_tournament_without_a_draw_leads_to_its_first_one() -> None:
    Player.objects.create(tournament=Tournament.objects.create(slug="open", name="Summer Open"), name="Ann")
    assert "/director/open/draw/" in client_of("director").get(NEXT).content.decode()
