"""The colour of an event on a running clock: visible, without moving anything."""

import io
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page

from clocks.models import Round, Section
from tests.browser.engines import expect
from tests.browser.scripted import ScriptedServer, open_page

LAYOUTS = {"own": "left", "shared": "left right", "watch": ""}
SCREENS = [(320, 568), (390, 844), (844, 390), (1440, 900)]
# Colour scheme, forced colours, and the colour that amber has there.
LOOKS: list[Any] = [
    ("dark", "none", (224, 154, 18)),
    ("dark", "active", (224, 154, 18)),
    ("light", "none", (168, 106, 0)),
    ("light", "active", (168, 106, 0)),
]
COLOURS = [each.value for each in Section.Colour if each]
PLACE = "Side event, round 2"
GROUND = "getComputedStyle(document.body).backgroundColor"
BOXES = """() => [...document.querySelectorAll('.bar, .strip, .half, .actions')].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x, y, width, height];
})"""
Colour = tuple[int, ...]


def running(page: Page, layout: str, colour: str) -> list[str]:
    """Open a running clock in a layout; return the list of its errors."""
    server = ScriptedServer()
    server.begin("right", ago_ms=4_000)
    round_ = Round(name=PLACE, section=Section(name="Side event", colour=colour))
    return open_page(page, server, LAYOUTS[layout], watch=layout == "watch", played_in=round_)


def seen_below_the_line(page: Page) -> Colour:
    """Colour just below the middle of the top line, or of the strip.

    If that is upright, as on a rotated shared phone: just right of it.
    """
    box = page.locator(".table > .bar, .strip").bounding_box()
    assert box is not None
    if box["height"] > box["width"]:
        at = (box["x"] + box["width"] + 1.5, box["y"] + box["height"] / 2)
    else:
        at = (box["x"] + box["width"] / 2, box["y"] + box["height"] + 1.5)
    pixel: Any = {"x": round(at[0]), "y": round(at[1]), "width": 1, "height": 1}
    found: Any = Image.open(io.BytesIO(page.screenshot(clip=pixel))).convert("RGB").getpixel((0, 0))
    return tuple(found)


def channels(page: Page, script: str) -> Colour:
    """RGB channels of a colour that a script reads from the page."""
    text: str = page.evaluate(script)
    return tuple(int(part) for part in text.removeprefix("rgb(").removesuffix(")").split(","))


def contrast(one: Colour, other: Colour) -> float:
    """Contrast of two colours by WCAG 2.2."""

    def luminance(colour: Colour) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (each / 255 for each in colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_running_clock_shows_the_colour_of_its_event_and_its_name(page: Page, layout: str) -> None:
    assert running(page, layout, "amber") == []
    expect(page.locator("header.bar")).to_contain_text(PLACE)
    seen, expected = {}, {}
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for scheme, forced, colour in LOOKS:
            page.emulate_media(color_scheme=scheme, forced_colors=forced)
            seen[width, height, scheme, forced] = seen_below_the_line(page)
            expected[width, height, scheme, forced] = colour
    assert seen == expected


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_colour_moves_nothing(page: Page, layout: str) -> None:
    boxes = []
    for colour in ("", "red"):
        running(page, layout, colour)
        of_sizes = []
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            of_sizes.append(page.evaluate(BOXES))
        boxes.append(of_sizes)
    assert boxes[0] == boxes[1]


def test_each_colour_stands_out_from_the_ground_by_three_to_one(page: Page) -> None:
    low = {}
    for colour in COLOURS:
        running(page, "own", colour)
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found = contrast(seen_below_the_line(page), channels(page, GROUND))
            if found < 3:
                low[colour, scheme] = found
    assert low == {}


def test_a_match_without_an_event_shows_no_colour(page: Page) -> None:
    open_page(page, ScriptedServer())
    assert seen_below_the_line(page) == channels(page, GROUND)
