"""docs/: mentioned tests, files and links exist, and tables are complete."""

import re
from pathlib import Path

import pytest

from tests.documents import (
    PAGES,
    ROOT,
    TEST,
    TESTS,
    functions_by_file,
    is_file,
    is_test,
    links,
    named_files,
    named_tests,
)

RULES, PHONE, SECURITY = (ROOT / "docs" / name for name in ("rule-coverage.md", "phone.md", "security.md"))


def table_rows(text: str) -> list[list[str]]:
    """Cells of each Markdown table row, including headers but not separators."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@each_page
def test_every_test_that_it_names_exists(page: Path) -> None:
    assert [name for name in named_tests(page) if not is_test(name)] == []


@each_page
def test_every_file_that_it_names_exists(page: Path) -> None:
    assert [name for name in named_files(page) if not is_file(name)] == []


@each_page
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    assert [target for target in links(page) if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", [RULES, PHONE, SECURITY], ids=lambda page: page.name)
def test_no_name_of_a_test_is_misspelt(page: Path) -> None:
    quoted = re.findall(r"`([^`\n]*\btest_\w[^`\n]*)`", page.read_text())
    assert [name for name in quoted if not TEST.fullmatch(name)] == []


# docs/rule-coverage.md

US_PARAGRAPHS = "1.1 2.1 2.2 3.1 3.2 3.3 3.4 3.5 4.1 4.2 4.3 5.1 5.2 5.3"
UNIFIED_PARAGRAPHS = "1.1 2.1 3.1 3.2 3.3 3.4 3.5 3.6 4.1 5.1 5.2"
MICHIGAN_PARAGRAPHS = "1.1 1.2 2.1 2.2 2.3 2.4 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 4.1 4.2 5.1 5.2 6.1 6.2"
BOOKS = [  # title, paragraphs, files of tests
    ("US 2007 (Bronstein) and US 2013 (simple delay)", US_PARAGRAPHS, "us_rules us_ends us_setting"),
    ("Unified 2001", UNIFIED_PARAGRAPHS, "unified_2001 unified_2001_time unified_2001_cube"),
    ("ABA 2003", UNIFIED_PARAGRAPHS, "aba_2003 aba_2003_time"),
    ("Michigan 2002", MICHIGAN_PARAGRAPHS, "michigan_2002 michigan_2002_time"),
]
NOT_OURS = "not the clock's business: "


def book_rows(book: str) -> list[list[str]]:
    """Table rows of a rule book: paragraph, sentence, and the tests that prove it."""
    parts = dict(part.split("\n", 1) for part in RULES.read_text().split("\n## ")[1:])
    return table_rows(parts[book])[1:]


each_book = pytest.mark.parametrize(("book", "paragraphs", "files"), BOOKS, ids=[book for book, _, _ in BOOKS])


@each_book
def test_every_paragraph_of_the_book_appears_in_order(book: str, paragraphs: str, files: str) -> None:
    there = dict.fromkeys(paragraph for paragraph, _, _ in book_rows(book))
    assert [paragraph for paragraph in there if paragraph != "—"] == paragraphs.split()


@each_book
def test_every_sentence_has_tests_or_a_reason_for_none(book: str, paragraphs: str, files: str) -> None:
    reasoned = re.compile(rf"{NOT_OURS}.+")
    wrong = [row for row in book_rows(book) if "`test_" not in row[2] and not reasoned.match(row[2])]
    assert wrong == []


@each_book
def test_the_rows_name_the_books_own_tests_and_all_of_them(book: str, paragraphs: str, files: str) -> None:
    named = set(re.findall(r"`(test_\d\w+)`", "".join(shown_by for _, _, shown_by in book_rows(book))))
    of_book = set().union(*(functions_by_file()[f"engine/test_{file}.py"] for file in files.split()))
    assert named == {name for name in of_book if re.match(r"test_\d", name)}


def test_the_books_have_more_than_a_hundred_tests() -> None:
    assert len([name for name in named_tests(RULES) if name.startswith("test_") and ".py" not in name]) > 100


# docs/phone.md


def phone_items() -> dict[int, str]:
    """The cell naming the tests of each numbered item, by number."""
    return {int(row[0]): row[2] for row in table_rows(PHONE.read_text()) if row[0].isdigit()}


def test_every_item_of_the_phone_is_there_in_order() -> None:
    assert list(phone_items()) == list(range(1, 57))


def test_every_item_of_the_phone_is_shown_by_a_test() -> None:
    assert [number for number, shown_by in phone_items().items() if "::test_" not in shown_by] == []
    assert len([name for name in named_tests(PHONE) if "::" in name]) > 80


def test_a_test_with_an_items_number_is_listed_at_that_item() -> None:
    items = phone_items()
    missing = [
        f"{file}::{test}"
        for file, tests in functions_by_file().items()
        if file.startswith(("browser/", "server/"))
        for test in tests
        if (numbers := re.match(r"test_((?:\d+_)+)", test))
        for number in numbers[1].strip("_").split("_")
        if int(number) in items and f"`{file}::{test}`" not in items[int(number)]
    ]
    assert missing == []


def rows_below(head: str) -> list[list[str]]:
    """Rows of the table of docs/phone.md whose first header is `head`."""
    return table_rows(PHONE.read_text().split(f"\n| {head} | ")[1].split("\n\n")[0])


def test_every_difference_between_engines_has_a_test() -> None:
    rows = rows_below("difference")
    assert len(rows) > 10
    assert [difference for difference, _, shown_by in rows if "`browser/test_" not in shown_by] == []


def flows() -> list[list[str]]:
    """Rows of the flow table: name, tests, and seconds in each engine."""
    return rows_below("flow")


def runs_in_every_engine(test: str) -> bool:
    """True if a test function, or any test in a file, runs in every engine."""
    file, _, function = test.partition("::")
    text = (TESTS / file).read_text()
    if function:
        return f"@every_engine\ndef {function}(" in text
    return any(word in text for word in ("module_page", "scripts: Page", "OTHERS"))


def test_every_flow_has_its_seconds_in_each_engine() -> None:
    assert [row[0] for row in flows() if not (len(row) == 5 and all(map(str.isdigit, row[2:])))] == []


@pytest.mark.parametrize(
    "flow",
    [
        "script modules",
        "geometry of every state and sheet",
        "a match on two phones and a console; in the others one in Japanese, cut off, reloaded and handed over",
        "practice without a network",
        "60 boards, a ruling, the keyboard",
        "hall and overlay",
        "printed cards",
    ],
)
def test_every_flow_is_played_in_every_engine(flow: str) -> None:
    (tests,) = [row[1] for row in flows() if row[0] == flow]
    named = [test for test in re.findall(r"`([^`]+)`", tests) if TEST.fullmatch(test)]
    assert any(map(runs_in_every_engine, named))


# docs/security.md

NO_TEST = re.compile(r"\bno test: \w")


def claims(text: str) -> list[str]:
    """Bullets, paragraphs within them, and table rows of a text."""
    parts = re.split(r"\n\n|\n(?= *- )|\n(?=\|)", text)
    rows = [part for part in parts if part.startswith("| ") and not re.match(r"\| (\*\*|attack \|)", part)]
    return [re.sub(r"\s+", " ", part) for part in parts if re.match(r"- | +\S", part)] + rows


def unproven(text: str) -> list[str]:
    """Claims with neither an existing test nor a reason for having none."""
    tests = [[name for name in re.findall(r"`([^`\s]+)`", claim) if TEST.fullmatch(name)] for claim in claims(text)]
    return [
        claim
        for claim, named in zip(claims(text), tests, strict=True)
        if not any(map(is_test, named)) and not NO_TEST.search(claim)
    ]


def test_every_bullet_and_row_of_security_has_a_test_or_a_reason() -> None:
    text = SECURITY.read_text()
    assert len(claims(text)) > 120
    assert unproven(text) == []


@pytest.mark.parametrize(
    "added",
    [
        "- **The moon.** It is guarded.",
        "- **The moon.** It is guarded\n  (`test_moon.py::test_it_is_guarded`).",
        "- [x] **V18 Moons**: guarded.",
        "    - It is guarded (no test).",
        "  While it is dark, it is guarded.",
        "| steal the moon | `clocks/moon.py` | none |",
    ],
)
def test_a_bullet_or_row_without_a_test_or_a_reason_is_found(added: str) -> None:
    proven = "- **The sun.** It shines (`test_documents.py`).\n- **Night.** It is dark (no\n  test: nobody sees it)."
    gap = "\n\n" if added.startswith(("|", "  W")) else "\n"
    assert unproven(f"{proven}{gap}{added}\n\nThe end.\n") == [re.sub(r"\s+", " ", added)]


def test_every_attack_names_what_stops_it_and_a_test() -> None:
    attacks = [row for row in table_rows(SECURITY.read_text())[1:] if not row[0].startswith("**")]
    assert len(attacks) > 40
    assert [row for row in attacks if len(row) != 3 or not row[1] or "test_" not in row[2]] == []


def test_check_attacks_runs_as_often_as_the_page_says() -> None:
    runs = dict(re.findall(r"^([A-Z]+) \?= (\d+)$", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert [int(runs[name]) for name in ("RACES", "CHEATS", "SEQUENCES", "FUZZ")] == [1_000, 1_000, 10_000, 200_000]
    assert int(runs["FRAMES"]) + int(runs["FORMS"]) == 1_000_000
