"""Players of a tournament: list, search by name, renaming and merging."""

import html
import json
import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse

from clocks import desk
from clocks.engine.setup import Setup
from clocks.journal import tournament_log
from clocks.journal.tournament_events import CodeReplaced, MessageSent
from clocks.models import HallEntry, JournalEntry, Match, Pairing, Player, Round, Tournament
from clocks.record import match_record
from clocks.tournament import forgetting
from clocks.tournament.players import Players, names_of, respell
from clocks.tournament.tables import add_table
from tests.server.hall import add_players, begin, client_of, drawn, next_round, plan_in, stamp_of, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)


def said(response: HttpResponse) -> str:
    """Text of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def names() -> list[str]:
    """Names of all players in order of creation."""
    return list(Player.objects.order_by("pk").values_list("name", flat=True))


def of(name: str) -> Player:
    return Player.objects.get(name=name)


def of_user(name: str) -> User:
    return User.objects.get(username=name)


def sound() -> str:
    """Run `manage.py verify`, which must pass; return its output."""
    printed = StringIO()
    call_command("verify", stdout=printed)
    return printed.getvalue()


def test_a_list_adds_new_players_and_updates_others() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob")
    director = client_of("director")
    page = add_players(director, "name,club\nann,Leeds\nChi,\n")
    assert "1 player added." in said(page) and "1 player changed." in said(page)
    assert "Players 3 players in this list" in said(page)
    assert list(Player.objects.order_by("pk").values_list("name", "club")) == [
        ("Ann", "Leeds"),
        ("Bob", ""),
        ("Chi", ""),
    ]
    assert director.post("/director/open/players/", {"pasted": ""}).status_code == 400
    assert len(names()) == 3


def test_a_viewer_cannot_add_players() -> None:
    drawn(summer_open(), "1,Ann,Bob")
    viewer = client_of("viewer")
    assert "Ann" in said(viewer.get("/director/open/players/"))
    viewer.post("/director/open/players/", {"pasted": "Chi", "store": "yes", "stamp": stamp_of("Chi")})
    assert names() == ["Ann", "Bob"]


def test_everybody_drawn_is_added_to_the_players() -> None:
    round_ = summer_open(format="doubles")
    drawn(round_, "1,Ann / Bob,Chi & Dov", "2,Eva and Finn,Gus; Hana")
    assert names() == ["Ann", "Bob", "Chi", "Dov", "Eva", "Finn", "Gus", "Hana"]
    drawn(next_round(round_, format="singles"), "1,Berg & Sons,Smith and Weston")
    assert names()[8:] == ["Berg & Sons", "Smith and Weston"]


def test_only_whole_names_in_a_team_are_respelt() -> None:
    assert respell("ann / Ann Lee", "doubles", {"ann": "Bea"}) == "Bea / Ann Lee"
    assert respell("ann / Ann Lee", "singles", {"ann": "Bea"}) == "ann / Ann Lee"
    assert names_of([{"names": ["Ann / Ann Lee", "Chi"], "format": "doubles"}]) == ["Ann", "Ann Lee", "Chi"]


def test_unknown_names_are_resolved_with_one_press() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann Berg,Bob Carter", "2,Chi Dunn,Dov Eden")
    second = next_round(round_)
    director = client_of("director")
    path = f"/director/open/rounds/{second.number}/draw/"
    text = (
        "left,right\nann berg,Carter; Bob\n".replace("Carter; Bob", '"Carter, Bob"')
        + "Chi Dun,Zoe Quill\nDov Edn,bye\n"
    )
    page = director.post(path, {"pasted": text})
    assert "“Carter, Bob” will be a new player, or is one of these: Bob Carter" in said(page)
    assert "“Chi Dun” will be a new player, or is one of these: Chi Dunn" in said(page)
    assert "“Dov Edn” will be a new player, or is one of these: Dov Eden" in said(page)
    assert "“Zoe Quill” will be a new player." in said(page)
    assert "“ann berg”" not in said(page)
    pressed = re.findall(r'<input type="hidden" name="meant" value="([^"]*)"', page.content.decode())
    pressed = [html.unescape(each) for each in pressed]  # the button that accepts all
    page = director.post(path, {"pasted": text, "meant": pressed})
    assert "“Chi Dun” is Chi Dunn." in said(page)
    page = director.post(path, {"pasted": text, "meant": pressed} | plan_in(page))
    assert page.status_code == 302
    drawn_names = list(Pairing.objects.filter(round=second).order_by("pk").values_list("setup__names", flat=True))
    assert drawn_names == [["Ann Berg", "Bob Carter"], ["Chi Dunn", "Zoe Quill"]]
    assert names() == ["Ann Berg", "Bob Carter", "Chi Dunn", "Dov Eden", "Zoe Quill"]
    assert [bye.name for bye in second.byes.all()] == ["Dov Eden"]


@pytest.mark.parametrize("meant", ["{", "[]", "[" * 9_999, '["Chi Dun"]', '["Chi Dun", 7]', '["Chi Dun", "Nobody"]'])
def test_a_forged_meaning_of_a_name_is_ignored(meant: str) -> None:
    round_ = summer_open()
    drawn(round_, "1,Chi Dunn,Bob")
    page = client_of("director").post(
        f"/director/open/rounds/{next_round(round_).number}/draw/", {"pasted": "Chi Dun,Bob", "meant": meant}
    )
    assert "“Chi Dun” will be a new player, or is one of these: Chi Dunn" in said(page)


@pytest.mark.parametrize("path", ["/director/open/rounds/1/new/", "/director/open/new/"])
def test_a_name_in_a_form_is_respelt_and_asked_about_once(path: str) -> None:
    drawn(summer_open(), "1,Ann Berg,Bob Carter")
    director = client_of("director")
    assert '<option value="Ann Berg"></option>' in director.get(path).content.decode()
    sent = {"table": "9", "left": "Anne Berg", "right": "Chi", "length": "5", "rules": "us-2013", "format": "singles"}
    page = director.post(path, sent)
    assert page.status_code == 400
    assert "Nobody in the list is called Anne Berg. Is it Ann Berg?" in said(page)
    assert 'name="new_player"' in page.content.decode()
    assert director.post(path, sent | {"new_player": "on"}).status_code == 302
    assert names() == ["Ann Berg", "Bob Carter", "Anne Berg", "Chi"]


def test_renaming_a_player_reaches_every_draw_and_match() -> None:
    round_ = summer_open()
    running, _ = drawn(round_, "1,Ann Berk,Bob", "2,Chi,Dov")
    begin(running.match)
    drawn(next_round(round_), "1,Ann Berk,Dov")
    before = Match.objects.get(pk=running.match.pk).state
    director = client_of("director")
    path = f"/director/open/players/{of('Ann Berk').pk}/"
    assert "Give a reason for the record." in said(director.post(path, {"name": "Ann Berg"}))
    assert director.post(path, {"name": "Ann Berg", "note": "Misspelt", "club": "Leeds"}).status_code == 302
    assert (of("Ann Berg").club, names()) == ("Leeds", ["Ann Berg", "Bob", "Chi", "Dov"])
    assert [pairing.setup["names"] for pairing in Pairing.objects.order_by("pk")] == [
        ["Ann Berg", "Bob"],
        ["Chi", "Dov"],
        ["Ann Berg", "Dov"],
    ]
    match = Match.objects.get(pk=running.match.pk)
    assert match.status == "running" and match.setup["names"] == ["Ann Berg", "Bob"]
    setup = before["setup"] | {"names": ["Ann Berg", "Bob"]}
    assert match.state == before | {"setup": setup, "at": match.state["at"]}
    last = list(match_record.lines(match.pk))[-1]
    assert (last.what, last.why) == ("The director corrected who plays: Ann Berg, not Ann Berk", "Misspelt")
    assert "all as their journals say" in sound()
    told = HallEntry.objects.get(event="player_renamed").data
    assert told == {"was": "Ann Berk", "player": "Ann Berg", "reason": "Misspelt"}


@pytest.mark.parametrize("name", ["bye", "(Bye)", "Winner of table 1, round 1"])
def test_no_player_is_renamed_to_a_bye_or_a_placeholder(name: str) -> None:
    drawn(summer_open(), "1,Ann,Bob")
    ann = of("Ann")
    for path in ("", "replace/"):
        page = client_of("director").post(f"/director/open/players/{ann.pk}/{path}", {"name": name, "note": "Typed"})
        assert page.status_code == 400 and "This is not a name." in said(page)
    assert Pairing.objects.get().setup["names"] == ["Ann", "Bob"] and of("Ann") == ann


def test_two_entries_of_a_player_can_be_merged() -> None:
    round_ = summer_open()
    (first,) = drawn(round_, "1,Ann Berg,Bob")
    win(first.match)
    drawn(next_round(round_), "1,Anna Berg,Chi")
    director = client_of("director")
    path = f"/director/open/players/{of('Anna Berg').pk}/"
    sent = {"name": "Ann Berg", "note": "The same"}
    page = director.post(path, sent)
    assert "Ann Berg is already in the list. If both are one player, say so." in said(page)
    assert director.post(path, sent | {"merge": "on"}).status_code == 302
    assert names() == ["Ann Berg", "Bob", "Chi"]
    assert Match.objects.order_by("-pk").first().setup["names"] == ["Ann Berg", "Chi"]


def test_players_of_the_same_round_cannot_be_merged() -> None:
    drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    page = client_of("director").post(
        f"/director/open/players/{of('Ann').pk}/", {"name": "Chi", "note": "The same", "merge": "on"}
    )
    assert "Ann and Chi are drawn in the same round, so they cannot be one player." in said(page)
    assert names() == ["Ann", "Bob", "Chi", "Dov"]


def test_a_player_with_a_bye_is_not_merged_into_one_who_plays_that_round() -> None:
    round_ = summer_open()
    drawn(round_, "1,Ann,Bob", ",Anne,bye")
    path, sent = f"/director/open/players/{of('Anne').pk}/", {"name": "Ann", "note": "The same", "merge": "on"}
    page = client_of("director").post(path, sent)
    assert "Anne and Ann are drawn in the same round, so they cannot be one player." in said(page)
    assert (names(), [bye.name for bye in round_.byes.all()]) == (["Ann", "Bob", "Anne"], ["Anne"])


def test_a_wrong_player_is_corrected_while_the_match_runs() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    version = Match.objects.get(pk=pairing.match.pk).version
    director = client_of("director")
    path = f"/director/open/match/{pairing.match.pk}/players/"
    assert "Nothing has changed." in said(director.post(path, {"left": "Ann", "right": "Bob", "note": "Why"}))
    assert director.post(path, {"left": "Ann", "right": "Zoe"}).status_code == 400
    assert director.post(path, {"left": "Ann", "right": "Zoe", "note": "Wrong card"}).status_code == 302
    match = Match.objects.get(pk=pairing.match.pk)
    assert (match.status, match.version, match.setup["names"]) == ("running", version + 1, ["Ann", "Zoe"])
    assert Pairing.objects.get().setup["names"] == ["Ann", "Zoe"]
    assert names() == ["Ann", "Bob", "Zoe"]
    entry = JournalEntry.objects.filter(match=match).order_by("seq").last()
    assert (entry.event, entry.by, entry.user.username) == ("names_corrected", "director", "director")
    assert "all as their journals say" in sound()


def test_correcting_players_without_a_clock_is_logged() -> None:
    (pairing,) = drawn(summer_open(policy="on-request"), "1,Ann,Bob")
    director = client_of("director")
    path = f"/director/open/rounds/1/{pairing.pk}/players/"
    assert director.get(path)["Location"] == f"/director/open/rounds/1/{pairing.pk}/"
    Pairing.objects.update(winner="right")
    assert director.post(path, {"left": "Ann", "right": "Zoe", "note": "Wrong card"}).status_code == 302
    found = Pairing.objects.get()
    assert (found.setup["names"], found.winner) == (["Ann", "Zoe"], "right")
    assert HallEntry.objects.get(event="names_corrected").data == {
        "was": "Ann – Bob",
        "player": "Ann – Zoe",
        "reason": "Wrong card",
    }


def test_a_match_with_corrected_players_can_be_replayed() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    begin(pairing.match)
    director = client_of("director")
    director.post(
        f"/director/open/match/{pairing.match.pk}/players/", {"left": "Ann", "right": "Zoe", "note": "Wrong card"}
    )
    export = director.get(f"/director/open/match/{pairing.match.pk}/export.jsonl").content.decode()
    assert "correct-names" not in export and export.count('"do"') == 2


def test_only_players_without_matches_can_be_removed() -> None:
    drawn(summer_open(), "1,Ann,Bob")
    director = client_of("director")
    add_players(director, "Zoe\nYan\nXia\nWim")

    def remove(**chosen: Any) -> str:
        return said(director.post("/director/open/players/remove/", chosen, follow=True))

    page = remove(player=[of("Ann").pk, of("Zoe").pk, of("Yan").pk])
    assert "2 players removed." in page
    assert "Not removed, because they have matches: Ann. Mark whoever leaves as withdrawn." in page
    assert names() == ["Ann", "Bob", "Xia", "Wim"]
    assert "Xia has been removed." in remove(player=of("Xia").pk)
    assert "No player was chosen." in remove(player=["Ann", "-1"])
    assert "Wim has been removed." in remove(all="yes")
    assert names() == ["Ann", "Bob"]


def test_the_page_of_a_player_lists_the_matches() -> None:
    round_ = summer_open()
    first, _ = drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    win(first.match)
    drawn(next_round(round_), "1,Ann,Chi")
    page = said(client_of("director").get(f"/director/open/players/{of('Ann').pk}/"))
    assert "Ann – Bob" in page and "Ann – Chi" in page and "Dov" not in page


def test_similar_names_ignore_order_case_and_accents() -> None:
    tournament = summer_open().tournament
    for name in ("Åsa Lindström", "John Smith", "Joan Smith", "Wolfgang Amadeus Müller"):
        Player.objects.create(tournament=tournament, name=name)
    players = Players(tournament)
    assert players.nearest("LINDSTROM, Asa") == ["Åsa Lindström"]
    assert players.nearest("Jon Smith") == ["Joan Smith", "John Smith"]
    assert players.nearest("Xavier") == []


@pytest.mark.parametrize(
    ("language", "order"),
    [
        ("da", ["Ñaco", "Nuria", "Zoe", "Åge"]),
        ("es", ["Åge", "Nuria", "Ñaco", "Zoe"]),
    ],
)
def test_the_list_is_in_the_order_of_the_readers_alphabet(language: str, order: list[str]) -> None:
    drawn(summer_open(), "1,Åge,Zoe", "2,Nuria,Ñaco")
    page = client_of("director").get("/director/open/players/", HTTP_ACCEPT_LANGUAGE=language)
    assert [each.name for each, _matches in page.context["players"]] == order


def test_casual_matches_have_no_players() -> None:
    tournament = Tournament.objects.create(slug="casual", name="Casual")
    Round.objects.filter(tournament=tournament).delete()
    desk.make_match(add_table(tournament), Setup.parse({"rules": "us-2013", "length": 5, "names": ["Ann", "Bob"]}))
    assert names() == []


def test_removing_all_names_empties_the_list_of_players() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann Berg,Bob Carter")
    director = client_of("owner")
    director.post(f"/director/open/players/{of('Ann Berg').pk}/", {"name": "Anna Berg", "note": "Ann said so"})
    forgetting.carry_out(forgetting.of_tournament(round_.tournament), of_user("owner"))
    assert names() == []
    kept = json.dumps(list(JournalEntry.objects.values("data", "command")) + list(HallEntry.objects.values("data")))
    assert [word for word in ("Ann", "Anna", "Berg", "Carter", "said so") if word in kept] == []
    assert "all as their journals say" in sound()
    assert "Player 1" in said(director.get(f"/director/open/match/{pairing.match.pk}/"))


def test_a_forgotten_player_leaves_matches_under_former_names_too() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann Berg,Bob Carter")
    client_of("owner").post(
        f"/director/open/match/{pairing.match.pk}/players/", {"left": "Zoe Quill", "right": "Bob Carter", "note": "No"}
    )
    forgetting.carry_out(forgetting.of_person("ann berg"))
    assert names() == ["Bob Carter", "Zoe Quill"]
    assert "Ann Berg" not in json.dumps(list(JournalEntry.objects.values("data", "command")))
    assert Match.objects.get().setup["names"] == ["Zoe Quill", "Bob Carter"]
    assert "all as their journals say" in sound()


def test_removing_all_names_keeps_what_the_log_says_of_tables() -> None:
    tournament = summer_open().tournament
    tournament_log.write(tournament, None, CodeReplaced("Table 7", "9FGHJK", "Ann has lost her card"))
    tournament_log.write(tournament, None, MessageSent("Ann, please come", [], 5))
    forgetting.carry_out(forgetting.of_tournament(tournament))
    assert list(HallEntry.objects.order_by("pk").values_list("data", flat=True)[:2]) == [
        {"table": "Table 7", "after": "9FGHJK", "reason": "…"},
        {"text": "…", "tables": [], "minutes": 5},
    ]
