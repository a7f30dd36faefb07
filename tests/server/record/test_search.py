"""Searching the records by table, player, time and kind."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from clocks.interchange import exports
from clocks.models import JournalEntry, Match
from clocks.record import search
from clocks.record.search import Filters
from tests.server.hall import begin, client_of, do, drawn, summer_open, win
from tests.server.tournament.test_next_round import moved, said

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played() -> tuple[Match, Match]:
    """A match with a stop for fallen dice and a call, and one with a game won by Chi."""
    one, two = (pairing.match for pairing in drawn(summer_open(), "1,Ann Berg,Bob", "Final,Chi,Dov"))
    begin(one)
    do(one, "left", do="stop", reason="dice")
    do(one, "right", do="call", note="Where is it?")
    win(two, points=3)
    return one, two


def told(**asked: object) -> list[tuple[str, str]]:
    """Table and text of each entry found, oldest first."""
    tournament = Match.objects.first().table.tournament
    found = search.find(tournament, Filters(**asked)).lines  # type: ignore[arg-type]
    return [(each.match.table.name if each.match else "", each.what) for each in reversed(found)]


def test_search_finds_a_stop_by_kind(played: tuple[Match, Match]) -> None:
    assert told(kind="stops", player="ann") == [("1", "Ann Berg stopped both clocks to retrieve fallen dice")]
    assert told(kind="calls") == [("1", "Bob called the director")]
    assert [what for _, what in told(kind="ends")] == ["Chi won a backgammon, 3 points"]


def test_search_lists_the_newest_entries_first(played: tuple[Match, Match]) -> None:
    found = search.find(played[0].table.tournament, Filters()).lines
    assert [each.what for each in found[:2]] == ["Chi won a backgammon, 3 points", "Dov agreed"]
    assert [each.when for each in found] == sorted((each.when for each in found), reverse=True)


def test_search_ignores_the_case_of_tables_and_players(played: tuple[Match, Match]) -> None:
    assert {table for table, _ in told(table="final")} == {"Final"}
    assert {table for table, _ in told(player="BERG")} == {"1"}
    assert told(player="Berg", table="final") == []


def test_search_respects_the_given_times(played: tuple[Match, Match]) -> None:
    JournalEntry.objects.filter(match=played[0], event="stopped").update(at=1_000_000)
    then = datetime.fromtimestamp(1_000, UTC)
    assert told(kind="stops", until=then) == [("1", "Ann Berg stopped both clocks to retrieve fallen dice")]
    assert told(kind="stops", since=then + timedelta(seconds=1), table="1") == []


def test_search_covers_the_tournament_log(played: tuple[Match, Match]) -> None:
    client_of("director").post("/director/open/hall/stop/", {"reason": "Fire alarm"})
    assert ("", "Stopped all clocks") in told()
    assert told(kind="book") == [("", "Stopped all clocks")]


def test_search_leaves_out_presses_and_says_if_it_was_cut_off(
    played: tuple[Match, Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not [what for _, what in told() if "started" in what or "hit" in what]
    monkeypatch.setattr(search, "MOST", 2)
    found = search.find(played[0].table.tournament, Filters())
    assert (len(found.lines), found.more) == (2, True)
    page = said(client_of("viewer").get("/director/open/search/"))
    assert "The newest 2 entries. Narrow the search to see older ones." in page


def test_the_search_page_links_to_the_record(played: tuple[Match, Match]) -> None:
    client: Client = client_of("viewer")
    page = client.get("/director/open/search/", {"player": "ann", "kind": "stops"})
    assert "Ann Berg stopped both clocks to retrieve fallen dice" in said(page)
    assert f'href="/director/open/match/{played[0].pk}/"' in page.content.decode()
    assert "Nothing found." in said(client.get("/director/open/search/", {"table": "99"}))
    assert client.get("/director/open/search/", {"kind": "dice", "since": "soon"}).status_code == 400


def test_a_table_lists_its_matches(played: tuple[Match, Match]) -> None:
    page = client_of("director").get(f"/director/open/tables/{played[0].table_id}/")
    assert "Matches at this table Ann Berg – Bob" in said(page)
    assert "Chi – Dov" not in said(page)


def test_a_file_is_named_by_round_table_and_players(played: tuple[Match, Match]) -> None:
    one = Match.objects.select_related("round", "table").get(pk=played[0].pk)
    assert exports.file_name(one) == f"round-1-table-1-ann-berg-bob-match-{one.pk}"
    answer = client_of("viewer").get(f"/director/open/match/{one.pk}/export.csv")
    assert (
        answer["Content-Disposition"] == f'attachment; filename="open-round-1-table-1-ann-berg-bob-match-{one.pk}.csv"'
    )


def test_a_file_keeps_names_in_any_letters(played: tuple[Match, Match]) -> None:
    one = Match.objects.select_related("round", "table").get(pk=played[0].pk)
    one.setup["names"] = ["Søren Ås", "田中 花子"]
    assert exports.file_name(one) == f"round-1-table-1-søren-ås-田中-花子-match-{one.pk}"
    Match.objects.filter(pk=one.pk).update(setup=one.setup)
    for path in ("export.csv", "turns.csv", "transcript.mat"):
        answer = client_of("viewer").get(f"/director/open/match/{one.pk}/{path}")
        assert "%E7%94%B0%E4%B8%AD" in answer["Content-Disposition"]
        assert answer["Content-Disposition"].startswith("attachment; filename*=utf-8''open-round-1-table-1-s%C3%B8ren")


def test_a_match_is_found_at_the_table_from_which_it_was_moved(played: tuple[Match, Match]) -> None:
    moved(played[0].pairing, "9")
    assert told(table="1", kind="phones") == [("9", "The director moved the match from table 1 to table 9")]
