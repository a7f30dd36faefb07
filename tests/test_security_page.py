"""What docs/security.md names is there: every test and every file; each attack has both."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "security.md").read_text()
NAMED = sorted(set(re.findall(r"`([^`\s]+)`", TEXT)))
TESTS = [name for name in NAMED if name.startswith("test_")]
FILES = [name for name in NAMED if re.search(r"/\w+\.py$|\.lock$", name)]


def attacks() -> list[list[str]]:
    """Return the rows of the table of attacks: what is tried, what stops it, the test."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| ")
    ]
    return [row for row in rows[1:] if not row[0].startswith("**")]


@pytest.mark.parametrize("name", TESTS)
def test_every_test_that_it_names_is_there(name: str) -> None:
    file, _, function = name.partition("::")
    folders = (ROOT / "tests" / folder for folder in ("server", "engine", "processes", "browser", "."))
    path = next(folder / file for folder in folders if (folder / file).exists())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    defined = {node.name for node in ast.parse(path.read_text()).body if isinstance(node, kinds)}
    assert not function or function in defined


@pytest.mark.parametrize("name", FILES)
def test_every_file_that_it_names_is_there(name: str) -> None:
    assert (ROOT / name).is_file()


def test_every_attack_names_what_stops_it_and_a_test() -> None:
    assert len(attacks()) > 40
    assert [row for row in attacks() if len(row) != 3 or not row[1] or "`test_" not in row[2]] == []


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
