"""Export what-if reports (played matches under other settings) as CSV."""

import json
from collections.abc import Iterator, Sequence

from clocks.record.what_if import ASSUMPTIONS, Report, RoundLine

OF_FLAG = ("seat", "at", "score_left", "score_right")
COLUMNS = ("rules", "options", "per_point_ms", "figure", "of", "value", *OF_FLAG)


def table(reports: Sequence[Report]) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a CSV file, one figure each; the first has the column names.

    `at` is in ms of server time. The last rows list the assumptions behind all figures.
    """
    yield COLUMNS
    for report in reports:
        options, per_point_ms = report.setting.options, report.setting.per_point_ms
        setting = (report.setting.rules, json.dumps(dict(options)) if options else "", per_point_ms or "")
        yield from ((*setting, *figure, *[""] * len(OF_FLAG)) for figure in _figures(report))
        yield from ((*setting, *flag) for flag in _flags(report))
    for number, sentence in enumerate(ASSUMPTIONS, 1):
        yield "", "", "", "assumption", number, sentence, *[""] * len(OF_FLAG)


def _figures(report: Report) -> Iterator[tuple[str, object, object]]:
    yield "matches", "", report.matches
    yield "left_out", "", report.left_out
    yield "unended", "", report.unended
    yield "flagged", "", report.flagged
    yield "lost_on_time", "", report.lost
    for percent, ms in report.left.items():
        yield "reserve_left_ms", f"{percent}%", ms
    for percent, ms in report.smallest.items():
        yield "enough_per_point_ms", f"{percent}%", ms
    for line in report.by_round.values():
        yield "longest_ms", _named(line), line.longest_ms
    for per_point_ms, share in report.curve():
        yield "share_with_flag", f"{per_point_ms} ms a point", round(share, 4)
    for per_point_ms, left in report.left_curve():
        for percent, ms in left.items():
            yield "reserve_left_ms", f"{percent}% at {per_point_ms} ms a point", ms


def _named(line: RoundLine) -> str:
    """Name of a round with its number, since two rounds may have the same name."""
    return line.name if line.number is None else f"{line.number}: {line.name}"


def _flags(report: Report) -> Iterator[tuple[object, ...]]:
    for line in report.flags:
        flag = line.flag
        of = f"match {line.match.pk}, game {flag.game}, turn {flag.turn_number}"
        yield "flag", of, line.player, flag.seat, flag.at, *flag.score
