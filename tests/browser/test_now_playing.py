"""Public pages of a tournament: live scores, and the part a result changes."""

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from playwright.sync_api import Page, Route

from clocks.tournament.public import Playing
from tests.browser.engines import expect, shown_texts
from tests.browser.fed_screens import Feed, board, open_page
from tests.browser.windows import PHONE

pytestmark = pytest.mark.browser_context_args(**PHONE)


class Parts:
    """Answers for `?part`: the matches of `shown`, with an ETag."""

    def __init__(self, page: Page, shown: list[dict[str, Any]]) -> None:
        self.shown, self.asked, self.status = shown, list[str | None](), 200
        page.route("**/e/open/?part", self._answer)

    @property
    def text(self) -> str:
        """The changing part of the page."""
        playing = [
            Playing(each["match"], each["table"], each["names"], each["score"], each["length"], each["status"], None)
            for each in self.shown
        ]
        return render_to_string("clocks/public/now-part.html", {"boards": playing})

    def _answer(self, route: Route) -> None:
        self.asked.append(route.request.header_value("If-None-Match"))
        if self.status == 200:
            route.fulfill(body=self.text, content_type="text/html", headers={"ETag": f'"{len(self.asked)}"'})
        else:
            route.fulfill(status=self.status)


def opened(page: Page, *shown: dict[str, Any]) -> tuple[Feed, Parts]:
    """Open *Now playing* with these matches; the test controls the page's time."""
    page.clock.install()
    feed, parts = Feed(shown), Parts(page, list(shown))
    open_page(
        page,
        feed,
        "/e/open/",
        "clocks/public/now.html",
        {"part": mark_safe(parts.text), "here": "now", "called": "Ann"},
    )
    return feed, parts


def lines(page: Page) -> list[str]:
    """Visible text of each match, with single spaces."""
    return [" ".join(line.split()) for line in shown_texts(page.locator("[data-match]"))]


def fetched(page: Page) -> None:
    """Let the polling interval pass, and wait until the page has fetched its part."""
    with page.expect_response("**/e/open/?part"):
        page.clock.run_for(5_000)


def test_scores_change_in_place_and_other_changes_bring_the_part_anew(own_page: Page) -> None:
    first = board(1, "running", names=["Ann", "Bob"], score=[1, 0])
    feed, parts = opened(own_page, first)
    feed.tell(board(1, "running", names=["Ann", "Bob"], score=[1, 3]))
    expect(own_page.locator("[data-score]")).to_have_text(["1", "3"])
    own_page.clock.run_for(10_000)
    assert parts.asked == []

    second = board(2, "running", names=["<img src=x onerror=alert(1)>", "Dov"])
    parts.shown = [first, second]
    feed.tell(second)
    fetched(own_page)
    expect(own_page.locator("[data-match]")).to_have_count(2)
    assert own_page.locator("[data-live] img").count() == 0, "a name with markup stays text"
    parts.shown = [second]
    feed.tell(board(1, "over", names=["Ann", "Bob"]))
    fetched(own_page)
    expect(own_page.locator("[data-match]")).to_have_count(1)
    assert "<img src=x onerror=alert(1)> Dov" in lines(own_page)[0]
    assert parts.asked == [None, '"1"'], "the second time it says what it has"

    for table in range(3, 8):
        feed.tell(board(table, "running"))
    feed.tell({"t": "gone", "now": 1, "matches": [2]})
    fetched(own_page)
    own_page.clock.run_for(10_000)
    assert len(parts.asked) == 3, "several changes ask once"


def test_a_tournament_that_is_no_longer_public_reloads_the_page(own_page: Page) -> None:
    feed, parts = opened(own_page, board(1, "running"))
    parts.status = 404
    feed.tell({"t": "gone", "now": 1, "matches": [1]})
    with own_page.expect_navigation():
        own_page.clock.run_for(5_000)
    assert [error for error in feed.errors if "404" not in error] == []
    feed.errors.clear()  # the browser logs that answer


def test_the_part_stays_where_the_server_does_not_answer(own_page: Page) -> None:
    feed, parts = opened(own_page, board(1, "running", names=["Ann", "Bob"]))
    parts.status = 503
    feed.tell({"t": "gone", "now": 1, "matches": [1]})
    fetched(own_page)
    assert len(lines(own_page)) == 1
    assert [error for error in feed.errors if "503" not in error] == []
    feed.errors.clear()  # the browser logs that answer
    parts.status, parts.shown = 200, []
    feed.tell({"t": "gone", "now": 1, "matches": [1]})
    fetched(own_page)
    expect(own_page.get_by_text("No match is being played now.")).to_be_visible()
