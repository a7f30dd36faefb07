"""Table pages: GET changes nothing, a claim sets a cookie, seats can be requested."""

import re

import pytest
from django.conf import settings
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Propose
from clocks.engine.proposals import EndMatch
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.models import Device, JournalEntry, Match, Round, Section, Table, Tournament
from clocks.people import tokens
from clocks.seats import presence

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match() -> Match:
    desk.forget()
    tournament = Tournament.objects.create(slug="open", name="Open")
    table = Table.objects.create(tournament=tournament, name="12", code="7K3M9Q")
    return desk.make_match(table, Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"]}))


@pytest.fixture
def empty_table() -> Table:
    tournament = Tournament.objects.create(slug="open", name="Open")
    return Table.objects.create(tournament=tournament, name="12", code="7K3M9Q")


def holders(match: Match) -> tuple[int | None, int | None]:
    """Device ids in both seats."""
    match.refresh_from_db()
    return (match.left_device_id, match.right_device_id)


def claim(client: Client, seat: str) -> tuple[int, str]:
    """Claim a seat; return the status and the redirect target."""
    response = client.post("/t/7K3M9Q/seat/", {"seat": seat})
    return (response.status_code, response.get("Location", ""))


@pytest.mark.parametrize("path", ["", "clock/", "watch/", "qr.svg", "seat/", "seat/?seat=left"])
def test_a_get_changes_nothing_and_creates_no_device(client: Client, match: Match, path: str) -> None:
    client.get(f"/t/7K3M9Q/{path}")
    assert (Device.objects.count(), JournalEntry.objects.count(), holders(match)) == (0, 1, (None, None))
    assert settings.DEVICE_COOKIE_NAME not in client.cookies


@pytest.mark.parametrize("path", ["/T/7K3M9Q/", "/t/7k3m9q/", "/T/7k3-m9q/"])
def test_scanned_and_typed_addresses_redirect_to_the_canonical_one(client: Client, match: Match, path: str) -> None:
    response = client.get(path)
    assert (response.status_code, response["Location"]) == (302, "/t/7K3M9Q/")


def test_the_table_page_says_who_plays_and_offers_each_seat(client: Client, match: Match) -> None:
    response = client.get("/t/7K3M9Q/")
    chairs = [{"seat": "left", "name": "Ann", "state": "free"}, {"seat": "right", "name": "Bob", "state": "free"}]
    assert response.context["chairs"] == chairs
    text = response.content.decode()
    assert all(words in text for words in ("I am Ann", "I am Bob", "One phone between us", "Only watch"))
    book = '<a href="/rules/us-2013/">US 2013 · simple delay</a>'
    assert f"to 7 · <b>0 – 0</b> · game 1 · {book}" in text


def test_the_table_page_has_the_round_and_the_colour_of_its_event(client: Client, match: Match) -> None:
    event = Section.objects.create(tournament=match.table.tournament, name="Ladies", method="swiss", colour="violet")
    round_ = Round.objects.create(tournament=match.table.tournament, number=3, name="Ladies, round 2", section=event)
    Match.objects.update(round=round_)
    desk.forget()
    place = re.search(r'<p class="place"([^>]*)>(.*?)</p>', client.get("/t/7K3M9Q/").content.decode(), re.DOTALL)
    assert place and place[1] == ' data-colour="violet"'
    assert " ".join(re.sub("<[^>]+>", "", place[2]).split()) == "Open · Table 12 · Ladies, round 2"


@pytest.mark.parametrize(("seat", "held"), [("left", (True, False)), ("right", (False, True)), ("both", (True, True))])
def test_a_claim_gives_the_seat_and_leads_to_the_clock(
    client: Client, match: Match, seat: str, held: tuple[bool, bool]
) -> None:
    assert claim(client, seat) == (302, "/t/7K3M9Q/clock/")
    device = Device.objects.get()
    assert holders(match) == tuple(device.pk if it else None for it in held)
    seats = {"left": "left", "right": "right", "both": "left right"}[seat]
    assert f'data-code="7K3M9Q" data-seats="{seats}"' in client.get("/t/7K3M9Q/clock/").content.decode()


def test_the_phones_cookie_is_http_only_and_stored_as_a_hash(client: Client, match: Match) -> None:
    claim(client, "left")
    cookie = client.cookies["device"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"], cookie["path"]) == (True, "Lax", "", "/")
    assert re.fullmatch(r"[\w-]{43}", cookie.value)
    assert Device.objects.get().token_hash == tokens.hash_token(cookie.value) != cookie.value


def test_over_https_the_devices_cookie_is_secure(client: Client, match: Match) -> None:
    client.post("/t/7K3M9Q/seat/", {"seat": "left"}, secure=True)
    assert client.cookies["device"]["secure"] is True


def test_a_phone_stays_the_same_device_when_it_claims_again(client: Client, match: Match) -> None:
    claim(client, "left")
    claim(client, "right")
    assert holders(match) == (None, Device.objects.get().pk)


def test_a_forged_cookie_gives_no_seat(match: Match) -> None:
    claim(Client(), "left")
    stranger = Client()
    stranger.cookies["device"] = "made-up"
    response = stranger.get("/t/7K3M9Q/clock/")
    assert (response.status_code, response["Location"]) == (302, "/t/7K3M9Q/")


def test_claiming_an_online_phones_seat_becomes_a_request(client: Client, match: Match) -> None:
    claim(client, "left")
    before = holders(match)
    assert claim(Client(), "left") == (302, "/t/7K3M9Q/asking/")
    assert holders(match) == before
    response = Client().post("/t/7K3M9Q/seat/", {"seat": "left"})
    assert response.status_code == 409
    assert "Another phone has already asked for it" in response.content.decode()
    assert 'href="/t/7K3M9Q/"' in response.content.decode()


def test_one_online_phone_turns_a_claim_of_both_into_a_request(client: Client, match: Match) -> None:
    claim(client, "right")
    before = holders(match)
    assert claim(Client(), "both") == (302, "/t/7K3M9Q/asking/")
    assert holders(match) == before


def test_a_seat_whose_phone_is_silent_may_be_taken(
    client: Client, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(client, "left")
    monkeypatch.setattr(presence, "SILENT_MS", -1 - presence.AT_REST_MS)
    assert claim(Client(), "left") == (302, "/t/7K3M9Q/clock/")
    assert holders(match) == (Device.objects.latest("pk").pk, None)


def test_the_table_page_marks_own_other_and_silent_seats(
    client: Client, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim(client, "left")
    other = Client()
    claim(other, "right")
    assert [chair["state"] for chair in client.get("/t/7K3M9Q/").context["chairs"]] == ["mine", "held"]
    monkeypatch.setattr(presence, "SILENT_MS", -1 - presence.AT_REST_MS)
    assert [chair["state"] for chair in other.get("/t/7K3M9Q/").context["chairs"]] == ["silent", "mine"]


@pytest.mark.parametrize("seat", ["", "middle", "LEFT", "left right", "\0"])
def test_a_seat_that_does_not_exist_is_a_400_and_changes_nothing(client: Client, match: Match, seat: str) -> None:
    assert claim(client, seat)[0] == 400
    assert (holders(match), Device.objects.count()) == ((None, None), 0)


def test_a_claim_needs_a_csrf_token(match: Match) -> None:
    response = Client(enforce_csrf_checks=True).post("/t/7K3M9Q/seat/", {"seat": "left"})
    assert response.status_code == 403
    assert holders(match) == (None, None)


@pytest.mark.parametrize(
    "path", ["/t/222222/", "/t/222222/clock/", "/t/222222/watch/", "/t/222222/qr.svg", "/T/nonsense/"]
)
def test_an_unknown_code_is_a_404_that_says_how_to_check_it(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    text = response.content.decode()
    assert "No table has this code" in text
    assert "Compare it with the one that you were given" in text


def test_a_claim_with_an_unknown_code_is_a_404(client: Client) -> None:
    assert client.post("/t/222222/seat/", {"seat": "left"}).status_code == 404


@pytest.mark.parametrize("path", ["clock/", "watch/"])
def test_a_table_without_a_match_redirects_to_its_page(client: Client, empty_table: Table, path: str) -> None:
    response = client.get(f"/t/7K3M9Q/{path}", follow=True)
    assert response.redirect_chain == [("/t/7K3M9Q/", 302)]
    assert "There is no match at this table yet." in response.content.decode()


def test_a_claim_without_a_match_is_rejected_in_a_sentence(client: Client, empty_table: Table) -> None:
    response = client.post("/t/7K3M9Q/seat/", {"seat": "left"})
    assert response.status_code == 409
    assert "Wait until the director starts the next one." in response.content.decode()


def test_at_another_table_a_phone_reads_where_it_has_a_seat(client: Client, match: Match) -> None:
    Table.objects.create(tournament=match.table.tournament, name="13", code="P67RPG")
    claim(client, "left")
    page = client.get("/t/P67RPG/").content.decode()
    assert "This phone has a seat at table <b>12</b>." in page
    assert re.findall(r"/t/\w+/clock/", page) == ["/t/7K3M9Q/clock/"]


def test_the_watch_page_ignores_the_phones_own_seat(client: Client, match: Match) -> None:
    claim(client, "left")
    assert 'data-code="7K3M9Q" data-seats=""' in client.get("/t/7K3M9Q/watch/").content.decode()


def test_the_next_match_at_the_table_begins_with_free_seats(client: Client, match: Match) -> None:
    claim(client, "left")
    desk.make_match(match.table, Setup.parse({"rules": "us-2013", "length": 5, "names": ["Eva", "Finn"]}))
    response = client.get("/t/7K3M9Q/clock/")
    assert (response.status_code, response["Location"]) == (302, "/t/7K3M9Q/")


def test_the_page_of_an_ended_match_names_the_winner_and_offers_no_seat(client: Client, match: Match) -> None:
    desk.submit_and_wait(desk.Request(match.pk, Propose(EndMatch(Seat.RIGHT)), "director", now_ms()))
    text = client.get("/t/7K3M9Q/").content.decode()
    assert "The match is over. <b>Bob</b> won." in text
    assert "I am Ann" not in text


def test_the_page_of_an_ended_match_leads_to_no_clocks(client: Client, match: Match) -> None:
    claim(client, "left")
    desk.submit_and_wait(desk.Request(match.pk, Propose(EndMatch(Seat.RIGHT)), "director", now_ms()))
    pages = [each.get("/t/7K3M9Q/").content.decode() for each in (client, Client())]
    links = [re.findall(r'<a [^>]*href="(/t/[^"]*)"', page) for page in pages]
    assert links == [[f"/t/7K3M9Q/record/{match.pk}/"], []]


@pytest.mark.parametrize("page", ["clock", "watch"])
def test_the_pages_with_clocks_are_compressed(client: Client, match: Match, page: str) -> None:
    claim(client, "left")
    answer = client.get(f"/t/7K3M9Q/{page}/", headers={"accept-encoding": "gzip"})
    assert (answer.status_code, answer.headers.get("Content-Encoding")) == (200, "gzip")
