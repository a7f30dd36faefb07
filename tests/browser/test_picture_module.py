"""Picture of a match, made on the phone in every engine."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.states import STATES, match

MOST_BYTES = 200_000
LONG_NAMES = ["Bartholomew Featherstoneh", "Wilhelmina Schwarzenegger"]  # 25 letters each
# Type, size in bytes, width and height of the picture, and URLs requested meanwhile.
DRAW = """async ([match, summary]) => {
    const { pictureOf } = await import('/static/clocks/phone/picture.js');
    const before = performance.getEntriesByType('resource').length;
    const blob = await pictureOf(match, summary);
    const asked = performance.getEntriesByType('resource').slice(before).map(({ name }) => name);
    const { width, height } = await createImageBitmap(blob);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return { type: blob.type, size: bytes.length, width, height, asked };
}"""


def long_match() -> dict[str, Any]:
    """An 11-point match between players with long names, won 11–10."""
    over = match(STATES["over"], length=11, names=LONG_NAMES)
    return {**over, "score": [11, 10], "winner": "left", "won_by": "pass"}


def long_summary() -> dict[str, Any]:
    """21 games, one point each, the last one by a pass."""
    games = [
        {
            "game": number + 1,
            "winner": "right" if number % 2 else "left",
            "points": 1,
            "cube": 1,
            "how": "single" if number < 20 else "pass",
            "score": [number // 2 + 1, (number + 1) // 2],
        }
        for number in range(21)
    ]
    time = {"turns": 345, "average_ms": 11_400, "longest_ms": 599_000, "left_ms": 35_999_000, "given_ms": 35_999_000}
    return {"games": games, "times": {"left": time, "right": {**time, "left_ms": 9_400}}, "link": None}


@pytest.mark.parametrize("summary", [long_summary(), None], ids=["with its games", "without a server"])
def test_the_picture_is_small_and_nothing_is_sent(module_page: Page, summary: dict[str, Any] | None) -> None:
    made = module_page.evaluate(DRAW, [long_match(), summary])
    size = made.pop("size")
    assert 10_000 < size <= MOST_BYTES
    assert made == {"type": "image/png", "width": 1080, "height": 1350, "asked": []}
