"""The tests, files and links that docs/security.md names exist; each attack has a file and a test."""

import ast
import re

import pytest

from tests.attacks import PAGE, ROOT, named_tests

FILES = sorted(set(re.findall(r"`([^`\s]+(?:/\w+\.(?:py|js)|\.lock))`", PAGE)))


def attacks() -> list[list[str]]:
    """Rows of the table of attacks: what is tried, what stops it, the tests."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| ")
    ]
    return [row for row in rows[1:] if not row[0].startswith("**")]


@pytest.mark.parametrize("name", named_tests())
def test_every_test_that_it_names_is_there(name: str) -> None:
    file, _, function = name.partition("::")
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    defined = {node.name for node in ast.parse((ROOT / file).read_text()).body if isinstance(node, kinds)}
    assert not function or function in defined


@pytest.mark.parametrize("name", [name for name in FILES if not name.split("/")[-1].startswith("test_")])
def test_every_file_that_it_names_is_there(name: str) -> None:
    assert (ROOT / name).is_file()


def test_every_attack_names_what_stops_it_and_a_test() -> None:
    assert len(attacks()) > 40
    assert [row for row in attacks() if len(row) != 3 or not row[1] or "test_" not in row[2]] == []


def test_every_name_of_a_test_is_read() -> None:
    named = set(re.findall(r"`([^`]*\btest_\w[^`]*)`", PAGE))
    assert len(named_tests()) == len(named)


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
