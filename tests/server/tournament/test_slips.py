"""Entering a round's results from result slips, on one page."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from clocks.engine.refusals import Refused, Why
from clocks.models import HallEntry, Match, Pairing, Tournament
from clocks.tournament import without_clock
from clocks.tournament.players import correct_drawn
from tests.server.hall import begin, client_of, drawn, next_round, summer_open
from tests.server.tournament.test_held_places import halves
from tests.server.tournament.test_next_round import decided, said, without_clocks

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/director/open/rounds/1/slips/"


def result(pairing: Pairing) -> tuple[str, list[int] | None]:
    stored = Pairing.objects.get(pk=pairing.pk)
    return stored.winner, stored.score


def test_several_slips_are_stored_at_once_without_a_reason() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    one, two, three = first.pairings.order_by("pk")
    director = client_of("director")
    page = director.get(PATH)
    assert page.status_code == 200 and "Reason for the record" not in said(page)
    sent = {f"winner-{one.pk}": "left", f"winner-{two.pk}": "right", f"points-{two.pk}": "1"}
    done = director.post(PATH, sent, follow=True)
    assert "2 results entered." in said(done)
    assert (result(one), result(two), result(three)) == (("left", None), ("right", [1, 3]), ("", None))
    assert HallEntry.objects.filter(event="result_entered").count() == 2


def test_an_impossible_slip_stores_nothing_and_says_why() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    one, two = first.pairings.order_by("pk")
    director = client_of("director")
    for sent, words in (
        ({f"winner-{two.pk}": "left", f"points-{two.pk}": "3"}, "In a match to 3 the winner has 3"),
        ({f"winner-{two.pk}": "left", f"points-{two.pk}": "two"}, "Enter the loser’s points as a number."),
        ({f"winner-{two.pk}": "both"}, "Choose the winner."),
        ({f"points-{two.pk}": "1"}, "Choose the winner."),
    ):
        page = director.post(PATH, {f"winner-{one.pk}": "left", **sent})
        assert page.status_code == 400 and words in said(page)
    assert (result(one), result(two)) == (("", None), ("", None))


def test_only_a_changed_result_needs_a_reason() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(first, "Ann")
    one, two = first.pairings.order_by("pk")
    director = client_of("director")
    same = {f"was-{one.pk}": "left:", f"winner-{one.pk}": "left", f"winner-{two.pk}": "left"}
    assert director.post(PATH, same).status_code == 302
    changed = {f"was-{one.pk}": "left:", f"winner-{one.pk}": "right"}
    page = director.post(PATH, changed)
    assert page.status_code == 400 and "There is a result already. Say why it is corrected." in said(page)
    assert page.content.decode().count("Reason for the record") == 1, "in the line that is corrected"
    too_long = director.post(PATH, changed | {f"note-{one.pk}": "x" * 401})
    assert too_long.status_code == 400 and result(one) == ("left", None)
    assert director.post(PATH, changed | {f"note-{one.pk}": "The slip said Bob"}).status_code == 302
    assert (result(one), result(two)) == (("right", None), ("left", None))


def test_a_result_that_somebody_has_changed_meanwhile_stays() -> None:
    first = without_clocks(None, "1,Ann,Bob")
    decided(first, "Ann")
    (one,) = first.pairings.all()
    sent = {f"was-{one.pk}": ":", f"winner-{one.pk}": "right", f"note-{one.pk}": "Late slip"}
    page = client_of("director").post(PATH, sent)
    assert page.status_code == 400 and "Somebody has changed this result meanwhile." in said(page)
    assert result(one) == ("left", None)


def shown_in(page: HttpResponse) -> dict[str, str]:
    """Players shown on a results page, as sent by its form."""
    found = re.search(r'name="shown" value="([^"]+)"', page.content.decode())
    assert found
    return {"shown": found.group(1)}


def test_no_result_is_stored_for_players_whom_the_page_did_not_show() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    one, two = first.pairings.order_by("pk")
    director, of_one = client_of("director"), f"/director/open/rounds/1/{one.pk}/result/"
    slips, form = shown_in(director.get(PATH)), shown_in(director.get(of_one))
    correct_drawn(one, ("Dan", "Bob"), User.objects.get(), "Ann has gone home")
    sent = {f"winner-{one.pk}": "left", f"winner-{two.pk}": "left"}
    pages = director.post(PATH, sent | slips), director.post(of_one, {"winner": "left"} | form)
    words = "Somebody has changed this result meanwhile. Check it again."
    assert [(page.status_code, words in said(page), "Dan" in said(page)) for page in pages] == [(400, True, True)] * 2
    assert (result(one), result(two)) == (("", None), ("", None))
    assert director.post(PATH, sent | shown_in(pages[0])).status_code == 302
    assert (result(one), result(two)) == (("left", None), ("left", None))


def test_of_two_results_at_the_same_moment_the_second_is_refused() -> None:
    first = without_clocks(None, "1,Ann,Bob")
    read_by_both = [first.pairings.get() for _director in range(2)]
    dora = User.objects.create(username="dora")
    without_clock.enter(first.tournament, read_by_both[0], "left", (3, 1), dora)
    with pytest.raises(Refused, match="Somebody has changed this result meanwhile"):
        without_clock.enter(first.tournament, read_by_both[1], "right", (0, 3), dora)
    assert result(read_by_both[0]) == ("left", [3, 1])


def test_slips_stored_beside_a_refused_one_can_be_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    one, two = first.pairings.order_by("pk")
    enter = without_clock.enter

    def refuses_two(tournament: Tournament, pairing: Pairing, *given: Any) -> None:
        if pairing == two:
            raise Refused(Why.STALE, without_clock.CHANGED)
        enter(tournament, pairing, *given)

    director = client_of("director")
    sent = {f"winner-{one.pk}": "left", f"points-{one.pk}": "1", f"winner-{two.pk}": "right"}
    with monkeypatch.context() as patch:
        patch.setattr(without_clock, "enter", refuses_two)
        page = director.post(PATH, sent)
    assert page.status_code == 400 and (result(one), result(two)) == (("left", [3, 1]), ("", None))
    was = dict(re.findall(r'name="(was-\d+)" value="([^"]+)"', page.content.decode()))
    assert was == {f"was-{one.pk}": "left:1"}
    again = director.post(PATH, sent | was | shown_in(page), follow=True)
    assert "1 result entered." in said(again) and result(two) == ("right", None)


def test_a_winner_who_has_gone_on_is_corrected_in_the_line_of_the_slip() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(first, "Ann", "Chi")
    second = without_clocks(first, "1,Ann,Chi")
    one, other = first.pairings.order_by("pk")
    sent = {f"was-{one.pk}": "left:", f"winner-{one.pk}": "right", f"note-{one.pk}": "The slip said Bob"}
    director = client_of("director")
    page = director.post(PATH, sent)
    assert page.status_code == 400 and "Later rounds change with it. Read below what follows" in said(page)
    assert "Round 2, table 1: Ann – Chi. It becomes Bob – Chi." in said(page)
    assert second.pairings.get().setup["names"] == ["Ann", "Chi"]
    seen = re.search(rf'name="seen-{one.pk}" value="([^"]+)"', page.content.decode())
    assert seen
    assert director.post(PATH, sent | {f"seen-{one.pk}": "1-waits"}).status_code == 400
    assert director.post(PATH, sent | {f"seen-{one.pk}": seen[1]}).status_code == 302
    assert (second.pairings.get().setup["names"], result(one)) == (["Bob", "Chi"], ("right", None))
    assert result(other) == ("left", None)


def test_a_corrected_slip_warns_of_clocks_that_it_stopped() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(first, "Ann", "Chi")
    (final,) = drawn(next_round(first, policy="required"), "7,Ann,Chi")
    begin(final.match)
    one = first.pairings.order_by("pk")[0]
    sent = {f"was-{one.pk}": "left:", f"winner-{one.pk}": "right", f"note-{one.pk}": "The slip said Bob"}
    director = client_of("director")
    seen = re.search(rf'name="seen-{one.pk}" value="([^"]+)"', director.post(PATH, sent).content.decode())
    assert seen
    page = director.post(PATH, sent | {f"seen-{one.pk}": seen[1]}, follow=True)
    assert "Round 2, table 7: the clocks are stopped, and the players are now Bob – Chi." in said(page)
    assert Match.objects.get(pk=final.match.pk).status == "stopped"


def test_a_slip_ends_a_match_whose_clock_has_not_run() -> None:
    one, two = drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    begin(two.match)
    director = client_of("director")
    assert "Chi – Dov played with a clock" in said(director.get(PATH))
    sent = {f"winner-{one.pk}": "right", f"points-{one.pk}": "2", f"winner-{two.pk}": "left"}
    assert director.post(PATH, sent).status_code == 302
    ended, running = Match.objects.get(pk=one.match.pk), Match.objects.get(pk=two.match.pk)
    assert (ended.status, ended.state["winner"], ended.state["score"]) == ("over", "right", [2, 3])
    assert running.status == "running"
    shown = said(director.get(PATH))
    assert "Ann – Bob · Bob won · 2 – 3 Correct the result Table 2 Chi – Dov played with a clock" in shown


def test_a_slip_without_points_ends_a_match_too() -> None:
    (one,) = drawn(summer_open(), "1,Ann,Bob")
    assert client_of("director").post(PATH, {f"winner-{one.pk}": "left"}).status_code == 302
    match = Match.objects.get(pk=one.match.pk)
    assert (match.status, match.state["winner"], match.state["score"]) == ("over", "left", [0, 0])


def test_a_match_that_waits_for_its_players_takes_no_slip() -> None:
    _, second = halves()
    (waiting,) = second.pairings.all()
    path = "/director/open/rounds/2/slips/"
    director = client_of("director")
    assert "waits for its players" in said(director.get(path))
    assert director.post(path, {f"winner-{waiting.pk}": "left"}).status_code == 302
    assert result(waiting) == ("", None)
