"""`docs/rule-coverage.md`: every paragraph of the five books is there, and every test it names exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "rule-coverage.md"
US_PARAGRAPHS = "1.1 2.1 2.2 3.1 3.2 3.3 3.4 3.5 4.1 4.2 4.3 5.1 5.2 5.3"
PARAGRAPHS = {
    "US 2007 (Bronstein) and US 2013 (simple delay)": US_PARAGRAPHS,
    "Unified 2001": "1.1 2.1 3.1 3.2 3.3 3.4 3.5 3.6 4.1 5.1 5.2",
    "ABA 2003": "1.1 2.1 3.1 3.2 3.3 3.4 3.5 3.6 4.1 5.1 5.2",
    "Michigan 2002": "1.1 1.2 2.1 2.2 2.3 2.4 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 4.1 4.2 5.1 5.2 6.1 6.2",
}
NOT_OURS = "not the clock's business: "


def books() -> dict[str, list[list[str]]]:
    """Return the rows [paragraph, sentence, shown by] of each book."""
    found: dict[str, list[list[str]]] = {}
    for part in DOCUMENT.read_text().split("\n## ")[1:]:
        title, _, text = part.partition("\n")
        lines = [line for line in text.splitlines() if line.startswith("| ")][1:]
        found[title] = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return found


@cache
def known_tests() -> dict[str, set[str]]:
    """Return the names of all test functions by file, read and not imported."""
    return {
        path.name: {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}
        for path in (ROOT / "tests").rglob("test_*.py")
    }


@pytest.mark.parametrize(("book", "paragraphs"), PARAGRAPHS.items(), ids=PARAGRAPHS)
def test_every_paragraph_of_a_book_appears(book: str, paragraphs: str) -> None:
    there = [paragraph for paragraph, _, _ in books()[book]]
    assert [paragraph for paragraph in dict.fromkeys(there) if paragraph != "—"] == paragraphs.split()


def test_every_sentence_names_tests_or_says_why_it_is_not_the_clocks_business() -> None:
    for book, rows in books().items():
        for paragraph, sentence, shown_by in rows:
            named = "`test_" in shown_by
            reason = shown_by.removeprefix(NOT_OURS)
            assert named or (shown_by.startswith(NOT_OURS) and reason), (book, paragraph, sentence)


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", DOCUMENT.read_text()))
    there = set().union(*known_tests().values())
    assert len(named) > 100
    assert named - there == set()


def test_every_file_that_is_named_exists() -> None:
    named = set(re.findall(r"`(?:tests/(?:\w+/)?)?(test_\w+\.py)`", DOCUMENT.read_text()))
    assert named - set(known_tests()) == set()


@pytest.mark.parametrize(
    ("book", "files"),
    [
        (
            "US 2007 (Bronstein) and US 2013 (simple delay)",
            ["test_us_rules.py", "test_us_ends.py", "test_us_setting.py"],
        ),
        ("Unified 2001", ["test_unified_2001.py", "test_unified_2001_time.py", "test_unified_2001_cube.py"]),
        ("ABA 2003", ["test_aba_2003.py", "test_aba_2003_time.py"]),
        ("Michigan 2002", ["test_michigan_2002.py", "test_michigan_2002_time.py"]),
    ],
)
def test_a_books_rows_name_its_own_tests_and_all_of_them(book: str, files: list[str]) -> None:
    named = set(re.findall(r"`(test_\d\w+)`", "".join(shown_by for _, _, shown_by in books()[book])))
    of_book = {name for file in files for name in known_tests()[file] if re.match(r"test_\d", name)}
    assert named == of_book
