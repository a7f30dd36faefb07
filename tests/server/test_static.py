"""The scripts and style sheets as phones get them: without comments, and otherwise what was written."""

import re
from pathlib import Path

import pytest

from config.storage import without_comments

FILES = sorted(Path("static/clocks").rglob("*.js")) + sorted(Path("static/clocks").rglob("*.css"))


def test_comments_blank_lines_and_indentation_go_and_nothing_else() -> None:
    written = """/**
 * Says where it is.
 */
import { make } from './dom.js'; // stays: it shares its line

// A line of its own goes.
/** @type {string} */ export const there = 'x'; // a comment before code stays with it
export const where = (at) => {
  /* so does this */
  return `https://${at ? `/t/${at}: ` : ''}`;
};
"""
    assert (
        without_comments(written)
        == """import { make } from './dom.js'; // stays: it shares its line
/** @type {string} */ export const there = 'x'; // a comment before code stays with it
export const where = (at) => {
return `https://${at ? `/t/${at}: ` : ''}`;
};
"""
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to("static/clocks")))
def test_no_text_spans_lines_so_none_can_be_changed(file: Path) -> None:
    torn = [line for line in without_comments(file.read_text()).splitlines() if line.count("`") % 2]
    assert torn == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to("static/clocks")))
def test_every_line_that_is_left_was_written(file: Path) -> None:
    text = file.read_text()
    written = [line.strip() for line in text.splitlines()]
    left = without_comments(text).splitlines()
    lines = iter(written)
    assert [line for line in left if line.rstrip() not in lines] == []  # `in` goes on from where it was: the order too
    assert 0 < len(left) <= len(written)


@pytest.mark.parametrize("file", [each for each in FILES if each.suffix == ".css"], ids=lambda file: str(file.name))
def test_no_style_hangs_on_a_word_that_is_translated(file: Path) -> None:
    words = re.findall(r"\[(?:aria-label|data-label|title|alt|placeholder)[*^$~|]?=[^]]*\]", file.read_text())
    assert words == []
