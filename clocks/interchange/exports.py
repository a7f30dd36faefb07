"""Export match and tournament records as CSV and JSON lines."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from django.db.models import QuerySet
from django.utils.text import slugify

from clocks.host.garbage import FREED_ROWS
from clocks.journal import entries
from clocks.models import Match, Tournament
from clocks.record import match_record
from clocks.tournament import formulas
from clocks.tournament.draw_columns import OF_PLAYER
from clocks.tournament.formulas import SIGNS, SPLIT
from clocks.tournament.player_columns import as_written

COLUMNS = (
    "seq time at_ms who device event what before after why credit_ms held_up_ms command command_id claimed_at_ms data "
    "hash"
).split()
BYTE_ORDER_MARK = "\ufeff"  # makes spreadsheets read UTF-8

# In JSON, escape formula characters in strings, but not the sign of a negative number.
_BEGINS_FORMULA_IN_JSON = re.compile(
    rf"([\"{SPLIT}][\s\"\\\\\u200b-\u200f\u2060\ufeff]*)([{SIGNS}])(?!\d+(?:\.\d+)?[,\]}}])"
)


def table(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a CSV file; the first row has the column names."""
    yield BYTE_ORDER_MARK
    for row in rows:
        text = io.StringIO()
        csv.writer(text).writerow([cell(value) for value in row])
        yield text.getvalue()


def cell(value: object) -> object:
    """Neutralise spreadsheet formulas in a cell, because anybody may write a note."""
    if not isinstance(value, str):
        return value
    return formulas.neutralise(f"'{value}" if value[:1] in ("\t", "\r") else value)


def _json(value: object) -> str:
    r"""JSON in which characters that would begin a formula are escaped as \uXXXX."""
    return _BEGINS_FORMULA_IN_JSON.sub(_as_number, json.dumps(value, ensure_ascii=False))


def _as_number(found: re.Match[str]) -> str:
    return f"{found[1]}\\u{ord(found[2]):04x}"


def players_csv(tournament: Tournament, details: Sequence[str] = OF_PLAYER) -> Iterator[str]:
    """Yield the list of players as CSV that can be imported without loss."""
    rows = tournament.players.order_by("pk").values_list("name", *details)
    return table([("name", *details), *((as_written(name), *cells) for name, *cells in rows)])


def match_csv(match_id: int) -> Iterator[str]:
    """Yield the record of a match as CSV."""
    return table([COLUMNS, *_record(match_id)])


def tournament_csv(matches: QuerySet[Match]) -> Iterator[str]:
    """Yield the records of these matches, one after another, as one CSV file."""
    return table(_records(matches))


def _records(matches: QuerySet[Match]) -> Iterator[Sequence[object]]:
    yield ["round", "table", "match", "left", "right", *COLUMNS]
    for match in matches.iterator(FREED_ROWS):
        round_ = str(match.round) if match.round else ""
        for row in _record(match.pk):
            yield [round_, match.table.name, match.pk, *match.setup["names"], *row]


def _record(match_id: int) -> Iterator[Sequence[object]]:
    """Yield a row per journal entry; an entry's changes share a cell, one per line."""
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
            _json(line.command) if line.command else "",
            line.command_id,
            line.claimed_at,
            _json(line.data),
            line.hash,
        ]


def match_jsonl(match_id: int) -> Iterator[str]:
    """Yield the commands of a match in the format of `manage.py replay`."""
    for line in entries.replay_lines(match_id):
        yield json.dumps(line, ensure_ascii=False) + "\n"


def write_zip(matches: QuerySet[Match], file: IO[bytes]) -> None:
    """Write a zip with a JSON lines file for each match."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for match in matches.iterator(FREED_ROWS):
            archive.writestr(f"{file_name(match)}.jsonl", "".join(match_jsonl(match.pk)))


def file_name(match: Match) -> str:
    """File name of a match without suffix: round, table, players and match id."""
    parts = (str(match.round) if match.round else "", "table", match.table.name, *match.setup["names"])
    return "-".join([*filter(None, (slugify(part, allow_unicode=True)[:40] for part in parts)), f"match-{match.pk}"])
