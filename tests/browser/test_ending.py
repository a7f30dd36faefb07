"""The end of a match on the winner's, loser's and a shared phone, and sharing it."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser.endings import LONG_NAMES, SUMMARY, open_ending, over, passed
from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.geometry import GEOMETRY, LOOK
from tests.browser.scripted import ScriptedServer, open_page, wait_until
from tests.browser.test_axe_clock import Eye

GAMES = ["0–2\nBob · Single game · Cube 2", "4–2\nAnn · Gammon · Cube 2"]
TIMES = [
    ["", "Ann", "Bob"],
    ["Turns", "51", "50"],
    ["Seconds per turn", "11.4", "14.0"],
    ["Longest think", "1:32", "2:05"],
    ["Time left", "3:24", "0:09.4"],
    ["Time given", "14:00", "14:00"],
]
PASSED = {"points": 2, "cube": 2, "how": "pass"}
PHONES = [(320, 568), (390, 844), (844, 390)]
# Replaces the Web Share API, and records what would be shared.
SHARING = """
window.shared = [];
Object.defineProperty(navigator, 'canShare', { value: ({ files }) => files.length === 1, configurable: true });
Object.defineProperty(navigator, 'share', { value: async (data) => { shared.push(data); }, configurable: true });
"""
SHARED = (
    """() => shared.map(({ files, text, url }) => [files[0].name, files[0].type, files[0].size < 200_000, text, url])"""
)

# Texts of results and buttons that cross a side of the window, and of `.ways-on` links that are not wholly in sight.
OUTSIDE = """() => [...document.querySelectorAll('.final p, .ways-on a, button')].filter((one) => {
    const { left, right, top, bottom, width } = one.getBoundingClientRect();
    const panel = one.closest('.ways-on')?.parentElement;
    const half = panel?.getBoundingClientRect();
    const cut = half && (top < Math.max(half.top, 0) - 1 || bottom > Math.min(half.bottom, innerHeight) + 1);
    return width && (left < -1 || right > innerWidth + 1 || cut);
}).map(({ textContent }) => textContent)"""

# Rows of the times of a half that are whole in sight, by their first words.
READ_OF = """(seat) => {
    const half = document.querySelector(`.half[data-seat=${seat}]`);
    const frame = half.querySelector('.ending').getBoundingClientRect();
    return [...half.querySelectorAll('.times-used tbody tr')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= frame.top - 1 && bottom <= frame.bottom + 1;
    }).map((row) => row.firstElementChild.textContent);
}"""

# Empty pixels beside and below a half, and offset between the middles of the result and of the figures beside it; 0 if
# within the margin.
EMPTY_OF = """(seat) => {
    const [half, final, games, times] = ['', '.final', '.games-played', '.times-used'].map((part) =>
        document.querySelector(`.half[data-seat=${seat}] ${part}`.trim()).getBoundingClientRect());
    const over = (pixels, most) => pixels > most ? Math.round(pixels) : 0;
    return {
        beside: over(half.left + innerWidth - half.right, 12),
        below: over(innerHeight - half.bottom, 6),
        off: over(Math.abs(final.top + final.bottom - games.top - times.bottom) / 2, 1),
    };
}"""


@pytest.fixture
def asked(page: Page) -> Iterator[list[str]]:
    """Serve a summary of the match; yield the URLs of all requests."""
    found: list[str] = []
    page.route("**/t/*/summary/*/", lambda route: route.fulfill(json=SUMMARY))
    page.on("request", lambda request: found.append(request.url))
    yield found
    page.unroute_all()


def open_undisturbed(page: Page, seats: str = "left") -> None:
    """Open the end of a match without animations."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    open_page(page, over(), seats)


def said(page: Page) -> list[int]:
    """Counts of the score and of the kind of win in the words of the clock."""
    shown = shown_text(page.locator("match-clock")).lower()
    return [shown.count(words) for words in ("7–2", "backgammon")]


def barriers(page: Page) -> dict[str, Any]:
    """Findings of axe in each theme and size (phone.md 46)."""
    eye = Eye(page)
    eye.look("the end")
    return eye.found


def table(page: Page, seat: str) -> list[list[str]]:
    """Rows of the times in a half."""
    rows = page.locator(f".half[data-seat={seat}] .times-used tr")
    rows.first.wait_for()
    return [shown_texts(row.locator("th, td")) for row in rows.all()]


def test_46_the_winner_sees_name_score_by_what_games_and_times(page: Page, asked: list[str]) -> None:
    open_undisturbed(page)
    half = page.locator(".half[data-seat=left]")
    expect(half.locator(".final-score")).to_have_text("7–2")
    assert table(page, "left") == TIMES
    assert shown_texts(half.locator(".games-played li")) == GAMES
    assert shown_texts(half.locator(".ending p")) == ["7–2", "By a backgammon"]
    expect(half.locator(".title .words")).to_have_text("You win")
    expect(half.locator(".who")).to_have_text("Ann")
    expect(half).to_have_attribute("data-won", "")
    assert (said(page), barriers(page)) == ([1, 1], {})


def test_46_the_loser_is_told_kindly_who_won(page: Page, asked: list[str]) -> None:
    open_undisturbed(page, "right")
    half = page.locator(".half[data-seat=right]")
    assert table(page, "right") == TIMES
    assert shown_texts(half.locator(".games-played li")) == GAMES
    assert shown_texts(half.locator(".ending p")) == ["Ann wins the match by a backgammon, 7–2."]
    expect(half.locator(".title .words")).to_have_text("Well played")
    expect(half).not_to_have_attribute("data-won", "")
    assert (said(page), barriers(page)) == ([1, 1], {})


def test_46_a_shared_phone_has_result_and_times_at_opposite_ends(page: Page, asked: list[str]) -> None:
    open_undisturbed(page, "left right")
    assert table(page, "right") == TIMES
    halves = [page.locator(f".half[data-seat={seat}]") for seat in ("left", "right")]
    assert [shown_texts(half.locator(".ending p, .games-played li")) for half in halves] == [
        ["7–2", "By a backgammon", *GAMES],
        [],
    ]
    expect(page.locator(".times-used")).to_have_count(1)
    expect(halves[1].locator(".title .words")).to_have_text("Well played")
    assert (said(page), barriers(page)) == ([1, 1], {})
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate(READ_OF, "right") == [name for name, *_ in TIMES[1:5]]


def test_a_loser_with_a_long_name_reads_well_played_on_every_shared_phone(page: Page) -> None:
    open_ending(page, over(names=LONG_NAMES), "left right")
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        for part in (".half[data-seat=right] .title .words", ".half[data-seat=left] .who"):
            assert (width, part, page.locator(part).is_visible()) == (width, part, True)


@pytest.mark.parametrize(
    ("server", "last", "seat", "told"),
    [
        (over((3, 2), 4, 4), {"points": 4, "cube": 4, "how": "single"}, "left", ["7–2", "Single game · Cube 4"]),
        (passed(), PASSED, "left", ["8–2", "Bob passed the last double · Cube 2"]),
        (passed(), PASSED, "right", ["Ann wins the match, 8–2: Bob passed the last double.", "Cube 2"]),
        (
            over((2, 2), 5, 4),
            {"points": 5, "cube": 4, "how": ""},
            "right",
            ["Ann wins the match, 7–2.", "5 points · Cube 4"],
        ),
    ],
    ids=["single", "pass, to the winner", "pass, to the loser", "agreed points"],
)
def test_the_result_has_all_about_the_game_that_decided_the_match(
    page: Page, server: ScriptedServer, last: dict[str, object], seat: str, told: list[str]
) -> None:
    games = [{"game": 1, "winner": "left", "score": list(server.match.score), **last}]
    open_ending(page, server, seat, {**SUMMARY, "games": games})
    assert shown_texts(page.locator(f".half[data-seat={seat}] .ending p")) == told
    expect(page.locator(".games-played")).to_have_count(0)


@pytest.mark.parametrize("names", [["Ann", "Bob"], LONG_NAMES], ids=["short", "long"])
def test_spectators_read_the_result_once(page: Page, names: list[str]) -> None:
    open_page(page, over(names=names), "", watch=True)
    page.locator(".told").first.wait_for()
    told = [
        shown_texts(page.locator(f".half[data-seat={seat}]").locator(".title, .who, .told p, .told dt, .told dd"))
        for seat in ("left", "right")
    ]
    assert [[words.replace("\xad", "") for words in half] for half in told] == [
        ["Time left", "8:00 · 0 presses", f"{names[0]} wins the match by a backgammon, 7–2."],
        ["Time left", "8:00 · 1 press", names[1]],
    ]
    assert shown_text(page.locator("match-clock")).count("7–2") == 1


def test_a_match_that_was_ended_keeps_its_last_game_in_the_list(page: Page) -> None:
    server = ScriptedServer(score=[4, 2])
    server.begin()
    server.play("director", "propose", what="end", winner="left")
    open_ending(page, server, "left", {**SUMMARY, "games": SUMMARY["games"][:2]})
    half = page.locator(".half[data-seat=left]")
    assert shown_texts(half.locator(".ending p, .games-played li")) == ["4–2", "The match was ended", *GAMES]


def test_the_end_appears_whole_and_leaves_nothing_when_taken_back(page: Page) -> None:
    coming: list[Route] = []
    page.route("**/t/*/summary/*/", lambda route: coming.append(route))
    server = ScriptedServer(score=[4, 2], director=False)
    server.begin("left")
    open_page(page, server)
    half = page.locator(".half[data-seat=left]")
    server.play("right", "propose", what="game", winner="left", points=3)
    server.play("left", "agree")
    expect(half.locator(".told")).to_have_css("visibility", "hidden")
    wait_until(page, lambda: bool(coming), "the figures are asked for")
    coming[0].fulfill(json=SUMMARY)
    expect(half.locator(".final-score")).to_be_visible()
    assert shown_texts(half.locator(".told")) == []
    server.play("left", "propose", what="reopen")
    expect(page.locator(".ending, [data-won], [data-ended], .ways-on")).to_have_count(0)
    server.play("right", "agree")
    expect(half).to_have_attribute("data-mode", "stopped")


def test_figures_that_are_missing_or_late_do_not_hide_the_result(page: Page) -> None:
    page.route("**/t/*/summary/*/", lambda route: route.fulfill(body="null"))
    half = page.locator(".half[data-seat=left]")
    open_page(page, over())
    expect(page.locator("match-clock")).to_have_attribute("data-figures", "missing")
    expect(half.locator(".lines p")).to_be_visible()
    page.route("**/t/*/summary/*/", lambda route: None)
    open_page(page, over())
    half.evaluate("(half) => half.getAnimations().forEach((wait) => wait.finish())")
    expect(half.locator(".lines p")).to_be_visible()


@pytest.mark.parametrize(
    ("director", "ways"),
    [(False, ["Rematch", "Share", "Record", "Home"]), (True, ["Share", "Record", "To the table"])],
    ids=["casual", "tournament"],
)
@pytest.mark.parametrize("seats", ["left", "right", "left right"], ids=["winner", "loser", "both"])
def test_the_ways_on_stay_on_the_screen_at_twice_the_text_size(
    page: Page, seats: str, director: bool, ways: list[str]
) -> None:
    open_ending(page, over(names=LONG_NAMES, director=director), seats)
    for seat in seats.split():
        assert shown_texts(page.locator(f".half[data-seat={seat}] .ways-on").locator("a, button")) == ways
    page.locator(".ways-on b:not(:empty), .ways-on .primary").first.wait_for()
    page.evaluate("document.documentElement.style.setProperty('font-size', '32px')")
    page.evaluate(GEOMETRY)
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        broken = [words for words in page.evaluate(LOOK, ["DejaVu Sans"]) if "broken" in words]
        assert (width, page.evaluate(OUTSIDE), broken) == (width, [], [])


@pytest.mark.parametrize("seat", ["left", "right"], ids=["winner", "loser"])
def test_the_end_fills_a_phone_on_its_side(page: Page, seat: str) -> None:
    page.set_viewport_size({"width": 844, "height": 390})
    open_ending(page, over(), seat)
    turn = "(clock, left) => clock.toggleAttribute('data-left-handed', left)"
    for left_handed, (width, height) in product((False, True), [(667, 375), (844, 390)]):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("match-clock").evaluate(turn, left_handed)
        empty = page.evaluate(EMPTY_OF, seat)
        assert (width, left_handed, empty) == (width, left_handed, {"beside": 0, "below": 0, "off": 0})


def test_the_value_of_the_cube_stays_beside_its_word(page: Page) -> None:
    page.set_viewport_size({"width": 844, "height": 390})
    open_ending(page, over(names=LONG_NAMES))
    expect(page.locator(".games-played .together")).to_have_text(["Cube 2", "Cube 2"])
    assert page.locator(".games-played .together").evaluate_all(
        "(cubes) => cubes.map((cube) => cube.getClientRects().length)"
    ) == [1, 1]


def test_sharing_hands_over_a_picture_and_a_public_link_and_sends_nothing(own_page: Page) -> None:
    own_page.add_init_script(SHARING)
    for link, told in ((None, None), ("/e/open/results/", "http://clock.test/e/open/results/")):
        open_ending(own_page, over(), "left", {**SUMMARY, "link": link})
        asked: list[str] = []
        own_page.on("request", lambda request, asked=asked: asked.append(request.url))
        own_page.get_by_role("button", name="Share").click()
        own_page.wait_for_function("() => window.shared.length")
        words = "Ann wins the match by a backgammon, 7–2."
        assert own_page.evaluate(SHARED) == [["backgammon-7-2.png", "image/png", True, words, told]]
        assert [url for url in asked if "/static/" not in url] == []  # scripts for sounds load at the first touch
        own_page.unroute_all()


def test_without_a_way_to_share_the_picture_is_saved(page: Page, asked: list[str]) -> None:
    open_page(page, over())
    page.locator(".ending").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Share").click()
    assert saved.value.suggested_filename == "backgammon-7-2.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
