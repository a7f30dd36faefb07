"""Match story: moments of each game as text, numbered as in its chart."""

from datetime import timedelta
from typing import Any

import pytest

from clocks.engine.table_events import NamesCorrected
from clocks.record.game_moments import Moment
from clocks.record.story import Story, of_match
from clocks.record.story_chart import Kind, Mark
from tests.server.record.played_steps import Game

MINUTE = 60_000


def told(game: Game) -> Story:
    story = of_match(game.steps)
    assert story is not None
    return story


def sentences(game: Game, number: int = 0) -> list[str]:
    """Sentences in the story of a game."""
    return [moment.words for moment in told(game).games[number].moments]


def kinds(moments: tuple[Moment, ...]) -> list[tuple[Kind, int]]:
    return [(moment.kind, moment.mark) for moment in moments]


def test_a_game_is_told_from_the_opening_roll_to_its_end() -> None:
    game = Game().hits(0, 20_000, 10_000)
    game.do("right", 14_000, do="double").do("left", 3_000, do="take").hits(40_000, 100_000, 8_000)
    game.do("left", do="propose", what="game", winner="right", points=4).do("right", do="agree")
    assert sentences(game) == [
        "Bob won the opening roll.",
        "Bob turned the cube to 2 after 14 seconds.",
        "Ann took at once.",
        "Bob thought for 40 seconds; that left 5:22 on the clock.",
        "Ann thought for 1 minute 40 seconds; that left 4:32 on the clock.",
        "Bob won a gammon: 4 points.",
    ]
    assert told(game).lead == (
        "Bob beat Ann 3–0.",
        "Nobody thought longer than Ann in game 1: 1 minute 40 seconds.",
        "At the end Ann had 4:32 left and Bob 5:22.",
    )
    assert told(game).figures == ("1 game", "8 turns", "3 minutes 15 seconds")


def test_times_left_are_those_that_the_clocks_showed() -> None:
    game = Game().hits(0, 20_000, 10_000, 40_300)
    game.do("left", do="propose", what="game", winner="right", points=4).do("right", do="agree")
    assert sentences(game)[1] == "Bob thought for 40 seconds; that left 5:24 on the clock."
    assert told(game).lead[-1] == "At the end Ann had 6:00 left and Bob 5:24."
    assert told(game).games[0].said == "Reserves: Ann from 6:00 to 6:00, Bob from 6:00 to 5:24."


def test_a_pass_ends_a_game_and_the_next_has_its_own_story() -> None:
    game = Game().hits(0, 20_000).do("left", 2_000, do="double").do("right", 31_000, do="pass")
    game.hits(60_000, 9_000)
    first, second = told(game).games
    assert [moment.words for moment in first.moments] == [
        "Bob won the opening roll.",
        "Ann turned the cube to 2 at once.",
        "Bob thought for 31 seconds and passed: 1 point for Ann.",
    ]
    assert (first.score, first.after, first.figures) == ((0, 0), (1, 0), ("3 turns", "53 seconds"))
    assert first.ended is not None
    assert (first.ended - first.began, second.began - first.ended) == (timedelta(seconds=53), timedelta(minutes=1))
    assert [moment.words for moment in second.moments] == ["Bob won the opening roll."]
    assert (second.ended, second.after) == (None, (1, 0))


@pytest.mark.parametrize(
    ("by", "reason", "sentence"),
    [
        ("right", "dice", "The dice had fallen down: Bob stopped the clocks for 20 seconds."),
        ("left", "break", "Ann took a break. It lasted 20 seconds."),
        ("left", "contest", "Ann contested a play. The clocks stood still for 20 seconds."),
        ("left", "score", "Ann checked the score and the cube. The clocks stood still for 20 seconds."),
        ("left", "director", "Ann called the director. The clocks stood still for 20 seconds."),
        ("left", "other", "Ann stopped the clocks for 20 seconds."),
        ("director", "director", "The director stopped the clocks for 20 seconds."),
    ],
)
def test_a_stop_is_told_with_its_reason_and_length(by: str, reason: str, sentence: str) -> None:
    game = Game().hits(0, 5_000).do(by, 1_000, do="stop", reason=reason)
    who = {"left": "Ann", "right": "Bob", "director": "The director"}[by]
    assert sentences(game)[1:] == [f"{who} stopped the clocks, and they have not run since."]
    game.do("director", 20_000, do="resume")
    assert sentences(game)[1:] == [sentence]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"what": "time", "seat": "left", "by_ms": 30_000}, "Ann got 30 seconds more."),
        ({"what": "time", "seat": "right", "by_ms": -90_000}, "Bob lost 1 minute 30 seconds by a ruling."),
        ({"what": "score", "score": [1, 2]}, "The score was corrected to 1–2."),
        ({"what": "cube", "value": 2, "owner": "left"}, "The cube was set to 2."),
        ({"what": "undo"}, "The last press was taken back."),
        ({"what": "end", "winner": "left"}, "The match was given to Ann."),
    ],
)
def test_a_ruling_is_told_once(given: dict[str, Any], sentence: str) -> None:
    game = Game().hits(0, 5_000).do("director", 1_000, do="propose", note="", **given)
    assert sentences(game)[1:] == [sentence]


def test_a_flag_is_told_with_its_consequence() -> None:
    game = Game().hits(0).flag(7 * MINUTE)
    assert sentences(game)[1:] == ["Bob’s time ran out."]
    game.do("director", do="agree")
    assert sentences(game)[1:] == ["Bob’s time ran out, and Ann won the match."]
    game.do("director", do="propose", what="reopen", note="")
    assert sentences(game)[1:] == ["Bob’s time ran out.", "The end was taken back, and play went on."]


def test_a_penalty_gives_points_and_the_game_goes_on() -> None:
    game = Game(rules="unified-2001", length=7).hits(0).flag(60 * MINUTE).do("director", do="agree")
    assert sentences(game)[1:] == ["Bob’s time ran out: 2 points for Ann, and play went on."]


def test_the_end_of_the_match_between_games_closes_the_last_game() -> None:
    game = Game().hits(0, 20_000).do("left", 2_000, do="double").do("right", 1_000, do="pass")
    game.do("director", 5_000, do="propose", what="end", winner="left", note="")
    (only,) = told(game).games
    assert [moment.words for moment in only.moments][-2:] == [
        "Bob passed at once: 1 point for Ann.",
        "The match was given to Ann.",
    ]


def test_a_match_that_has_not_begun_has_no_story() -> None:
    assert of_match(Game().steps) is None
    undone = Game().hits(0).do("director", do="propose", what="undo", note="")
    assert of_match(undone.steps) is None


def test_marks_have_the_numbers_of_the_sentences() -> None:
    game = Game().hits(0, 40_000).do("left", 10_000, do="stop", reason="dice").do("left", 60_000, do="resume")
    game.hits(10_000).do("right", 20_000, do="double").do("left", 20_000, do="take")
    (only,) = told(game).games
    assert kinds(only.moments) == [
        (Kind.BEGIN, 0),
        (Kind.THINK, 1),
        (Kind.STOP, 2),
        (Kind.CUBE, 3),
        (Kind.CUBE, 4),
    ]
    assert only.chart is not None
    # 100 s of play in 304 units; the stop takes no room.
    assert only.chart.marks == [
        Mark(1, Kind.THINK, 171.6, 11, 171.6),
        Mark(2, Kind.STOP, 202.0, 31, 202.0),
        Mark(3, Kind.CUBE, 293.2, 11, 293.2),
        Mark(4, Kind.CUBE, 345.0, 31, 354.0),
    ]
    assert only.said == "Reserves: Ann from 6:00 to 5:44, Bob from 6:00 to 5:24."


def test_many_moments_leave_room_for_the_most_telling() -> None:
    game = Game(length=25).hits(0)
    for _ in range(9):
        game.do("right", 1_000, do="stop", reason="dice").do("right", 5_000, do="resume")
    game.do("right", 1_000, do="double").do("left", 1_000, do="take")
    for _ in range(9):
        game.do("right", 1_000, do="stop", reason="dice").do("right", 5_000, do="resume")
    (only,) = told(game).games
    assert (len(only.moments), only.more) == (12, 9)
    assert [kind for kind, _ in kinds(only.moments)].count(Kind.CUBE) == 2


@pytest.mark.parametrize(
    ("games", "size", "most"),
    [(3, "few", 12), (6, "some", 8), (7, "many", 10), (18, "many", 4), (40, "most", 3), (49, "most", 2)],
)
def test_more_games_have_fewer_moments_each(games: int, size: str, most: int) -> None:
    game = Game(length=games // 2 + 1)
    for number in range(games):
        first, second = ("right", "left") if number % 2 else ("left", "right")
        game.do(first, 1_000, do="hit")
        for _ in range(14):
            game.do(second, 1_000, do="stop", reason="dice").do(second, 5_000, do="resume")
        game.do(first, 1_000, do="propose", what="game", winner=first, points=1).do(second, do="agree")
    story = told(game)
    assert (len(story.games), story.size) == (games, size)
    assert {len(each.moments) for each in story.games} == {most}


def test_the_turns_of_a_game_that_was_taken_back_count_once() -> None:
    game = Game().hits(0, 20_000).do("left", 2_000, do="double").do("right", 1_000, do="pass")
    game.do("director", do="propose", what="reopen", note="").do("director", 5_000, do="resume")
    game.do("right", 6_000, do="take").hits(4_000)
    (only,) = told(game).games
    assert [moment.words for moment in only.moments] == [
        "Bob won the opening roll.",
        "Ann turned the cube to 2 at once.",
        "The end was taken back, and play went on.",
        "Bob thought for 7 seconds and took.",
    ]
    assert only.figures == ("4 turns", "33 seconds")


def test_the_whole_story_has_the_corrected_names() -> None:
    game = Game().hits(0, 20_000, 30_000)
    game._take([NamesCorrected(game.at, ("Anna", "Robert"), "misspelt")])
    game.hits(40_000, 50_000)
    assert sentences(game) == ["Robert won the opening roll."]
    assert told(game).lead == ("Nobody thought longer than Anna in game 1: 50 seconds.",)
