"""Players entering by phone: waiting, admitting, declining, and attacks."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clocks.models import Entrant, HallEntry, Player, Tournament
from clocks.tournament import entering, forgetting
from tests.server.hall import add_players, client_of, drawn, summer_open
from tests.server.tournament.test_players import names, said

pytestmark = pytest.mark.django_db(transaction=True)
WAITS = "You have entered. You are in the list as soon as the director has admitted you."


@pytest.fixture(name="path")
def open_entry() -> str:
    """Open a tournament for entries; return the address on its poster."""
    tournament = summer_open().tournament
    Tournament.objects.update(entry_open=True)
    return reverse("enter", args=["open", entering.code(tournament)])


def enters(path: str, name: str, phone: Client | None = None, **more: str) -> HttpResponse:
    """Enter a name on this phone, or on a new one."""
    return (phone or Client()).post(path, {"name": name, **more}, follow=True)


def waiting() -> list[tuple[str, str, str]]:
    return list(Entrant.objects.order_by("pk").values_list("name", "club", "country"))


def decides(shown: list[str] | None = None, **chosen: str) -> str:
    """Decide as director on the entries shown; return the text of the players' page."""
    shown = seen() if shown is None else shown
    return said(client_of("director").post("/director/open/players/admit/", {"shown": shown, **chosen}, follow=True))


def seen() -> list[str]:
    """Entries shown on the players' page, as sent by its form."""
    page = client_of("director").get("/director/open/players/").content.decode()
    return re.findall(r'name="shown" value="([^"]+)"', page)


def key_of(name: str) -> str:
    return str(Entrant.objects.get(name=name).pk)


def test_a_player_enters_and_the_director_admits(path: str) -> None:
    phone = Client()
    assert "The director sees your entry and admits you." in said(phone.get(path))
    assert WAITS in said(enters(path, " Jørgen  Møller", phone, club="Aarhus", country="Denmark"))
    assert waiting() == [("Jørgen Møller", "Aarhus", "Denmark")]
    shown = said(client_of("director").get("/director/open/players/"))
    assert "1 player has entered by phone" in shown and "Jørgen Møller · Aarhus · Denmark" in shown
    assert "Jørgen Møller is in the list." in decides(admit=key_of("Jørgen Møller"))
    assert list(Player.objects.values_list("name", "club", "country")) == [("Jørgen Møller", "Aarhus", "Denmark")]
    assert waiting() == []
    assert "Jørgen Møller is in the list of players." in said(phone.get(path))
    assert [(each.event, each.data) for each in HallEntry.objects.all()] == [
        ("player_admitted", {"player": "Jørgen Møller"})
    ]


def test_a_declined_player_is_not_in_the_list(path: str) -> None:
    phone = Client()
    enters(path, "Zoe", phone)
    assert "Zoe has been declined." in decides(decline=key_of("Zoe"))
    assert (waiting(), names()) == ([], [])
    assert "The entry of Zoe was not admitted. Ask the director." in said(phone.get(path))


def test_nobody_is_admitted_whom_the_director_has_not_seen(path: str) -> None:
    phone = Client()
    enters(path, "Zoe", phone)
    enters(path, "Yan")
    shown = seen()
    enters(path, "The Champion", phone)
    enters(path, "Mickey Mouse")
    assert "The Champion has just changed the entry. Check it." in decides(shown, admit=key_of("The Champion"))
    assert names() == []
    assert "2 players have entered by phone" in decides(shown, admit="all")
    assert names() == ["Yan"]
    decides(shown, decline="all")
    assert [name for name, _club, _country in waiting()] == ["The Champion", "Mickey Mouse"]
    decides(admit="all")
    assert names() == ["Yan", "The Champion", "Mickey Mouse"]


def test_a_phone_changes_its_entry_and_takes_it_back(path: str) -> None:
    phone = Client()
    enters(path, "Zoe", phone)
    enters(path, "Zoe Berg", phone, club="Ribe")
    assert waiting() == [("Zoe Berg", "Ribe", "")]
    assert "Enter the tournament" in said(phone.post(path, {"withdraw": "yes"}, follow=True))
    assert waiting() == []


def test_nothing_is_shown_before_somebody_is_admitted(path: str) -> None:
    Tournament.objects.update(public=True)
    enters(path, "Zoe Secret")
    stranger = Client()
    for page in ("/", path, "/e/open/", "/e/open/me/", "/e/open/results/", "/e/open/standings/", "/hall/open/"):
        assert "Zoe Secret" not in stranger.get(page).content.decode(), page
    viewer = client_of("viewer")
    assert "Zoe Secret" not in viewer.get("/director/open/players/").content.decode()
    assert "Zoe" not in client_of("director").get("/director/open/players.csv").content.decode()
    drawing = client_of("director").get("/director/open/draw/")
    assert "Zoe Secret" not in drawing.content.decode()


def test_a_phone_tells_that_its_player_was_admitted_after_entry_has_closed(path: str) -> None:
    phone = Client()
    enters(path, "Zoe Berg", phone)
    decides(admit=key_of("Zoe Berg"))
    Tournament.objects.update(entry_open=False)
    page = phone.get(path)
    assert page.status_code == 200 and "Zoe Berg is in the list of players." in said(page)
    assert 'name="name"' not in page.content.decode()
    assert enters(path, "Zoe Berg", phone).status_code == 409


def test_entry_is_off_until_a_director_switches_it_on() -> None:
    tournament = summer_open().tournament
    path = reverse("enter", args=["open", entering.code(tournament)])
    page = enters(path, "Zoe")
    assert page.status_code == 409 and "Players can no longer enter by phone." in said(page)
    director = client_of("director")
    director.post("/director/open/edit/", {"name": "Summer Open", "entry_open": "on"})
    assert WAITS in said(enters(path, "Zoe"))
    poster = said(director.get("/director/open/cards/entry/"))
    assert entering.code(tournament) in poster and "Enter the tournament" in poster
    director.post("/director/open/edit/", {"name": "Summer Open"})
    assert enters(path, "Yan").status_code == 409
    assert "Players cannot enter by phone" in said(director.get("/director/open/cards/entry/"))
    assert waiting() == [("Zoe", "", "")]
    assert list(HallEntry.objects.values_list("event", flat=True)) == ["entry_opened", "entry_closed"]


def test_the_address_has_a_code_of_its_tournament(path: str) -> None:
    other = Tournament.objects.create(slug="other", name="Other", entry_open=True)
    wrong = reverse("enter", args=["open", entering.code(other)])
    assert enters(wrong, "Zoe").status_code == 404
    assert enters("/e/open/enter/é/", "Zoe").status_code == 404
    assert enters(path.lower(), "Zoe").status_code == 200
    assert waiting() == [("Zoe", "", "")]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "This field is required."),
        ("  ", "This field is required."),
        ("12 34", "This is not a name."),
        ("bye", "This is not a name."),
        ("winner of table 3, round 1", "This is not a name."),
        ("Zo\x07e", "invisible character U+0007"),
        ("Zo\x1b[2Je", "invisible character U+001B"),
        ("Zo\u202ee", "invisible character U+202E"),
        ("Zo\u200be", "invisible character U+200B"),
        ("x" * 81, "at most 80 characters"),
    ],
)
def test_what_is_no_name_is_refused(path: str, name: str, words: str) -> None:
    page = enters(path, name)
    assert page.status_code == 400 and words in said(page)
    assert waiting() == []


def test_a_name_is_shown_as_text(path: str) -> None:
    enters(path, "<script>alert(1)</script>", club='"><img src=x>')
    shown = client_of("director").get("/director/open/players/").content.decode()
    assert "<script>alert(1)" not in shown and "<img src=x>" not in shown


def test_somebody_elses_name_gets_no_place(path: str) -> None:
    director = client_of("director")
    add_players(director, "Ann Berg, Leeds\nBob Carter, York\n")
    for name in ("berg ann", "Ann Berg", "Anne Berg", "Cyd Day", "Day Cyd"):
        enters(path, name, club="Elsewhere")
    shown = said(director.get("/director/open/players/"))
    assert shown.count("already in the list") == 2
    assert "like Ann Berg" in shown and "entered twice" in shown
    assert "Ann Berg is already in the list." in decides(admit=key_of("berg ann"))
    decides(admit="all")
    assert names() == ["Ann Berg", "Bob Carter", "Cyd Day"]
    assert Player.objects.get(name="Ann Berg").club == "Leeds"
    assert "Day Cyd" in {name for name, _club, _country in waiting()}
    assert "4 players declined." in decides(decline="all")
    assert "Nobody waits to be admitted." in decides(admit="all")


def test_a_flood_from_one_address_is_refused(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entering.OF_ADDRESS, "burst", 3)
    entering.forget()
    pages = [enters(path, f"Zoe {'x' * n}") for n in range(5)]
    assert [page.status_code for page in pages] == [200, 200, 200, 429, 429]
    assert "Many players have entered from this network." in said(pages[-1])
    other = Client(REMOTE_ADDR="192.0.2.9")
    assert WAITS in said(enters(path, "Yan", other))
    assert len(waiting()) == 4


def test_a_flood_from_many_addresses_fills_a_limited_list(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entering, "MOST_WAITING", 2)
    phone = Client()
    enters(path, "Zoe", phone)
    enters(path, "Yan")
    page = enters(path, "Xia")
    assert page.status_code == 429 and "Too many players wait for the director." in said(page)
    enters(path, "Zoe Berg", phone)
    assert waiting() == [("Zoe Berg", "", ""), ("Yan", "", "")]


def test_an_entry_from_another_site_is_refused(path: str) -> None:
    phone = Client(enforce_csrf_checks=True)
    assert phone.post(path, {"name": "Zoe"}).status_code == 403
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', phone.get(path).content.decode())
    assert token is not None
    assert enters(path, "Zoe", phone, csrfmiddlewaretoken=token[1]).status_code == 200


def test_a_forged_cookie_changes_no_entry(path: str) -> None:
    enters(path, "Zoe")
    phone = Client()
    phone.cookies["entry"] = f"{key_of('Zoe')}:Zoe"
    phone.post(path, {"withdraw": "yes"})
    enters(path, "Mallory", phone)
    assert waiting() == [("Zoe", "", ""), ("Mallory", "", "")]


def test_a_cookie_of_another_tournament_changes_no_entry(path: str) -> None:
    other = Tournament.objects.create(slug="other", name="Other", entry_open=True)
    phone = Client()
    enters(path, "Zoe", phone)
    elsewhere = reverse("enter", args=["other", entering.code(other)])
    phone.cookies["entry"]["path"] = elsewhere
    phone.post(elsewhere, {"withdraw": "yes"})
    enters(elsewhere, "Zoe", phone)
    assert [(each.name, each.tournament.slug) for each in Entrant.objects.order_by("pk")] == [
        ("Zoe", "open"),
        ("Zoe", "other"),
    ]


def test_the_cookie_of_an_entry_does_nothing_under_another_secret_key(path: str, settings: Any) -> None:
    phone = Client()
    enters(path, "Zoe", phone)
    settings.SECRET_KEY = "another key of 32 characters or more"
    renewed = reverse("enter", args=["open", entering.code(Tournament.objects.get(slug="open"))])
    assert renewed != path
    phone.post(renewed, {"withdraw": "yes"})
    assert waiting() == [("Zoe", "", "")]


@pytest.mark.parametrize("https", [False, True])
def test_the_cookie_of_an_entry_belongs_to_its_page(path: str, https: bool) -> None:
    phone = Client()
    phone.post(path, {"name": "Zoe"}, secure=https)
    kept = phone.cookies["entry"]
    assert [kept[name] or False for name in ("path", "domain", "httponly", "secure")] == [path, False, True, https]


def test_the_cookie_of_an_entry_ends_with_it(path: str) -> None:
    phone = Client()
    enters(path, "Zoe", phone)
    decides(admit=key_of("Zoe"))
    phone.post(path, {"withdraw": "yes"})
    assert (names(), waiting()) == (["Zoe"], [])


def test_an_archived_tournament_takes_no_entries(path: str) -> None:
    Tournament.objects.update(archived_at=timezone.now())
    assert enters(path, "Zoe").status_code == 404


def test_an_entrant_is_forgotten_like_a_player(path: str) -> None:
    enters(path, "Zoe Berg")
    enters(path, "Yan")
    decides(decline=key_of("Yan"))
    forgetting.carry_out(forgetting.of_person("zoe berg"))
    forgetting.carry_out(forgetting.of_person("Yan"))
    assert waiting() == []
    assert HallEntry.objects.get(event="player_declined").data == {"player": "…"}
    enters(path, "Xia")
    forgetting.carry_out(forgetting.of_tournament(Tournament.objects.get(slug="open")))
    assert waiting() == []


def test_a_new_entry_of_an_old_tournament_has_not_expired(path: str, settings: Any) -> None:
    settings.KEEP_DAYS = 30
    long_ago = timezone.now() - timedelta(days=90)
    Tournament.objects.update(created_at=long_ago)
    enters(path, "Zoe")
    forgetting.forget_expired()
    assert waiting() == [("Zoe", "", "")]
    Entrant.objects.update(entered_at=long_ago)
    forgetting.forget_expired()
    assert waiting() == []


def test_somebody_who_waits_is_in_no_draw(path: str) -> None:
    enters(path, "Zoe")
    enters(path, "Yan")
    director = client_of("director")
    page = said(director.get("/director/open/draw/"))
    assert "0 players are in the list." in page and "2 players have entered by phone · Players" in page
    assert "2 players have entered by phone" in said(director.get("/director/open/rounds/"))
    assert "by phone" not in said(client_of("viewer").get("/director/open/rounds/"))
    drawn(Tournament.objects.get(slug="open").rounds.get(), "1,Ann,Bob")
    assert names() == ["Ann", "Bob"]
