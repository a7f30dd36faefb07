"""Places in a round reserved for the winner or loser of another match."""

import pytest
from django.contrib.auth.models import User

from clocks.engine.refusals import Refused
from clocks.engine.setup import LONGEST_NAME
from clocks.models import Pairing, Round
from clocks.tournament import draw, draw_plan, draw_store, places, without_clock
from tests.server.hall import begin, client_of, drawn, next_round, plan_in, summer_open, win
from tests.server.tournament.test_next_round import PATH, decided, moved, proposed, said, without_clocks

pytestmark = pytest.mark.django_db(transaction=True)


def halves() -> tuple[list[Pairing], Round]:
    """Draw a round of two matches and, before they end, a round of their winners."""
    made = drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    director = client_of("director")
    preview = director.post(PATH, {"how": "winners", "others": "", "into": "2"})
    assert "Begins when both players are known." in said(preview)
    director.post("/director/open/rounds/2/draw/", plan_in(preview))
    return made, Round.objects.select_related("tournament").get(number=2)


def drawn_in(round_: Round) -> list[tuple[list[str], bool]]:
    """Names in each pairing of a round, and whether it has a match."""
    return [(each.setup["names"], each.match_id is not None) for each in round_.pairings.order_by("pk")]


def test_the_winner_takes_the_place_and_the_match_starts() -> None:
    (one, two), second = halves()
    assert drawn_in(second) == [(["winner of table 1, round 1", "winner of table 2, round 1"], False)]
    page = said(client_of("director").get("/director/open/rounds/2/"))
    assert "winner of table 1, round 1 – winner of table 2, round 1" in page and "waits for its players" in page
    win(one.match, "right")
    assert drawn_in(second) == [(["Bob", "winner of table 2, round 1"], False)]
    win(two.match)
    assert drawn_in(second) == [(["Bob", "Chi"], True)]
    assert {player.name for player in second.tournament.players.all()} == {"Ann", "Bob", "Chi", "Dov"}


def test_two_winners_who_had_changed_tables_are_corrected_one_by_one() -> None:
    (one, two), second = halves()
    win(one.match)
    win(two.match)
    director = client_of("director")
    for match, left, right in ((one.match, "Chi", "Bob"), (two.match, "Ann", "Dov")):
        path = f"/director/open/match/{match.pk}/players/"
        answer = director.post(path, {"left": left, "right": right, "note": "They sat at the wrong tables"})
        assert answer.status_code == 302
    assert drawn_in(Round.objects.get(number=1)) == [(["Chi", "Bob"], True), (["Ann", "Dov"], True)]
    assert drawn_in(second) == [(["Ann", "Chi"], True)]


def test_a_result_without_a_clock_fills_the_place() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    second = without_clocks(first, "1,winner of table 1,Loser of Table 2")
    director = client_of("director")
    (waiting,) = second.pairings.all()
    path = f"/director/open/rounds/2/{waiting.pk}/"
    assert director.get(f"{path}result/").status_code == 409
    refused = director.post(f"{path}clock/", {"score_left": 0, "score_right": 0})
    assert "The players of this match are not known yet." in said(refused)
    for pairing in first.pairings.all():
        director.post(f"/director/open/rounds/1/{pairing.pk}/result/", {"winner": "left"})
    assert drawn_in(second) == [(["Ann", "Dov"], False)]


def test_a_placeholder_is_read_in_any_language() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(first, "Ann")
    second = next_round(first)
    lines = draw.parse("left,right\nSieger von Tisch 1,loser of table 2\nwinner of table 9,Zoe\n", second).lines
    planned = draw_plan.Tables(second).plan(lines)
    assert [(each.act, each.line.names) for each in planned] == [
        ("wait", "Ann – loser of table 2, round 1"),
        ("bad", "winner of table 9 – Zoe"),
    ]
    assert planned[1].words == "No match of an earlier round is drawn at table 9."


def test_a_bye_for_a_winner_waits_like_a_place() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    second = without_clocks(first, "1,winner of table 1,winner of table 2", ",winner of table 3,bye")
    assert [bye.name for bye in second.byes.all()] == ["winner of table 3, round 1"]
    (pairing,) = first.pairings.filter(table__name="3")
    director = client_of("director")
    director.post(f"/director/open/rounds/1/{pairing.pk}/result/", {"winner": "right"})
    assert [bye.name for bye in second.byes.all()] == ["Finn"]
    (bye,) = second.byes.all()
    assert director.post(f"/director/open/rounds/2/byes/{bye.pk}/remove/").status_code == 302
    assert list(second.byes.all()) == []


def test_a_reference_to_a_table_means_its_undecided_match() -> None:
    first = summer_open()
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    win(made[0].match)
    begin(made[1].match)
    moved(made[1], "1")
    lines, _ = proposed(first, "winners")
    assert lines == ['Ann,"winner of table 1, round 1"']
    second = next_round(first)
    (final,) = drawn(second, f"9,{lines[0]}")
    win(made[1].match, "right")
    assert drawn_in(second) == [(["Ann", "Dov"], True)]
    assert final.places.get().source_id == made[1].pk


def test_redrawing_a_line_keeps_the_places_that_wait_for_it() -> None:
    (one, two), second = halves()
    director = client_of("director")
    assert director.post(f"/director/open/rounds/1/{one.pk}/", {"table": "9", "left": "Ann", "right": "Bob"})
    drawn(two.round, "2,Chi,Dave")
    for pairing in two.round.pairings.order_by("pk"):
        win(pairing.match, "right")
    assert drawn_in(second) == [(["Bob", "Dave"], True)]


def test_corrected_names_reach_the_place_of_the_winner() -> None:
    (one, two), second = halves()
    win(one.match)
    path = f"/director/open/match/{one.match.pk}/players/"
    sent = {"left": "Xaver", "right": "Bob", "note": "Xaver sat there", "new_player": "on"}
    assert client_of("director").post(path, sent).status_code == 302
    win(two.match)
    assert drawn_in(second) == [(["Xaver", "Chi"], True)]
    client_of("director").post(path, sent | {"left": "Xenia", "note": "Xenia"})
    final = second.pairings.get()
    assert (final.setup["names"], final.match.state["setup"]["names"]) == (["Xenia", "Chi"], ["Xenia", "Chi"])


def test_corrected_names_of_a_match_without_a_clock_reach_the_place() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    second = without_clocks(first, "1,winner of table 1,winner of table 2")
    (pairing,) = first.pairings.filter(table__name="1")
    director = client_of("director")
    director.post(f"/director/open/rounds/1/{pairing.pk}/result/", {"winner": "left"})
    sent = {"left": "Xaver", "right": "Bob", "note": "Xaver sat there", "new_player": "on"}
    assert director.post(f"/director/open/rounds/1/{pairing.pk}/players/", sent).status_code == 302
    assert drawn_in(second) == [(["Xaver", "winner of table 2, round 1"], False)]


def test_withdrawing_a_result_empties_its_places() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    second = without_clocks(first, "1,winner of table 1,winner of table 2", ",winner of table 3,bye")
    director = client_of("director")
    for table in ("1", "3"):
        path = f"/director/open/rounds/1/{first.pairings.get(table__name=table).pk}/result/"
        assert "Nobody yet" not in said(director.get(path))
        assert director.post(path, {"winner": "nobody"}).status_code == 400
        director.post(path, {"winner": "left"})
        assert "Nobody yet: take the result back" in said(director.get(path))
        page = director.post(path, {"winner": "nobody", "note": "Another table was meant"}, follow=True)
        assert "has been taken back." in said(page)
        assert director.post(path, {"winner": "nobody", "note": "Again"}).status_code == 400
    assert drawn_in(second) == [(["winner of table 1, round 1", "winner of table 2, round 1"], False)]
    assert [(bye.name, bye.filled) for bye in second.byes.all()] == [("winner of table 3, round 1", False)]
    assert not first.pairings.exclude(winner="").exists()
    log = said(client_of("owner").get("/director/open/hall/"))
    assert "Took back the result of Ann – Bob, which was “Ann won”" in log and "Another table was meant" in log


def test_a_winner_cannot_be_drawn_to_play_himself() -> None:
    first = without_clocks(None, "1,Ann,Bob")
    decided(first, "Ann")
    second = next_round(first)
    lines = draw.parse("left,right\nwinner of table 1,Ann\n", second).lines
    (planned,) = draw_plan.Tables(second).plan(lines)
    assert (planned.act, planned.words) == ("bad", "The two players need different names.")


@pytest.mark.parametrize(("policy", "act"), [("required", "wait"), ("on-request", "start")])
def test_a_match_waits_for_one_of_an_earlier_round_at_its_table(policy: str, act: str) -> None:
    first = summer_open(policy=policy)
    second = next_round(first, policy="required")
    lines = "table,left,right\n5,Ann,Bob"
    sheet = draw.parse(lines, first).lines
    draw_store.store_without_start(first, lambda tables: draw_store.Plan(tables.plan(sheet)), None)
    (planned,) = draw_plan.Tables(second).plan(draw.parse(lines, second).lines)
    assert planned.act == act


def test_a_place_names_its_round_if_that_fits() -> None:
    short = len(places.words("winner", "1", Round(number=2, name="x"))) - 1
    most = "x" * (LONGEST_NAME - short)
    found = [places.words("winner", "1", Round(number=2, name=name)) for name in (most, f"{most}x")]
    assert found == [f"winner of table 1 ({most})", "winner of table 1, round 2"]


def test_a_result_needs_both_players() -> None:
    first = without_clocks(None, "1,Ann,Bob")
    second = without_clocks(first, "1,winner of table 1,Chi")
    user = User.objects.create(username="dora")
    with pytest.raises(Refused, match="The players of this match are not known yet"):
        without_clock.enter(second.tournament, second.pairings.get(), "left", (None, None), user)
    without_clock.enter(first.tournament, first.pairings.get(), "left", (None, None), user)
    without_clock.enter(second.tournament, second.pairings.get(), "left", (None, None), user)
    assert second.pairings.get().winner == "left"
