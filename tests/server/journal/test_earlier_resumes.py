"""Detecting resumes decided by earlier versions under other rules."""

from typing import Any

import pytest

from clocks.journal.earlier_resumes import EarlierResumes

LEFT_PRESSED, RIGHT_PRESSED = ("hit", "left", {"seat": "left"}), ("doubled", "right", {"seat": "right"})


def resumed(by: str, turn_of: str, **more: Any) -> tuple[str, str, dict[str, Any]]:
    return "resumed", by, {"turn_of": turn_of, **more}


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        pytest.param([LEFT_PRESSED, resumed("left", "right")], [False, False], id="same turn"),
        pytest.param([LEFT_PRESSED, resumed("left", "left")], [False, True], id="own press undone by a swap"),
        pytest.param(
            [LEFT_PRESSED, resumed("left", "left", swap="back", uncredited=True)],
            [False, False],
            id="swap is recorded",
        ),
        pytest.param(
            [LEFT_PRESSED, resumed("left", "left", swap="back")], [False, True], id="the next press was counted"
        ),
        pytest.param([LEFT_PRESSED, resumed("right", "left")], [False, False], id="swapped by the other"),
        pytest.param([RIGHT_PRESSED, resumed("left", "right")], [False, False], id="swapped to the other"),
        pytest.param([RIGHT_PRESSED, resumed("right", "right")], [False, True], id="own double undone"),
        pytest.param(
            [LEFT_PRESSED, resumed("right", "left"), resumed("right", "right")],
            [False, False, True],
            id="swapped twice",
        ),
        pytest.param(
            [LEFT_PRESSED, resumed("right", "left"), resumed("right", "left"), resumed("right", "right")],
            [False, False, False, True],
            id="swapped twice with a stop between",
        ),
        pytest.param(
            [LEFT_PRESSED, resumed("right", "left"), ("took", "left", {"seat": "left"}), resumed("right", "left")],
            [False, False, False, False],
            id="a press forgets the swap",
        ),
        pytest.param(
            [LEFT_PRESSED, resumed("right", "right", fresh=True)], [False, True], id="fresh delay by a player"
        ),
        pytest.param([LEFT_PRESSED, resumed("director", "right", fresh=True)], [False, False], id="by the director"),
        pytest.param([LEFT_PRESSED, resumed("right", "right", fresh=False)], [False, False], id="no fresh delay"),
        pytest.param(
            [LEFT_PRESSED, ("stopped", "left", {"by": "left", "reason": "dice"}), resumed("left", "left")],
            [False, False, True],
            id="other events change nothing",
        ),
        pytest.param(
            [
                LEFT_PRESSED,
                ("stopped", "right", {"by": "right", "reason": "dice-picked-up"}),
                resumed("right", "left", swap="new", uncredited=True),
                ("stopped", "left", {"by": "left", "reason": "other"}),
                ("stop_explained", "left", {"by": "left", "reason": "dice-picked-up"}),
                resumed("left", "right", swap="back", uncredited=True),
                ("stopped", "left", {"by": "left", "reason": "dice"}),
                resumed("left", "left", swap="back", uncredited=True),
            ],
            [False, False, False, False, False, True, False, False],
            id="earlier turn continued after a move with the clocks stopped",
        ),
    ],
)
def test_a_resume_of_an_earlier_version_is_found(
    entries: list[tuple[str, str, dict[str, Any]]], found: list[bool]
) -> None:
    earlier = EarlierResumes()
    assert [earlier.has(*entry) for entry in entries] == found
