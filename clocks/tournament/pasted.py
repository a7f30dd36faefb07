"""Parse a typed draw: `3. Ann – Bob`, `Table 3: Ann vs Bob`, or two columns."""

import re

from clocks.tournament.draw_columns import normalise_title, titles_of

LONGEST = 200  # maximum length of a line: the regex is slow on long runs of spaces

_BETWEEN = r"(?:\s+(?:[-–—]|vs?\.?)\s+|\s{2,})"
_LINE = re.compile(
    rf"(?:(?P<word>[^\W\d]+)?\s*(?P<table>\d{{1,4}})\s*[.):]?\s+)?(?P<left>\S.*?){_BETWEEN}(?P<right>\S.*)",
    re.IGNORECASE,
)
_AGAIN = re.compile(_BETWEEN, re.IGNORECASE)
_DELIMITED = re.compile(r"[\t;|\"]|,\S")  # a comma in a name is followed by a space


def with_tabs(text: str) -> str:
    """Convert lines of two players, with or without table, to tab-separated cells.

    Other text is returned unchanged.
    """
    if _DELIMITED.search(text):
        return text
    found = []
    for line in text.splitlines():
        cells = _cells(line.strip()) if line.strip() else ()
        if cells is None:
            return text
        found.append("\t".join(cells))
    return "\n".join(found)


def has_two_players(text: str) -> bool:
    """True for a cell or a line such as “Ann – Bob”."""
    return _cells(text) is not None


def _cells(line: str) -> tuple[str, ...] | None:
    """Table, if any, and both players; None if the line has another format."""
    parts = _LINE.fullmatch(line) if len(line) <= LONGEST else None
    if parts is None or _AGAIN.search(parts["right"]):
        return None
    word = parts["word"]
    if word and normalise_title(word) not in titles_of("table"):
        return None
    return (*filter(None, [parts["table"]]), parts["left"], parts["right"])
