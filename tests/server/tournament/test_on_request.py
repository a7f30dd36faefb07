"""Rounds with clocks on request."""

import html

import pytest
from django.contrib.auth.models import User
from django.test import Client

from clocks import desk
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.journal.entries import Asker
from clocks.models import HallEntry, JournalEntry, Match, Pairing
from clocks.tournament import moves
from tests.server.hall import begin, client_of, drawn, next_round, summer_open
from tests.server.tournament.test_rounds import ROUND, at_tables

pytestmark = pytest.mark.django_db(transaction=True)


def on_request() -> Pairing:
    """Draw Ann against Bob to 7 points, in a round with clocks on request."""
    (pairing,) = drawn(summer_open(policy="on-request", length=7), "1,Ann,Bob")
    return pairing


def test_a_match_with_a_clock_on_request_starts_without_one() -> None:
    pairing = on_request()
    assert (pairing.match, Match.objects.count(), at_tables()) == (None, 0, [("1", "None")])
    page = Client().get(f"/t/{pairing.table.code}/")
    text = html.unescape(page.content.decode())
    assert all(words in text for words in ("Ann – Bob", "CLOCKS ON REQUEST", "Use a clock"))
    assert Match.objects.count() == 0


def test_the_journal_names_the_player_who_asked_for_a_clock() -> None:
    pairing = on_request()
    phone = Client()
    path = f"/t/{pairing.table.code}/ask/{pairing.pk}/"
    assert phone.get(path).status_code == 200
    assert Match.objects.count() == 0, "a GET changes nothing"
    response = phone.post(path, {"seat": "right", "score_left": "3", "score_right": "1"})
    assert (response.status_code, response["Location"]) == (302, f"/t/{pairing.table.code}/")
    pairing.refresh_from_db()
    first = JournalEntry.objects.get()
    assert (first.match, first.by, first.event) == (pairing.match, "right", "setup")
    assert first.device is not None
    assert (first.data["score"], Setup.parse(first.data).opening_reserve_ms) == ([3, 1], (600_000, 600_000))
    assert phone.get(f"/t/{pairing.table.code}/").context["names"] == ("Ann", "Bob")
    assert phone.get(path)["Location"] == f"/t/{pairing.table.code}/", "there is one already"


def test_a_clock_may_come_after_the_crawford_game() -> None:
    pairing = on_request()
    sent = {"seat": "left", "score_left": "6", "score_right": "2", "crawford_played": "on"}
    Client().post(f"/t/{pairing.table.code}/ask/{pairing.pk}/", sent)
    assert Match.objects.get().setup["crawford"] == "done"


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "Say who is asking for the clock."),
        ({}, "This field is required."),
        ({"score_left": "0", "score_right": "0"}, "Say who is asking for the clock."),
        ({"seat": "left", "score_left": "7", "score_right": "0"}, "score in a match to 7 must be a whole number from"),
        ({"seat": "left", "score_left": "", "score_right": "0"}, "This field is required."),
        (
            {"seat": "left", "score_left": "1", "score_right": "0", "crawford_played": "on"},
            "crawford can be “done” only when a player needs one point.",
        ),
    ],
)
def test_an_impossible_score_is_explained_and_creates_no_clock(sent: dict[str, str], words: str) -> None:
    pairing = on_request()
    response = Client().post(f"/t/{pairing.table.code}/ask/{pairing.pk}/", sent)
    assert (response.status_code, words in response.content.decode()) == (400, True)
    assert Match.objects.count() == 0


def test_the_director_asks_for_a_clock() -> None:
    pairing = on_request()
    path = f"/director/open/rounds/1/{pairing.pk}/clock/"
    assert client_of("viewer").post(path, {"score_left": "0", "score_right": "0"}).status_code == 404
    assert client_of("director").post(path, {"score_left": "0", "score_right": "0"}).status_code == 302
    first = JournalEntry.objects.get()
    assert (first.by, first.user.get_username() if first.user else None) == ("director", "director")


def test_a_table_has_one_clock_at_a_time() -> None:
    pairing = on_request()
    (other,) = drawn(next_round(pairing.round, policy="required"), "1,Eva,Finn")
    begin(other.match)
    sent = {"seat": "left", "score_left": "0", "score_right": "0"}
    response = Client().post(f"/t/{pairing.table.code}/ask/{pairing.pk}/", sent)
    assert response.status_code == 400
    assert "The clock at table 1 is in use by Eva – Finn until that match is over." in response.content.decode()


def test_a_match_without_a_clock_does_not_block_its_table() -> None:
    pairing = on_request()
    drawn(next_round(pairing.round, policy="required"), "1,Eva,Finn")
    assert at_tables() == [("1", "Eva – Finn")]


def test_requiring_clocks_starts_a_round() -> None:
    pairing = on_request()
    response = client_of("director").post("/director/open/rounds/1/edit/", ROUND)
    assert (response.status_code, at_tables()) == (302, [("1", "Ann – Bob")])
    pairing.refresh_from_db()
    assert pairing.match.status == "setup"


def test_a_match_that_gets_a_clock_while_it_is_moved_stays_at_its_table() -> None:
    read_before = on_request()
    desk.use_clock(Pairing.objects.get(), Setup.from_dict(read_before.setup), Asker("director"))
    with pytest.raises(Refused, match="Somebody else is changing this too"):
        moves.move(read_before, "9", User.objects.create(username="dora"))
    pairing = Pairing.objects.select_related("table", "match__table").get()
    assert pairing.match is not None
    assert (pairing.table.name, pairing.match.table.name) == (read_before.table.name,) * 2
    assert not HallEntry.objects.filter(event="match_moved").exists()
