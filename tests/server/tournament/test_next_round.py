"""Proposals for the next round, which only an import stores."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse

from clocks.models import Pairing, Round
from clocks.tournament import moves
from clocks.tournament import next_round as planning
from tests.server.hall import client_of, drawn, next_round, plan_in, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/director/open/rounds/1/next/"


def decided(round_: Round, *winners: str) -> None:
    """Enter the winners of a round, as results of matches played without a clock."""
    for pairing in round_.pairings.filter(match=None):
        for seat, name in zip(("left", "right"), pairing.setup["names"], strict=True):
            if name in winners:
                Pairing.objects.filter(pk=pairing.pk).update(winner=seat)


def without_clocks(round_: Round | None, *lines: str) -> Round:
    """Create and draw the next round, or a first round with clocks on request."""
    made = next_round(round_) if round_ else summer_open(policy="on-request")
    drawn(made, *lines)
    return made


def proposed(round_: Round, how: str, *others: str) -> tuple[list[str], tuple[str, ...]]:
    """Lines and notes of a proposed round."""
    found = planning.propose(planning.Event(round_, 0, others), how)
    return found.text.splitlines()[1:], found.notes


def said(response: HttpResponse) -> str:
    """Text of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def test_winners_and_losers_of_neighbouring_tables_meet() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "10,Eva,Finn", "3,Gus,Hana")
    decided(round_, "Ann", "Dov", "Gus", "Eva")
    assert proposed(round_, "winners") == (["Ann,Dov", "Gus,Eva"], ())
    assert proposed(round_, "losers") == (["Bob,Chi", "Hana,Finn"], ())
    assert proposed(round_, "winners", "Xia") == (["Xia,Ann", "Dov,Gus", "Eva,bye"], ())


def test_undecided_matches_hold_their_places_in_the_next_round() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    decided(round_, "Ann", "Eva", "Gus")
    lines, notes = proposed(round_, "winners")
    assert lines == ['Ann,"winner of table 2, round 1"', "Eva,Gus"]
    assert notes == (
        "Table 2 is not decided: Chi – Dov.",
        "Their places are held and fill themselves in once those matches are decided.",
    )
    assert proposed(round_, "losers")[0] == ['Bob,"loser of table 2, round 1"', "Finn,Hana"]
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


def test_a_swiss_round_waits_for_the_player_of_a_bye() -> None:
    first = summer_open()
    drawn(first, "1,Ann,Bob")
    (other,) = drawn(next_round(first), "2,Chi,Dov", ",winner of table 1,bye")
    win(other.match)
    lines, notes = proposed(Round.objects.get(number=2), "swiss", "winner of table 1")
    assert lines == [] and notes == (
        "Table 1 is not decided: winner of table 1, round 1.",
        "A Swiss round needs every result of the round before it.",
    )


def test_a_swiss_of_five_rounds_has_no_rematch_or_second_bye() -> None:
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
        assert f"{rested[-1]} had no match in {round_}, which counts as a bye and a win." in notes
        met |= set(pairs)
        rested.append(resting)
        round_ = without_clocks(round_, *(f"{i},{','.join(pair)}" for i, pair in enumerate(pairs, 1)))


def test_a_round_robin_ends_after_its_last_round() -> None:
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


def test_another_event_of_the_tournament_is_ignored() -> None:
    main = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    decided(main, "Ann", "Chi", "Eva", "Gus")
    side = without_clocks(main, "5,Bob,Dov")
    decided(side, "Bob")
    assert proposed(side, "swiss")[1] == ("Bob and Dov have met before, because no round without a rematch is left.",)
    assert [each.round.number for each in planning.Event(side, 0).rounds] == [2]


@pytest.mark.parametrize(
    ("last", "missing"),
    [(["1,Ann,Gus", "2,Chi,Hana"], []), (["1,Ann,Gus", "2,Chi,Hana", "3,Eva,Ivo"], ["Bob", "Dov", "Finn"])],
    ids=["a third", "half"],
)
def test_a_round_is_of_the_event_of_half_its_players(last: list[str], missing: list[str]) -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    assert planning.Event(without_clocks(first, *last), 0).missing == missing


def test_only_the_last_of_three_steps_draws_the_next_round() -> None:
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


def test_each_method_has_a_button_with_its_description() -> None:
    without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    page = client_of("director").get(PATH).content.decode()
    buttons = re.findall(r'<button name="how"\s+value="(\w+)"[^>]*aria-describedby="([^"]+)">([^<]+)<', page)
    assert [(value, label) for value, _words, label in buttons] == [
        ("winners", "Knockout"),
        ("losers", "Consolation"),
        ("swiss", "Swiss"),
        ("lower", "Lower half"),
        ("circle", "All play all"),
        ("hand", "By hand"),
    ]
    assert all(f'id="{words}"' in page for _value, words, _label in buttons)


def test_without_a_proposal_the_page_says_why_and_creates_no_round() -> None:
    without_clocks(None, "1,Ann,Bob")
    director = client_of("director")
    response = director.post(PATH, {"how": "swiss", "others": "", "into": "2"})
    assert response.status_code == 409
    assert "Table 1 is not decided: Ann – Bob." in said(response)
    assert director.post(PATH, {"how": "dice", "others": "", "into": "9"}).status_code == 400
    assert Round.objects.count() == 1


def test_the_player_with_a_bye_is_filled_in() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    second = without_clocks(first, "1,Ann,Eva", "2,Bob,Chi")
    assert planning.players_with_bye(second, 0) == ["Dov"]
    page = client_of("director").get("/director/open/rounds/2/next/").content.decode()
    assert re.search(r"<textarea[^>]*>\s*Dov\n</textarea>", page)
    final = without_clocks(second, "1,Ann,Chi")
    assert planning.players_with_bye(final, 0) == []


def test_a_bye_ends_when_its_player_is_drawn() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", ",Eva,bye")
    assert [bye.name for bye in first.byes.all()] == ["Eva"]
    assert {player.name for player in first.tournament.players.all()} == {"Ann", "Bob", "Chi", "Dov", "Eva"}
    director = client_of("director")
    assert "Byes Eva" in said(director.get("/director/open/rounds/1/"))
    decided(first, "Ann", "Chi")
    assert planning.players_with_bye(first, 0) == ["Eva"]
    assert proposed(first, "swiss", "Eva")[1] == ("Eva had no match in Round 1, which counts as a bye and a win.",)
    drawn(first, "3,Eva,Finn")
    assert list(first.byes.all()) == []


def test_a_whole_double_elimination_of_eight_follows_from_its_results() -> None:
    def follows(how: str, number: int, beside: int | None = None) -> list[str]:
        by_number = {each.number: each for each in upper.tournament.rounds.select_related("tournament")}
        found = planning.propose(planning.Event(by_number[number], 0, (), by_number.get(beside or 0)), how)
        return found.text.splitlines()[1:]

    def played(number: int, lines: list[str]) -> None:
        made = Round.objects.create(tournament=upper.tournament, number=number, policy="on-request", length=3)
        drawn(made, *(f"{i},{line}" for i, line in enumerate(lines, 1)))
        decided(made, *(min(line.split(",")) for line in lines))

    upper = without_clocks(None, "1,A,B", "2,C,D", "3,E,F", "4,G,H")
    decided(upper, "A", "C", "E", "G")
    played(2, follows("winners", 1))  # A – C and E – G
    assert follows("lower", 1) == ["B,D", "F,H"]
    played(3, follows("lower", 1))
    assert follows("lower", 2, 3) == ["B,G", "F,C"]
    played(4, follows("lower", 2, 3))
    played(5, follows("winners", 4))  # B – C
    played(6, follows("winners", 2))  # A – E
    assert follows("lower", 6, 5) == ["B,E"]
    played(7, follows("lower", 6, 5))
    assert follows("winners", 6, 7) == ["B,A"]


def test_the_opponent_of_a_withdrawn_player_has_a_bye() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn")
    decided(round_, "Ann", "Chi", "Eva")
    round_.tournament.players.filter(name="Chi").update(withdrawn=True)
    assert proposed(round_, "winners") == (
        ["Ann,bye", "Eva,bye"],
        ("Chi has withdrawn, so the opponent has a bye.",),
    )
    lines, _ = proposed(round_, "swiss")
    assert sorted(name for line in lines for name in line.split(",")) == ["Ann", "Bob", "Dov", "Eva", "Finn", "bye"]


def test_pairing_by_hand_lists_the_players_and_draws_nothing() -> None:
    without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    page = client_of("director").post(PATH, {"how": "hand", "others": "Eva", "into": "2"}).content.decode()
    assert re.search(r"<textarea[^>]*>\s*left,right\nAnn,\nBob,\nChi,\nDov,\nEva,\n</textarea>", page)
    assert Pairing.objects.count() == 2


def test_a_round_without_matches_has_no_next_round() -> None:
    assert proposed(summer_open(), "winners") == ([], ("Round 1 has no matches yet.",))


def test_a_moved_match_keeps_its_place_in_the_draw() -> None:
    first = summer_open()
    made = drawn(first, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    moved(made[1], "40")
    moved(made[1], "41")
    for pairing in made:
        win(pairing.match)
    assert proposed(first, "winners")[0] == ["Ann,Chi", "Eva,Gus"]


def moved(pairing: Pairing, to: str) -> None:
    """Move a pairing and its match to another table."""
    director = User.objects.get_or_create(username="director")[0]
    moves.move(Pairing.objects.select_related("round", "table", "match").get(pk=pairing.pk), to, director)


def test_a_half_finished_round_keeps_neighbours_in_the_draw_together() -> None:
    first = summer_open()
    made = drawn(first, *(f"{i},L{i},R{i}" for i in range(1, 9)))
    for pairing in made[4:7]:
        win(pairing.match)
    director = client_of("director")
    preview = director.post(PATH, {"how": "winners", "others": "", "into": "2"})
    director.post("/director/open/rounds/2/draw/", plan_in(preview))
    for pairing in (*made[:4], made[7]):
        win(pairing.match)
    second = Round.objects.select_related("tournament").get(number=2)
    for pairing in second.pairings.order_by("pk"):
        win(pairing.match)
    assert proposed(second, "winners")[0] == ["L1,L3", "L5,L7"]


def test_a_team_withdraws_with_one_of_its_players() -> None:
    round_ = summer_open(policy="on-request", format="doubles")
    drawn(round_, "1,Ann / Bob,Chi / Dov", "2,Eva / Finn,Gus / Hana")
    decided(round_, "Ann / Bob", "Eva / Finn")
    round_.tournament.players.filter(name="Bob").update(withdrawn=True)
    words = ("Ann / Bob has withdrawn, so the opponent has a bye.",)
    assert proposed(round_, "winners") == (["Eva / Finn,bye"], words)
    assert "Ann / Bob" not in "".join(proposed(round_, "swiss")[0])


def test_a_round_robin_gives_opponents_of_a_withdrawn_player_byes() -> None:
    round_ = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    round_.tournament.players.filter(name="Ann").update(withdrawn=True)
    met = []
    for _round in range(2):
        lines, notes = proposed(round_, "circle", *planning.players_with_bye(round_, 0))
        assert notes == ("Ann has withdrawn, so the opponent has a bye.",)
        met += lines
        round_ = without_clocks(round_, *(f",{line}" for line in lines))
    assert {frozenset(line.split(",")) for line in met} == {
        frozenset(pair) for pair in (("Bob", "Chi"), ("Bob", "Dov"), ("Chi", "bye"), ("Dov", "bye"))
    }


def test_a_late_player_had_no_byes() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov")
    decided(first, "Ann", "Chi")
    second = without_clocks(first, "1,Ann,Chi", "2,Bob,Dov")
    decided(second, "Ann", "Bob")
    assert proposed(second, "swiss", "Eva") == (["Ann,Dov", "Bob,Chi", "Eva,bye"], ())


def test_in_a_knockout_of_three_the_loser_has_no_bye() -> None:
    first = without_clocks(None, "1,Ann,Bob", ",Chi,bye")
    decided(first, "Ann")
    final = without_clocks(first, "1,Chi,Ann")
    assert (planning.players_with_bye(first, 0), planning.players_with_bye(final, 0)) == (["Chi"], [])


def test_a_late_player_did_not_have_the_bye_of_a_withdrawn_one() -> None:
    first = without_clocks(None, "1,Ann,Bob", "2,Chi,Dov", ",Eva,bye")
    decided(first, "Ann", "Chi")
    first.tournament.players.filter(name="Eva").update(withdrawn=True)
    lines, notes = proposed(first, "swiss", "Zoe")
    assert (lines[-1], notes) == ("Zoe,bye", ())
