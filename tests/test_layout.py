"""Code layout: allowed imports and callbacks, writers of journal and channels."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

from tests.syntax import parse

ROOT = Path(__file__).resolve().parent.parent
CLOCKS = ROOT / "clocks"
CONFIG = ROOT / "config"
SCRIPTS = ROOT / "static" / "clocks"

ARCHITECTURE = ROOT / "docs" / "architecture.md"
TOO_LONG = 351
LINE = 120
# Packages that may use `dict[str, Any]`, for JSON, forms, template contexts and settings.
WITH_JSON = {
    *("engine", "journal", "record", "interchange", "feed", "live", "api", "rulebook", "tournament"),
    *("admin", "backups", "management", "people", "serving", "views"),
}
MOST_AT_THE_ROOT = 6


def rooms(kind: str) -> dict[str, set[str]]:
    """Rooms that each room may import, in the order of docs/architecture.md."""
    described = ARCHITECTURE.read_text()
    table = described[described.index(f"| {kind} | ") :].split("\n\n")[0]
    lines = [line.split("|")[1:3] for line in table.splitlines()[2:]]
    return {re.findall(r"`([\w.]+)`", room)[0]: set(re.findall(r"`(\w+)`", allowed)) for room, allowed in lines}


ROOMS = rooms("package")
SCRIPT_ROOMS = rooms("scripts")


def modules() -> list[Path]:
    """All modules of the product except migrations."""
    return [path for path in sorted(CLOCKS.rglob("*.py")) if "migrations" not in path.parts]


def name_of(path: Path) -> str:
    """Path of a module below clocks/."""
    return str(path.relative_to(CLOCKS))


def part_of(path: Path) -> str:
    """Package or module directly under `clocks` that a module belongs to."""
    return path.relative_to(CLOCKS).parts[0].removesuffix(".py")


@cache
def imports(path: Path) -> list[str]:
    """Full names of a module's imports, including those inside functions."""
    found = []
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found += [f"{node.module}.{name.name}" for name in node.names]
    return found


def parts_imported(path: Path) -> set[str]:
    """Packages of `clocks` imported by a module."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("clocks.")}


@cache
def calls(path: Path) -> list[str]:
    """Dotted names of the functions that a module calls, one per call."""
    return [ast.unparse(node.func) for node in ast.walk(parse(path)) if isinstance(node, ast.Call)]


def calls_of(path: Path, *names: str) -> list[str]:
    """Dotted names of calls to functions ending in one of `names`, one per call."""
    return [name for name in calls(path) if name.endswith(names)]


def test_the_table_names_every_room_and_no_other() -> None:
    assert {part_of(path) for path in modules()} - {"__init__"} == set(ROOMS)


def test_each_room_may_import_only_those_above_it_in_the_table() -> None:
    names = list(ROOMS)
    wrong = {room: allowed - set(names[: names.index(room)]) for room, allowed in ROOMS.items()}
    assert {room: others for room, others in wrong.items() if others} == {}


def test_a_module_imports_only_what_the_table_allows_its_room() -> None:
    rooms_of = {path: ROOMS.get(part_of(path), set()) | {part_of(path)} for path in modules()}
    wrong = {name_of(path): parts_imported(path) - allowed for path, allowed in rooms_of.items()}
    assert {name: others for name, others in wrong.items() if others} == {}


def test_every_package_says_what_it_is_for() -> None:
    said = {path: ast.get_docstring(parse(path)) or "" for path in modules() if path.name == "__init__.py"}
    assert [name_of(path) for path, words in said.items() if not words.split("\n")[0].endswith((".", ":"))] == []


def test_a_package_that_lists_its_modules_lists_them_all() -> None:
    wrong = {}
    for path in CLOCKS.rglob("__init__.py"):
        listed = set(re.findall(r"\b\w+\.py\b", ast.get_docstring(parse(path)) or ""))
        missing = {each.name for each in path.parent.glob("*.py")} - {"__init__.py"} - listed
        gone = {name for name in listed if not list(path.parent.rglob(name))} - {"manage.py"}
        if listed - {"manage.py"} and (missing or gone):
            wrong[name_of(path)] = (missing, gone)
    assert wrong == {}


def test_only_named_modules_import_config_or_are_imported_by_it() -> None:
    into = {name_of(path): name for path in modules() for name in imports(path) if name.startswith("config.")}
    assert into == {"desk/watched.py": "config.logs.Limited", "management/commands/serve.py": "config.asgi.door"}
    wired = {path.name: parts for path in CONFIG.glob("*.py") if (parts := parts_imported(path))}
    assert wired == {"asgi.py": {"feed", "live", "serving", "webhooks"}}


CALLBACKS = rooms("callback")
HOLD_CALLBACKS = {"desk/changes._listeners", "feed/recorder.listeners", "seats/presence._way"}
HOLD_FUNCTIONS_FOR_ONE_CALL = {"live/broadcast._replies", "serving/opening._waiting", "serving/transport._ponged"}
HOLD_FUNCTIONS_OF_THEIR_ROOM = {"live/hub.begins", "live/hub.ends"}


def variables_with_functions(path: Path) -> set[str]:
    """Module variables and attributes of `self` with function type annotations."""
    tree = parse(path)
    aliases = [
        node.targets[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and "Callable[" in ast.unparse(node.value)
    ]
    function = re.compile("|".join(rf"\b{name}\b" for name in ["Callable", *map(ast.unparse, aliases)]))
    annotated = [node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]
    return {
        f"{path.relative_to(CLOCKS).with_suffix('')}.{ast.unparse(node.target).removeprefix('self.')}"
        for node in annotated
        if (node in tree.body or isinstance(node.target, ast.Attribute))
        and function.search(ast.unparse(node.annotation))
        and not ast.unparse(node.target).strip("_").isupper()
    }


def test_only_known_variables_hold_functions_that_other_code_gave_them() -> None:
    known = HOLD_CALLBACKS | HOLD_FUNCTIONS_FOR_ONE_CALL | HOLD_FUNCTIONS_OF_THEIR_ROOM
    assert set[str]().union(*(variables_with_functions(path) for path in modules())) == known


def test_only_the_rooms_in_the_table_register_callbacks() -> None:
    assert len(CALLBACKS) == len(HOLD_CALLBACKS)
    found = {callback: set[str]() for callback in CALLBACKS}
    for path in [*modules(), *CONFIG.glob("*.py")]:
        for callback in CALLBACKS:
            if calls_of(path, callback):
                found[callback].add(part_of(path) if CLOCKS in path.parents else "config")
    assert found == CALLBACKS


def test_the_table_allows_nothing_that_no_import_needs() -> None:
    needed = {room: set[str]() for room in ROOMS}
    for path in modules():
        needed.get(part_of(path), set()).update(parts_imported(path))
    assert {room: allowed - needed[room] for room, allowed in ROOMS.items() if allowed - needed[room]} == {}


def test_only_rooms_that_parse_or_serialise_have_dicts_of_anything() -> None:
    found = {part_of(path) for path in modules() if "dict[str, Any]" in path.read_text()}
    assert found == WITH_JSON


def test_few_files_stand_beside_the_packages() -> None:
    assert len(list(CLOCKS.glob("*.py"))) <= MOST_AT_THE_ROOT


def test_no_file_is_longer_than_350_lines() -> None:
    written = [path for folder in ("clocks", "config", "tests") for path in (ROOT / folder).rglob("*.py")]
    written += [path for path in SCRIPTS.rglob("*") if path.suffix in (".js", ".css")]
    written += (ROOT / "templates").rglob("*.html")
    assert [str(path) for path in written if len(path.read_text().splitlines()) >= TOO_LONG] == []


def test_lines_of_scripts_and_styles_are_as_long_as_those_of_python() -> None:
    # A sentence stays whole for translators, so a line with nothing else may be longer.
    sentence = re.compile(r"""\s*(?:gettext\()?(['"`]).*\1\)?,?""")
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SCRIPTS.rglob("*")
        if path.suffix in (".js", ".css")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LINE and not sentence.fullmatch(line)
    ]
    assert long == []


def imports_of_the_engine() -> set[tuple[str, str]]:
    """Modules of the engine with the names that each imports."""
    return {(name_of(path), name) for path in (CLOCKS / "engine").rglob("*.py") for name in imports(path)}


def test_the_engine_imports_only_the_standard_library_and_itself() -> None:
    others = {
        (path, name)
        for path, name in imports_of_the_engine()
        if not name.startswith("clocks.engine") and name.split(".")[0] not in sys.stdlib_module_names
    }
    assert others == set()


def test_the_engine_does_not_read_the_time() -> None:
    times = {(path, name) for path, name in imports_of_the_engine() if name.split(".")[0] in ("time", "datetime")}
    assert times == set()


def test_the_protocol_knows_only_the_engine_what_is_stored_and_its_frames() -> None:
    path = CLOCKS / "live" / "protocol.py"
    assert parts_imported(path) == {"engine", "journal", "live"}
    assert {name for name in imports(path) if name.startswith("clocks.live")} == {"clocks.live.frames"}


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
    appenders = {part_of(path) for path in modules() if "entries.append" in calls_of(path, "entries.append")}
    assert appenders == {"desk"}


def test_one_module_alone_sends_to_the_other_processes() -> None:
    senders = [path.relative_to(CLOCKS).as_posix() for path in modules() if calls_of(path, "group_send")]
    assert senders == ["live/peers.py"]


SCRIPT_IMPORT = re.compile(
    r"""(?:^(?:import|export)\b[^;(='"]*|@import\b[^;(='"]*|\bimport\()["']([^"'\n]+)["'](?:;|\)| \*/)""", re.MULTILINE
)


def scripts() -> list[Path]:
    """All scripts of the product."""
    return sorted(SCRIPTS.rglob("*.js"))


@cache
def imported_by(path: Path) -> set[Path]:
    """Scripts that a script imports, statically, dynamically or for their types."""
    return {(path.parent / name).resolve() for name in SCRIPT_IMPORT.findall(path.read_text())}


def test_a_script_names_what_it_imports_dynamically() -> None:
    assert [path.name for path in scripts() if re.search(r"""\bimport\((?!["'])""", path.read_text())] == []


def test_every_script_and_style_sheet_has_its_room() -> None:
    folders = {path.parent.relative_to(SCRIPTS).as_posix() for path in SCRIPTS.rglob("*") if path.is_file()}
    assert folders == {*SCRIPT_ROOMS, "style", "icons", "fonts"}


def test_the_table_of_scripts_has_no_cycle_and_no_unused_entry() -> None:
    names = list(SCRIPT_ROOMS)
    upwards = {room: allowed - set(names[: names.index(room)]) for room, allowed in SCRIPT_ROOMS.items()}
    needed = {room: set[str]() for room in names}
    for path in scripts():
        needed[path.parent.name] |= {file.parent.name for file in imported_by(path)}
    spare = {room: allowed - needed[room] for room, allowed in SCRIPT_ROOMS.items()}
    assert ({room: up for room, up in upwards.items() if up}, {room: left for room, left in spare.items() if left}) == (
        {},
        {},
    )


def test_a_script_imports_only_what_the_table_allows_its_room() -> None:
    imported = {(path, file) for path in scripts() for file in imported_by(path)}
    assert {(path.name, file) for path, file in imported if not file.is_file()} == set()
    across = {(path, file.parent.name) for path, file in imported if file.parent != path.parent}
    assert {(path.name, room) for path, room in across if room not in SCRIPT_ROOMS[path.parent.name]} == set()


def test_scripts_translate_with_the_three_functions_of_i18n_only() -> None:
    exported = re.findall(r"^export (?:function|const) (\w+)", (SCRIPTS / "words/i18n.js").read_text(), re.MULTILINE)
    others = [path for path in scripts() if path.name != "i18n.js"]
    by_hand = [path.name for path in others if re.search(r"(?<![\w.])(?:_|interpolate)\(", path.read_text())]
    assert (exported, by_hand) == (["gettext", "pgettext", "ngettext"], ["awake.js"])  # awake.js: in a regex
