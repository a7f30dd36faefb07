"""Printed record of a long match: its story on one page, all entries on few."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.broken_words import BROKEN
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.records import ENTRIES, Record, lively_record, players_phone, record_of
from tests.browser.windows import Windows

MOST_PAGES = 5
PAPERS_MM = {"A4": 210, "Letter": 216}
MARGINS_MM = 20
STORY = {"en": "The story", "de": "Die Geschichte"}


def pages(page: Page, paper: str) -> int:
    """Number of printed pages."""
    return len(re.findall(rb"/Type ?/Page\b", page.pdf(format=paper)))


def reading(windows: Windows, record: Record, reader: str, language: str) -> Page:
    """The record, as a director or a player reads it in this language."""
    page = windows.director() if reader == "director" else players_phone(windows, record)
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(windows.product.address + (record.directors if reader == "director" else record.players))
    expect(page.get_by_role("heading", name=STORY[language])).to_be_visible()
    return page


@pytest.mark.parametrize(
    ("slug", "reader", "language"),
    [("games", "player", "de"), ("games", "director", "en"), ("long", "player", "de"), ("long", "director", "de")],
)
def test_a_story_takes_one_page(windows: Windows, product: Product, slug: str, reader: str, language: str) -> None:
    page = reading(windows, record_of(product, slug), reader, language)
    assert {paper: pages(page, paper) for paper in PAPERS_MM} == {"A4": 1, "Letter": 1}


# The longest stories of each layout: up to six games, up to eighteen, and more.
# A player's page has more lines above its story.
@pytest.mark.parametrize(
    ("games", "moments", "reader"),
    [
        (4, 12, "player"),
        (6, 8, "director"),
        (7, 10, "player"),
        (18, 4, "director"),
        (40, 3, "player"),
        (49, 2, "player"),
    ],
)
def test_a_story_of_many_moments_takes_one_page(
    windows: Windows, product: Product, games: int, moments: int, reader: str
) -> None:
    page = reading(windows, lively_record(product, games, moments), reader, "de")
    expect(page.locator(".story-moments li")).to_have_count(games * moments)
    assert {paper: pages(page, paper) for paper in PAPERS_MM} == {"A4": 1, "Letter": 1}


def test_a_record_of_164_entries_takes_few_pages_and_breaks_no_word(windows: Windows, product: Product) -> None:
    record = windows.director()
    record.goto(product.address + record_of(product, "long").directors)
    record.get_by_text("Details", exact=True).click()
    expect(record.get_by_text(f"{ENTRIES} entries.")).to_be_visible()
    assert {paper: number for paper in PAPERS_MM if (number := pages(record, paper)) > MOST_PAGES} == {}
    record.emulate_media(media="print")
    for paper, width_mm in PAPERS_MM.items():
        record.set_viewport_size({"width": int((width_mm - MARGINS_MM) / 25.4 * 96), "height": 1000})
        assert record.evaluate(BROKEN) == [[], 0], paper
