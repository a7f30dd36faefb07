"""Who may import whom, and who alone may write, append and send (design section 3)."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CLOCKS = ROOT / "clocks"

# Lowest first. A module may import from its own layer and from those before it.
LAYERS = [
    ["engine"],
    ["models", "timebase", "board", "told", "demo", "writer", "line", "addresses", "headers", "origin", "language"],
    ["rule_words"],
    ["version", "turns", "certificate"],
    ["chart"],
    ["flag_words"],
    ["rule_pages"],
    ["rule_forms", "practice"],
    ["wire", "presence", "joining"],
    ["journal", "queries", "sign_in", "roles"],
    ["hallbook"],
    ["tables", "people", "throttle", "takeover"],
    ["requests", "record", "news", "gallery", "hub", "outage", "forms", "setting_forms", "draw", "making"],
    ["results", "exports", "round_forms", "people_forms"],
    ["hall_forms"],
    ["announce", "socket"],
    ["desk"],
    ["catchup", "placing", "hall"],
    ["flagwatch"],
    ["lifetime"],
    ["views", "consumers", "management", "admin", "templatetags"],
    ["routing", "urls"],
]
LAYER_OF = {name: number for number, names in enumerate(LAYERS) for name in names}
KNOWS_ONLY_THE_ENGINE = ["wire", "told", "board"]  # and each other


def modules() -> list[Path]:
    """Return every module of the product."""
    return [path for path in sorted(CLOCKS.rglob("*.py")) if "migrations" not in path.parts]


def part_of(path: Path) -> str:
    """Return the name under `clocks` that a module belongs to: a folder or a module."""
    return path.relative_to(CLOCKS).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Yield the full name of everything that a module imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def parts_imported(path: Path) -> set[str]:
    """Return the parts of `clocks` that a module imports."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("clocks.")}


def calls_of(path: Path, *names: str) -> list[str]:
    """Return the calls, written out, whose dotted name ends in one of these."""
    return [
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(names)
    ]


def test_every_part_has_its_layer() -> None:
    parts = {part_of(path) for path in modules()} - {"__init__"}
    assert parts - set(LAYER_OF) == set()


def test_the_description_of_the_layers_names_every_part() -> None:
    described = (ROOT / "docs" / "architecture.md").read_text()
    table = described[described.index("| layer |") : described.index("## Decisions")]
    named = set(re.findall(r"`(\w+)/?`", table)) - {"JournalEntry", "group_send"}
    assert named == set(LAYER_OF)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(CLOCKS)))
def test_no_import_runs_upwards(path: Path) -> None:
    own = LAYER_OF.get(part_of(path), -1)
    upwards = {part for part in parts_imported(path) if LAYER_OF[part] > own}
    assert upwards == set()


@pytest.mark.parametrize("path", sorted((CLOCKS / "engine").glob("*.py")), ids=lambda path: path.name)
def test_the_engine_imports_only_the_standard_library_and_itself(path: Path) -> None:
    others = {
        name
        for name in imports(path)
        if not name.startswith("clocks.engine") and name.split(".")[0] not in sys.stdlib_module_names
    }
    assert others == set()


@pytest.mark.parametrize("path", sorted((CLOCKS / "engine").glob("*.py")), ids=lambda path: path.name)
def test_the_engine_does_not_read_the_time(path: Path) -> None:
    assert {name for name in imports(path) if name.split(".")[0] in ("time", "datetime")} == set()


@pytest.mark.parametrize("name", KNOWS_ONLY_THE_ENGINE)
def test_the_wire_knows_only_the_engine(name: str) -> None:
    assert parts_imported(CLOCKS / f"{name}.py") <= {"engine", *KNOWS_ONLY_THE_ENGINE}


def test_only_the_journal_writes_journal_entries() -> None:
    made = ("JournalEntry", "JournalEntry.objects.create", "JournalEntry.objects.bulk_create", ".journal.create")
    changed = (".journal.add", ".journal.update", ".journal.delete", "JournalEntry.objects.update")
    through_the_orm = {part_of(path) for path in modules() if calls_of(path, *made, *changed)}
    by_sql = {
        part_of(path)
        for path in modules()
        if {"clocks.models.JournalEntry"} & set(imports(path)) and "INSERT INTO" in path.read_text()
    }
    assert (through_the_orm - {"journal"}, by_sql) == (set(), {"journal"})
    assert [path for path in modules() if "clocks_journalentry" in path.read_text()] == []


def test_only_the_desk_appends_to_the_journal() -> None:
    appenders = {part_of(path) for path in modules() if "journal.append" in calls_of(path, "journal.append")}
    assert appenders == {"desk"}


def test_only_announce_sends_to_groups() -> None:
    senders = {part_of(path) for path in modules() if calls_of(path, "group_send")}
    assert senders == {"announce"}
