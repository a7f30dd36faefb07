"""Management commands, and the commands and examples in the README."""

import io
import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from clocks import desk
from clocks.journal import stored
from clocks.models import JournalEntry, Match, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text()
COMMANDS = (ROOT / "docs" / "commands.md").read_text()
SETTINGS = (ROOT / "docs" / "settings.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


@pytest.fixture(autouse=True)
def an_empty_desk() -> None:
    desk.forget()


def run(*arguments: str) -> str:
    """Run a management command and return its output."""
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_directorlink_prints_one_link_that_signs_in(client: Client) -> None:
    printed = run("directorlink")
    link = re.fullmatch(r"http://localhost:8000(/director/sign-in/[\w-]{43}/)\n", printed)
    assert link
    assert client.post(link.group(1)).status_code == 302


def test_directorlink_leads_to_the_address_in_the_settings(settings) -> None:
    settings.BASE_URL = "https://clock.example.org/"
    assert run("directorlink").startswith("https://clock.example.org/director/sign-in/")


def test_demo_fills_tables_with_boards_in_every_state() -> None:
    printed = run("demo", "--tables", "40")
    assert re.search(r"^http://localhost:8000/director/sign-in/[\w-]{43}/$", printed, re.MULTILINE)
    assert Counter(Match.objects.values_list("status", flat=True)) == {
        "running": 22,
        "stopped": 10,
        "flagged": 2,
        "ready": 2,
        "setup": 2,
        "over": 2,
    }
    assert Table.objects.filter(tournament__slug="demo", current__isnull=False).count() == 40
    boards = list(stored.matches(Match.objects.values_list("pk", flat=True)).values())
    now = max(board.match.at for board in boards)
    running = [board.match.clock for board in boards if board.match.status == "running"]
    assert {
        "held": Counter(sum(device is not None for device in board.devices) for board in boards),
        "late": [board.late.late_ms for board in boards if board.late],
        "low": sum(min(clock.reserves(now)) < 60_000 for clock in running),
    } == {"held": {0: 38, 1: 1, 2: 1}, "late": [19_000], "low": 1}
    run("verify")


def test_demo_run_again_starts_new_matches_and_deletes_nothing() -> None:
    run("demo", "--tables", "20")
    before = JournalEntry.objects.count()
    run("demo", "--tables", "20", "--seed", "2")
    assert (Tournament.objects.count(), Table.objects.count(), Match.objects.count()) == (1, 20, 40)
    assert JournalEntry.objects.count() > before
    played_now = Table.objects.values("current")
    assert not Match.objects.filter(status="running").exclude(pk__in=played_now).exists()
    run("verify")


@pytest.mark.parametrize("tables", ["0", "-5", "2001"])
def test_demo_says_how_many_tables_it_can_fill(tables: str) -> None:
    with pytest.raises(CommandError, match=r"--tables must be a number from 1 to 2000\."):
        run("demo", f"--tables={tables}")


@pytest.mark.parametrize("table", ["x" * 21, "1\n2", "1\udcff"])
def test_newmatch_says_what_a_tables_name_may_be(table: str) -> None:
    with pytest.raises(CommandError, match=r"A table's name may have at most 20 characters, all of them visible\."):
        run("newmatch", "--rules", "us-2013", "--length", "5", "--table", table)
    assert (Table.objects.count(), Tournament.objects.count()) == (0, 0)


def test_newmatch_creates_a_table_if_its_name_is_blank() -> None:
    made = json.loads(run("newmatch", "--rules", "us-2013", "--length", "5", "--table", " ", "--json"))
    assert Table.objects.get().name == made["code"]


@pytest.mark.parametrize("option", ["delay_ms=soon", "delay_ms=" + "[" * 100_000])
def test_newmatch_says_what_an_option_may_be(option: str) -> None:
    with pytest.raises(CommandError, match=r"^delay_ms must be a whole number from 0 to 600000\.$"):
        run("newmatch", "--rules", "us-2013", "--length", "5", "--option", option)


# --- the README and the pages it links to ---------------------------------------------------------------------------


def test_the_readme_has_at_most_1200_words() -> None:
    assert len(README.split()) <= 1_200


def test_every_make_target_of_the_readme_exists() -> None:
    pages = README + CONTRIBUTING + COMMANDS
    targets = {word for word in re.findall(r"make ([a-z-]+)", pages) if word not in ("the", "it")}
    makefile = (ROOT / "Makefile").read_text()
    assert {target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)} == set()
    assert {"run", "test", "bench", "directorlink"} <= targets


def test_the_readmes_command_creates_its_match() -> None:
    command = re.search(r"manage\.py (newmatch .* --json)$", README, re.MULTILINE)
    assert command
    made = json.loads(run(*command.group(1).split()))
    match = Match.objects.get(pk=made["match"])
    assert (made["code"], made["url"]) == (match.table.code, f"http://localhost:8000/t/{match.table.code}/")
    assert (str(match), match.table.name, match.table.tournament.slug) == ("Ann – Bob", "12", "open")


def test_the_replay_example_prints_what_its_page_says(tmp_path: Path) -> None:
    lines = re.search(r"```json\n(.*?)```", COMMANDS, re.DOTALL)
    assert lines
    file = tmp_path / "match.jsonl"
    file.write_text(lines.group(1))
    shown = [json.loads(line) for line in run("replay", str(file)).splitlines()]
    assert len(shown) == len(lines.group(1).splitlines())
    assert "17:47 of 18:00" in COMMANDS
    assert (shown[3]["reserve_ms"], shown[-1]["reserve_ms"]) == ([1_080_000, 1_080_000], [1_080_000, 1_067_000])


def test_every_documented_command_exists() -> None:
    listed = set(re.findall(r"^\| `(\w+)", COMMANDS, re.MULTILINE))
    known = {path.stem for path in (ROOT / "clocks" / "management" / "commands").glob("*.py")} - {"__init__"}
    assert listed == known


def test_the_documented_settings_are_those_that_are_read() -> None:
    first_cells = re.findall(r"^\| (`[A-Z_]+`[^|]*)\|", SETTINGS, re.MULTILINE)
    listed = {name for cell in first_cells for name in re.findall(r"`([A-Z_]+)`", cell)}
    source = (ROOT / "config" / "settings.py").read_text()
    assert listed == set(re.findall(r'(?:env\.\w+|_flag|_address|_proxies|_whole|_told)\(\s*"([A-Z_]+)"', source))


def test_make_lists_its_targets() -> None:
    printed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^  make ([\w-]+)", printed, re.MULTILINE) == [
        "help", "setup", "run", "directorlink", "lint", "test", "test-postgresql", "check-attacks",
        "check-faults", "check-mutants", "lock", "release", "format", "messages", "bench", "soak",
    ]  # fmt: skip
