"""Results of a round entered from slips, on one page."""

import pytest

from clocks.models import HallEntry, Match, Pairing
from tests.server.hall import begin, client_of, drawn, summer_open
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
    assert page.status_code == 200 and "Reason, if you change a result" not in said(page)
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
    assert "Reason, if you change a result" in said(director.get(PATH))
    same = {f"was-{one.pk}": "left:", f"winner-{one.pk}": "left", f"winner-{two.pk}": "left"}
    assert director.post(PATH, same).status_code == 302
    changed = {f"was-{one.pk}": "left:", f"winner-{one.pk}": "right"}
    page = director.post(PATH, changed)
    assert page.status_code == 400 and "There is a result already. Say below why it is corrected." in said(page)
    assert director.post(PATH, changed | {"note": "The slip said Bob"}).status_code == 302
    assert (result(one), result(two)) == (("right", None), ("left", None))


def test_a_result_that_somebody_has_changed_meanwhile_stays() -> None:
    first = without_clocks(None, "1,Ann,Bob")
    decided(first, "Ann")
    (one,) = first.pairings.all()
    sent = {f"was-{one.pk}": ":", f"winner-{one.pk}": "right", "note": "Late slip"}
    page = client_of("director").post(PATH, sent)
    assert page.status_code == 400 and "Somebody has changed this result meanwhile." in said(page)
    assert result(one) == ("left", None)


def test_a_winner_who_has_gone_on_is_corrected_on_the_page_of_the_result() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(first, "Ann", "Chi")
    second = without_clocks(first, "1,Ann,Chi")
    one = first.pairings.order_by("pk")[0]
    sent = {f"was-{one.pk}": "left:", f"winner-{one.pk}": "right", "note": "The slip said Bob"}
    page = client_of("director").post(PATH, sent)
    assert "Later rounds are drawn with this result. Correct it on its own page." in said(page)
    assert f"/director/open/rounds/1/{one.pk}/result/" in page.content.decode()
    assert second.pairings.get().setup["names"] == ["Ann", "Chi"]


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
