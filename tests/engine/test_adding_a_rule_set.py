"""Adding a rule set as one entry in `books/published.py`."""

from dataclasses import replace

import pytest
from django.test import Client

from clocks.engine.books.published import CUSTOM, MODERN, RULESETS, US_2013
from clocks.engine.books.rule_set import MINUTE, SECOND, Reading
from clocks.engine.closed_sets import FlagPolicy, Reset, Topic
from clocks.engine.replay import run
from tests.engine.board import running, shown

CLUB = replace(
    US_2013,
    key="club-2026",
    name="Club 2026 · quick",
    book="House rules of a club, 2026",
    per_point_ms=30 * SECOND,
    delay_ms=8 * SECOND,
    doubles_per_point_ms=None,
    doubles_delay_ms=0,
    flag=FlagPolicy.PENALTY,
    first_points=1,
    repeat_points=3,
    reset_ms=2 * MINUTE,
    reset=Reset.SET,
    paragraphs={Topic.RESERVE: "7", Topic.FLAG: "9"},
    readings=(Reading("flag", "Points count at once.", option="reserve_ms"),),
)


@pytest.fixture
def club(monkeypatch) -> str:
    """Register a club's own rule set; return its key."""
    monkeypatch.setitem(RULESETS, CLUB.key, CLUB)
    return CLUB.key


def test_modern_and_custom_are_entries_of_the_list_of_books() -> None:
    assert (RULESETS["modern"], RULESETS["custom"]) == (MODERN, CUSTOM)


def test_a_new_book_is_played(club: str) -> None:
    board = running(rules=club, length=5)
    assert shown(board.look(0), "reserve_ms", "delay_ms", "flag_at") == {
        "reserve_ms": [5 * MINUTE, 5 * MINUTE],
        "delay_ms": [8_000, 8_000],
        "flag_at": 5 * MINUTE + 8_000,
    }
    assert shown(board.expires(), "score", "reserve_ms") == {"score": [1, 0], "reserve_ms": [2 * MINUTE, 2 * MINUTE]}
    board.does(board.match.at, "right", "resume")
    assert shown(board.expires(), "status", "score", "cube") == {
        "status": "stopped",
        "score": [4, 0],
        "cube": {"value": 1, "owner": None, "offered_by": None, "frozen": True},
    }


def test_a_new_book_is_replayed(club: str) -> None:
    lines = list(run(['{"setup": {"rules": "club-2026", "length": 3, "score": [1, 0]}}']))
    assert lines[0]["reserve_ms"] == [150_000, 150_000]


def test_a_new_book_has_its_page(club: str, client: Client) -> None:
    assert "/rules/club-2026/" in client.get("/rules/").content.decode()
    html = client.get("/rules/club-2026/").content.decode()
    for words in ("House rules of a club, 2026", "1 point for the opponent. Each later one: 3 points", "8 seconds"):
        assert words in html
    assert "Points count at once." in html


@pytest.mark.parametrize("key", list(RULESETS))
def test_every_book_names_existing_topics_only(key: str) -> None:
    assert set(RULESETS[key].paragraphs) <= set(Topic)
    assert {reading.topic for reading in RULESETS[key].readings} <= set(Topic)
