"""`docs/phone.md`: all 56 items of what the phone pages must do are there, and every test it names exists."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "phone.md"
ITEMS = 56


def rows() -> dict[int, str]:
    """Return what each item is shown by."""
    lines = [line for line in DOCUMENT.read_text().splitlines() if re.match(r"\| \d+ \|", line)]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {int(number): shown_by for number, _, shown_by in cells}


@cache
def there() -> set[str]:
    """Return every test function as `folder/file.py::name`, read and not imported."""
    return {
        f"{path.relative_to(ROOT / 'tests')}::{node.name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_every_item_is_there_in_order() -> None:
    assert list(rows()) == list(range(1, ITEMS + 1))


def test_every_item_is_shown_by_a_test() -> None:
    assert [number for number, shown_by in rows().items() if "::test_" not in shown_by] == []


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`([\w/]+\.py::test_\w+)`", DOCUMENT.read_text()))
    assert len(named) > 80
    assert named - there() == set()


def test_every_test_named_by_an_item_s_number_is_listed_at_that_item() -> None:
    listed = rows()
    missing = [
        test
        for test in there()
        if test.startswith(("browser/", "server/")) and (numbers := re.match(r"[^:]+::test_((?:\d+_)+)", test))
        for number in numbers[1].strip("_").split("_")
        if int(number) in listed and f"`{test}`" not in listed[int(number)]
    ]
    assert missing == []
