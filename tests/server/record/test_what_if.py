"""The `whatif` command: a tournament's matches under other settings."""

import io
import json
import sys
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.books.published import RULESETS
from clocks.engine.commands import parse_command
from clocks.host import server_time
from clocks.models import JournalEntry, Match
from tests.server import hall

pytestmark = pytest.mark.django_db(transaction=True)

MINUTE = 60_000


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("whatif", "--tournament", "open", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def thinkers() -> Match:
    """US 2013 match to 3 (6 minutes each); Bob thinks for five minutes and wins."""
    desk.forget()
    match, *_ = (
        pairing.match
        for pairing in hall.drawn(hall.summer_open(), "1,Ann,Bob", "2,Cid,Dan")
        if pairing.match is not None
    )
    at = server_time.now_ms()

    def do(by: str, wait_ms: int, **command: Any) -> None:
        nonlocal at
        at += wait_ms
        answer = desk.submit_and_wait(Request(match.pk, parse_command(command), by, at=at))
        assert answer.ok, answer

    do("director", 0, do="confirm")
    do("left", 0, do="hit")
    do("right", 5 * MINUTE, do="hit")
    do("left", 20_000, do="hit")
    do("director", 0, do="propose", what="end", winner="right", note="")
    return match


def _began(match: Match) -> int:
    """Timestamp of the first press (ms)."""
    return JournalEntry.objects.filter(match=match, command__do="hit").order_by("seq")[0].at


def test_without_rules_each_book_has_its_line(thinkers: Match) -> None:
    words = run()
    assert [line.partition(":")[0] for line in words.splitlines() if not line.startswith(" ")] == [
        "as played",
        *RULESETS,
    ]


def test_a_report_counts_flags_time_left_and_the_reserve_that_is_enough(thinkers: Match) -> None:
    report = json.loads(run("--rules", "us-2013", "--option", "reserve_ms=240000", "--json", "--left-curve"))
    curves = ("curve", "reserve_left_curve")
    assert {key: value for key, value in report.items() if key not in curves} == {
        "rules": "us-2013",
        "options": {"reserve_ms": 240_000},
        "per_point_ms": None,
        "matches": 1,
        "left_out": 0,
        "unended": 0,
        "flagged": 1,
        "lost_on_time": 1,
        "flags": [
            {
                "match": thinkers.pk,
                "player": "Bob",
                "seat": "right",
                # Four minutes of reserve and the delay of 12 s, in Bob's first turn.
                "at": _began(thinkers) + 252_000,
                "turn_number": 1,
                "game": 1,
                "score": [0, 0],
            }
        ],
        "reserve_left_ms": {"10": 0, "50": 0, "90": 240_000},
        # Five minutes less the delay of 12 s, for 6 points.
        "enough_per_point_ms": {"1": 48_001, "5": 48_001, "10": 48_001},
        "rounds": [{"number": 1, "name": "Round 1", "matches": 1, "longest_ms": 252_000}],
        "assumptions": [
            "Players would have thought as long, and played on, as they did.",
            "The engine of the clock counts, turn by turn. Clocks that were stopped stay stopped.",
            "A flag has its consequence at once. A match lost on time ends there, so what it needs may be more.",
            "“Enough” is the smallest reserve for each point that both players need at which so many matches see no "
            "flag.",
            "A match that goes on counts as far as it went. Time that a director gave and network credit stay.",
            "Under another book, or with times of your own, a match loses settings of its own.",
            "A round takes at most as long as its longest match. The time for which clocks were stopped is left out.",
        ],
    }
    assert report["curve"][0] == [0, 1.0]
    assert report["curve"][-1] == [48_001, 0.0]
    # Up to 45 s a point Bob's reserve runs out, and nothing of Ann's is used; from 60 s on both play to the end.
    assert [(point["per_point_ms"], *point["reserve_left_ms"].values()) for point in report["reserve_left_curve"]] == [
        *((per_point_ms, 0, 0, 6 * per_point_ms) for per_point_ms in (15_000, 30_000, 45_000)),
        *(
            (per_point_ms, 6 * per_point_ms - 288_000, 6 * per_point_ms - 288_000, 6 * per_point_ms - 8_000)
            for per_point_ms in range(60_000, 180_001, 15_000)
        ),
    ]


def test_each_round_has_its_longest_match(thinkers: Match) -> None:
    """Two rounds with the same name are listed separately."""
    first = thinkers.round
    assert first is not None
    hall.next_round(first, name="Round 1")
    second = Match.objects.exclude(pk=thinkers.pk).get()
    Match.objects.filter(pk=second.pk).update(round=hall.Round.objects.get(number=2))
    hall.win(second)
    report = json.loads(run("--rules", "us-2013", "--json"))
    assert [(line["number"], line["name"], line["matches"]) for line in report["rounds"]] == [
        (1, "Round 1", 1),
        (2, "Round 1", 1),
    ]
    assert report["rounds"][0]["longest_ms"] == 320_000
    assert "  longest match of Round 1  5:20 (1 match)" in run("--rules", "us-2013").splitlines()


def test_the_match_as_it_was_played_keeps_its_end(thinkers: Match) -> None:
    words = run("--rules", "us-2013")
    assert words.splitlines() == [
        "us-2013: 1 match, 0 with a flag, 0 lost on time",
        "  reserve left (percentiles)  10%: 1:12, 50%: 1:12, 90%: 5:52",
        "  reserve a point so that at most so many matches see a flag  1%: 0:48, 5%: 0:48, 10%: 0:48",
        "  longest match of Round 1  5:20 (1 match)",
    ]


@pytest.mark.parametrize(
    ("errors", "bar"), [(Terminal(), f"[{'.' * 75}]\n"), (io.StringIO(), "")], ids=["terminal", "file"]
)
def test_a_terminal_has_a_progress_bar_and_a_file_has_none(
    thinkers: Match, monkeypatch: pytest.MonkeyPatch, errors: io.StringIO, bar: str
) -> None:
    monkeypatch.setattr(sys, "stderr", errors)
    words = run("--rules", "us-2013", "--json")
    assert (errors.getvalue(), json.loads(words)["matches"]) == (bar, 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rules", "us-1066"], "rules must be one of"),
        (["--rules", "us-2013", "--option", "colour=red"], "us-2013 has no option “colour”"),
        (["--rules", "us-2013", "--option", "delay_ms"], "--option must be written as name=value"),
        (["--option", "delay_ms=9000"], "Name the rules to which these options belong"),
        (["--tournament", "closed"], "There is no tournament “closed”."),
    ],
)
def test_a_wrong_setting_is_named(thinkers: Match, arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        run(*arguments)
