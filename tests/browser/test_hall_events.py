"""Hall screen: brackets, standings, colours, countdown, the next screen."""

import re

import pytest
from playwright.sync_api import Page, Route

from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.fed_screens import Feed, board, boards, open_hall
from tests.browser.scripted import now_ms
from tests.browser.served import HOST
from tests.browser.windows import DIRECTOR

pytestmark = pytest.mark.browser_context_args(**DIRECTOR)

BRACKET = '<svg viewBox="0 0 400 100" class="bracket-svg"><text x="10" y="30">Ann Bracket</text></svg>'
SIDE = "".join(f'<li data-place="{n}" data-wins="{n % 7}">Player {n}</li>' for n in range(1, 301))
EVENTS = f"""
<section data-event="Main" data-colour="green">{BRACKET}{BRACKET}<ol></ol></section>
<section data-event="Side" data-colour=""><ol>{SIDE}</ol></section>
<p data-round="Round 1" data-colour="green" data-starts="">Main, round 1</p>
"""


def sends(page: Page, text: str) -> None:
    """Answer the page's requests for the tournament's events with this HTML."""
    page.route("**/hall/open/events/", lambda route: route.fulfill(body=text, content_type="text/html"))


def turn(page: Page) -> tuple[str, str]:
    """Turn to the next page; return its number and heading."""
    page.keyboard.press("ArrowRight")
    return shown_text(page.locator("[data-page]")), shown_text(page.locator("[data-facts]"))


def test_brackets_and_standings_take_turns_with_boards(page: Page) -> None:
    sends(page, EVENTS)
    feed = Feed(boards(4, "running"))
    open_hall(page, feed, "?show=all")
    expect(page.locator("[data-page]")).to_contain_text(re.compile(r"Page 1 of [5-9]"))
    assert page.locator(".board").count() == 4
    headings = [turn(page)[1] for _ in range(3)]
    assert headings == ["Main", "Main", "Side"]
    assert shown_text(page.locator(".hall-places li").first).split() == ["1", "Player", "1", "1"]
    names = page.locator(".hall-places .hall-name")
    size = names.first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= 13 and page.locator(".board").count() == 0
    assert feed.errors == []


def test_a_bracket_fills_the_screen_and_has_the_colour_of_its_event(page: Page) -> None:
    sends(page, EVENTS)
    open_hall(page, Feed([]), "?show=events")
    drawing, field = page.locator(".hall-bracket svg"), page.locator("[data-hall]")
    expect(drawing).to_be_visible()
    boxes = drawing.bounding_box(), field.bounding_box()
    assert boxes[0] and boxes[1] and boxes[0]["width"] >= boxes[1]["width"] - 2
    assert boxes[0]["height"] <= boxes[1]["height"] + 1
    facts = page.locator("[data-facts]")
    expect(facts).to_have_attribute("data-colour", "green")
    assert facts.evaluate("node => getComputedStyle(node).borderInlineStartColor") == "rgb(31, 129, 72)"


def test_boards_have_the_colour_of_their_event(page: Page) -> None:
    sends(page, EVENTS)
    open_hall(page, Feed([board(1, "running"), board(2, "running", 2)]), "?round=*")
    expect(page.locator(".board").first).to_have_attribute("data-colour", "green")
    assert page.locator(".board").nth(1).get_attribute("data-colour") is None


@pytest.mark.parametrize(
    ("from_now_s", "says"),
    [
        ((125, 7200), r"Main, round 1: starts in (2:0\d|1:5\d)"),
        ((-5, 7200), "Main, round 1: please start your clocks"),
        ((-90, 7200), ""),
    ],
)
def test_the_start_of_a_round_is_counted_down(page: Page, from_now_s: tuple[int, int], says: str) -> None:
    begins = [now_ms() + seconds * 1000 for seconds in from_now_s]
    rounds = [
        f'<p data-round="Round {number}" data-colour="red" data-starts="{at}">Main, round {number}</p>'
        for number, at in enumerate(begins, 1)
    ]
    sends(page, "".join(rounds))
    open_hall(page, Feed(boards(2, "setup")))
    expect(page.locator(".board").first).to_have_attribute("data-colour", "red")
    start = page.locator("[data-start]")
    if says:
        expect(start).to_have_text(re.compile(f"^{says}$"))
    else:
        expect(start).to_be_hidden()


def test_the_list_of_names_shows_each_opponent(page: Page) -> None:
    sends(page, "")
    open_hall(page, Feed([board(7, "setup", names=["Ann", "Bob"])]), "?show=names")
    lines = shown_texts(page.locator(".hall-names li"))
    assert [" ".join(line.split()) for line in lines] == ["Ann – Bob Table 7", "Bob – Ann Table 7"]


def test_after_the_last_page_the_screen_of_the_next_tournament_follows(own_page: Page) -> None:
    sends(own_page, "")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.method)
        route.fulfill(status=200 if len(asked) != 1 else 404, body="<title>Side</title>")

    own_page.route("**/hall/side/**", answer)
    own_page.clock.install()
    feed = Feed(boards(2, "running"))
    open_hall(own_page, feed, "?then=side,open")
    with own_page.expect_request("**/hall/side/**"):
        own_page.clock.run_for(16_000)
    assert own_page.url == f"http://{HOST}/hall/open/?then=side,open", "a screen that cannot be had is left out"
    own_page.clock.run_for(16_000)
    own_page.wait_for_url("**/hall/side/**")
    assert own_page.url == f"http://{HOST}/hall/side/?then=open%2Copen"
    assert asked == ["HEAD", "HEAD", "GET"]
    assert [error for error in feed.errors if "404" not in error] == []
    feed.errors.clear()  # the browser logs that answer


def test_a_name_of_37_letters_is_larger_than_half(page: Page) -> None:
    sends(page, "")
    long = "Bartholomew Featherstonehaugh-Lindqvi"
    assert len(long) == 37
    open_hall(page, Feed([board(n, "running", names=[long, "Bob Li"]) for n in range(1, 33)]))
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    names = page.locator(".board").first.locator(".board-name")
    assert names.first.evaluate(size) >= 0.7 * names.nth(1).evaluate(size)
    clipped = "node => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1"
    assert not names.first.evaluate(clipped)
    assert not page.locator(".board").first.evaluate(clipped)
