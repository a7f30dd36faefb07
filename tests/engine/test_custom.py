"""Custom rules: any combination of times, delays and flag policies."""

import itertools

import pytest

from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from tests.engine.board import Board, running, shown

MINUTE = 60_000
KINDS = ("none", "simple", "bronstein")
FLAGS = ("lose-match", "penalty", "next-control", "overtime")


def custom(score=(0, 0), **options) -> Board:
    """Match to 9 under custom rules; Ann rolled lower, Bob's (right) turn began at 0."""
    return running(rules="custom", length=9, score=list(score), options=options)


def words_of(**options) -> str:
    with pytest.raises(Refused) as refusal:
        Setup.parse({"rules": "custom", "length": 9, "options": options})
    assert refusal.value.code == "bad-value"
    return refusal.value.words


def test_pages_offer_a_second_delay_only_with_a_second_control() -> None:
    options = {flag: {"flag": flag} | ({"overtime_ms": MINUTE} if flag == "overtime" else {}) for flag in FLAGS}
    setups = {flag: Setup.parse({"rules": "custom", "length": 9, "options": each}) for flag, each in options.items()}
    delays = {flag: setup.in_force.features["second_delay_ms"] for flag, setup in setups.items()}
    assert delays == {"lose-match": 0, "penalty": 0, "next-control": 12_000, "overtime": 0}


# Amounts and delays


@pytest.mark.parametrize(
    ("options", "reserve_ms", "delay_ms"),
    [
        ({}, [10 * MINUTE] * 2, [12_000] * 2),
        ({"reserve_ms": 8 * MINUTE}, [8 * MINUTE] * 2, [12_000] * 2),
        ({"reserve_ms": [8 * MINUTE, 5 * MINUTE]}, [8 * MINUTE, 5 * MINUTE], [12_000] * 2),
        ({"per_point_ms": 45_000, "delay_ms": 8_000}, [450_000] * 2, [8_000] * 2),
        ({"kind": "none", "per_point_ms": 2 * MINUTE}, [20 * MINUTE] * 2, [0, 0]),
        ({"kind": "bronstein", "delay_ms": 5_000}, [10 * MINUTE] * 2, [5_000] * 2),
    ],
)
def test_the_director_chooses_an_amount_or_a_formula_and_a_delay(options, reserve_ms, delay_ms) -> None:
    look = Board("custom", 9, score=[5, 3], options=options).look(0)
    assert shown(look, "reserve_ms", "delay_ms") == {"reserve_ms": reserve_ms, "delay_ms": delay_ms}


def test_doubles_have_the_doubles_formula_unless_the_director_sets_another() -> None:
    assert Board("custom", 5, format="doubles", score=[2, 1]).look(0)["reserve_ms"] == [525_000] * 2
    chosen = Board("custom", 5, format="doubles", score=[2, 1], options={"per_point_ms": 90_000}).look(0)
    assert shown(chosen, "reserve_ms", "delay_ms") == {"reserve_ms": [630_000] * 2, "delay_ms": [18_000] * 2}


@pytest.mark.parametrize(
    ("kind", "after_8_s", "flag_at"),
    [("none", 52_000, 60_000), ("simple", 60_000, 72_000), ("bronstein", 60_000, 60_000)],
)
def test_the_director_chooses_the_kind_of_the_delay(kind: str, after_8_s: int, flag_at: int) -> None:
    board = custom(kind=kind, reserve_ms=MINUTE)
    assert board.look(0)["flag_at"] == flag_at
    assert board.does(8_000, "right", "hit")["reserve_ms"] == [MINUTE, after_8_s]


# Every kind of delay with every flag policy


EXPECTED = {
    "lose-match": {"kind": "lose-match", "points": 0, "reserve_ms": [7 * MINUTE, 0], "cube_frozen": False},
    "penalty": {"kind": "penalty", "points": 2, "reserve_ms": [7 * MINUTE, 5 * MINUTE], "cube_frozen": False},
    "next-control": {
        "kind": "next-control",
        "points": 0,
        "reserve_ms": [10 * MINUTE, 3 * MINUTE],
        "cube_frozen": False,
    },
    "overtime": {"kind": "overtime", "points": 0, "reserve_ms": [7 * MINUTE, 90_000], "cube_frozen": False},
}
AFTER = {
    "lose-match": {"status": "over", "winner": "left", "score": [0, 0], "offences": [0, 0], "control": 1},
    "penalty": {"status": "stopped", "winner": None, "score": [2, 0], "offences": [0, 1], "control": 1},
    "next-control": {"status": "stopped", "winner": None, "score": [0, 0], "offences": [0, 0], "control": 2},
    "overtime": {"status": "stopped", "winner": None, "score": [0, 0], "offences": [0, 1], "control": 1},
}


def needed(flag: str) -> dict[str, object]:
    return {"flag": flag, **({"overtime_ms": 90_000} if flag == "overtime" else {})}


@pytest.mark.parametrize(("kind", "flag"), list(itertools.product(KINDS, FLAGS)))
def test_any_kind_of_delay_goes_with_any_meaning_of_a_flag(kind: str, flag: str) -> None:
    board = custom(kind=kind, reserve_ms=[7 * MINUTE, MINUTE], **needed(flag))
    board.flag()
    assert board.consequence() == EXPECTED[flag]
    look = board.does(board.match.at, "director", "agree")
    assert shown(look, *AFTER[flag]) == AFTER[flag]


@pytest.mark.parametrize(("kind", "flag"), list(itertools.product(KINDS, FLAGS[1:])))
def test_a_player_continues_with_a_full_delay_after_a_flag(kind: str, flag: str) -> None:
    board = custom(kind=kind, reserve_ms=[7 * MINUTE, MINUTE], **needed(flag))
    board.expires()
    look = board.does(board.match.at, "right", "resume")
    delay = 12_000 if flag == "next-control" or kind != "none" else 0
    assert shown(look, "status", "turn", "turn_number", "reserve_ms", "delay_ms") == {
        "status": "running",
        "turn": "right",
        "turn_number": 1,
        "reserve_ms": EXPECTED[flag]["reserve_ms"],
        "delay_ms": [delay, delay],
    }


@pytest.mark.parametrize(("reset", "reserve_ms"), [("add", [12 * MINUTE, 5 * MINUTE]), ("set", [5 * MINUTE] * 2)])
def test_penalty_points_with_both_clocks_reset(reset: str, reserve_ms: list[int]) -> None:
    board = custom(reserve_ms=[7 * MINUTE, MINUTE], flag="penalty", reset=reset)
    assert board.expires()["reserve_ms"] == reserve_ms


def test_penalty_points_freeze_the_cube_before_the_crawford_game() -> None:
    board = custom((6, 0), reserve_ms=MINUTE, flag="penalty")
    assert board.expires()["cube"]["frozen"] is True
    look = board.does(board.match.at, "director", "propose", what="game", winner="right", points=1)
    assert shown(look, "crawford", "cube") == {
        "crawford": True,
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": False},
    }


def test_penalty_points_end_a_game_that_decides_the_match() -> None:
    board = custom((8, 8), reserve_ms=MINUTE, flag="penalty")
    assert shown(board.expires(), "status", "winner") == {"status": "over", "winner": "left"}


def test_the_director_may_choose_a_bronstein_second_control() -> None:
    board = custom(reserve_ms=MINUTE, flag="next-control", second_control="bronstein")
    board.expires()
    at = board.match.at
    assert board.does(at, "right", "resume")["flag_at"] == at + 3 * MINUTE
    board.flag()
    assert board.consequence()["kind"] == "lose-match"


def test_only_a_bronstein_first_control_is_precredited() -> None:
    first = custom(kind="bronstein", bronstein="precredited", reserve_ms=MINUTE)
    assert first.look(0)["reserve_ms"] == [72_000, 72_000]
    second = custom(flag="next-control", second_control="bronstein", bronstein="precredited", reserve_ms=MINUTE)
    assert second.look(0)["reserve_ms"] == [MINUTE, MINUTE]
    second.expires()
    assert second.does(second.match.at, "right", "resume")["reserve_ms"] == [4 * MINUTE + 12_000, 3 * MINUTE + 12_000]


def test_a_dice_penalty_needs_a_delay_to_forfeit() -> None:
    claim = {"what": "dice-penalty", "against": "left"}
    assert custom(kind="none").refuses(1_000, "right", "propose", **claim) == "no-offer-of-that-kind"
    assert custom().does(1_000, "right", "propose", **claim)["proposal"]["what"] == "dice-penalty"


def test_a_forfeit_waited_out_before_the_flag_is_served() -> None:
    board = custom(reserve_ms=MINUTE, flag="overtime", overtime_ms=90_000)
    board.does(1_000, "director", "propose", what="dice-penalty", against="left")
    board.does(2_000, "right", "hit")
    assert board.expires()["forfeit"] == [False, False]


def test_concessions_and_claims_are_both_allowed() -> None:
    board = custom()
    board.does(1_000, "right", "propose", what="offer", winner="right", outcome="single")
    assert board.does(2_000, "left", "agree")["score"] == [0, 1]


# Options that imply or contradict each other


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        ({"overtime_ms": 5_000}, "overtime"),
        ({"reset": "set"}, "penalty"),
        ({"second_control": "simple"}, "next-control"),
    ],
)
def test_an_option_for_one_flag_policy_implies_the_policy(options, flag: str) -> None:
    setup = Setup.parse({"rules": "custom", "length": 9, "options": options})
    assert setup.in_force.flag == flag
    assert Setup.parse(setup.to_dict()) == setup


def test_precredited_clocks_imply_a_bronstein_delay() -> None:
    setup = Setup.parse({"rules": "custom", "length": 9, "options": {"bronstein": "precredited"}})
    assert setup.in_force.kind == "bronstein"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"flag": "lose-match", "reset": "add"},
         "The option reset only goes with flag penalty, not with flag lose-match."),
        ({"reset": "add", "overtime_ms": 1},
         "The option overtime_ms only goes with flag overtime, not with flag penalty."),
        ({"flag": "penalty", "second_control": "simple"},
         "The option second_control only goes with flag next-control, not with flag penalty."),
        ({"kind": "simple", "bronstein": "strict"},
         "The option bronstein only goes with kind bronstein, not with kind simple."),
        ({"flag": "overtime"}, "With flag overtime, overtime_ms must say how much time the first flag gives."),
        ({"reserve_ms": 1, "per_point_ms": 1},
         "Set either reserve_ms, one amount, or per_point_ms, an amount for each point needed, but not both."),
        ({"kind": "none", "delay_ms": 5_000}, "Without a delay (kind none) there is no delay_ms to set."),
        ({"kind": "fischer"}, "kind must be one of none, simple, bronstein."),
        ({"flag": "lose-game"}, "flag must be one of lose-match, penalty, next-control, overtime."),
        ({"delay_ms": -1}, "delay_ms must be a whole number from 0 to 600000."),
        ({"reserve_ms": 0}, "reserve_ms must be a whole number from 1 to 86400000."),
        ({"per_point_ms": 1.5}, "per_point_ms must be a whole number from 1 to 86400000."),
    ],
)  # fmt: skip
def test_options_that_contradict_each_other_are_refused(options, words: str) -> None:
    assert words_of(**options) == words
