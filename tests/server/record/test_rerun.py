"""Rerun of matches: the same under their own setting, other flags under another."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import PARTIES, Official, Status, WonBy
from clocks.engine.codec import encode
from clocks.engine.commands import Look, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import FlagFell, event_from_dict
from clocks.engine.evolve.fold import fold
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.record.rerun import Flag, Played, played, rerun
from clocks.record.what_if import enough

HERITAGE = Path(__file__).parents[2] / "heritage" / "database.json.gz"
RANDOM_MATCHES = 1_000
COMMANDS = 80
WISHES: list[dict[str, Any]] = [
    *[{"do": "hit"}] * 12,
    *({"do": do} for do in ("double", "take", "pass", "resume", "agree", "agree", "decline", "withdraw", "call")),
    *({"do": "stop", "reason": reason} for reason in ("other", "dice-picked-up")),
    *({"do": "resume", "turn_of": seat} for seat in ("left", "right")),
    {"do": "propose", "what": "game", "winner": "left", "points": 1},
    {"do": "propose", "what": "game", "winner": "right", "points": 2},
    {"do": "propose", "what": "undo"},
    {"do": "propose", "what": "time", "seat": "left", "by_ms": 5_000, "note": "network"},
    {"do": "propose", "what": "time", "seat": "right", "by_ms": 3_000, "note": "fallen dice"},
    {"do": "propose", "what": "dice-penalty", "against": "left"},
    {"do": "propose", "what": "score", "score": [1, 0]},
    {"do": "propose", "what": "cube", "value": 2, "owner": "left"},
    {"do": "propose", "what": "reopen", "note": "not over"},
]
MINUTE = 60_000


class Journal:
    """The entries of a match as commands make them."""

    def __init__(self, rules: str, length: int = 7, **options: Any) -> None:
        self.setup = Setup.parse({"rules": rules, "length": length, "options": options})
        self.match = Match.begin(self.setup)
        self.at = 1_000
        self.entries: list[Played] = []
        self.do("director", do="confirm")

    def do(self, by: str, wait_ms: int = 0, **given: Any) -> None:
        self.at += wait_ms
        look = given["do"] == "look"
        command = Look() if look else parse_command(given)
        outcome = perform(self.match, command, Official.SERVER if look else PARTIES[by], self.at)
        first = True
        for event in outcome.events:
            fell = isinstance(event, FlagFell)
            asked = command.to_dict() if first and not fell else None
            self.entries.append(played(event.name, encode(event), event.at, "server" if fell else by, asked, 0))
            first = first and fell
        self.match = outcome.match

    def hit(self, wait_ms: int) -> None:
        self.do(str(self.match.turn or "left"), wait_ms, do="hit")


def random_journal(seed: int) -> Journal:
    """A match of random commands under a random rule set."""
    chance = random.Random(seed)
    reserve_ms = chance.choice([MINUTE, 5 * MINUTE, 15 * MINUTE])
    journal = Journal(chance.choice(sorted(RULESETS)), chance.randint(1, 11), reserve_ms=reserve_ms)
    for _ in range(COMMANDS):
        given, by = chance.choice(WISHES), chance.choice(["left", "right", "left", "right", "director"])
        if given["do"] == "hit" and journal.match.turn is not None and chance.random() < 0.9:
            by = str(journal.match.turn)
        journal.do(by, chance.choice([0, 1, 200, 3_000, 9_000, 15_000, 40_000]), **given)
    return journal


def flags(journal: Journal, rules: str, reserve_ms: int) -> tuple[Flag, ...]:
    """Flags of a match under a rule set with this reserve."""
    setup = Setup.parse({**journal.setup.to_dict(), "rules": rules, "options": {"reserve_ms": reserve_ms}})
    return rerun(setup, journal.entries).flags


def heritage() -> dict[int, list[dict[str, Any]]]:
    """Entries of the matches of an earlier version."""
    found: dict[int, list[dict[str, Any]]] = {}
    for row in json.loads(gzip.decompress(HERITAGE.read_bytes())):
        if row["model"] == "clocks.journalentry":
            found.setdefault(row["fields"]["match"], []).append(row["fields"])
    return found


def test_matches_of_an_earlier_version_run_again_as_they_were_played() -> None:
    keys = ("event", "data", "at", "by", "command", "credit_ms")
    for first, *later in heritage().values():
        setup = Setup.from_dict(first["data"])
        entries = [played(*(entry[key] for key in keys)) for entry in later]
        assert rerun(setup, entries).match == fold(
            setup, [event_from_dict(entry["event"], entry["data"]) for entry in later]
        )


def test_random_matches_run_again_as_they_were_played() -> None:
    flagged = 0
    for seed in range(RANDOM_MATCHES):
        journal = random_journal(seed)
        again = rerun(journal.setup, journal.entries)
        assert again.match == journal.match, seed
        flagged += bool(again.flags)
    assert flagged > RANDOM_MATCHES / 20


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_random_matches_run_under_every_book(rules: str) -> None:
    flagged = {MINUTE // 3: 0, 600 * MINUTE: 0}
    for seed in range(60):
        journal = random_journal(seed)
        for reserve_ms in flagged:
            flagged[reserve_ms] += bool(flags(journal, rules, reserve_ms))
    assert flagged[MINUTE // 3] > 20
    assert flagged[600 * MINUTE] == 0


def test_a_flag_loses_the_match_where_the_book_says_so() -> None:
    journal = Journal("unified-2001")  # 42 minutes, no delay
    for wait_ms in (0, 20_000, 20_000, 16 * MINUTE, 20_000):
        journal.hit(wait_ms)
    again = rerun(Setup.parse({"rules": "us-2013", "length": 7}), journal.entries)  # 14 minutes, 12 s (US 2013, 2.1)
    assert again.flags == (Flag(Seat.RIGHT, 885_000, 3, 1, (0, 0)),)
    assert (again.match.status, again.match.won_by) == (Status.OVER, WonBy.TIME)


def test_a_penalty_gives_points_and_play_goes_on() -> None:
    journal = Journal("us-2013", reserve_ms=60 * MINUTE)
    for wait_ms in (0, 20_000, 20_000, 43 * MINUTE, 20_000):
        journal.hit(wait_ms)
    again = rerun(Setup.parse({"rules": "unified-2001", "length": 7}), journal.entries)  # Unified 2001, 5.1
    assert [flag.seat for flag in again.flags] == ["right"]
    assert again.match.score == (2, 0)
    assert again.match.status is Status.RUNNING
    # The reserve was reset to five minutes, of which 43:00 + 0:20 - 42:00 are gone.
    assert again.match.clock.reserves(journal.at) == (47 * MINUTE - 40_000, 5 * MINUTE - 80_000)


def test_a_played_flag_that_no_longer_falls_is_a_stop() -> None:
    journal = Journal("us-2013", reserve_ms=2 * MINUTE)
    journal.hit(0)
    journal.do("server", 3 * MINUTE, do="look")
    assert journal.match.status is Status.FLAGGED
    again = rerun(Setup.parse({"rules": "us-2013", "length": 7}), journal.entries)
    assert (again.flags, again.match.status) == ((), Status.STOPPED)


@pytest.mark.parametrize("rules", ["us-2013", "us-2007", "unified-2001", "modern"])
def test_a_millisecond_less_than_enough_lets_a_flag_fall(rules: str) -> None:
    """One run with long reserves finds the least reserve; two at its edge confirm it."""
    for seed in range(80):
        journal = random_journal(seed)
        setup = Setup.parse({**journal.setup.to_dict(), "rules": rules, "options": {}})
        needed = enough(setup, journal.entries)
        points = 2 * setup.length

        assert not flags(journal, rules, needed * points), seed
        assert needed == 1 or flags(journal, rules, (needed - 1) * points), seed
