"""CSV of played matches under other settings, one figure per row."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from clocks.record.what_if import ASSUMPTIONS, Report, shown

OF_FLAG = ("seat", "at", "score_left", "score_right")
COLUMNS = ("rules", "options", "per_point_ms", "figure", "of", "value", *OF_FLAG)


def table(reports: Sequence[Report]) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a CSV file; the first has the column names.

    `at` is in server milliseconds. The last rows say what all figures assume.
    """
    yield COLUMNS
    for report in reports:
        found = shown(report)
        setting = (
            found["rules"] or "",
            json.dumps(found["options"]) if found["options"] else "",
            found["per_point_ms"] or "",
        )
        yield from ((*setting, *figure, *[""] * len(OF_FLAG)) for figure in _figures(found))
        yield from ((*setting, *flag) for flag in _flags(found))
    for number, sentence in enumerate(ASSUMPTIONS, 1):
        yield "", "", "", "assumption", number, sentence, *[""] * len(OF_FLAG)


def _figures(found: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    for name in ("matches", "left_out", "unended", "flagged", "lost_on_time"):
        yield name, "", found[name]
    for name in ("reserve_left_ms", "enough_per_point_ms"):
        for percent, ms in found[name].items():
            yield name, f"{percent}%", ms
    for line in found["rounds"]:
        yield "longest_ms", _named(line), line["longest_ms"]
    for per_point_ms, share in found["curve"]:
        yield "share_with_flag", f"{per_point_ms} ms a point", share
    for point in found["reserve_left_curve"]:
        for percent, ms in point["reserve_left_ms"].items():
            yield "reserve_left_ms", f"{percent}% at {point['per_point_ms']} ms a point", ms


def _named(line: dict[str, Any]) -> str:
    """Name of a round with its number, since two rounds may have one name."""
    return line["name"] if line["number"] is None else f"{line['number']}: {line['name']}"


def _flags(found: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    for flag in found["flags"]:
        of = f"match {flag['match']}, game {flag['game']}, turn {flag['turn_number']}"
        yield "flag", of, flag["player"], flag["seat"], flag["at"], *flag["score"]
