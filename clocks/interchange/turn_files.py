"""Export turn times of matches as CSV and JSON lines."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields

from clocks.interchange import exports
from clocks.journal import chain
from clocks.models import Match
from clocks.record.turn_times import TurnLine, of_match

OF_MATCH = ("round", "table", "match", "left", "right")
COLUMNS = tuple(field.name for field in fields(TurnLine))


def csv(matches: Iterable[Match]) -> Iterator[str]:
    """Yield the turns of these matches, one match after another, as CSV."""
    return exports.table(_rows(matches))


def jsonl(matches: Iterable[Match]) -> Iterator[str]:
    """Yield the turns as JSON lines, each with the last journal hash of its match."""
    for match in matches:
        where, head = dict(zip(OF_MATCH, _of_match(match), strict=True)), chain.head(match.pk)
        for turn in of_match(match.pk):
            yield json.dumps({**where, **asdict(turn), "hash": head}, ensure_ascii=False) + "\n"


def _rows(matches: Iterable[Match]) -> Iterator[Sequence[object]]:
    yield [*OF_MATCH, *COLUMNS, "hash"]
    for match in matches:
        where, head = _of_match(match), chain.head(match.pk)
        for turn in of_match(match.pk):
            cells = (str(value) if name == "seat" else value for name, value in asdict(turn).items())
            yield [*where, *cells, head]


def _of_match(match: Match) -> list[object]:
    return [str(match.round) if match.round else "", match.table.name, match.pk, *match.setup["names"]]
