"""CSV of played matches under other settings, one figure per row."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from clocks.record.what_if import Report, shown

COLUMNS = ("rules", "options", "per_point_ms", "figure", "of", "value")


def table(reports: Sequence[Report]) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a CSV file; the first has the column names."""
    yield COLUMNS
    for report in reports:
        found = shown(report)
        setting = (
            found["rules"] or "",
            json.dumps(found["options"]) if found["options"] else "",
            found["per_point_ms"] or "",
        )
        for figure, of, value in _figures(found):
            yield *setting, figure, of, value


def _figures(found: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    for name in ("matches", "left_out", "unended", "flagged", "lost_on_time"):
        yield name, "", found[name]
    for name in ("reserve_left_ms", "enough_per_point_ms"):
        for percent, ms in found[name].items():
            yield name, f"{percent}%", ms
    for line in found["rounds"]:
        yield "longest_ms", line["name"], line["longest_ms"]
    for flag in found["flags"]:
        yield "flag", f"match {flag['match']}, game {flag['game']}, turn {flag['turn_number']}", flag["player"]
    for per_point_ms, share in found["curve"]:
        yield "share_with_flag", f"{per_point_ms} ms a point", share
