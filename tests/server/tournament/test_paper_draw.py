"""Matches entered by their players at a free table, and struck out by directors."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.journal import checking, stored
from clocks.live import protocol
from clocks.models import Bye, JournalEntry, Match, Player, Round, Table, Tournament
from clocks.record import match_record, tournament_record
from clocks.seats import devices
from clocks.tournament import casual_limit, paper_draw, results, tables
from clocks.tournament.players import Players
from tests.server.hall import begin, client_of, do, drawn, next_round, summer_open
from tests.server.tournament.test_next_round import said

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = {"left": "Ann", "right": "Bob", "length": "5"}


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    casual_limit.forget()


def paper(**changes: Any) -> Table:
    """Create a tournament with a paper draw and players; return its free table 4."""
    round_ = summer_open(**{"length": 7} | changes)
    Tournament.objects.update(paper_draw=True)
    Player.objects.bulk_create([Player(tournament=round_.tournament, name=name) for name in ("Ann", "Bob", "Cleo")])
    return tables.add_table(round_.tournament, "4")


def enter(table: Table, client: Client | None = None, **changes: str) -> HttpResponse:
    return (client or Client()).post(f"/t/{table.code}/enter/", NAMES | changes)


def seen(match: Match) -> dict[str, Any]:
    """Snapshot of a match as sent to pages."""
    return protocol.snapshot(stored.matches([match.pk])[match.pk], 0, (0, 0))


def test_players_enter_their_match_at_a_free_table() -> None:
    table, phone = paper(), Client()
    page = said(phone.get(f"/t/{table.code}/"))
    assert "Who plays here?" in page
    assert "This table is free. Enter your match of Round 1; it is played under US 2013" in page
    form = phone.get(f"/t/{table.code}/").content.decode()
    assert '"5": "10:00 each, delay 12 s"' in form and '"7": "14:00 each, delay 12 s"' in form
    assert re.findall(r'<option value="(\w+)">', form) == ["Ann", "Bob", "Cleo"]
    assert enter(table, phone)["Location"] == f"/t/{table.code}/"
    match = Match.objects.get()
    assert (match.setup["names"], match.setup["length"], match.setup["rules"]) == (["Ann", "Bob"], 5, "us-2013")
    assert (match.round, match.pairing.round, match.by_players) == (Round.objects.get(), Round.objects.get(), [])
    assert "I am Ann" in said(phone.get(f"/t/{table.code}/"))
    assert seen(match)["by_players"] == ()
    assert phone.post(f"/t/{table.code}/seat/", {"seat": "left"})["Location"] == f"/t/{table.code}/clock/"


def test_log_and_record_say_who_entered_a_match() -> None:
    table = paper()
    enter(table)
    match = Match.objects.get()
    entry = JournalEntry.objects.get()
    (made,) = match_record.lines(match.pk)
    assert (entry.by, entry.user, made.who, made.phone) == ("server", None, "the players", "phone 1")
    (line,) = tournament_record.lines(table.tournament)
    assert (line.who, line.what) == ("The players", "Entered Ann – Bob at table 4 in round 1")


def test_an_entered_match_joins_the_latest_round() -> None:
    table = paper(rules="custom", options={"reserve_ms": 600_000, "kind": "none"})
    latest = next_round(Round.objects.get(), name="Quarter-finals")
    assert '"3": "10:00 each, no delay"' in Client().get(f"/t/{table.code}/").content.decode()
    enter(table)
    assert (Match.objects.get().round, Match.objects.get().setup["options"]) == (latest, latest.options)


def test_an_unknown_name_is_asked_about_once_and_then_marked() -> None:
    table = paper()
    page = enter(table, left="Cloe")
    assert page.status_code == 400
    assert "Nobody in the list is called Cloe. Is it Cleo?" in said(page)
    assert enter(table, left="Cloe", new_player="on", right="bob").status_code == 302
    match = Match.objects.get()
    assert (match.setup["names"], seen(match)["by_players"]) == (["Cloe", "Bob"], ("left",))
    assert Player.objects.filter(name="Cloe").exists()
    director = client_of("director")
    names = {"left": "Cleo", "right": "Bob", "note": "Misspelt"}
    assert director.post(f"/director/open/match/{match.pk}/players/", names).status_code == 302
    assert seen(match)["by_players"] == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"right": ""}, "This field is required."),
        ({"right": "Ann"}, "The two players need different names."),
        ({"length": "0"}, "A match is played to a number of points from 1 to 99."),
        ({"left": "Dov"}, "Dov is already drawn in this round, at table 1."),
        ({"left": "Zoe"}, "Zoe has a bye in this round."),
        ({"left": "bye"}, "This is not a name. Enter your first and last name."),
        ({"left": "winner of table 1, round 1"}, "This is not a name. Enter your first and last name."),
        ({"left": "1"}, "This is not a name. Enter your first and last name."),
    ],
)
def test_an_invalid_entry_is_shown_again_with_the_reason(changes: dict[str, str], words: str) -> None:
    table = paper()
    drawn(Round.objects.get(), "1,Chi,Dov")
    Bye.objects.create(round=Round.objects.get(), name="Zoe")
    before = Match.objects.count()
    page = enter(table, **{"new_player": "on"} | changes)
    assert page.status_code == 400 and words in said(page), said(page)
    assert Match.objects.count() == before


def test_players_enter_nothing_unless_the_tournament_allows_it() -> None:
    table = paper()
    Tournament.objects.update(paper_draw=False)
    assert "Who plays here?" not in said(Client().get(f"/t/{table.code}/"))
    answer = enter(table)
    assert answer.status_code == 409
    assert "In this tournament the director decides who plays at which table." in said(answer)
    Tournament.objects.update(paper_draw=True)
    Round.objects.all().delete()
    assert enter(table).status_code == 409
    client_of("owner").post("/director/open/archive/")
    for answer in (enter(table), Client().get(f"/t/{table.code}/")):
        assert answer.status_code == 404
        assert "Summer Open is in the archive, so nothing is played at its tables any more." in said(answer)
    assert not Match.objects.exists()


def test_a_table_with_a_match_or_a_draw_is_taken() -> None:
    free = paper()
    played, waited = drawn(Round.objects.get(), "1,Chi,Dov", "2,Eva,Finn")
    waited.match.table.matches.update(status="over")
    next_ = next_round(Round.objects.get(), policy="on-request")
    drawn(next_, "2,Chi,Eva")
    for table in (played.table, waited.table):
        assert "Who plays here?" not in said(Client().get(f"/t/{table.code}/"))
        answer = enter(table)
        assert answer.status_code == 409
        assert "A match is played here, or is drawn for this table." in said(answer)
    assert enter(free).status_code == 302


def test_a_phone_enters_a_limited_number_of_matches(settings) -> None:
    settings.CASUAL_PER_HOUR = {"device": 1, "address": 9, "all": 9}
    casual_limit.forget()
    table, phone = paper(), Client()
    other = tables.add_table(table.tournament, "5")
    assert enter(table, phone).status_code == 302
    answer = enter(other, phone, left="Cleo", right="Dov", new_player="on")
    # The first match counted for the address, as the phone was not yet known.
    assert answer.status_code == 302
    third = tables.add_table(table.tournament, "6")
    assert enter(third, phone, left="Eva", right="Finn", new_player="on").status_code == 429
    assert Match.objects.count() == 2


def test_casual_matches_keep_nobody_from_entering_one(settings) -> None:
    settings.CASUAL_PER_HOUR = {"device": 9, "address": 2, "all": 2}
    casual_limit.forget()
    table = paper()
    casual = {"left": "Eva", "right": "Finn", "length": "7", "rules": "us-2013", "format": "singles"}
    assert [Client().post("/start/", casual).status_code for _ in range(3)] == [302, 302, 429]
    others = [tables.add_table(table.tournament, name) for name in "56"]
    assert enter(table).status_code == 302
    assert enter(others[0], left="Cleo", right="Dov", new_player="on").status_code == 302
    assert enter(others[1], left="Gus", right="Hal", new_player="on").status_code == 429


def test_striking_out_a_match_frees_its_table() -> None:
    table, phone = paper(), Client()
    enter(table, phone)
    match = Match.objects.get()
    phone.post(f"/t/{table.code}/seat/", {"seat": "both"})
    begin(match)
    director = client_of("director")
    round_page = director.get("/director/open/rounds/1/").content.decode()
    assert "entered by the players" in round_page and "Strike out" in round_page
    answer = director.post(f"/director/open/match/{match.pk}/strike-out/", {"from": "round"}, follow=True)
    assert answer.redirect_chain == [("/director/open/rounds/1/", 302)]
    assert "Ann – Bob has been struck out. Table 4 is free, and the record of the match is kept." in said(answer)
    match.refresh_from_db()
    assert (match.status, match.left_device, match.right_device) == ("stopped", None, None)
    assert (match.struck_out, Table.objects.get(pk=table.pk).current) == (True, None)
    assert results.of_tournament(table.tournament, 0) == []
    told = [(entry.event, entry.data.get("note")) for entry in JournalEntry.objects.order_by("seq")]
    assert told[-2:] == [("stopped", None), ("seat_released", "The match was struck out.")]
    newest = next(tournament_record.lines(table.tournament))
    assert (newest.who, newest.what) == (
        "director",
        "Struck out Ann – Bob at table 4, which the players had entered",
    )
    assert "Who plays here?" in said(phone.get(f"/t/{table.code}/"))
    assert enter(table, phone).status_code == 302


def test_verify_compares_entered_and_struck_out_matches_with_the_log() -> None:
    table = paper()
    enter(table)
    match = Match.objects.select_related("table").get()
    assert checking.differences(match) == []
    client_of("director").post(f"/director/open/match/{match.pk}/strike-out/")
    match.refresh_from_db()
    assert (match.struck_out, checking.differences(match)) == (True, [])
    match.by_players, match.struck_out = None, False
    match.save()
    assert checking.differences(match) == ["entered by players is stored as False, the log says True"]
    match.by_players = []
    match.save()
    assert checking.differences(match) == ["struck out is stored as False, the log says True"]


def test_a_misspelt_player_can_be_merged_after_striking_out() -> None:
    table = paper()
    enter(table, left="Cloe", new_player="on")
    director = client_of("director")
    director.post(f"/director/open/match/{Match.objects.get().pk}/strike-out/")
    assert enter(table, left="Cleo").status_code == 302
    wrong = Player.objects.get(name="Cloe")
    sent = {"name": "Cleo", "note": "Misspelt", "merge": "on"}
    assert director.post(f"/director/open/players/{wrong.pk}/", sent).status_code == 302
    assert not Player.objects.filter(name="Cloe").exists()


def test_striking_out_a_match_starts_the_next_one() -> None:
    table = paper()
    enter(table)
    match = Match.objects.get()
    (pairing,) = drawn(next_round(Round.objects.get()), "4,Chi,Dov")
    assert pairing.match is None
    client_of("director").post(f"/director/open/match/{match.pk}/strike-out/")
    pairing.refresh_from_db()
    assert pairing.match is not None
    assert Table.objects.get(pk=table.pk).current == pairing.match


def test_a_match_with_a_decided_game_cannot_be_struck_out() -> None:
    table = paper()
    enter(table)
    match = Match.objects.get()
    begin(match)
    do(match, "left", do="propose", what="game", winner="left", points=1)
    do(match, "right", do="agree")
    director = client_of("director")
    assert "Strike out" not in said(director.get("/director/open/rounds/1/"))
    answer = director.post(f"/director/open/match/{match.pk}/strike-out/")
    assert answer.status_code == 409
    words = "A game of Ann – Bob has been decided, or it has already been taken back. End it by a ruling instead."
    assert words in said(answer)
    assert Table.objects.get(pk=table.pk).current == match


def test_only_matches_entered_by_players_can_be_struck_out() -> None:
    (pairing,) = drawn(summer_open(), "1,Chi,Dov")
    path = f"/director/open/match/{pairing.match.pk}/strike-out/"
    assert client_of("director").post(path).status_code == 404
    assert client_of("helper").post(path).status_code == 404


def test_a_setting_allows_players_to_enter_matches() -> None:
    table = paper()
    Tournament.objects.update(paper_draw=False)
    director = client_of("director")
    sent = {"name": "Summer Open", "time_zone": ""}
    assert director.post("/director/open/edit/", sent | {"paper_draw": "on"}).status_code == 302
    assert Tournament.objects.get(pk=table.tournament_id).paper_draw
    director.post("/director/open/edit/", sent)
    assert not Tournament.objects.get(pk=table.tournament_id).paper_draw


def test_striking_out_a_match_releases_both_phones() -> None:
    table = paper()
    enter(table)
    match = Match.objects.get()
    for seat in ("left", "right"):
        Client().post(f"/t/{table.code}/seat/", {"seat": seat})
    match.refresh_from_db()
    assert None not in (match.left_device, match.right_device)
    client_of("director").post(f"/director/open/match/{match.pk}/strike-out/")
    match.refresh_from_db()
    assert (match.left_device, match.right_device, match.struck_out) == (None, None, True)


def test_a_player_who_is_drawn_meanwhile_cannot_be_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    table, round_ = paper(), Round.objects.get()

    def players(tournament: Tournament) -> Players:
        """Give Ann a bye, then read the players."""
        Bye.objects.get_or_create(round=round_, name="Ann")
        return Players(tournament)

    phone, _token = devices.join_device({})
    setup = Setup.parse({"rules": "us-2013", "length": 5, "names": ["Bob", "Cleo"]})
    assert paper_draw.enter(table, setup, phone) == Match.objects.get()
    other = tables.add_table(table.tournament, "5")
    monkeypatch.setattr(paper_draw, "Players", players)
    with pytest.raises(Refused, match="Ann has a bye in this round"):
        paper_draw.enter(other, Setup.parse({**setup.to_dict(), "names": ["Ann", "Dov"]}), phone)
    assert Match.objects.count() == 1
