"""Consequences of corrected results for later rounds."""

import re
from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from clocks import desk
from clocks.desk import changes
from clocks.desk.changes import Change
from clocks.engine.commands import Look
from clocks.engine.refusals import Refused
from clocks.models import JournalEntry, Match, Pairing, Round
from clocks.tournament import consequences, corrections
from tests.server.hall import begin, client_of, do, drawn, next_round, summer_open, win
from tests.server.house import sit_down
from tests.server.tournament.test_next_round import decided, said, without_clocks

pytestmark = pytest.mark.django_db(transaction=True)


def two_rounds(*tables: str) -> tuple[list[Pairing], Pairing, Pairing]:
    """Play two matches; draw the winners' final and the losers' match.

    These are at the same tables unless others are given.
    """
    first = summer_open()
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    win(made[0].match)
    win(made[1].match)
    final_at, consolation_at = tables or ("1", "2")
    (final,) = drawn(next_round(first), f"{final_at},Ann,Chi")
    third = Round.objects.create(tournament=first.tournament, number=3, length=3)
    (consolation,) = drawn(third, f"{consolation_at},Bob,Dov")
    return made, final, consolation


def found(pairing: Pairing) -> Pairing:
    return Pairing.objects.select_related("round__tournament", "table", "match").get(pk=pairing.pk)


def settle() -> None:
    """Wait until the desk has settled the follow-ups of earlier requests."""
    match = Match.objects.earliest("pk")
    desk.submit_and_wait(desk.Request(match.pk, Look(), "server"))


def names(pairing: Pairing) -> tuple[list[str], list[str] | None]:
    """Players of a pairing, and those of its match (None without a match)."""
    stored = Pairing.objects.select_related("match").get(pk=pairing.pk)
    return stored.setup["names"], stored.match and stored.match.state["setup"]["names"]


def seen_in(page: HttpResponse) -> dict[str, str]:
    """Consequences as submitted by the page's form."""
    found = re.search(r'name="seen" value="([^"]+)"', page.content.decode())
    assert found
    return {"seen": found.group(1)}


def test_a_correction_swaps_the_players_in_every_later_round() -> None:
    made, final, consolation = two_rounds()
    director = client_of("director")
    path = f"/director/open/rounds/1/{made[0].pk}/result/"
    sent = {"winner": "right", "score_left": "1", "score_right": "3", "note": "Wrong winner"}
    page = director.post(path, sent)
    assert page.status_code == 200
    assert "In later rounds, if the other player has won" in said(page)
    assert "Round 2, table 1: Ann – Chi. It becomes Bob – Chi." in said(page)
    assert "Round 3, table 2: Bob – Dov. It becomes Ann – Dov." in said(page)
    assert Match.objects.get(pk=made[0].match.pk).state["winner"] == "left"
    assert names(final)[0] == ["Ann", "Chi"]
    assert director.post(path, sent | seen_in(page)).status_code == 302
    assert Match.objects.get(pk=made[0].match.pk).state["winner"] == "right"
    assert names(final) == (["Bob", "Chi"], ["Bob", "Chi"])
    assert names(consolation) == (["Ann", "Dov"], ["Ann", "Dov"])


def test_consequences_are_shown_again_if_play_has_begun_meanwhile() -> None:
    made, final, _ = two_rounds()
    director = client_of("director")
    path = f"/director/open/rounds/1/{made[0].pk}/result/"
    page = director.get(path)
    assert "Round 2, table 1: Ann – Chi. It becomes Bob – Chi." in said(page)
    sent = {"winner": "right", "score_left": "1", "score_right": "3", "note": "Wrong winner"}
    begin(final.match)
    again = director.post(path, sent | seen_in(page))
    assert again.status_code == 200
    assert "Ann – Chi. It becomes Bob – Chi. They have begun to play there: their clocks are stopped" in said(again)
    assert names(final) == (["Ann", "Chi"], ["Ann", "Chi"])


def test_where_play_has_begun_clocks_stop_and_players_change() -> None:
    made, final, consolation = two_rounds()
    sit_down(final.match, "left")
    chi, _token = sit_down(final.match, "right")
    begin(final.match)
    do(final.match, "right", do="hit")
    path, director = f"/director/open/rounds/1/{made[0].pk}/result/", client_of("director")
    sent = {"winner": "right", "score_left": "1", "score_right": "3", "note": "Wrong winner"}
    page = director.post(path, sent | seen_in(director.get(path)), follow=True)
    assert (
        "Round 2, table 1: the clocks are stopped, and the players are now Bob – Chi. "
        "Tell everybody there, and set score and times before you start the clocks again."
    ) in said(page)
    assert names(final) == (["Bob", "Chi"], ["Bob", "Chi"])
    assert names(consolation) == (["Ann", "Dov"], ["Ann", "Dov"])
    match = Match.objects.get(pk=final.match.pk)
    assert (match.status, match.left_device_id, match.right_device_id) == ("stopped", None, chi.pk)
    stop = JournalEntry.objects.get(match=match, event="stopped")
    assert (stop.by, stop.data["reason"]) == ("director", "director")


def test_players_who_meet_again_stay_in_their_seats() -> None:
    first = summer_open()
    (pairing,) = drawn(first, "1,Ann,Bob")
    win(pairing.match)
    (again,) = drawn(next_round(first), "1,Ann,Bob")
    path, director = f"/director/open/rounds/1/{pairing.pk}/result/", client_of("director")
    sent = {"winner": "right", "score_left": "1", "score_right": "3", "note": "Wrong winner"}
    page = director.get(path)
    assert "Round 2, table 1: Ann – Bob. It was drawn with this result and stays as it is." in said(page)
    assert director.post(path, sent | seen_in(page)).status_code == 302
    assert names(again) == (["Ann", "Bob"], ["Ann", "Bob"])


def test_a_phone_between_both_players_keeps_its_seats() -> None:
    made, final, _ = two_rounds()
    phone, _token = sit_down(final.match, "left", "right")
    begin(final.match)
    path, director = f"/director/open/rounds/1/{made[0].pk}/result/", client_of("director")
    sent = {"winner": "right", "score_left": "1", "score_right": "3", "note": "Wrong winner"}
    assert director.post(path, sent | seen_in(director.get(path))).status_code == 302
    match = Match.objects.get(pk=final.match.pk)
    assert (match.status, match.left_device_id, match.right_device_id) == ("stopped", phone.pk, phone.pk)
    assert names(final)[1] == ["Bob", "Chi"]


def test_if_a_later_match_is_over_everybody_stays() -> None:
    made, final, consolation = two_rounds()
    do(final.match, "director", do="propose", what="end", winner="left")
    path, director = f"/director/open/rounds/1/{made[0].pk}/result/", client_of("director")
    sent = {"winner": "right", "score_left": "1", "score_right": "3", "note": "Wrong winner"}
    page = director.post(path, sent)
    assert "Ann – Chi. That match is over, so everybody stays where they are. Tell the players." in said(page)
    assert "Bob – Dov. It was drawn with this result and stays as it is." in said(page)
    assert director.post(path, sent | seen_in(page)).status_code == 302
    assert (names(final)[0], names(consolation)[0]) == (["Ann", "Chi"], ["Bob", "Dov"])


def test_a_swiss_round_keeps_its_pairings() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(first, "Ann", "Chi")
    second = without_clocks(first, "1,Ann,Chi", "2,Bob,Dov")
    director = client_of("director")
    (pairing,) = first.pairings.filter(table__name="1")
    path = f"/director/open/rounds/1/{pairing.pk}/result/"
    page = director.post(path, {"winner": "right", "note": "Wrong winner"})
    assert said(page).count("It was drawn with this result and stays as it is.") == 2
    director.post(path, {"winner": "right", "note": "Wrong winner"} | seen_in(page))
    assert [each.setup["names"] for each in second.pairings.order_by("pk")] == [["Ann", "Chi"], ["Bob", "Dov"]]
    assert Pairing.objects.get(pk=pairing.pk).winner == "right"


def test_a_correction_with_the_same_winner_has_no_consequences() -> None:
    made, _, _ = two_rounds()
    sent = {"winner": "left", "score_left": "3", "score_right": "2", "note": "It was 3–2"}
    assert client_of("director").post(f"/director/open/rounds/1/{made[0].pk}/result/", sent).status_code == 302


def reopened(match: Match) -> HttpResponse:
    """Reopen a match on its page, confirming the consequences shown; return the page."""
    director, path = client_of("director"), f"/director/open/match/{match.pk}/reopen/"
    page = director.get(path)
    seen = seen_in(page) if 'name="seen"' in page.content.decode() else {}
    assert director.post(path, {"note": "Not over yet"} | seen).status_code == 302
    return page


def test_reopening_empties_the_places_of_its_players() -> None:
    made, final, consolation = two_rounds()
    page = said(reopened(made[0].match))
    assert "Round 2, table 1: Ann – Chi. It becomes winner of table 1, round 1 – Chi." in page
    assert "Round 3, table 2: Bob – Dov. It becomes loser of table 1, round 1 – Dov." in page
    assert names(final) == (["winner of table 1, round 1", "Chi"], None)
    assert names(consolation) == (["loser of table 1, round 1", "Dov"], None)
    do(made[0].match, "director", do="propose", what="end", winner="right")
    assert names(final) == (["Bob", "Chi"], ["Bob", "Chi"])
    assert names(consolation) == (["Ann", "Dov"], ["Ann", "Dov"])


def test_reopening_stops_a_later_match_until_the_match_is_decided_again() -> None:
    made, final, _ = two_rounds("7", "8")
    sit_down(final.match, "left")
    chi, _token = sit_down(final.match, "right")
    begin(final.match)
    words = "Round 2, table 7: Ann – Chi. They have begun to play there: their clocks are stopped until"
    assert words in said(reopened(made[0].match))
    assert names(final)[1] == ["Ann", "Chi"]
    assert Match.objects.get(pk=final.match.pk).status == "stopped"
    do(made[0].match, "director", do="propose", what="end", winner="right")
    settle()
    match = Match.objects.get(pk=final.match.pk)
    assert names(final) == (["Bob", "Chi"], ["Bob", "Chi"])
    assert (match.status, match.left_device_id, match.right_device_id) == ("stopped", None, chi.pk)


def test_the_same_winner_again_goes_on_where_play_had_begun() -> None:
    made, final, _ = two_rounds("7", "8")
    begin(final.match)
    reopened(made[0].match)
    do(made[0].match, "director", do="propose", what="end", winner="left")
    settle()
    assert names(final) == (["Ann", "Chi"], ["Ann", "Chi"])
    do(final.match, "director", do="resume")


def test_consequences_of_reopening_are_shown_again_if_they_changed() -> None:
    made, final, _ = two_rounds("7", "8")
    director, path = client_of("director"), f"/director/open/match/{made[0].match.pk}/reopen/"
    seen = seen_in(director.get(path))
    begin(final.match)
    page = director.post(path, {"note": "Not over yet"} | seen)
    assert "They have begun to play there" in said(page)
    assert Match.objects.get(pk=made[0].match.pk).status == "over"


def test_reopening_leaves_everybody_if_a_later_match_is_over() -> None:
    made, final, consolation = two_rounds()
    do(final.match, "director", do="propose", what="end", winner="left")
    page = said(reopened(made[0].match))
    assert "Ann – Chi. That match is over, so everybody stays where they are. Tell the players." in page
    assert (names(final)[0], names(consolation)[0]) == (["Ann", "Chi"], ["Bob", "Dov"])


def test_a_withdrawn_result_empties_places_and_byes() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    decided(first, "Ann", "Chi", "Eva")
    second = without_clocks(first, "1,Ann,Chi", ",Eva,bye")
    director = client_of("director")
    for table in ("1", "3"):
        path = f"/director/open/rounds/1/{first.pairings.get(table__name=table).pk}/result/"
        assert director.post(path, {"winner": "nobody", "note": "Not over"}).status_code == 302
    assert [each.setup["names"] for each in second.pairings.all()] == [["winner of table 1, round 1", "Chi"]]
    assert [bye.name for bye in second.byes.all()] == ["winner of table 3, round 1"]
    for table in ("1", "3"):
        corrections.enter(found(first.pairings.get(table__name=table)), "right", (None, None), User.objects.get())
    assert [each.setup["names"] for each in second.pairings.all()] == [["Bob", "Chi"]]
    assert [bye.name for bye in second.byes.all()] == ["Finn"]


def test_a_withdrawn_result_stops_a_later_match_after_it_was_shown() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(first, "Ann", "Chi")
    (final,) = drawn(next_round(first, policy="required"), "7,Ann,Chi")
    begin(final.match)
    director, path = client_of("director"), f"/director/open/rounds/1/{first.pairings.get(table__name='1').pk}/result/"
    sent = {"winner": "nobody", "note": "Not over"}
    page = director.post(path, sent | seen_in(director.get(path)))
    assert "They have begun to play there: their clocks are stopped until this match is decided again." in said(page)
    assert Match.objects.get(pk=final.match.pk).status == "running"
    page = director.post(path, sent | seen_in(page), follow=True)
    assert "Round 2, table 7: the clocks are stopped. Tell Ann – Chi to wait." in said(page)
    assert Match.objects.get(pk=final.match.pk).status == "stopped"
    corrections.enter(found(first.pairings.get(table__name="1")), "right", (None, None), User.objects.get())
    settle()
    assert names(final)[1] == ["Bob", "Chi"]


def test_a_refused_result_changes_nothing_in_later_rounds() -> None:
    made, final, consolation = two_rounds("7", "8")
    begin(final.match)
    with pytest.raises(Refused):
        corrections.enter(found(made[0]), "right", (3, 3), User.objects.create(username="dora"), "Wrong winner")
    assert (names(final)[1], names(consolation)[0]) == (["Ann", "Chi"], ["Bob", "Dov"])
    assert Match.objects.get(pk=final.match.pk).status == "running"


def test_phones_stay_at_the_next_match_of_the_corrected_table() -> None:
    made, _, _ = two_rounds()
    told: list[tuple[int, bool]] = []

    def listen(found: Sequence[Change]) -> None:
        told.extend((change.stored.id, change.moved) for change in found)

    changes.listen(listen)
    try:
        corrections.enter(found(made[0]), "right", (1, 3), User.objects.create(username="dora"), "Wrong winner")
    finally:
        changes._listeners.remove(listen)
    assert (made[0].match.pk, False) in told
    assert (made[0].match.pk, True) not in told


def test_an_undecided_match_has_no_consequences() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    assert consequences.of_result(Pairing.objects.select_related("round", "match").get(pk=pairing.pk)) == []


def test_a_correction_swaps_byes_too() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    decided(first, "Ann", "Chi", "Eva")
    second = without_clocks(first, "1,Ann,Chi", ",Eva,bye")
    path = f"/director/open/rounds/1/{first.pairings.get(table__name='3').pk}/result/"
    director = client_of("director")
    page = director.post(path, {"winner": "right", "note": "Wrong winner"})
    assert "Round 2: Eva has a bye. The bye goes to Finn." in said(page)
    assert director.post(path, {"winner": "right", "note": "Wrong winner"} | seen_in(page)).status_code == 302
    assert [bye.name for bye in second.byes.all()] == ["Finn"]


def test_a_swiss_round_with_a_bye_or_withdrawal_stays() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    decided(first, "Ann", "Chi", "Eva")
    first.tournament.players.filter(name="Finn").update(withdrawn=True)
    second = without_clocks(first, "1,Ann,Chi", "2,Eva,Dov", ",Bob,bye")
    director = client_of("director")
    for table in ("1", "3"):
        path = f"/director/open/rounds/1/{first.pairings.get(table__name=table).pk}/result/"
        page = director.post(path, {"winner": "right", "note": "Wrong winner"})
        assert "It was drawn with this result and stays as it is." in said(page)
        director.post(path, {"winner": "right", "note": "Wrong winner"} | seen_in(page))
    assert [each.setup["names"] for each in second.pairings.order_by("pk")] == [["Ann", "Chi"], ["Eva", "Dov"]]
    assert [bye.name for bye in second.byes.all()] == ["Bob"]


def test_a_match_ended_by_a_ruling_is_corrected_by_winner() -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    do(pairing.match, "director", do="propose", what="end", winner="left", note="Bob did not come")
    director, path = client_of("director"), f"/director/open/rounds/1/{pairing.pk}/result/"
    same = {"winner": "left", "score_left": "0", "score_right": "0", "note": "It was Ann"}
    assert "Nothing has changed." in said(director.post(path, same))
    assert director.post(path, same | {"winner": "right"}).status_code == 302
    match = Match.objects.get(pk=pairing.match.pk)
    assert (match.status, match.state["winner"], match.state["score"]) == ("over", "right", [0, 0])
    assert director.post(path, same | {"winner": "left", "score_left": "1"}).status_code == 400


def test_the_console_links_to_the_consequences() -> None:
    made, _, _ = two_rounds()
    match = made[0].match
    response = client_of("director").get(f"/director/open/match/{match.pk}/result/")
    assert response["Location"] == f"/director/open/rounds/1/{made[0].pk}/result/"
    Pairing.objects.filter(pk=made[0].pk).delete()
    response = client_of("director").get(f"/director/open/match/{match.pk}/result/")
    assert response["Location"] == f"/director/open/match/{match.pk}/"
