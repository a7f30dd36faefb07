"""Read spreadsheet files and pasted tables: decode them, split rows and cells."""

import csv
import re

from django.utils.translation import gettext as _

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.tournament import formulas, workbook

LONGEST_FILE = 500_000  # maximum size in bytes

Row = tuple[int, list[str]]  # line number and cells


def decode(data: bytes) -> str:
    """Decode a CSV file or workbook. Raises Refused(Why.BAD_VALUE) on failure."""
    if len(data) > LONGEST_FILE:
        raise Refused(
            Why.BAD_VALUE,
            Words("The file has more than %(size)s kB. Is it really the draw?", size=LONGEST_FILE // 1000),
        )
    if workbook.is_workbook(data):
        return workbook.read(data)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        words = Words("This is an old workbook. In the spreadsheet choose “Save as” or “Download”, then .xlsx or CSV.")
        raise Refused(Why.BAD_VALUE, words)
    two_bytes = data.startswith((b"\xff\xfe", b"\xfe\xff"))  # Excel's “Unicode text”
    for encoding in ("utf-16",) if two_bytes else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise Refused(Why.BAD_VALUE, "This is not a text file. Save the draw as CSV (UTF-8) and try again.")


def rows(text: str) -> tuple[list[Row], tuple[str, ...]]:
    """Split the non-empty lines into cells. Returns rows and faults."""
    text = text.lstrip("\ufeff")
    first = next((line for line in text.splitlines() if line.strip()), "")
    # Excel declares the delimiter like this. Newer Pythons reject a quotation mark as delimiter.
    named = re.fullmatch(r'\s*"?sep=([^"])"?\s*', first, re.IGNORECASE)
    delimiter = named.group(1) if named else _delimiter(text)
    numbered = []
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    try:
        for row in reader:
            cells = [_normalise(cell) for cell in row]
            if any(cells) and not (named and reader.line_num == 1):
                numbered.append((reader.line_num, cells))
    except csv.Error as error:
        words = _("Line %(number)s cannot be read as CSV: %(error)s.")
        return [], (words % {"number": reader.line_num, "error": error},)
    return (numbered, ()) if numbered else ([], (_("The draw is empty, so there is nothing to import."),))


def _delimiter(text: str) -> str:
    """The delimiter found in most lines; titles and remarks may lack it."""
    lines = [re.sub(r'"[^"]*"', "", line) for line in text.splitlines() if line.strip()]
    # The comma comes last, because it may be part of a name (Smith, Ann).
    return max("\t;|,", key=lambda each: sum(each in line for line in lines)) if lines else ","


def _normalise(cell: str) -> str:
    """Normalise a cell: collapse spaces, and undo escaping for spreadsheets."""
    text = re.fullmatch(r'="(.*)"', cell.strip())
    return " ".join(text[1].split()) if text else formulas.restore(" ".join(cell.split()))
