"""Figures on the rules pages, compared with the engine's."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client

from clocks.engine.books.published import RULESETS
from clocks.engine.setup import Setup
from clocks.rulebook import pages

MINUTE = 60_000
POINTS = range(1, 26)
every_rule_set = pytest.mark.parametrize("key", list(RULESETS))


class Page(HTMLParser):
    """Parses a page's text, and its tables by id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.text = ""
        self._rows: list[list[str]] | None = None
        self._cell = False
        self.feed(html)
        self.text = re.sub(r"\s+", " ", self.text)

    def handle_starttag(self, tag, attrs) -> None:
        if tag == "table":
            self._rows = self.tables.setdefault(dict(attrs)["id"], [])
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in ("td", "th") and self._rows is not None:
            self._cell = True
            self._rows[-1].append("")

    def handle_endtag(self, tag) -> None:
        if tag == "table":
            self._rows = None
        elif tag in ("td", "th"):
            self._cell = False

    def handle_data(self, data) -> None:
        self.text += data
        if self._cell and self._rows is not None:
            self._rows[-1][-1] += data


def page(client: Client, path: str) -> Page:
    response = client.get(path)
    assert response.status_code == 200
    return Page(response.content.decode())


def in_ms(shown: str) -> int:
    """Parse a cell with minutes, or minutes and seconds; return milliseconds."""
    minutes, _, seconds = shown.partition(":")
    return int(minutes) * MINUTE + int(seconds or 0) * 1000


@every_rule_set
def test_every_cell_of_a_timetable_is_what_the_engine_sets(client: Client, key: str) -> None:
    tables = page(client, f"/rules/{key}/").tables
    assert list(tables) == (["singles", "doubles"] if RULESETS[key].doubles_per_point_ms else ["singles"])
    for format_, (head, *rows) in tables.items():
        assert head == ["", *map(str, POINTS)]
        assert [row[0] for row in rows] == [str(left) for left in POINTS]
        for left in POINTS:
            for right in POINTS:
                length = max(left, right) + 3  # only the points still needed matter
                setup = Setup.parse(
                    {"rules": key, "format": format_, "length": length, "score": [length - left, length - right]}
                )
                shown = in_ms(rows[left - 1][right])
                assert (shown, shown) == setup.opening_reserve_ms, (format_, left, right)


@pytest.mark.parametrize(
    ("key", "format_", "left", "right", "shown"),
    [
        ("unified-2001", "singles", 9, 9, "54"),
        ("unified-2001", "singles", 4, 6, "30"),
        ("us-2013", "singles", 11, 11, "22"),
        ("us-2013", "singles", 3, 4, "7"),
        ("us-2013", "doubles", 3, 4, "8:45"),
        ("aba-2003-bronstein", "singles", 6, 4, "10"),
    ],
)
def test_the_printed_examples_stand_in_the_timetable(client, key, format_, left, right, shown) -> None:
    assert page(client, f"/rules/{key}/").tables[format_][left][right] == shown


@every_rule_set
def test_a_page_says_the_delay_the_amount_and_each_reading_and_paragraph(client: Client, key: str) -> None:
    rules, text = RULESETS[key], page(client, f"/rules/{key}/").text
    assert rules.name in text and rules.book in text
    if rules.delay_ms:
        assert f"{rules.delay_ms // 1000} seconds" in text
    else:
        assert "There is no delay" in text
    for paragraph in rules.paragraphs.values():
        assert f"Paragraph {paragraph}" in text
    for reason in rules.stops:
        assert reason in text
    for reading in rules.readings:
        assert "Reading " + re.sub(r"\{.*", "", reading.words).strip() in text


@every_rule_set
def test_every_option_that_the_engine_takes_stands_on_the_page(client: Client, key: str) -> None:
    text = page(client, f"/rules/{key}/").text
    for option in RULESETS[key].options:
        assert option in text


@every_rule_set
def test_an_optional_reading_says_that_the_director_may_choose_otherwise(client: Client, key: str) -> None:
    rules = RULESETS[key]
    text = page(client, f"/rules/{key}/").text
    with_option = [reading for reading in rules.readings if reading.option]
    assert text.count("The director may choose otherwise") == len(with_option)
    assert {reading.option for reading in with_option} <= set(rules.options)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("us-2013", ["loses the match", "could already be validly claimed", "Or “CLOCKS ON REQUEST”",
                     "do not roll yet", "There are no claims of a win"]),
        ("us-2007", ["Or “CLOCKS ALLOWED”", "up to 12 seconds", "The reserve also runs during the wait"]),
        ("unified-2001", ["2 points for the opponent. Each later one: 1 point", "there is no time limit",
                          "the other keeps its time and gets 5:00 more", "The next game, if there is one, is the "
                          "Crawford game", "Then you press, and the opponent’s turn begins",
                          "greatest possible number of points cannot be declined"]),
        ("aba-2003-standard", ["the expired clock alone is reset to 5:00", "there is one grace",
                               "Nor may anybody double in the next game", "what you concede or claim"]),
        ("aba-2003-bronstein", ["loses the match", "what you concede or claim"]),
        ("michigan-2002", ["there is no penalty. The second control starts", "The player whose time ran out has 3:00; "
                           "the opponent has 3:00 more than was left", "a delay of 12 seconds", "gin win of the match",
                           "the opponent’s clock starts at once", "default, not from the rule book",
                           "even during a game", "do not show the times", "is not restored"]),
        ("modern", ["gives it once, as a warning", "then resume with a full delay", "if both sides agree"]),
        ("custom", ["Penalty points", "A second control", "An overtime", "per_point_ms"]),
    ],
)  # fmt: skip
def test_what_is_special_about_each_book_is_said(client: Client, key: str, words: list[str]) -> None:
    text = page(client, f"/rules/{key}/").text
    assert [sentence for sentence in words if sentence not in text] == []


def test_books_without_a_penalty_do_not_speak_of_a_frozen_cube(client: Client) -> None:
    speaking = [key for key in RULESETS if "The frozen cube" in page(client, f"/rules/{key}/").text]
    assert speaking == ["unified-2001", "aba-2003-standard"]


def test_the_list_leads_to_every_rule_set(client: Client) -> None:
    html = client.get("/rules/").content.decode()
    assert [f'href="/rules/{key}/"' in html for key in RULESETS] == [True] * len(RULESETS)


def test_a_time_is_looked_up_by_the_points_that_both_need(client: Client) -> None:
    response = client.get("/rules/us-2013/", {"left": "3", "right": "4"})
    assert response.context["found"] == [("Singles", "7:00"), ("Doubles", "8:45")]
    assert response.content.decode().count('class="found" aria-current="true"') == 2


@pytest.mark.parametrize("given", [{"left": "0", "right": "4"}, {"left": "26", "right": "1"}, {"left": "x"}])
def test_a_wrong_number_of_points_is_reported_on_the_page(client: Client, given: dict[str, str]) -> None:
    response = client.get("/rules/us-2013/", given)
    assert (response.status_code, response.context["found"]) == (200, None)
    assert response.context["needed"].errors
    assert 'aria-invalid="true"' in response.content.decode()


def test_an_unknown_rule_set_is_not_found(client: Client) -> None:
    assert client.get("/rules/us-1999/").status_code == 404


@every_rule_set
def test_no_inline_style_or_script_stands_on_a_page(client: Client, key: str) -> None:
    html = client.get(f"/rules/{key}/").content.decode()
    assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=", html)


def test_a_rule_page_accepts_no_post(client: Client) -> None:
    assert client.post("/rules/us-2013/").status_code == 405


def test_every_topic_of_a_reading_has_its_section() -> None:
    topics = {reading.topic for rules in RULESETS.values() for reading in rules.readings}
    assert topics <= set(pages.SHOWN_IN)
