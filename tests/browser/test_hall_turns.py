"""Turning pages of the hall screen: current round, boards, draw, flags."""

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.fed_screens import Feed, board, boards, open_hall
from tests.browser.windows import DIRECTOR

pytestmark = pytest.mark.browser_context_args(**DIRECTOR)


def tables(page: Page) -> list[str]:
    return shown_texts(page.locator(".board-table"))


def turn(page: Page) -> str:
    """Turn to the next page; return its name and contents."""
    page.keyboard.press("ArrowRight")
    names = page.get_by_text("Find your table", exact=True).and_(page.locator("[data-names]"))
    return f"{shown_text(page.locator('[data-page]'))}: {'names' if names.count() else 'boards'}"


def test_pages_of_names_alternate_with_pages_of_boards(page: Page) -> None:
    feed = Feed([board(table, "running", names=[f"Ann {table}", f"Bob {table}"]) for table in range(1, 101)])
    open_hall(page, feed)
    kinds = [turn(page) for _ in range(4)]
    assert kinds == ["Page 2 of 4: names", "Page 3 of 4: boards", "Page 4 of 4: names", "Page 1 of 4: boards"]
    page.get_by_role("combobox", name="Show").select_option("names")
    lines = shown_texts(page.locator(".hall-names li"))
    assert [" ".join(line.split()) for line in lines[:2]] == ["Ann 1 – Bob 1 Table 1", "Ann 2 – Bob 2 Table 2"]
    assert len(lines) <= 200
    page.get_by_role("combobox", name="Show").select_option("boards")
    assert turn(page) == "Page 2 of 2: boards"
    assert feed.errors == []


def test_the_names_are_shown_until_every_match_has_begun(page: Page) -> None:
    feed = Feed([board(1, "running"), board(2, "setup")])
    open_hall(page, feed)
    assert [turn(page) for _ in range(2)] == ["Page 2 of 2: names", "Page 1 of 2: boards"]
    feed.tell(board(2, "running"))
    expect(page.get_by_role("navigation", name="Pages")).to_be_hidden()
    assert tables(page) == ["1", "2"]


def test_the_players_of_a_team_are_found_one_by_one(page: Page) -> None:
    names = ["Akiko Yoshida / Zoe Ng", "Bo Li & Max Roth"]
    open_hall(page, Feed([board(7, "setup", names=names, format="doubles")]), "?show=names")
    expect(page.locator(".hall-names .hall-name")).to_have_text(["Akiko Yoshida", "Bo Li", "Max Roth", "Zoe Ng"])


def test_only_the_current_round_is_shown_unless_another_is_chosen(page: Page) -> None:
    first = [board(1, "over", 1), board(2, "over", 1)]
    feed = Feed([*first, board(3, "running", 2), board(4, "over", 2)])
    open_hall(page, feed)
    assert tables(page) == ["3", "4"]
    expect(page.get_by_text("1 running · 1 finished")).to_be_visible()
    rounds = page.get_by_role("combobox", name="Round")
    options = rounds.evaluate("(rounds) => Array.from(rounds.options, ({ text }) => text)")
    assert options == ["Now: Round 2", "Round 1", "Round 2", "All rounds"]
    rounds.select_option("Round 1")
    assert tables(page) == ["1", "2"]
    page.reload()
    expect(page.locator(".board")).to_have_count(2)
    assert tables(page) == ["1", "2"]
    rounds.select_option("All rounds")
    assert tables(page) == ["1", "2", "3", "4"]
    rounds.select_option("Now: Round 2")
    feed.show([*first, board(3, "over", 2), board(4, "over", 2)])
    expect(page.get_by_text("0 running · 2 finished")).to_be_visible()
    assert len(tables(page)) == 2


def test_a_fallen_flag_is_shown_on_every_page_and_fills_its_board(page: Page) -> None:
    feed = Feed(boards(100, "running"))
    open_hall(page, feed)
    said = page.get_by_role("status").filter(has_text="Time is up")
    expect(said).to_be_hidden()
    feed.tell(board(3, "flagged"))
    expect(said).to_have_text("Time is up at table 3")
    ground = "node => getComputedStyle(node).backgroundColor"
    flagged, other = page.locator(".board").nth(2), page.locator(".board").nth(3)
    assert flagged.evaluate(ground) == said.evaluate(ground) != other.evaluate(ground)
    for _ in range(2):
        turn(page)
        expect(said).to_be_visible()
    feed.tell(board(99, "flagged"))
    expect(said).to_have_text("Time is up at tables 3, 99")
    for table in range(10, 30):
        feed.tell(board(table, "flagged"))
    expect(said).to_have_text("Time is up at 22 tables")
    assert feed.errors == []
