"""Flags and reserves of played matches under other settings (what-if analysis).

All times are in milliseconds. `record/rerun.py` has the assumptions.
"""

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from clocks.engine.closed_sets import Status, WonBy
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.journal.begun import UNBEGUN
from clocks.models import JournalEntry, Match, Round, Tournament
from clocks.record.rerun import Flag, Played, played, rerun
from clocks.record.what_if_reserves import TRIED_MS, enough, left_at, points_needed, unflagged

PERCENTILES = (10, 50, 90)  # of the reserves left
SHARES = (1, 5, 10)  # accepted percentages of matches with a flag
MOST_POINTS = 60  # maximum number of points of a curve
ASSUMPTIONS = (
    Words("Players would have thought as long, and played on, as they did."),
    Words("The engine of the clock counts, turn by turn. Clocks that were stopped stay stopped."),
    Words("A flag has its consequence at once. A match lost on time ends there, so what it needs may be more."),
    Words(
        "“Enough” is the smallest reserve for each point that both players need at which so many matches see no flag."
    ),
    Words("A match that goes on counts as far as it went. Time that a director gave and network credit stay."),
    Words("Under another book, or with times of your own, a match loses settings of its own."),
    Words("A round takes at most as long as its longest match. The time for which clocks were stopped is left out."),
)


@dataclass(frozen=True, slots=True)
class Setting:
    """Settings to try: a rule set with options, or "" for each match's own.

    `per_point_ms` replaces the book's reserve with this much per point that both players need; 0 keeps it.
    """

    rules: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    per_point_ms: int = 0

    def of(self, setup: Setup) -> Setup | None:
        """Setup of a match under these settings; None if the book lacks its format.

        A match keeps its own options under its own book, unless these settings have some. Raises Refused for invalid
        settings.
        """
        if not self.rules or (self.rules == setup.rules and not self.options and not self.per_point_ms):
            return setup
        options = dict(self.options)
        if self.per_point_ms:
            options["reserve_ms"] = self.per_point_ms * points_needed(setup)
        Setup.parse({"rules": self.rules, "length": setup.length, "options": options})
        try:
            return Setup.from_dict({**setup.to_dict(), "rules": self.rules, "options": options})
        except Refused:
            return None


def compared(rules: Iterable[str], per_point_ms: int | None, delay_ms: int | None) -> list[Setting]:
    """Settings to compare: each match as played, then each book.

    Given times replace the book's.
    """
    options = () if delay_ms is None else (("delay_ms", delay_ms),)
    return [Setting(), *(Setting(key, options, per_point_ms or 0) for key in dict.fromkeys(rules))]


class JournalOf(NamedTuple):
    """A played match: its row, its setup, and the events of its journal."""

    match: Match
    setup: Setup
    entries: list[Played]


class FlagLine(NamedTuple):
    """A flag that would have fallen in a match."""

    match: Match
    flag: Flag

    @property
    def player(self) -> str:
        """Name of the player whose flag fell."""
        name: str = self.match.setup["names"][self.flag.seat.index]
        return name

    @property
    def when(self) -> datetime:
        """Time of the flag as a datetime in UTC."""
        return datetime.fromtimestamp(self.flag.at / 1000, UTC)


class RoundLine(NamedTuple):
    """The longest match of a round, by the time for which its clocks ran.

    `number` is that of the round, None for matches without a round.
    """

    number: int | None
    name: str
    matches: int
    longest_ms: int


@dataclass(slots=True)
class Report:
    """Results of all matches under the same settings.

    `left_out` matches have a format that the book does not cover; `unended` had not ended when their turns did.
    `enough_ms` has, sorted, the minimum reserve per point at which each match has no flag; `left_at_ms` has the
    reserves left on all clocks, by the reserve per point tried. `by_round` is keyed by round id.
    """

    setting: Setting
    matches: int = 0
    left_out: int = 0
    unended: int = 0
    lost: int = 0
    flags: list[FlagLine] = field(default_factory=list)
    left_ms: list[int] = field(default_factory=list)
    enough_ms: list[int] = field(default_factory=list)
    left_at_ms: dict[int, list[int]] = field(default_factory=lambda: {ms: [] for ms in TRIED_MS})
    by_round: dict[int | None, RoundLine] = field(default_factory=dict)

    @property
    def flagged(self) -> int:
        """Number of matches with a flag."""
        return len({line.match.pk for line in self.flags})

    @property
    def left(self) -> dict[int, int]:
        """Reserve left on a clock at the end, by percentile; empty without matches."""
        return percentiles(self.left_ms)

    @property
    def smallest(self) -> dict[int, int]:
        """Smallest sufficient reserve per point, by accepted percentage with a flag."""
        return {share: smallest(self.enough_ms, share) for share in SHARES} if self.enough_ms else {}

    @property
    def longest_ms(self) -> int:
        """Running time of the longest match; 0 without matches."""
        return max((line.longest_ms for line in self.by_round.values()), default=0)

    def share_at(self, per_point_ms: int) -> float:
        """Share of matches, 0 to 1, with a flag under this reserve per point."""
        return 1 - bisect_right(self.enough_ms, per_point_ms) / len(self.enough_ms)

    def curve(self) -> list[tuple[int, float]]:
        """Points (reserve per point, share of matches with a flag), from 0 to no flag."""
        if not self.enough_ms:
            return []
        most = max(1, self.enough_ms[-1])
        steps = min(MOST_POINTS, most)
        return [(ms, self.share_at(ms)) for ms in (most * step // steps for step in range(steps + 1))]

    def left_curve(self) -> list[tuple[int, dict[int, int]]]:
        """Points (reserve per point, reserve left on a clock by percentile)."""
        return [(per_point_ms, percentiles(left_ms)) for per_point_ms, left_ms in self.left_at_ms.items() if left_ms]


def reports(
    tournament: Tournament,
    settings: Sequence[Setting],
    after_each: Callable[[int], None] = lambda number: None,
    *,
    left_curve: bool = True,
) -> list[Report]:
    """Report on all played matches; calls `after_each` with the number done.

    `left_curve` may double the computing time. Raises Refused for invalid settings.
    """
    made = [Report(setting) if left_curve else Report(setting, left_at_ms={}) for setting in settings]
    for number, each in enumerate(journals(tournament), 1):
        for report in made:
            add(report, each)
        after_each(number)
    return made


def journals(tournament: Tournament) -> Iterator[JournalOf]:
    """Yield the `begun` matches of a tournament, in order."""
    for match in begun(tournament).select_related("round", "table").order_by("pk").iterator(chunk_size=100):
        yield journal(match)


def count(tournament: Tournament) -> int:
    """Number of matches that `journals` yields."""
    return begun(tournament).count()


def begun(tournament: Tournament) -> QuerySet[Match]:
    """Matches of a tournament that have begun."""
    return Match.objects.filter(table__tournament=tournament, version__gt=1).exclude(UNBEGUN)


def journal(match: Match) -> JournalOf:
    """Read the journal of a match."""
    rows = JournalEntry.objects.filter(match_id=match.pk).order_by("seq")
    (_, setup, *_), *later = rows.values_list("event", "data", "at", "by", "command", "credit_ms")
    return JournalOf(match, Setup.from_dict(setup), [played(*row) for row in later])


def add(report: Report, journal: JournalOf) -> None:
    """Add a match to a report. Raises Refused for invalid settings."""
    setup = report.setting.of(journal.setup)
    if setup is None:
        report.left_out += 1
        return
    result = rerun(setup, journal.entries)
    report.matches += 1
    report.lost += result.match.won_by is WonBy.TIME
    report.unended += result.match.status is not Status.OVER
    report.flags += [FlagLine(journal.match, flag) for flag in result.flags]
    report.left_ms += result.match.clock.reserves(result.match.at)
    key = journal.match.round_id
    line = report.by_round.get(key) or _empty_line(journal.match.round)
    longest_ms = max(line.longest_ms, result.played_ms)
    report.by_round[key] = line._replace(matches=line.matches + 1, longest_ms=longest_ms)
    free = unflagged(setup, journal.entries, result)
    insort(report.enough_ms, enough(setup, free))
    for per_point_ms, left_ms in report.left_at_ms.items():
        left_ms += left_at(per_point_ms, setup, journal.entries, free)


def _empty_line(round_: Round | None) -> RoundLine:
    return RoundLine(round_.number, str(round_), 0, 0) if round_ else RoundLine(None, "", 0, 0)


def percentiles(values: Sequence[int]) -> dict[int, int]:
    """Nearest-rank percentiles by percentage; empty without values."""
    ordered = sorted(values)
    return {share: percentile(ordered, share) for share in PERCENTILES} if ordered else {}


def percentile(ordered: Sequence[int], share: int) -> int:
    """Nearest-rank percentile of sorted values."""
    return ordered[max(0, -(-share * len(ordered) // 100) - 1)]


def smallest(enough_ms: Sequence[int], share: int) -> int:
    """Smallest reserve per point with a flag in at most this percentage of matches."""
    may_fall = share * len(enough_ms) // 100
    return enough_ms[len(enough_ms) - 1 - may_fall]


def shown(report: Report) -> dict[str, Any]:
    """Return a report as a JSON object."""
    return {
        "rules": report.setting.rules or None,
        "options": dict(report.setting.options),
        "per_point_ms": report.setting.per_point_ms or None,
        "matches": report.matches,
        "left_out": report.left_out,
        "unended": report.unended,
        "flagged": report.flagged,
        "lost_on_time": report.lost,
        "flags": [
            {
                "match": line.match.pk,
                "player": line.player,
                "seat": line.flag.seat,
                "at": line.flag.at,
                "turn_number": line.flag.turn_number,
                "game": line.flag.game,
                "score": list(line.flag.score),
            }
            for line in report.flags
        ],
        "reserve_left_ms": _by_share(report.left),
        "enough_per_point_ms": _by_share(report.smallest),
        "rounds": [line._asdict() for line in report.by_round.values()],
        "curve": [[ms, round(share, 4)] for ms, share in report.curve()],
        "reserve_left_curve": [
            {"per_point_ms": ms, "reserve_left_ms": _by_share(left)} for ms, left in report.left_curve()
        ],
        "assumptions": list(ASSUMPTIONS),
    }


def _by_share(found: dict[int, int]) -> dict[str, int]:
    return {str(share): ms for share, ms in found.items()}
