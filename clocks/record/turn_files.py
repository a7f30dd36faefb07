"""The turns of a match or a tournament as files: how long each took, as CSV and as JSON lines."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields

from clocks.models import Match
from clocks.record import exports
from clocks.record.turns import TurnLine, of_match

OF_MATCH = ("round", "table", "match", "left", "right")
COLUMNS = tuple(field.name for field in fields(TurnLine))


def csv(matches: Iterable[Match]) -> Iterator[str]:
    """Yield the turns of these matches, one match after another, as CSV."""
    return exports.table(_rows(matches))


def jsonl(matches: Iterable[Match]) -> Iterator[str]:
    """Yield the turns of these matches as JSON lines."""
    for match in matches:
        where = dict(zip(OF_MATCH, _of_match(match), strict=True))
        for turn in of_match(match.pk):
            yield json.dumps({**where, **asdict(turn)}, ensure_ascii=False) + "\n"


def _rows(matches: Iterable[Match]) -> Iterator[Sequence[object]]:
    yield [*OF_MATCH, *COLUMNS]
    for match in matches:
        where = _of_match(match)
        for turn in of_match(match.pk):
            yield [*where, *(str(value) if name == "seat" else value for name, value in asdict(turn).items())]


def _of_match(match: Match) -> list[object]:
    return [str(match.round) if match.round else "", match.table.name, match.pk, *match.setup["names"]]
