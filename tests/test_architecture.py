"""docs/architecture.md: the files of a press exist and are linked by imports."""

import re
from functools import cache
from pathlib import Path

from tests.test_layout import ARCHITECTURE, ROOT, imported_by, imports

SECTION = ARCHITECTURE.read_text().split("## One press\n")[1].split("\n## ")[0]
NAMED = sorted(set(re.findall(r"`((?!tests/)[\w/-]+\.(?:py|js))`", SECTION)))
STEPS = re.findall(r"^(\d+)\. `([^`]+)`: ", SECTION, re.MULTILINE)
FIRST = {"browser/events.js", "serving/sockets.py"}  # where a press enters the script and the server


def file_of(name: str) -> Path:
    """Path of a file named on the page."""
    return ROOT / ("static/clocks" if name.endswith(".js") else "clocks") / name


@cache
def imported_files(name: str) -> set[Path]:
    """Files imported by a script or module."""
    path = file_of(name)
    if path.suffix == ".js":
        return imported_by(path)
    parts = {each.replace(".", "/") for each in imports(path) if each.startswith("clocks.")}
    paths = {ROOT / part for part in parts} | {(ROOT / part).parent for part in parts}
    return {path.with_suffix(".py") for path in paths} | {path / "__init__.py" for path in paths}


def is_linked(one: str, other: str) -> bool:
    """True if one of two files imports the other."""
    return file_of(one) in imported_files(other) or file_of(other) in imported_files(one)


def test_every_file_of_a_press_exists() -> None:
    assert [name for name in NAMED if not file_of(name).is_file()] == []


def test_the_steps_of_a_press_are_numbered_without_gaps() -> None:
    assert [int(number) for number, _ in STEPS] == list(range(1, len(STEPS) + 1))
    assert len(STEPS) > 40


def test_each_step_of_a_press_is_linked_to_one_above_or_the_next() -> None:
    names = [name for _, name in STEPS]
    alone = [
        name
        for at, name in enumerate(names)
        if name not in FIRST and not any(is_linked(name, other) for other in names[: at + 2] if other != name)
    ]
    assert alone == []
