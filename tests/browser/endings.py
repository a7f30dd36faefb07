"""Finished matches, and their summaries as sent by the server."""

from dataclasses import replace
from typing import Any

from playwright.sync_api import Page

from clocks.engine.closed_sets import Seat
from clocks.engine.match import Cube
from tests.browser.fed_screens import LONGEST_MS, NAMES
from tests.browser.scripted import ScriptedServer, open_page

LONG_NAMES = list(NAMES[0])  # 25 letters each
SUMMARY: dict[str, Any] = {
    "games": [
        {"game": 1, "winner": "right", "points": 2, "cube": 2, "how": "single", "score": [0, 2]},
        {"game": 2, "winner": "left", "points": 4, "cube": 2, "how": "gammon", "score": [4, 2]},
        {"game": 3, "winner": "left", "points": 3, "cube": 1, "how": "backgammon", "score": [7, 2]},
    ],
    "times": {
        "left": {"turns": 51, "average_ms": 11_440, "longest_ms": 92_000, "left_ms": 204_000, "given_ms": 840_000},
        "right": {"turns": 50, "average_ms": 14_000, "longest_ms": 125_300, "left_ms": 9_400, "given_ms": 840_000},
    },
    "link": None,
}
LONG_OPTIONS = {"reserve_ms": LONGEST_MS, "delay_ms": 600_000, "kind": "simple"}
LONGEST = {
    "turns": 1_000,
    "average_ms": 1_199_900,
    "longest_ms": LONGEST_MS,
    "left_ms": LONGEST_MS,
    "given_ms": LONGEST_MS,
}
# What each player plays next; in a tournament the page shows it above its links.
NEXT = {
    "left": f"You play next: table 17 against {LONG_NAMES[1]}.",
    "right": "You are out of The Wilhelmina Memorial Open of the Northern Countries.",
}


def over(score: tuple[int, int] = (4, 2), points: int = 3, cube: int = 1, **setup: Any) -> ScriptedServer:
    """A match that Ann has just won; by default a casual one, won by a backgammon."""
    server = ScriptedServer(**{"score": list(score), "director": False, **setup})
    server.begin("left")
    if cube > 1:
        server.match = replace(server.match, cube=Cube(cube, Seat.LEFT))
    server.play("right", "propose", what="game", winner="left", points=points)
    server.play("left", "agree")
    return server


def passed(**setup: Any) -> ScriptedServer:
    """A match that Ann has won because Bob passed a double."""
    server = ScriptedServer(score=[6, 2], length=8, **setup)
    server.begin("left")
    server.match = replace(server.match, cube=Cube(2, Seat.LEFT))
    server.play("left", "double")
    server.play("right", "pass")
    return server


def long_summary(server: ScriptedServer, games: int) -> dict[str, Any]:
    """Summary with `games` games before the last one, and the longest times possible."""
    match = server.match
    left, right = match.score
    earlier = [
        {"game": n, "winner": "right", "points": 1, "cube": 16, "how": "gammon", "score": [left - 1, min(n, right)]}
        for n in range(1, games + 1)
    ]
    last = {"points": 1, "cube": match.cube.value, "how": match.won_by or "", "score": [left, right]}
    return {
        "games": [*earlier, {"game": games + 1, "winner": "left", **last}],
        "times": {"left": LONGEST, "right": LONGEST},
        "link": None,
    }


def endings() -> dict[str, tuple[ScriptedServer, dict[str, Any]]]:
    """Endings of short and long matches with long names, each with its summary."""
    long: dict[str, Any] = {"names": LONG_NAMES, "rules": "custom", "options": LONG_OPTIONS}
    servers = {  # each with its number of games before the last
        "one game": (over((0, 0), 1, length=1, names=LONG_NAMES), 0),
        "to 11": (over((10, 9), 1, length=11, director=True, **long), 19),
        "to 25": (over((9, 24), 48, 16, length=25, **long), 40),
        "a pass": (passed(names=LONG_NAMES), 5),
    }
    found = {name: (server, long_summary(server, games)) for name, (server, games) in servers.items()}
    return {"short": (over(), SUMMARY), **found}


def open_ending(
    page: Page, server: ScriptedServer, seats: str = "left", summary: dict[str, Any] | None = None
) -> list[str]:
    """Open the clock of a finished match and wait until its ending is displayed.

    Returns the list to which page errors are appended, like `open_page`.
    """
    page.route("**/t/*/summary/*/", lambda route: route.fulfill(json=summary or SUMMARY))
    page.route("**/t/*/next/*/", lambda route: route.fulfill(json=NEXT))
    errors = open_page(page, server, seats)
    page.locator(".ending").first.wait_for()
    return errors
