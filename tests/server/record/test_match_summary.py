"""Match summary for the players: games, turns and time, and who may read it."""

from typing import Any

import pytest
from django.test import Client

from clocks.engine.clock import Seat
from clocks.engine.commands import Expire, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.models import Match, Tournament
from clocks.record.look_back import Step
from clocks.record.match_summary import Scored, TimeUsed, games, times
from tests.server.house import make_match
from tests.server.record.test_after_match import in_tournament, over, seated


class Played:
    """A match between Ann and Bob, and its steps."""

    def __init__(self, rules: str = "us-2013", length: int = 5) -> None:
        self.start = self.match = MatchState.begin(
            Setup.parse({"rules": rules, "length": length, "names": ["Ann", "Bob"]})
        )
        self.steps: list[Step] = []
        self.at = 1_000
        self.do("director", do="confirm")
        self.do("right", do="hit")

    def do(self, by: str, *, after_ms: int = 0, **command: Any) -> None:
        self.at += after_ms
        before = self.match
        outcome = perform(self.match, parse_command(command), by, self.at)
        assert outcome.refusal is None, outcome.refusal
        for event in outcome.events:
            after = evolve(before, event)
            self.steps.append(Step(before, after, event))
            before = after
        self.match = outcome.match

    def game(self, winner: str, points: int) -> None:
        self.do("director", do="propose", what="game", winner=winner, points=points)


def test_each_game_has_its_points_cube_kind_and_score() -> None:
    played = Played()
    played.game("left", 2)
    played.do("right", do="hit")
    played.do("left", do="double")
    played.do("right", do="pass")
    played.do("left", do="hit")
    played.do("right", do="double")
    played.do("left", do="take")
    played.game("right", 2)
    assert games(played.steps) == [
        Scored(1, Seat.LEFT, 2, 1, "gammon", (2, 0)),
        Scored(2, Seat.LEFT, 1, 1, "pass", (3, 0)),
        Scored(3, Seat.RIGHT, 2, 2, "single", (3, 2)),
    ]


def test_an_end_that_was_taken_back_is_no_game() -> None:
    played = Played()
    played.game("left", 1)
    played.do("director", do="propose", what="reopen", note="wrong winner")
    played.game("right", 1)
    assert games(played.steps) == [Scored(1, Seat.RIGHT, 1, 1, "single", (0, 1))]


def test_penalty_points_for_a_flag_are_listed_with_the_games() -> None:
    played = Played("unified-2001")
    played.at += 3_600_000
    fallen = perform(played.match, Expire(), "server", played.at)
    played.match = fallen.match
    played.steps = []
    played.do("director", do="agree")
    (scored,) = games(played.steps)
    assert (scored.winner, scored.how, scored.score) == (Seat.RIGHT, "time", (0, scored.points))


def test_turns_average_and_longest_think_of_each_player() -> None:
    played = Played()
    played.do("left", do="hit", after_ms=20_000)
    played.do("right", do="hit", after_ms=5_000)
    played.do("left", do="hit", after_ms=10_000)
    played.game("left", 5)
    found = times(played.start, played.steps)
    reserve = played.start.clock.reserve_ms[0]
    assert found[Seat.LEFT] == TimeUsed(2, 15_000, 20_000, reserve - 8_000, reserve)
    assert found[Seat.RIGHT] == TimeUsed(2, 2_500, 5_000, reserve, reserve)


def test_time_given_during_the_match_counts_as_given() -> None:
    played = Played()
    played.do("director", do="propose", what="time", seat="left", by_ms=60_000, note="late press")
    reserve = played.start.clock.reserve_ms[0]
    assert [found.given_ms - reserve for found in times(played.start, played.steps).values()] == [60_000, 0]


@pytest.mark.django_db(transaction=True)
def test_only_the_phones_of_a_match_read_its_summary() -> None:
    match = make_match()
    ann = seated(match, "left")
    over(match)
    address = f"/t/{match.table.code}/summary/{match.pk}/"
    assert ann.get(address).json() == {
        "games": [],
        "times": {
            seat: {"turns": 0, "average_ms": 0, "longest_ms": 0, "left_ms": 840_000, "given_ms": 840_000}
            for seat in ("left", "right")
        },
        "link": None,
    }
    assert Client().get(address).status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("public", "link"), [(True, "/e/open/results/"), (False, None)])
def test_a_link_leads_to_the_result_only_where_everybody_may_read_it(public: bool, link: str | None) -> None:
    match: Match = in_tournament()
    Tournament.objects.update(public=public)
    ann = seated(match, "left")
    over(match)
    assert ann.get(f"/t/{match.table.code}/summary/{match.pk}/").json()["link"] == link
