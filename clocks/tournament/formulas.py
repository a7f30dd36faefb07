"""Neutralise text that a spreadsheet would take for a formula, and restore it."""

import re

# Characters that begin a formula, with their full-width, small, superscript and subscript forms.
SIGNS = "=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−"
# A cell may begin at the start or after any of these characters; blanks, zero-width characters and quotes are skipped.
SPLIT = r"\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029;,|"
_CELL = rf"((?:^|[{SPLIT}])[\s\"\u200b-\u200f\u2060\ufeff]*)"
_BEGINS = re.compile(rf"{_CELL}('*[{SIGNS}])")
_NEUTRALISED = re.compile(rf"{_CELL}'('*[{SIGNS}])")


def neutralise(text: str) -> str:
    """Put an apostrophe before each character that would begin a formula.

    That is at the start, and wherever a spreadsheet with another separator would begin a cell.
    """
    return _BEGINS.sub(r"\1'\2", text)


def restore(text: str) -> str:
    """Remove the apostrophes that `neutralise` put in."""
    return _NEUTRALISED.sub(r"\1\2", text)
