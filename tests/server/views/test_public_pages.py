"""Public tournament pages: now playing, standings, results, own matches."""

import html
import re
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from clocks.models import Match, Pairing, Player, Round, Section, Tournament
from clocks.tournament import forgetting
from tests.server.hall import begin, client_of, drawn, next_round, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ["/e/open/", "/e/open/standings/", "/e/open/results/", "/e/open/me/"]


def text(response: Any) -> str:
    """Text of a page's <main>."""
    main = response.content.decode().partition("<main")[2].partition("</main>")[0] or response.content.decode()
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", main)))


def knockout(**changes: Any) -> tuple[Round, list[Pairing]]:
    """Public tournament with the first round of a knockout of four."""
    first = summer_open()
    Tournament.objects.filter(pk=first.tournament_id).update(**{"public": True} | changes)
    first.section = Section.objects.create(tournament=first.tournament, name="Main", method="knockout")
    first.save()
    made = drawn(first, "1,Ann Øst,Bob", "2,Chi,Dov")
    for position, pairing in enumerate(made):
        Pairing.objects.filter(pk=pairing.pk).update(position=position)
    return Round.objects.get(pk=first.pk), made


def chosen(name: str) -> Client:
    """Client of a visitor who chose this player on the public page."""
    client = Client()
    assert client.post("/e/open/me/", {"name": name}).status_code == 302
    return client


def test_only_a_public_tournament_that_is_not_archived_is_found() -> None:
    knockout(public=False)
    answers = [Client().get(path).status_code for path in PAGES]
    assert answers == [404] * 4
    Tournament.objects.update(public=True)
    assert [Client().get(path).status_code for path in PAGES] == [200] * 4
    Tournament.objects.update(archived_at=timezone.now())
    assert [Client().get(path).status_code for path in PAGES] == [404] * 4
    assert [Client().get(path.replace("open", "casual")).status_code for path in PAGES] == [404] * 4
    assert Client().post("/e/open/me/", {"name": "Bob"}).status_code == 404


def test_the_home_page_lists_public_tournaments() -> None:
    knockout(public=False)
    assert "Summer Open" not in text(Client().get("/"))
    Tournament.objects.update(public=True)
    assert 'href="/e/open/"' in Client().get("/").content.decode()


def test_the_director_makes_a_tournament_public() -> None:
    knockout(public=False)
    director = client_of("director")
    director.post("/director/open/edit/", {"name": "Summer Open", "public": "on"})
    assert Tournament.objects.get(slug="open").public
    director.post("/director/open/edit/", {"name": "Summer Open"})
    assert not Tournament.objects.get(slug="open").public


def test_the_matches_being_played_are_listed_without_codes() -> None:
    _, (one, two) = knockout()
    begin(one.match)
    win(two.match)
    page = Client().get("/e/open/")
    assert "Table 1 Ann Øst Bob 0 0 Round 1 · to 3" in text(page) and "Chi" not in text(page)
    codes = [match.table.code for match in Match.objects.select_related("table")]
    pages = "".join(Client().get(path + part).content.decode() for path in PAGES for part in ("", "?part"))
    assert [code for code in codes if code in pages] == []


def test_the_part_that_changes_is_sent_alone() -> None:
    knockout()
    part = Client().get("/e/open/?part").content.decode()
    assert "<html" not in part and "Ann Øst" in part


def test_draw_and_results_are_listed_with_the_latest_round_first() -> None:
    first, (one, two) = knockout()
    win(one.match)
    win(two.match, "right")
    drawn(next_round(first, section=first.section), "7,Ann Øst,Dov")
    shown = text(Client().get("/e/open/results/"))
    assert "Main Round 2 Table 7 Ann Øst Dov Round 1 Table 1 Ann Øst Bob 3 0 Table 2 Chi Dov 0 3" in shown


def test_the_standings_show_the_bracket_and_places() -> None:
    _, (one, _two) = knockout()
    win(one.match)
    page = Client().get("/e/open/standings/")
    assert "still in Chi, Dov, Ann Øst" in text(page) and page.content.decode().count("<rect") == 3


def test_the_standings_follow_a_withdrawal_at_once() -> None:
    first, pairings = knockout()
    for each in [*pairings, *drawn(first, "3,Eva,Finn")]:
        win(each.match)
    (final,) = drawn(next_round(first, section=first.section), "7,Ann Øst,Chi")
    win(final.match)
    assert "Place Players still in Ann Øst, Eva 3 Chi 4–6" in text(Client().get("/e/open/standings/"))
    Player.objects.update_or_create(tournament=first.tournament, name="Eva", defaults={"withdrawn": True})
    assert "Place Players 1 Ann Øst 2–3 Chi, Eva 4–6" in text(Client().get("/e/open/standings/"))


def test_a_name_makes_the_page_ones_own() -> None:
    first, (one, two) = knockout()
    ann = chosen("ann ost")
    assert "Ann Øst You play next: table 1 against Bob." in text(ann.get("/e/open/me/"))
    begin(one.match)
    assert "You are playing at table 1 against Bob." in text(ann.get("/e/open/me/"))
    win(one.match)
    win(two.match)
    drawn(next_round(first, section=first.section), "7,Chi,Ann Øst")
    shown = text(ann.get("/e/open/me/"))
    assert "You play next: table 7 against Chi. Your matches Table 1 Bob 3 – 0 Round 1 · won Table 7 Chi" in shown
    assert ann.post("/e/open/me/", {}).status_code == 302
    assert "Your name" in text(ann.get("/e/open/me/"))


def test_a_part_of_a_name_offers_those_who_have_it() -> None:
    first, _ = knockout()
    Player.objects.create(tournament=first.tournament, name="Dora Ann")
    answer = Client().post("/e/open/me/", {"name": "ANN"})
    assert answer.status_code == 200
    assert "Which of them are you? Ann Øst Dora Ann Your name" in text(answer)
    answer = Client().post("/e/open/me/", {"name": "Zoe"})
    assert answer.status_code == 404 and "No player has this name." in text(answer)


def test_a_player_without_a_draw_is_told_so() -> None:
    first, _ = knockout()
    Player.objects.create(tournament=first.tournament, name="Zoe")
    assert "No match is drawn for you yet." in text(chosen("Zoe").get("/e/open/me/"))


def test_a_member_of_a_team_sees_the_matches_of_the_team() -> None:
    first = summer_open(format="doubles")
    Tournament.objects.update(public=True)
    drawn(first, "1,Ann / Bob,Chi / Dov")
    for name in ("Ann", "Bob"):
        Player.objects.get_or_create(tournament=first.tournament, name=name)
    assert "You play next: table 1 against Chi / Dov." in text(chosen("Bob").get("/e/open/me/"))


def test_a_member_of_a_team_is_told_of_an_own_match_that_is_still_to_come() -> None:
    first, _ = knockout()
    section = Section.objects.create(tournament=first.tournament, name="Doubles", method="knockout")
    (team,) = drawn(next_round(first, section=section, format="doubles"), "7,Ann Øst / Eva,Chi / Dov")
    win(team.match)
    assert "You play next: table 1 against Bob." in text(chosen("Ann Øst").get("/e/open/me/"))


def test_a_forgotten_name_is_on_no_public_page() -> None:
    _, (one, two) = knockout()
    ann = chosen("Ann Øst")
    win(one.match)
    win(two.match)
    forgetting.carry_out(forgetting.of_tournament(Tournament.objects.get(slug="open")))
    pages = [ann.get(path + part) for path in PAGES for part in ("", "?part")]
    assert [page for page in pages if "Ann Øst" in page.content.decode()] == []
    assert {page["Cache-Control"] for page in pages} == {"max-age=0, no-cache, no-store, must-revalidate, private"}
    assert "Your name" in text(ann.get("/e/open/me/"))


def test_no_name_is_in_an_address() -> None:
    knockout()
    answer = Client().post("/e/open/me/", {"name": "Ann Øst"})
    assert answer["Location"] == "/e/open/me/"
    cookie = answer.cookies["me"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/e/open/", True, "Lax")


def test_a_page_without_a_draw_says_so() -> None:
    Tournament.objects.create(slug="open", name="Summer Open", public=True)
    assert "No match is being played now." in text(Client().get("/e/open/"))
    assert "No match yet" in text(Client().get("/e/open/standings/"))
    assert "No match yet" in text(Client().get("/e/open/results/"))
    assert "No players yet." in text(Client().get("/e/open/me/"))


@pytest.mark.parametrize("name", ["", " ", "a" * 5000, "\x00", "😀", "%", "<script>"])
def test_odd_names_are_answered(name: str) -> None:
    knockout()
    assert Client().post("/e/open/me/", {"name": name}).status_code in (200, 404)
    client = Client()
    client.cookies["me"] = quote(name)
    assert client.get("/e/open/me/").status_code == 200


def test_the_poster_shows_the_address_of_the_public_page() -> None:
    knockout(public=False)
    viewer = client_of("viewer")
    assert "This tournament has no public pages" in text(viewer.get("/director/open/cards/poster/"))
    Tournament.objects.update(public=True)
    shown = viewer.get("/director/open/cards/poster/?paper=letter")
    assert "/e/open/" in text(shown) and "data:image/svg+xml" in shown.content.decode()
