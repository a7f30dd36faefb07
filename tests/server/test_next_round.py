"""The next round from the results: who is filled in, what is said, and that only the import stores a match."""

import html
import re

import pytest
from django.http import HttpResponse

from clocks.models import Pairing, Round
from clocks.record import next_round as follow
from tests.server.hall import client_of, drawn, next_round, summer_open, win
from tests.server.test_draw_import import plan_in

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/director/open/rounds/1/next/"


def decided(round_: Round, *winners: str) -> None:
    """Enter who won in a round, as results of matches played without a clock."""
    for pairing in round_.pairings.filter(match=None):
        for seat, name in zip(("left", "right"), pairing.setup["names"], strict=True):
            if name in winners:
                Pairing.objects.filter(pk=pairing.pk).update(winner=seat)


def without_clocks(round_: Round | None, *lines: str) -> Round:
    """Make and draw a round after this one, whose matches need no clock."""
    made = next_round(round_) if round_ else summer_open(policy="on-request")
    drawn(made, *lines)
    return made


def proposed(round_: Round, how: str, *others: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the lines of the round that follows and what is said of them."""
    found = follow.propose(follow.Event(round_, 0, others), how)
    return found.text.splitlines()[1:], found.notes


def said(response: HttpResponse) -> str:
    """Return the text of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def test_winners_and_losers_of_neighbouring_tables_meet() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "10,Eva,Finn", "3,Gus,Hana")
    decided(round_, "Ann", "Dov", "Gus", "Eva")
    assert proposed(round_, "winners") == (["Ann,Dov", "Gus,Eva"], ())
    assert proposed(round_, "losers") == (["Bob,Chi", "Hana,Finn"], ())
    assert proposed(round_, "winners", "Xia") == (["Xia,Ann", "Dov,Gus", "Eva,bye"], ())


def test_of_a_half_finished_round_only_what_is_decided_is_filled_in_and_the_rest_is_named() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    decided(round_, "Ann", "Eva", "Gus")
    lines, notes = proposed(round_, "winners")
    assert lines == ["Eva,Gus"]
    assert notes == (
        "Table 2 is not decided: Chi – Dov.",
        "Only matches whose two players are known are filled in. Come back for the rest.",
    )
    assert proposed(round_, "swiss") == (
        [],
        ("Table 2 is not decided: Chi – Dov.", "A Swiss round needs every result of the round before it."),
    )


def test_a_match_with_a_clock_counts_by_its_winner() -> None:
    round_ = summer_open()
    first, second = drawn(round_, "1,Ann,Bob", "2,Chi,Dov")
    win(first.match, "right")
    win(second.match)
    assert proposed(round_, "winners") == (["Bob,Chi"], ())


def test_a_swiss_of_five_rounds_with_seven_players_has_no_rematch_and_no_second_bye() -> None:
    players = ["Ann", "Bob", "Chi", "Dov", "Eva", "Finn", "Gus"]
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    met, rested, resting = {("Ann", "Bob"), ("Chi", "Dov"), ("Eva", "Finn")}, ["Gus"], "Gus"
    for _ in range(4):
        decided(round_, *(pairing.setup["names"][0] for pairing in round_.pairings.all()))
        lines, notes = proposed(round_, "swiss", resting)
        pairs = [tuple(sorted(line.split(","))) for line in lines if not line.endswith(",bye")]
        (resting,) = (line.removesuffix(",bye") for line in lines if line.endswith(",bye"))
        assert sorted([*(name for pair in pairs for name in pair), resting]) == players
        assert resting not in rested and not met & set(pairs)
        assert f"{rested[-1]} had no match in {round_}: counted as a bye and a win." in notes
        met |= set(pairs)
        rested.append(resting)
        round_ = without_clocks(round_, *(f"{i},{','.join(pair)}" for i, pair in enumerate(pairs, 1)))


def test_all_play_all_goes_on_to_the_last_round_and_then_says_so() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    met = {"Ann,Bob", "Chi,Dov"}
    for _ in range(2):
        lines, notes = proposed(round_, "circle")
        assert (len(lines), notes) == (2, ())
        met |= {",".join(sorted(line.split(","))) for line in lines}
        round_ = without_clocks(round_, *(f"{i},{line}" for i, line in enumerate(lines, 1)))
    assert len(met) == 6
    assert proposed(round_, "circle") == (
        [],
        ("No round of the circle is left in which nobody meets the same opponent again.",),
    )


def test_an_event_in_the_same_tournament_with_other_players_is_left_out() -> None:
    main = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    decided(main, "Ann", "Chi", "Eva", "Gus")
    side = without_clocks(main, "5,Bob,Dov")
    decided(side, "Bob")
    assert proposed(side, "swiss")[1] == ("Bob and Dov have met before: no round without a rematch is left.",)
    assert [each.round.number for each in follow.Event(side, 0).rounds] == [2]


def test_three_steps_lead_from_a_finished_round_to_the_next_one_and_only_the_last_draws() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(round_, "Ann", "Dov")
    director = client_of("director")
    assert "It is filled in from the results of Round 1." in said(director.get(PATH))
    sent = {"how": "winners", "others": "", "into": "2"}
    preview = director.post(PATH, sent)
    assert (preview.status_code, "1 match to import" in said(preview)) == (200, True)
    assert (Round.objects.count(), Pairing.objects.count()) == (2, 2)
    assert 'action="/director/open/rounds/2/draw/"' in preview.content.decode()
    director.post(PATH, sent)
    assert Round.objects.count() == 2
    director.post("/director/open/rounds/2/draw/", plan_in(preview))
    found = Pairing.objects.filter(round__number=2).values_list("table__name", "setup__names")
    assert list(found) == [("1", ["Ann", "Dov"])]


def test_where_nothing_can_be_filled_in_the_page_says_why_and_makes_no_round() -> None:
    without_clocks(None, "1,Ann,Bob")
    director = client_of("director")
    response = director.post(PATH, {"how": "swiss", "others": "", "into": "2"})
    assert response.status_code == 409
    assert "Table 1 is not decided: Ann – Bob." in said(response)
    assert director.post(PATH, {"how": "dice", "others": "", "into": "9"}).status_code == 400
    assert Round.objects.count() == 1


def test_the_one_player_who_rested_is_filled_in_and_those_who_are_out_are_not() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    second = without_clocks(first, "1,Ann,Eva", "2,Bob,Chi")
    assert follow.resting(second, 0) == ["Dov"]
    page = client_of("director").get("/director/open/rounds/2/next/").content.decode()
    assert re.search(r"<textarea[^>]*>\s*Dov</textarea>", page)
    final = without_clocks(second, "1,Ann,Chi")
    assert follow.resting(final, 0) == []


def test_who_comes_back_for_the_rest_finds_the_round_begun_and_draws_nothing_twice() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    decided(round_, "Eva", "Gus")
    director = client_of("director")
    into_2 = re.compile(r'<option value="2" selected>')
    preview = director.post(PATH, {"how": "winners", "others": "", "into": "2"})
    director.post("/director/open/rounds/2/draw/", plan_in(preview))
    decided(round_, "Ann", "Dov")
    assert into_2.search(director.get(PATH).content.decode())
    preview = director.post(PATH, {"how": "winners", "others": "", "into": "2"})
    assert "1 match to import" in said(preview) and "1 is already drawn" in said(preview)
    director.post("/director/open/rounds/2/draw/", plan_in(preview))
    found = Pairing.objects.filter(round__number=2).values_list("table__name", "setup__names")
    assert list(found) == [("1", ["Eva", "Gus"]), ("2", ["Ann", "Dov"])]
    assert '<option value="3" selected>' in director.get(PATH).content.decode()


def test_a_round_without_matches_says_so() -> None:
    assert proposed(summer_open(), "winners") == ([], ("Round 1 has no matches yet.",))
