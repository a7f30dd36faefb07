"""Data from earlier versions can be read, verified, exported and replayed."""

import csv
import gzip
import json
import re
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.test import Client

from clocks.engine.clock import Seat
from clocks.engine.codec import encode
from clocks.engine.events import ClockHit
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match as MatchState
from clocks.engine.replay import run
from clocks.journal import chain, checking, entries
from clocks.lag import late_presses
from clocks.models import Match

HERITAGE = Path(__file__).parents[2] / "heritage"
TO_THE_BYTE = pytest.mark.skipif(
    connection.vendor == "postgresql", reason="PostgreSQL keeps no order of the keys in a JSON object"
)
EXPORTS = sorted(path for path in HERITAGE.glob("match-*.jsonl") if not path.name.endswith(".out.jsonl"))


def rows(model: str) -> list[dict]:
    """Rows of a model as stored by the earlier version."""
    stored = json.loads(gzip.decompress((HERITAGE / "database.json.gz").read_bytes()))
    return [row for row in stored if row["model"] == model]


@pytest.fixture
def director(db) -> Client:
    """Client signed in as the owner of the earlier version's tournament."""
    call_command("loaddata", str(HERITAGE / "database.json.gz"), verbosity=0)
    late_presses.write_down()  # as an upgrade does
    chain.complete()
    client = Client()
    client.force_login(get_user_model().objects.get(username="dora"))
    return client


def number(export: Path) -> int:
    """Match number of an export."""
    return int(export.stem.removeprefix("match-"))


def downloaded(client: Client, path: str) -> bytes:
    """Content of a download from the tournament's pages."""
    answer = client.get(f"/director/heritage/{path}")
    assert answer.status_code == 200
    return answer.getvalue()


def test_the_old_data_covers_every_rule_set() -> None:
    played = {row["fields"]["setup"]["rules"] for row in rows("clocks.match")}
    assert played == {
        "us-2007",
        "us-2013",
        "unified-2001",
        "michigan-2002",
        "aba-2003-standard",
        "aba-2003-bronstein",
        "modern",
        "custom",
    }


def test_old_journals_agree_with_the_stored_matches(director: Client) -> None:
    printed = StringIO()
    call_command("verify", stdout=printed)
    matches, entries = len(rows("clocks.match")), len(rows("clocks.journalentry"))
    assert printed.getvalue() == f"{matches} matches, {entries} journal entries: all as their journals say\n"


def without_hash(exported: bytes, match: int) -> bytes:
    """Exported match without its hash, which the earlier version lacked."""
    return exported.replace(f', "hash": "{chain.head(match)}"'.encode(), b"", 1)


@TO_THE_BYTE
def test_every_match_is_exported_as_it_was_then(director: Client) -> None:
    for export in EXPORTS:
        exported = downloaded(director, f"match/{number(export)}/export.jsonl")
        assert exported != export.read_bytes()
        assert without_hash(exported, number(export)) == export.read_bytes(), export.name


@TO_THE_BYTE
def test_the_zip_of_all_journals_holds_the_same(director: Client) -> None:
    archive = ZipFile(BytesIO(downloaded(director, "journals.zip")))
    exported = {int(name.rpartition("-")[2].removesuffix(".jsonl")): archive.read(name) for name in archive.namelist()}
    held = {match: without_hash(lines, match) for match, lines in exported.items()}
    assert held == {number(export): export.read_bytes() for export in EXPORTS}


@TO_THE_BYTE
@pytest.mark.parametrize(("name", "changed"), [("journals.csv", set()), ("results.csv", {"begun"})])
def test_old_spreadsheet_exports_are_unchanged_except_for_added_hashes(
    director: Client, name: str, changed: set[str]
) -> None:
    """`begun` is now the first press instead of the draw; `what` omits phone numbers."""
    then = list(csv.DictReader((HERITAGE / name).read_text("utf-8").splitlines()))
    for row in then:
        if "what" in row:
            row["what"] = re.sub(r"^Phone \d+ took", "A phone took", row["what"])
    now = list(csv.DictReader(downloaded(director, name).decode().splitlines()))
    for row in [*then, *now]:
        if "what" in row:  # now names the kind of game
            row["what"] = re.sub(
                r"won (the game|a single game|a gammon|a backgammon)( \(\w+\))?[:,]", "won,", row["what"]
            )
            row["what"] = row["what"].replace("by a pass:", "by a pass,")
    assert {len(row.pop("hash")) for row in now} - {0} == {64}
    assert [list(row) for row in now] == [list(row) for row in then]
    differ = {column for new, old in zip(now, then, strict=True) for column in old if new[column] != old[column]}
    assert differ == changed


def lost_at_zero(lines: list[dict]) -> list[dict]:
    """Replay recorded by the earlier version, with one bug fixed.

    That version added a Bronstein delay to a lost clock after the end; such a clock should show 0.
    """
    lost: str | None = None
    for line in lines:
        lost = line["flagged"] or lost if line["status"] in ("flagged", "over") else None
        if lost and line["status"] == "over":
            line["reserve_ms"][("left", "right").index(lost)] = 0
    return lines


@pytest.mark.parametrize("export", EXPORTS, ids=lambda export: export.stem)
def test_an_export_is_replayed_as_it_was_then(export: Path) -> None:
    printed = StringIO()
    call_command("replay", str(export), stdout=printed, stderr=StringIO())
    then = export.with_suffix(".out.jsonl").read_text(encoding="utf-8")
    replayed = [json.loads(line) for line in printed.getvalue().splitlines()]
    assert replayed == lost_at_zero([json.loads(line) for line in then.splitlines()])


@pytest.mark.django_db
def test_presses_after_a_swap_stay_counted_in_old_journals() -> None:
    call_command("loaddata", str(HERITAGE / "swapped.json"), verbosity=0)
    match = Match.objects.get()
    _, refolded = entries.refold(match.pk)
    assert refolded == MatchState.from_dict(match.state)
    assert encode(refolded.lag) == {"used_ms": [90, 950], "credited": [1, 4], "presses": [2, 5]}
    assert checking.differences(match) == []
    pressed = evolve(refolded, ClockHit(refolded.at + 1_000, Seat.RIGHT, 0))
    assert pressed.lag.presses == (2, 6), "the swap before it was recorded by the earlier version"


@pytest.mark.django_db
def test_a_replay_takes_swaps_of_an_earlier_version_as_recorded() -> None:
    call_command("loaddata", str(HERITAGE / "swapped.json"), verbosity=0)
    match = Match.objects.get()
    lines = list(entries.replay_lines(match.pk))
    assert [line["recorded"]["swap"] for line in lines if "recorded" in line] == ["back"] * 3 + ["new"]
    *_, last = run(map(json.dumps, lines))
    assert (last["ok"], last["turn"], last["reserve_ms"]) == (True, "right", match.state["clock"]["reserve_ms"])


def test_the_page_of_every_match_opens(director: Client) -> None:
    for export in EXPORTS:
        assert director.get(f"/director/heritage/match/{number(export)}/").status_code == 200
