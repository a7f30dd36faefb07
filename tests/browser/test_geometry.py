"""Every state and sheet of the clock page, at every size, in three fonts: nothing is cut, covered or small."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.geometry import LOOK
from tests.browser.scripted import ScriptedServer, open_page, wait_until
from tests.browser.test_axe_clock import STATES, show

SIZES = [(320, 568), (360, 640), (390, 664), (390, 844), (412, 915), (844, 390), (768, 1024), (1024, 768), (1440, 900)]
FONTS = ["Roboto", "Inter", "DejaVu Sans"]  # Android's, one near to Apple's, Linux's
LAYOUTS = {"own": "left", "shared": "left right", "watch": ""}
LONG_NAMES = ("Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi")  # 25 letters each
LONGEST_MS = (9 * 3600 + 59 * 60 + 59) * 1000


@pytest.fixture(scope="module")
def fonts() -> list[str]:
    """Return the families in which the page is measured; `.ci/fonts` installs them."""
    missing = [family for family in FONTS if not _installed(family)]
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"fonts are missing: {', '.join(missing)}")
    return [family for family in FONTS if family not in missing]


def _installed(family: str) -> bool:
    try:
        return bool(subprocess.run(["fc-list", family], capture_output=True, check=True).stdout.strip())
    except (FileNotFoundError, subprocess.CalledProcessError):
        return False


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def clock(page: Page, layout: str) -> Iterator[tuple[Page, ScriptedServer]]:
    """Return the page of a layout, and the server behind it."""
    page.emulate_media(reduced_motion="reduce")
    server = ScriptedServer()
    errors = open_page(page, server, LAYOUTS[layout], watch=layout == "watch")
    yield page, server
    assert errors == []


def look(page: Page, fonts: list[str], sizes: list[tuple[int, int]] = SIZES) -> dict[str, list[str]]:
    """Return what is wrong at each size."""
    wrong = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(LOOK, {"fonts": fonts})
        if width > height:  # a tablet that is used lying, not a phone that was turned
            page.evaluate("document.querySelector('match-clock').setAttribute('data-angle', '0')")
            found += page.evaluate(LOOK, {"fonts": fonts})
        if found:
            wrong[f"{width}x{height}"] = found
    return wrong


def test_every_state_fits_every_screen_in_every_font(clock: tuple[Page, ScriptedServer], fonts: list[str]) -> None:
    page, server = clock
    wrong = {}
    for name, prepare in STATES.items():
        show(page, server, prepare)
        if found := look(page, fonts):
            wrong[name] = found
    assert wrong == {}


def rename(page: Page, server: ScriptedServer, **changes: Any) -> None:
    """Give the players of the match that is shown long names."""
    server.match = replace(server.match, setup=replace(server.match.setup, names=LONG_NAMES))
    server.version += 1
    server.broadcast()
    wait_until(
        page,
        lambda: page.evaluate("document.querySelector('match-clock').match.v") == server.version,
        "the page has taken the names",
    )


def test_long_names_and_a_turned_cube_fit_too(clock: tuple[Page, ScriptedServer], fonts: list[str]) -> None:
    page, server = clock
    wrong = {}
    for name in ("setup", "ready", "turn", "wait", "asked", "stopped", "agree?", "flag", "hold"):
        show(page, server, STATES[name])
        rename(page, server)
        if found := look(page, fonts[-1:]):
            wrong[name] = found
    assert wrong == {}


SHEETS = [
    ["Menu"],
    ["Menu", "The game is over …"],
    ["Menu", "Call the director …"],
    ["Menu", "Correct the score …"],
    ["Menu", "Correct the cube …"],
    ["Menu", "Undo Bob’s press …"],
    ["Double"],
    ["Stop"],
]


def open_sheet(page: Page, layout: str, ways: list[str]) -> None:
    """Open a sheet of the left player by the buttons that lead to it."""
    for way in ways:
        label = "More" if (way, layout) == ("Menu", "own") else way
        page.locator(".actions[data-seat=left], .half[data-seat=left]").get_by_role(
            "button", name=label, exact=True
        ).click()
    page.wait_for_selector(".half[data-seat=left][data-sheet=open]")


@pytest.mark.parametrize("layout", ["own", "shared"], indirect=True)
def test_no_sheet_covers_a_running_clock_or_cuts_what_it_says(
    clock: tuple[Page, ScriptedServer], layout: str, fonts: list[str]
) -> None:
    page, server = clock
    wrong = {}
    for ways in SHEETS:
        page.set_viewport_size({"width": 390, "height": 844})
        show(page, server, STATES["turn"])
        open_sheet(page, layout, ways)
        if found := look(page, fonts[-1:]):
            wrong[ways[-1]] = found
        page.keyboard.press("Escape")
    assert wrong == {}


@pytest.mark.parametrize("layout", ["own"], indirect=True)
def test_long_names_fit_the_choice_of_whose_the_cube_is(
    clock: tuple[Page, ScriptedServer], layout: str, fonts: list[str]
) -> None:
    page, server = clock
    page.set_viewport_size({"width": 390, "height": 844})
    show(page, server, STATES["turn"])
    rename(page, server)
    open_sheet(page, layout, ["Menu", "Correct the cube …"])
    assert look(page, fonts[-1:]) == {}
