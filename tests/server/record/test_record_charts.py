"""Timeline and turns of a match, its charts and printed sheet."""

import re
from itertools import pairwise
from typing import NamedTuple

import pytest
from django.contrib.auth.models import User
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Expire, parse_command
from clocks.engine.setup import Setup
from clocks.models import JournalEntry, Match, Tournament
from clocks.record import charts, match_record, turn_times
from clocks.record.charts import Bar, ReserveChart, Span, Tick, TurnChart
from clocks.record.look_back import MatchTimeline, Reserves, look_back
from clocks.record.turn_times import TurnLine
from clocks.tournament.tables import add_table
from tests.server.record.played_steps import Game

pytestmark = pytest.mark.django_db(transaction=True)

MINUTES_14 = 14 * 60_000
STORY = [
    (1_000, "director", {"do": "confirm"}),
    (10_000, "left", {"do": "hit"}),
    (30_000, "right", {"do": "hit"}),  # a turn of 20 s, 8 s beyond the delay
    (35_000, "left", {"do": "hit"}),
    (40_000, "right", {"do": "stop", "reason": "dice"}),
    (100_000, "left", {"do": "resume"}),
    (110_000, "right", {"do": "hit"}),  # a turn of 5 s and 10 s, 3 s beyond the delay
    (120_000, "left", {"do": "hit"}),
    (121_000, "director", {"do": "propose", "what": "undo", "note": "not moved yet"}),
]


@pytest.fixture
def played() -> Match:
    """A match of four turns; the director undid the press that ended the last."""
    return play(STORY)


def play(story: list[tuple[int, str, dict[str, str]]]) -> Match:
    """Play a match with these commands, at milliseconds after its creation."""
    tournament = Tournament.objects.create(slug="open", name="Open")
    setup = Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "<Bob>"]})
    match = desk.make_match(add_table(tournament, "12"), setup)
    began = JournalEntry.objects.get(match=match).at
    user = User.objects.create_superuser("dora")
    for after, by, command in story:
        answer = desk.submit_and_wait(
            desk.Request(match.pk, parse_command(command), by, began + after, user_id=user.pk)
        )
        assert answer.ok, (command, answer)
    return match


class Looked(NamedTuple):
    """Timeline and turns of a match, and when it was created."""

    look: MatchTimeline
    turns: list[TurnLine]
    began: int


def looked_back(match: Match) -> Looked:
    lines = list(match_record.lines(match.pk))
    steps = [line.step for line in lines if line.step is not None]
    return Looked(look_back(steps), turn_times.turns(steps, flagged=True), lines[0].at)


def page_of(match: Match) -> str:
    client = Client()
    client.force_login(User.objects.get(username="dora"))
    return client.get(f"/director/open/match/{match.pk}/").content.decode()


def test_each_turn_has_its_length_and_reserves(played: Match) -> None:
    look, turns, began = looked_back(played)
    assert [
        (str(turn.seat), turn.ended_at - began, turn.thought_ms, *look.at(turn.ended_at)[1:]) for turn in turns
    ] == [
        ("right", 30_000, 20_000, MINUTES_14, MINUTES_14 - 8_000),
        ("left", 35_000, 5_000, MINUTES_14, MINUTES_14 - 8_000),
        ("right", 110_000, 15_000, MINUTES_14, MINUTES_14 - 11_000),
    ]


def test_a_turn_that_ended_in_a_flag_is_shown_before_the_ruling() -> None:
    flag_at = 10_000 + 12_000 + MINUTES_14
    match = play(STORY[:2])
    began = JournalEntry.objects.filter(match=match).order_by("seq")[0].at
    request = desk.Request(match.pk, Expire(), Official.SERVER, began + flag_at + 1_000)
    assert desk.submit_and_wait(request).ok
    look, (turn,), _ = looked_back(match)
    assert (turn.seat, turn.thought_ms) == ("right", 12_000 + MINUTES_14)
    assert look.at(turn.ended_at) == Reserves(began + flag_at, MINUTES_14, 0)
    call = desk.Request(match.pk, parse_command({"do": "call"}), Seat.LEFT, began + flag_at + 4_000)
    assert desk.submit_and_wait(call).ok
    assert [turn.ended_at - began for turn in looked_back(match).turns] == [flag_at]
    agree = desk.Request(match.pk, parse_command({"do": "agree"}), Official.DIRECTOR, began + flag_at + 5_000)
    assert desk.submit_and_wait(agree).ok
    assert [turn.thought_ms for turn in looked_back(match).turns] == [12_000 + MINUTES_14]


def test_reserves_are_constant_during_the_delay(played: Match) -> None:
    look, _, began = looked_back(played)
    right = [(point.at - began, MINUTES_14 - point.right) for point in look.reserves]
    assert right[:4] == [(10_000, 0), (22_000, 0), (30_000, 8_000), (30_000, 8_000)]
    assert all(earlier.at <= later.at for earlier, later in pairwise(look.reserves))
    assert [(start - began, end - began) for start, end in look.stops] == [(40_000, 100_000)]


def test_the_charts_lie_within_their_field(played: Match) -> None:
    look, turns, _ = looked_back(played)
    reserves, chart = charts.of_reserves(look), charts.of_turns(turns)
    assert reserves is not None and chart is not None
    points = [tuple(map(float, point.split(","))) for point in f"{reserves.left} {reserves.right}".split()]
    assert all(64 <= x <= 710 and 12 <= y <= 212 for x, y in points)
    assert [(bar.seat, bar.y, bar.height) for bar in chart.bars] == [
        ("right", 112.0, 100.0),
        ("left", 87.0, 25.0),
        ("right", 112.0, 75.0),
    ]
    assert chart.delays == [52.0, 172.0]
    assert [tick.label for tick in reserves.up] == ["0:00", "5:00", "10:00"]


def test_the_chart_of_reserves_is_drawn_to_scale() -> None:
    reserves = [
        Reserves(1_000, 60_000, 60_000),
        Reserves(13_000, 60_000, 60_000),
        Reserves(21_000, 60_000, 52_000),
        Reserves(101_000, 30_000, 52_000),
    ]
    assert charts.of_reserves(MatchTimeline(reserves, [(21_000, 41_000)])) == ReserveChart(
        left="64.0,12.0 141.5,12.0 193.2,12.0 710.0,112.0",
        right="64.0,12.0 141.5,12.0 193.2,38.7 710.0,38.7",
        stops=[Span(193.2, 129.2)],
        across=[
            Tick(64.0, "0:00"),
            Tick(193.2, "0:20"),
            Tick(322.4, "0:40"),
            Tick(451.6, "1:00"),
            Tick(580.8, "1:20"),
            Tick(710.0, "1:40"),
        ],
        up=[
            Tick(212.0, "0:00"),
            Tick(178.7, "0:10"),
            Tick(145.3, "0:20"),
            Tick(112.0, "0:30"),
            Tick(78.7, "0:40"),
            Tick(45.3, "0:50"),
            Tick(12.0, "1:00"),
        ],
    )


def test_the_chart_of_turns_is_drawn_to_scale() -> None:
    turns = turn_times.turns(Game().do("right", do="hit").hits(20_000, 80_000).steps)
    assert charts.of_turns(turns) == TurnChart(
        bars=[Bar(64.0, 87.0, 51.68, 25.0, "left"), Bar(128.6, 112.0, 51.68, 100.0, "right")],
        delays=[97.0, 127.0],
        across=[Tick(89.8, "1"), Tick(154.4, "2")],
        up=[Tick(112.0, "0 s"), Tick(74.5, "30 s"), Tick(149.5, "30 s"), Tick(37.0, "1:00"), Tick(187.0, "1:00")],
    )
    many = charts.of_turns(turns[:1] * 25)
    assert many is not None and many.bars[-1] == Bar(684.2, 12.0, 20.67, 100.0, "left")
    assert many.across == [Tick(round(177.7 + 129.2 * i, 1), str(5 * (i + 1))) for i in range(5)]


@pytest.mark.parametrize(
    ("most", "step", "number"),
    [
        (1_000, 1_000, 2),
        (5_999, 1_000, 6),
        (6_000, 1_000, 7),
        (59_000, 10_000, 6),
        (90_000, 20_000, 5),
        (150_000, 30_000, 6),
        (360_000, 60_000, 7),
        (1_800_000, 300_000, 7),
        (3_600_000, 600_000, 7),
        (10_800_000, 1_800_000, 7),
        (86_400_000, 14_400_000, 7),
        (172_800_000, 172_800_000, 2),
        (0, 1, 1),
    ],
)
def test_axes_have_at_most_seven_round_ticks(most: int, step: int, number: int) -> None:
    assert list(charts.ticks(most)) == [step * i for i in range(number)]


def test_a_match_that_has_not_started_has_no_charts() -> None:
    match = play(STORY[:1])
    look, turns, _ = looked_back(match)
    assert (look, charts.of_reserves(look), turns, charts.of_turns(turns)) == (MatchTimeline([], []), None, [], None)
    assert "<figure" not in page_of(match)


def test_the_page_has_charts_a_table_and_lines_to_sign(played: Match) -> None:
    html = page_of(played)
    assert re.findall(r'viewBox="0 0 720 240"\s+role="img"\s+aria-labelledby="(\w+)-title"', html) == [
        "reserves",
        "turns",
    ]
    assert 'style="' not in html
    assert "<Bob>" not in html
    rows = re.findall(r"<tr><td>(\d)</td><td>1</td><td>([^<]+)</td><td>([^<]+)</td>", html)
    assert rows == [("1", "&lt;Bob&gt;", "20 s"), ("2", "Ann", "5 s"), ("3", "&lt;Bob&gt;", "15 s")]
    rulings = re.search(r"Calls, flags and rulings</h2>(.*?)</section>", html, re.S)
    assert rulings is not None and "not moved yet" in rulings[1]
    signed = re.search(r'aria-label="Signatures">(.*?)</section>', html, re.S)
    assert signed is not None and re.findall(r"<p>(.*?)</p>", signed[1]) == ["Ann", "&lt;Bob&gt;", "Director"]
