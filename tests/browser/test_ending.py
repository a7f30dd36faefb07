"""The end of a match on the phones: the winner's, the loser's, and sharing it."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_texts
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.test_axe_clock import Eye

SUMMARY: dict[str, Any] = {
    "games": [
        {"game": 1, "winner": "right", "points": 2, "cube": 2, "how": "single", "score": [0, 2]},
        {"game": 2, "winner": "left", "points": 4, "cube": 2, "how": "gammon", "score": [4, 2]},
        {"game": 3, "winner": "left", "points": 3, "cube": 1, "how": "backgammon", "score": [7, 2]},
    ],
    "times": {
        "left": {"turns": 51, "average_ms": 11_440, "longest_ms": 92_000, "left_ms": 204_000, "given_ms": 840_000},
        "right": {"turns": 50, "average_ms": 14_000, "longest_ms": 125_000, "left_ms": 9_400, "given_ms": 840_000},
    },
    "link": None,
}
GAMES = ["0–2\nBob · Single game · Cube 2", "4–2\nAnn · Gammon · Cube 2", "7–2\nAnn · Backgammon"]
TIMES = [
    ["", "Ann", "Bob"],
    ["Turns", "51", "50"],
    ["Seconds per turn", "11.4", "14"],
    ["Longest think", "1:32", "2:05"],
    ["Time left", "3:24", "0:09.4"],
    ["Time given", "14:00", "14:00"],
]
# Keeps what would be shared, instead of the phone's own sheet.
SHARING = """
window.shared = [];
Object.defineProperty(navigator, 'canShare', { value: ({ files }) => files.length === 1, configurable: true });
Object.defineProperty(navigator, 'share', { value: async (data) => { shared.push(data); }, configurable: true });
"""
SHARED = (
    """() => shared.map(({ files, text, url }) => [files[0].name, files[0].type, files[0].size < 200_000, text, url])"""
)


def over() -> ScriptedServer:
    """A casual match that Ann has won, 7–2, by a backgammon."""
    server = ScriptedServer(score=[4, 2], director=False)
    server.begin("left")
    server.play("right", "propose", what="game", winner="left", points=3)
    server.play("left", "agree")
    return server


@pytest.fixture
def asked(page: Page) -> Iterator[list[str]]:
    """Addresses of everything that the page asks for, with a summary for its match."""
    found: list[str] = []
    page.route("**/t/*/summary/*/", lambda route: route.fulfill(json=SUMMARY))
    page.on("request", lambda request: found.append(request.url))
    yield found
    page.unroute_all()


def table(page: Page, seat: str) -> list[list[str]]:
    """Rows of the times in a half."""
    rows = page.locator(f".half[data-seat={seat}] .times-used tr")
    rows.first.wait_for()
    return [shown_texts(row.locator("th, td")) for row in rows.all()]


def test_the_winner_sees_name_score_by_what_games_and_times(page: Page, asked: list[str]) -> None:
    open_page(page, over())
    half = page.locator(".half[data-seat=left]")
    expect(half.locator(".final-score")).to_have_text("7–2")
    assert table(page, "left") == TIMES
    assert shown_texts(half.locator(".games-played li")) == GAMES
    assert shown_texts(half.locator(".ending p")) == ["7–2", "By a backgammon"]
    expect(half.locator(".title .words")).to_have_text("You win")
    expect(half.locator(".who")).to_have_text("Ann")
    expect(half).to_have_attribute("data-won", "")
    ways = half.locator(".ways-on").locator("a, button")
    expect(ways).to_have_text(["Share", "Record", "To the table"])


def test_the_loser_is_told_kindly_who_won(page: Page, asked: list[str]) -> None:
    open_page(page, over(), "right")
    half = page.locator(".half[data-seat=right]")
    assert table(page, "right") == TIMES
    assert shown_texts(half.locator(".ending p")) == ["Ann wins the match by a backgammon, 7–2."]
    expect(half.locator(".title .words")).to_have_text("Well played")
    expect(half).not_to_have_attribute("data-won", "")


def test_a_shared_phone_says_nothing_twice(page: Page, asked: list[str]) -> None:
    open_page(page, over(), "left right")
    assert table(page, "right") == TIMES
    expect(page.locator(".games-played")).to_have_count(1)
    expect(page.locator(".half[data-seat=left] .games-played")).to_have_count(1)
    expect(page.locator(".times-used")).to_have_count(1)


def test_an_end_that_is_taken_back_leaves_nothing_of_it(page: Page, asked: list[str]) -> None:
    server = over()
    open_page(page, server)
    page.locator(".ending").wait_for()
    server.play("left", "propose", what="reopen")
    expect(page.locator(".ending, [data-won], [data-ended], .ways-on")).to_have_count(0)
    server.play("right", "agree")
    expect(page.locator(".half[data-seat=left]")).to_have_attribute("data-mode", "stopped")


@pytest.mark.parametrize("seats", ["left", "right", "left right"], ids=["winner", "loser", "both"])
def test_46_the_end_has_no_barrier_in_any_theme_or_size(page: Page, asked: list[str], seats: str) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    open_page(page, over(), seats)
    page.locator(".ending").first.wait_for()
    eye = Eye(page)
    eye.look("the end")
    assert eye.found == {}


def test_sharing_hands_over_a_picture_and_sends_nothing(own_page: Page) -> None:
    own_page.add_init_script(SHARING)
    own_page.route("**/t/*/summary/*/", lambda route: route.fulfill(json=SUMMARY))
    open_page(own_page, over())
    own_page.locator(".ending").wait_for()
    asked: list[str] = []
    own_page.on("request", lambda request: asked.append(request.url))  # scripts of sounds come at the first touch
    own_page.get_by_role("button", name="Share").click()
    own_page.wait_for_function("() => window.shared.length")
    words = "Ann wins the match by a backgammon, 7–2."
    assert own_page.evaluate(SHARED) == [["backgammon-7-2.png", "image/png", True, words, None]]
    assert [url for url in asked if "/static/" not in url] == []


def test_the_link_is_shared_where_everybody_may_read_the_result(own_page: Page) -> None:
    own_page.add_init_script(SHARING)
    told = {**SUMMARY, "link": "/e/open/results/"}
    own_page.route("**/t/*/summary/*/", lambda route: route.fulfill(json=told))
    open_page(own_page, over())
    own_page.locator(".ending").wait_for()
    own_page.get_by_role("button", name="Share").click()
    own_page.wait_for_function("() => window.shared.length")
    assert own_page.evaluate(SHARED)[0][-1] == "http://clock.test/e/open/results/"


def test_without_a_way_to_share_the_picture_is_saved(page: Page, asked: list[str]) -> None:
    open_page(page, over())
    page.locator(".ending").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Share").click()
    assert saved.value.suggested_filename == "backgammon-7-2.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
