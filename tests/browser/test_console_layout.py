"""Layout of the director's page: elements that stay visible."""

import io
from typing import Any

import pytest
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Locator, Page

from clocks.models import Tournament
from tests.browser.engines import expect
from tests.browser.fed_screens import Feed, board, boards, open_console
from tests.browser.windows import DIRECTOR

pytestmark = pytest.mark.browser_context_args(**DIRECTOR)

SIZES = [(390, 844), (844, 390), (1024, 768), (1440, 900)]


def box(node: Locator) -> dict[str, float]:
    found = node.bounding_box()
    assert found is not None
    return dict(found)


def is_on_top(node: Locator) -> bool:
    """True if a click in the middle of an element hits it and nothing above it."""
    reached: bool = node.evaluate(
        """node => {
            const { left, top, width, height } = node.getBoundingClientRect();
            return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""
    )
    return reached


def test_stop_all_is_reachable_when_scrolled_beside_a_drawer_and_by_key(page: Page) -> None:
    open_console(page, Feed(boards(64)))
    stop = page.get_by_role("link", name="Stop all")
    dialog = page.get_by_role("dialog", name="Stop all")
    seen = {}
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for name, act in {
            "at first": lambda: page.evaluate("scrollTo(0, 0)"),
            "scrolled": lambda: page.mouse.wheel(0, 1500),
            "beside a drawer": lambda: page.locator(".cell").nth(20).click(),
            "afterwards": lambda: page.keyboard.press("Escape"),
        }.items():
            act()
            page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => done(true)))")
            seen[size, name] = is_on_top(stop)
        page.keyboard.press("s")
        expect(dialog.get_by_role("button", name="Fire alarm")).to_be_focused()
        expect(dialog.get_by_role("checkbox", name="In the whole hall: Side event, too")).not_to_be_checked()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    assert [where for where, reached in seen.items() if not reached] == []


def test_s_is_a_letter_in_a_text_field(page: Page) -> None:
    open_console(page, Feed(boards(3)))
    page.get_by_role("searchbox").press_sequentially("s")
    expect(page.get_by_role("dialog", name="Stop all")).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_have_value("s")


def test_lane_and_filters_stay_in_sight_without_overlap(page: Page) -> None:
    open_console(page, Feed(boards(300)))
    controls = [page.get_by_role("searchbox"), page.get_by_role("button", name="finished")]
    controls.append(page.locator(".line button").first)
    for width, height in [(1024, 768), (1366, 768), (1440, 900)]:
        page.set_viewport_size({"width": width, "height": height})
        for down in (0, 700, 3000):
            page.evaluate("down => scrollTo(0, down)", down)
            assert [is_on_top(one) for one in controls] == [True] * 3, (width, down)
        lane, filters = box(page.locator(".needs")), box(page.locator(".filter"))
        assert lane["y"] + lane["height"] <= filters["y"]
        assert filters["y"] + filters["height"] <= 0.6 * height


def test_the_choice_of_a_round_stands_in_the_row_of_the_filters(page: Page) -> None:
    feed = Feed([*(board(table, "over", 1) for table in (1, 2)), board(3, "running", 2)])
    open_console(page, feed)
    rounds, states = page.get_by_role("combobox", name="Round"), page.locator("[data-states]")
    search = page.get_by_role("searchbox")
    middles = [box(one)["y"] + box(one)["height"] / 2 for one in (rounds, states, search)]
    assert max(middles) - min(middles) < 4


def test_the_buttons_of_an_alert_stand_in_one_line_on_a_small_laptop(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    open_console(page, Feed([board(5, "flagged", names=["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"])]))
    buttons = page.locator(".line-buttons button")
    expect(buttons).to_have_text(["Apply", "Decline", "I’m coming", "Open"])
    assert len({box(one)["y"] for one in buttons.all()}) == 1


def test_the_header_shows_tournament_round_length_and_rules(page: Page) -> None:
    feed = Feed([board(1, "over", 1), board(2, "running", 2, length=9, score=[0, 0], rules="us-2013", options={})])
    open_console(page, feed)
    expect(page.get_by_role("heading", level=1)).to_have_text("Summer Open")
    about = page.locator("[data-about]")
    expect(about).to_have_text("Round 2 · to 9 · US 2013 · simple delay")
    feed.show([*feed.shown, board(3, "running", 2, length=5, score=[0, 0], rules="us-2013", options={})])
    expect(about).to_have_text("Round 2 · US 2013 · simple delay")


def test_finished_rounds_move_to_the_end_once_another_is_played(page: Page) -> None:
    feed = Feed([board(table, "over", 1) for table in (1, 2)])
    open_console(page, feed)
    tables = page.locator(".cell-table")
    expect(tables).to_have_text(["1", "2"])
    expect(page.locator("[data-past]")).to_have_count(0)
    feed.show([*feed.shown, board(3, "setup", 2), board(4, "running", 2)])
    expect(tables).to_have_text(["3", "4", "1", "2"])
    expect(page.locator("[data-past] .cell-table")).to_have_text(["1", "2"])


def test_an_archived_event_needs_nobody(page: Page) -> None:
    archived = Tournament(slug="open", name="Summer Open", archived_at=timezone.now())
    open_console(page, Feed([board(1, "called"), board(2, "flagged"), board(3, "setup")]), tournament=archived)
    expect(page.locator(".cell")).to_have_count(3)
    expect(page.get_by_text("Nothing needs you now.")).to_be_visible()
    expect(page.locator(".line")).to_have_count(0)


def test_a_finished_board_reports_no_missing_phone(page: Page) -> None:
    open_console(page, Feed([board(1, "over"), board(2, "running")]))
    signs = page.locator(".cell").filter(has_text="won").locator(".cell-phone")
    expect(signs).to_have_count(2)
    assert [one.is_visible() for one in signs.all()] == [False, False]
    expect(page.get_by_role("img", name="phone offline")).to_have_count(1)


def test_a_cell_under_the_pointer_has_one_colour(page: Page) -> None:
    open_console(page, Feed([board(1, "stopped", names=["Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi"])]))
    cell = page.locator(".cell")
    cell.hover()
    grounds: Any = cell.evaluate(
        """cell => [...cell.querySelectorAll('*')].map((node) => {
            const { backgroundColor, backgroundImage, boxShadow } = getComputedStyle(node);
            return [backgroundColor, backgroundImage, boxShadow].join();
        })"""
    )
    assert set(grounds) == {"rgba(0, 0, 0, 0),none,none"}


def test_the_frame_of_the_open_board_is_seen_on_all_sides(page: Page) -> None:
    open_console(page, Feed(boards(5)))
    cell = page.locator(".cell").first
    cell.click()
    expect(cell).to_have_attribute("data-open", "")
    blue = cell.evaluate("node => getComputedStyle(node).outlineColor")
    seen = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    place = box(cell)
    left, top = round(place["x"]), round(place["y"])
    right, bottom = left + round(place["width"]), top + round(place["height"])
    middle, half = (left + right) // 2, (top + bottom) // 2
    edges = {
        "top": [seen.getpixel((middle, y)) for y in range(top - 5, top + 5)],
        "right": [seen.getpixel((x, half)) for x in range(right - 5, right + 5)],
        "bottom": [seen.getpixel((middle, y)) for y in range(bottom - 5, bottom + 5)],
        "left": [seen.getpixel((x, half)) for x in range(left - 5, left + 5)],
    }
    colours = {side: ["rgb({}, {}, {})".format(*pixel) for pixel in line].count(blue) for side, line in edges.items()}
    assert colours == {"top": 3, "right": 3, "bottom": 3, "left": 3}


def test_the_ways_to_begin_stand_in_one_line(page: Page) -> None:
    open_console(page, Feed([]))
    links = page.locator("[data-empty] p.row").first.locator("a")
    assert {(box(link)["y"], box(link)["height"]) for link in links.all()} == {
        (box(links.first)["y"], box(links.first)["height"])
    }


def test_fewer_boards_have_larger_cells(page: Page) -> None:
    feed = Feed(boards(12, "running"))
    open_console(page, feed)
    sizes = []
    for number in (12, 30, 64):
        feed.show(boards(number, "running"))
        expect(page.locator(".cell")).to_have_count(number)
        sizes.append(page.locator(".cell-time").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)"))
    assert sizes == sorted(set(sizes), reverse=True)


def test_the_halls_screen_opens_in_a_window_of_its_own(page: Page) -> None:
    open_console(page, Feed(boards(3)))
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Hall screen").click()
    assert opened.value != page
    assert page.url.endswith("/director/open/")


def test_a_new_tournament_names_the_next_step(page: Page) -> None:
    open_console(page, Feed([]))
    expect(page.get_by_text("Enter the players and draw the first round from their list.")).to_be_visible()
    expect(page.get_by_role("link", name="Add players")).to_be_visible()
    expect(page.get_by_role("link", name="Create the first round")).to_be_visible()
