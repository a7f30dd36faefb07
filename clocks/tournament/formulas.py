"""Guard against formula injection in spreadsheets: neutralise and restore text."""

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

    Both at the start of the text and after each character that a spreadsheet may take for a delimiter.
    """
    return _BEGINS.sub(r"\1'\2", text)


def restore(text: str) -> str:
    """Remove the apostrophes that `neutralise` put in."""
    return _NEUTRALISED.sub(r"\1\2", text)
