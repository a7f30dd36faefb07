"""Read workbooks (.xlsx) as tab-separated text, within limits."""

import io
import zipfile
from datetime import datetime
from typing import Any

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words

MOST_BYTES, MOST_ROWS, MOST_COLUMNS = 10_000_000, 5_000, 40  # limits of the unpacked file and of a sheet

UNREADABLE = Words("This workbook cannot be read. In the spreadsheet choose “Save as” or “Download”, then CSV.")


def is_workbook(data: bytes) -> bool:
    """True for a ZIP archive, which every .xlsx file is."""
    return data.startswith(b"PK\x03\x04")


def read(data: bytes) -> str:
    """Read the first sheet with text as tab-separated lines.

    Raises Refused(Why.BAD_VALUE) if the file is unreadable, too large or empty.
    """
    import openpyxl  # imported late: few requests need it

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MOST_BYTES:
                raise Refused(Why.BAD_VALUE, UNREADABLE)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        for sheet in book.worksheets:
            rows = sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
            lines = ["\t".join(map(_text, row)).rstrip() for row in rows]
            if any(lines):
                return "\n".join(lines)
    except Refused:
        raise
    except Exception as error:  # openpyxl passes on the exceptions of its parsers
        raise Refused(Why.BAD_VALUE, UNREADABLE) from error
    raise Refused(Why.BAD_VALUE, "The workbook is empty.")


def _text(value: Any) -> str:
    """Cell as quoted text on one line; whole numbers without a decimal point."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = value.date().isoformat() if isinstance(value, datetime) else str(value)
    return '"' + " ".join(text.split()).replace('"', '""') + '"'
