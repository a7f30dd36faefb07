"""Files to download: the record of one match or of a whole tournament, as CSV and as JSON lines."""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from clocks.journal import entries
from clocks.models import Match
from clocks.record import match_record

COLUMNS = (
    "seq time at_ms who device event what before after why credit_ms held_up_ms command command_id claimed_at_ms data"
).split()
BYTE_ORDER_MARK = "\ufeff"  # makes spreadsheets read UTF-8


def table(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a CSV file with these rows, the first of which names the columns."""
    yield BYTE_ORDER_MARK
    for row in rows:
        text = io.StringIO()
        csv.writer(text).writerow([cell(value) for value in row])
        yield text.getvalue()


def cell(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula: names and notes are written by anybody."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def match_csv(match_id: int) -> Iterator[str]:
    """Yield the record of a match as CSV."""
    return table([COLUMNS, *_record(match_id)])


def tournament_csv(matches: Iterable[Match]) -> Iterator[str]:
    """Yield the records of these matches, one after the other, as one CSV."""
    return table(_records(matches))


def _records(matches: Iterable[Match]) -> Iterator[Sequence[object]]:
    yield ["round", "table", "match", "left", "right", *COLUMNS]
    for match in matches:
        round_ = str(match.round) if match.round else ""
        for row in _record(match.pk):
            yield [round_, match.table.name, match.pk, *match.setup["names"], *row]


def _record(match_id: int) -> Iterator[Sequence[object]]:
    """Yield a row for each entry of a journal, each change of an entry in a line of its cell."""
    for line in match_record.lines(match_id):
        yield [
            line.seq,
            line.when.isoformat(timespec="milliseconds"),
            line.at,
            line.who,
            line.device,
            line.event,
            line.what,
            "\n".join(f"{change.what}: {change.before}" for change in line.changes),
            "\n".join(f"{change.what}: {change.after}" for change in line.changes),
            line.why,
            line.credit_ms,
            line.held_up_ms,
            json.dumps(line.command, ensure_ascii=False) if line.command else "",
            line.command_id,
            line.claimed_at,
            json.dumps(line.data, ensure_ascii=False),
        ]


def match_jsonl(match_id: int) -> Iterator[str]:
    """Yield the commands of a match as `manage.py replay` reads them."""
    for line in entries.replay_lines(match_id):
        yield json.dumps(line, ensure_ascii=False) + "\n"


def write_zip(matches: Iterable[Match], file: IO[bytes]) -> None:
    """Write a zip with the JSON lines of each of these matches in a file of its own."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for match in matches:
            archive.writestr(f"{file_name(match)}.jsonl", "".join(match_jsonl(match.pk)))


def file_name(match: Match) -> str:
    """Return the name, without its end, of the file of a match."""
    return f"table-{match.table.code}-match-{match.pk}"
