"""Standings, places and brackets of a tournament's events."""

import html
import re

import pytest

from clocks.models import Bye, Pairing, Player, Round, Section
from clocks.tournament import events
from tests.server.hall import client_of, do, drawn, next_round, summer_open, win

pytestmark = pytest.mark.django_db(transaction=True)

PATH = "/director/open/standings/"


def result(round_: Round, winner: str, score: tuple[int, int] = (3, 1)) -> None:
    """Enter a result without a clock; `score` begins with the winner's points."""
    for pairing in round_.pairings.all():
        if winner in pairing.setup["names"]:
            seat = ("left", "right")[pairing.setup["names"].index(winner)]
            points = list(score) if seat == "left" else [score[1], score[0]]
            Pairing.objects.filter(pk=pairing.pk).update(winner=seat, score=points)


def section(method: str, name: str = "", **changes: object) -> Round:
    """Create a section; return its first round, with clocks on request."""
    round_ = summer_open(policy="on-request", **changes)
    round_.section = Section.objects.create(tournament=round_.tournament, method=method, name=name)
    round_.save()
    return round_


def text(client_page: bytes) -> str:
    """Text of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", client_page.decode())))


def swiss() -> Round:
    """Two decided rounds of a Swiss event with five players."""
    first = section("swiss")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    Bye.objects.create(round=first, name="Eva")
    for winner, score in (("Ann", (3, 0)), ("Chi", (3, 2))):
        result(first, winner, score)
    second = next_round(first, section=first.section)
    drawn(second, "1,Ann,Chi", "2,Eva,Bob")
    Bye.objects.create(round=second, name="Dov")
    result(second, "Ann")
    result(second, "Bob")
    return second


def test_a_swiss_is_ranked_by_wins_and_tie_breaks() -> None:
    swiss()
    (event,) = events.of_tournament(Round.objects.all()[0].tournament)
    assert [(line.place, line.name, line.wins) for line in event.standings] == [
        (1, "Ann", 2.0), (2, "Chi", 1.0), (3, "Bob", 1.0), (4, "Dov", 1.0), (5, "Eva", 1.0),
    ]  # fmt: skip
    assert (event.name, event.final, event.undecided) == ("Swiss", False, 0)


def test_the_director_chooses_the_order_of_tie_breaks() -> None:
    second = swiss()
    client = client_of("director")
    page = client.get(PATH).content
    assert "Direct meeting Buchholz Median Points won" in text(page)
    assert page.decode().count('data-label="Median"') == 5, "on a phone each value says what it is"
    client.post(f"{PATH}{second.section_id}/", {"place_0": "points", "place_1": "points", "place_2": "median"})
    assert Section.objects.get().tie_breaks == ["points", "median"]
    page = text(client.get(PATH).content)
    assert "Wins Points won Median" in page
    client.post(f"{PATH}{second.section_id}/", {"place_0": "luck"})
    assert Section.objects.get().tie_breaks == ["points", "median"]


def test_a_knockout_has_places_a_bracket_and_an_end() -> None:
    first = section("knockout")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    result(first, "Ann")
    client = client_of("director")
    page = client.get(PATH).content
    assert text(page).count("1 match not decided") == 1
    assert "still in Chi, Dov, Ann" in text(page)
    result(first, "Dov")
    (half,) = events.of_tournament(first.tournament)
    assert half.places == [("Ann", 1, True), ("Dov", 1, True), ("Bob", 3, False), ("Chi", 3, False)]
    second = next_round(first, section=first.section)
    drawn(second, "1,Ann,Dov")
    result(second, "Dov", (3, 2))
    (event,) = events.of_tournament(first.tournament)
    assert event.final
    assert event.places == [("Dov", 1, False), ("Ann", 2, False), ("Bob", 3, False), ("Chi", 3, False)]
    page = client.get(PATH).content
    assert "final" in text(page)
    assert "Place Players 1 Dov 2 Ann 3–4 Bob, Chi" in text(page)
    assert page.decode().count("<rect") == 3


def test_an_event_without_a_draw_is_known() -> None:
    first = section("knockout", "Main")
    tournament = first.tournament
    undrawn = [events.has_undrawn(tournament)]
    drawn(first, "1,Ann,Bob")
    undrawn.append(events.has_undrawn(tournament))
    Section.objects.create(tournament=tournament, method="swiss", name="Consolation")
    undrawn.append(events.has_undrawn(tournament))
    assert undrawn == [True, False, True]


def test_a_swiss_is_final_after_its_planned_rounds() -> None:
    second = swiss()
    Section.objects.update(rounds_planned=3)
    (event,) = events.of_tournament(second.tournament)
    assert (event.final, event.winners) == (False, [])
    Section.objects.update(rounds_planned=2)
    (event,) = events.of_tournament(second.tournament)
    assert (event.final, event.winners) == (True, ["Ann"])
    assert "final" in text(client_of("director").get(PATH).content)


def test_a_bracket_of_64_is_printed_on_sheets_of_a_paper() -> None:
    first = section("knockout")
    drawn(first, *(f"{n},Player With Long Name {n:03},Someone {n}" for n in range(1, 33)))
    client = client_of("director")
    page = client.get(f"{PATH}?paper=a4").content
    assert page.decode().count("<rect") == 63
    assert [f"sheet {n} of 3" in text(page) for n in (1, 2, 3)] == [True] * 3
    page = client.get(f"{PATH}?paper=a3").content
    assert "1 sheet for the wall" in text(page) and "sheet 1 of" not in text(page)


def test_a_consolation_is_printed_on_the_sheet_of_the_main_bracket() -> None:
    first = section("knockout", "Main")
    drawn(first, *(f"{n},Ann {n},Bob {n}" for n in range(1, 5)))
    result(first, "Ann 1")
    side = Section.objects.create(tournament=first.tournament, name="Consolation", method="knockout")
    drawn(next_round(first, section=side), "7,Bob 1,Bob 2")
    page = client_of("director").get(f"{PATH}?paper=a4").content
    assert (page.decode().count("event bracket-page"), page.decode().count("<svg")) == (1, 2)


def test_a_match_with_a_clock_is_shown_with_its_score() -> None:
    first = section("knockout")
    Round.objects.update(policy="required")
    first.refresh_from_db()
    one, _other = drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    win(one.match, "right")
    (event,) = events.of_tournament(first.tournament)
    assert [(game.names, game.winner, game.score, game.begun) for game in event.rounds[0][1]] == [
        (("Ann", "Bob"), "Bob", (0, 3), True),
        (("Chi", "Dov"), "", (0, 0), False),
    ]


def test_a_winner_without_points_has_no_score() -> None:
    first = section("knockout")
    Round.objects.update(policy="required")
    first.refresh_from_db()
    (one,) = drawn(first, "1,Ann,Bob")
    do(one.match, "director", do="propose", what="end", winner="left", note="Slip")
    (event,) = events.of_tournament(first.tournament)
    assert [(game.winner, game.score, game.begun) for game in event.rounds[0][1]] == [("Ann", None, True)]


def test_imported_rounds_are_put_together_by_their_players() -> None:
    first = summer_open(policy="on-request")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    for winner in ("Ann", "Chi", "Eva", "Gus"):
        result(first, winner)
    second = next_round(first)
    drawn(second, "1,Ann,Chi", "2,Eva,Gus")
    consolation = next_round(second, name="Consolation")
    drawn(consolation, "3,Bob,Dov", "4,Finn,Hana")
    result(second, "Ann")
    result(second, "Gus")
    final = next_round(consolation)
    drawn(final, "1,Gus,Ann")
    found = events.of_tournament(first.tournament)
    assert [(event.name, event.method, [round_.number for round_, _games in event.rounds]) for event in found] == [
        ("Round 1", "knockout", [1, 2, 4]),
        ("Consolation", "knockout", [3]),
    ]
    slots = found[0].bracket()
    assert [[entry and entry.names for entry in row] for row in slots[1:]] == [
        [("Eva", "Gus"), ("Ann", "Chi")],
        [("Gus", "Ann")],
    ]


def test_all_play_all_is_final_when_everybody_has_met_everybody() -> None:
    first = section("circle")
    drawn(first, "1,Ann,Bob")
    Bye.objects.create(round=first, name="Chi")
    result(first, "Ann")
    (event,) = events.of_tournament(first.tournament)
    assert not event.final
    second = next_round(first, section=first.section)
    drawn(second, "1,Ann,Chi")
    third = next_round(second, section=first.section)
    drawn(third, "1,Chi,Bob")
    result(second, "Ann")
    result(third, "Bob")
    (event,) = events.of_tournament(first.tournament)
    assert event.final
    assert [(line.place, line.name) for line in event.standings] == [(1, "Ann"), (2, "Bob"), (3, "Chi")]


def test_a_tournament_without_a_draw_says_so() -> None:
    summer_open()
    assert "Once the first draw is stored" in text(client_of("viewer").get(PATH).content)


def test_an_event_leads_to_those_that_take_its_players() -> None:
    main = section("knockout", "Main")
    played = {"tournament": main.tournament, "method": "knockout"}
    losers = Section.objects.create(**played, name="Consolation", losers_of=main.section)
    consolation = next_round(main, section=losers)
    final = next_round(consolation, section=Section.objects.create(**played, name="Final"))
    Section.objects.filter(pk=main.section_id).update(feeds=final.section)
    drawn(next_round(final), "7,Kim,Lou")
    for nth, round_ in enumerate((main, consolation, final)):
        drawn(round_, f"{nth},A{nth},B{nth}")
    found = events.of_tournament(main.tournament)
    leads = [(one.name, other.name) for one in found for other in found if one.leads_to(other)]
    assert leads == [("Main", "Consolation"), ("Main", "Final")]


def test_an_undecided_match_counts_for_nobody() -> None:
    second = swiss()
    third = next_round(second, section=second.section)
    drawn(third, "1,Ann,Bob", "2,Chi,Dov")
    Pairing.objects.filter(round=third).update(score=[2, 2])
    (event,) = events.of_tournament(second.tournament)
    assert list(event.players.values()) == ["Ann", "Bob", "Chi", "Dov", "Eva"], "in the order of the first draw"
    assert event.undecided == 2
    assert [(line.name, line.score, line.values) for line in event.standings] == [
        ("Ann", 4, (0, 6, 6, 6)),
        ("Chi", 2, (0, 7, 2, 4)),
        ("Bob", 2, (0, 7, 2, 3)),
        ("Dov", 2, (0, 3, 0, 2)),
        ("Eva", 2, (0, 3, 0, 1)),
    ]


def test_a_bye_that_waits_for_a_match_counts_for_nobody() -> None:
    first = summer_open(policy="on-request")
    Round.objects.update(section=Section.objects.create(tournament=first.tournament, name="Swiss", method="swiss"))
    first = Round.objects.get()
    drawn(first, "1,Ann,Bob")
    drawn(next_round(first, section=first.section), ",winner of table 1,bye")
    (event,) = events.of_tournament(first.tournament)
    assert [(line.name, line.score) for line in event.standings] == [("Ann", 0), ("Bob", 0)]
    assert client_of("director").get("/director/open/standings/").status_code == 200


def test_a_bye_has_no_table_and_has_begun() -> None:
    second = swiss()
    (event,) = events.of_tournament(second.tournament)
    bye = Bye.objects.get(round=second)
    assert event.rounds[1][1][-1] == events.Game("Dov", None, "Dov", None, "", True, None, -bye.pk)


def test_matches_of_a_bracket_are_in_its_order() -> None:
    first = section("knockout")
    for place, pairing in enumerate(drawn(first, "2,Chi,Dov", "1,Ann,Bob")):
        Pairing.objects.filter(pk=pairing.pk).update(position=place)
    (event,) = events.of_tournament(first.tournament)
    assert [game.table for game in event.rounds[0][1]] == ["2", "1"]


def test_a_winner_who_is_not_drawn_yet_is_still_in() -> None:
    first = section("knockout")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov", "3,Eva,Finn", "4,Gus,Hana")
    for winner in ("Ann", "Chi", "Eva", "Gus"):
        result(first, winner)
    second = next_round(first, section=first.section)
    drawn(second, "1,Ann,Chi")
    Player.objects.filter(name="Gus").update(withdrawn=True)

    def still_in() -> list[str]:
        (event,) = events.of_tournament(first.tournament)
        return sorted(name for name, _place, still in event.places if still)

    assert still_in() == ["Ann", "Chi", "Eva", "Gus"]
    result(second, "Ann")
    assert still_in() == ["Ann", "Eva"]


def test_a_loser_of_the_final_who_withdraws_keeps_the_place() -> None:
    first = section("knockout")
    drawn(first, "1,Ann,Bob", "2,Chi,Dov")
    result(first, "Ann")
    result(first, "Chi")
    second = next_round(first, section=first.section)
    drawn(second, "1,Ann,Chi")
    result(second, "Ann")
    Player.objects.filter(name="Chi").update(withdrawn=True)
    (event,) = events.of_tournament(first.tournament)
    assert event.places == [("Ann", 1, False), ("Chi", 2, False), ("Bob", 3, False), ("Dov", 3, False)]
    assert event.winners == ["Ann"]
