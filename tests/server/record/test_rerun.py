"""Match reruns: identical with their own setting, other flags with others."""

import csv
import gzip
import json
import os
import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import PARTIES, Official, Status, WonBy
from clocks.engine.codec import encode
from clocks.engine.commands import Command, Look, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import Event, FlagFell
from clocks.engine.evolve.fold import fold
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.record.rerun import Flag, Played, Rerun, played, rerun
from clocks.record.what_if import Setting
from clocks.record.what_if_reserves import TRIED_MS, enough, left_at, unflagged

HERITAGE = Path(__file__).parents[2] / "heritage"
ENTRIES = "clocks.journalentry"
COLUMNS = ("match_id", "event", "data", "at", "by", "command", "credit_ms")
RANDOM_MATCHES = int(os.environ.get("RERUNS", "1000"))
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


def as_written(events: Iterable[Event], by: str, command: Command, flags: bool = True) -> Iterator[Played]:
    """Entries of a command, stored with its first event other than a flag's fall."""
    first = True
    for event in events:
        fell = isinstance(event, FlagFell)
        asked = {**command.to_dict(), **({} if flags else {"flags": False})} if first and not fell else None
        credit_ms = getattr(event, "credit_ms", 0)
        yield played(event.name, encode(event), event.at, "server" if fell else by, asked, credit_ms)
        first = first and fell


class Journal:
    """Journal of a match played by commands; ignores rejected ones."""

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
        self.entries += as_written(outcome.events, by, command)
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
            given = {**given, "credit_ms": chance.choice([0, 0, 50, 250])}
        journal.do(by, chance.choice([0, 1, 200, 3_000, 9_000, 15_000, 40_000]), **given)
    return journal


def flags(journal: Journal, rules: str, reserve_ms: int) -> tuple[Flag, ...]:
    """Flags that fall in a match under a rule set with this reserve."""
    setup = Setup.parse({**journal.setup.to_dict(), "rules": rules, "options": {"reserve_ms": reserve_ms}})
    return rerun(setup, journal.entries).flags


def of_dump(name: str) -> list[tuple[Any, ...]]:
    """Journal entries in a dump, in order."""
    text = (HERITAGE / name).read_bytes()
    rows = json.loads(gzip.decompress(text) if name.endswith(".gz") else text)
    entries = [{"match_id": row["fields"].get("match"), **row["fields"]} for row in rows if row["model"] == ENTRIES]
    return [tuple(entry[column] for column in COLUMNS) for entry in entries]


def of_csv() -> list[tuple[Any, ...]]:
    """Journal entries in the CSV export, in order."""
    with (HERITAGE / "journals.csv").open(encoding="utf-8-sig", newline="") as file:
        return [
            (
                *(row["match"], row["event"], json.loads(row["data"]), int(row["at_ms"])),
                {row["left"]: "left", row["right"]: "right"}.get(row["who"], row["who"]),
                *(json.loads(row["command"] or "null"), int(row["credit_ms"])),
            )
            for row in csv.DictReader(file)
        ]


def of_database(folder: Path) -> list[tuple[Any, ...]]:
    """Journal entries in the old database, in order."""
    path = folder / "clock.sqlite3"
    path.write_bytes(gzip.decompress((HERITAGE / "clock.sqlite3.gz").read_bytes()))
    with closing(sqlite3.connect(path)) as database:
        read = database.execute(f"SELECT {', '.join(COLUMNS)} FROM clocks_journalentry ORDER BY match_id, seq")
        return [
            (match, event, json.loads(data), at, by, command and json.loads(command), credit_ms)
            for match, event, data, at, by, command, credit_ms in read
        ]


def journals(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Setup, list[Played]]]:
    """Setup and later entries of each match."""
    found: dict[int | str, list[tuple[Any, ...]]] = {}
    for match, *entry in rows:
        found.setdefault(match, []).append(tuple(entry))
    return [(Setup.from_dict(first[1]), [played(*entry) for entry in later]) for first, *later in found.values()]


def must_run_as_played(setup: Setup, entries: Sequence[Played]) -> Rerun:
    """Rerun a match under its own rules, and check that state and flags are as played."""
    under = Setting(setup.rules).of(setup)
    assert under == setup
    again = rerun(under, entries)
    assert again.match == fold(setup, [entry.event for entry in entries])
    assert [(flag.seat, flag.at) for flag in again.flags] == [
        (entry.event.seat, entry.event.at) for entry in entries if isinstance(entry.event, FlagFell)
    ]
    return again


@pytest.mark.parametrize(("name", "number"), [("database.json.gz", 44), ("swapped.json", 1)])
def test_journals_of_earlier_versions_run_again_as_they_were_played(name: str, number: int) -> None:
    found = journals(of_dump(name))
    assert len(found) == number
    for setup, entries in found:
        must_run_as_played(setup, entries)


def test_journals_of_an_earlier_csv_run_again_as_they_were_played() -> None:
    found = journals(of_csv())
    assert len(found) == 43
    for setup, entries in found:
        must_run_as_played(setup, entries)


def test_journals_of_an_old_database_run_again_as_they_were_played(tmp_path: Path) -> None:
    found = journals(of_database(tmp_path))
    assert len(found) == 6
    for setup, entries in found:
        must_run_as_played(setup, entries)


@pytest.mark.parametrize("path", sorted(HERITAGE.glob("match-??.jsonl")), ids=lambda path: path.stem)
def test_exports_of_an_earlier_version_run_again_as_they_were_played(path: Path) -> None:
    first, *lines = map(json.loads, path.read_text().splitlines())
    match, entries = Match.begin(Setup.from_dict(first["setup"])), list[Played]()
    for line in lines:
        look = line["do"] == "look"
        command, by = (Look(), "server") if look else (parse_command(line), line["by"])
        flags = line.get("flags") is not False
        outcome = perform(match, command, PARTIES[by], line["at"], flags=flags)
        entries += as_written(outcome.events, by, command, flags=flags)
        match = outcome.match
    assert must_run_as_played(Setup.from_dict(first["setup"]), entries).match == match


def test_random_matches_run_again_as_they_were_played() -> None:
    flagged = 0
    for seed in range(RANDOM_MATCHES):
        journal = random_journal(seed)
        again = must_run_as_played(journal.setup, journal.entries)
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
    """A run with long reserves finds the smallest reserve; two at its edge confirm it."""
    for seed in range(80):
        journal = random_journal(seed)
        setup = Setup.parse({**journal.setup.to_dict(), "rules": rules, "options": {}})
        needed = enough(setup, unflagged(setup, journal.entries))
        points = 2 * setup.length

        assert not flags(journal, rules, needed * points), seed
        assert needed == 1 or flags(journal, rules, (needed - 1) * points), seed


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_a_run_without_flags_tells_what_is_enough_by_itself(rules: str) -> None:
    told = 0
    for seed in range(60):
        journal = random_journal(seed)
        setup = Setup.parse({**journal.setup.to_dict(), "rules": rules, "options": {"reserve_ms": 30 * MINUTE}})
        run = rerun(setup, journal.entries)
        told += not run.flags
        by_itself = unflagged(setup, journal.entries, run)
        assert enough(setup, by_itself) == enough(setup, unflagged(setup, journal.entries)), seed
    assert told > 20


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_the_reserve_left_is_that_of_a_run_with_each_reserve(rules: str) -> None:
    """`left_at` mostly derives reserves from a run without flags; here each is rerun."""
    whole, told = [], []
    for seed in range(30):
        journal = random_journal(seed)
        journal.do("director", do="propose", what="time", seat="left", by_ms=-40_000, note="counted aloud")
        setup = Setup.parse({**journal.setup.to_dict(), "rules": rules, "options": {"reserve_ms": 30 * MINUTE}})
        free = unflagged(setup, journal.entries, rerun(setup, journal.entries))
        for per_point_ms in (1, 500, *TRIED_MS):
            told.append(left_at(per_point_ms, setup, journal.entries, free))
            whole.append(left_with(setup, per_point_ms, journal.entries))
    assert told == whole


def left_with(setup: Setup, per_point_ms: int, entries: Sequence[Played]) -> tuple[int, int]:
    """Both reserves left after a run with this reserve per point."""
    options = {"reserve_ms": per_point_ms * (2 * setup.length - sum(setup.score))}
    match = rerun(Setup.from_dict({**setup.to_dict(), "options": options}), entries).match
    return match.clock.reserves(match.at)
