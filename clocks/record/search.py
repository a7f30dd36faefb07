"""Search the records of a tournament by table, player, time and kind."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Q

from clocks.engine import events as e
from clocks.engine.closed_sets import Official
from clocks.engine.words import Words
from clocks.journal import entries
from clocks.models import Match, Tournament
from clocks.record import match_record, tournament_record
from clocks.tournament.results import matches_of
from clocks.tournament.tables import tables_named

MOST = 200  # maximum number of entries shown; with more, the search must be narrowed

KINDS: Mapping[str, Any] = {
    "stops": Words("stops and resumes"),
    "calls": Words("calls"),
    "flags": Words("flags"),
    "proposals": Words("what was proposed and settled"),
    "rulings": Words("what directors did"),
    "ends": Words("ends of games and matches"),
    "phones": Words("phones, tables and codes"),
    "book": Words("the whole hall"),
}
_EVENTS: Mapping[str, tuple[type[e.Event], ...]] = {
    "stops": (e.Stopped, e.StoppedAll, e.Resumed),
    "calls": (e.DirectorCalled, e.CallAnswered),
    "flags": (e.FlagFell, e.ExpiryApplied),
    "proposals": (e.Proposed, e.Agreed, e.Declined),
    "ends": (e.GameEnded, e.MatchEnded, e.Reopened),
    "phones": (e.SeatTaken, e.SeatReleased, e.SeatGranted, e.Moved, e.CodeReplaced),
}
_PRESSES = (e.Confirmed.name, e.ClockHit.name, e.Doubled.name, e.Took.name)


@dataclass(frozen=True, slots=True)
class Filters:
    """Search filters; "" and None match everything."""

    table: str = ""
    player: str = ""
    kind: str = ""
    since: datetime | None = None
    until: datetime | None = None


class FoundEntry(NamedTuple):
    """A matching entry; `match` is None for entries about the whole hall."""

    when: datetime
    match: Match | None
    who: str
    what: str
    why: str


class SearchResults(NamedTuple):
    """At most MOST entries, newest first; `more` is True if more were found."""

    lines: list[FoundEntry]
    more: bool


def find(tournament: Tournament, filters: Filters) -> SearchResults:
    """Search the journals, except presses, and the tournament's log."""
    found = [] if filters.kind == "book" else _of_matches(tournament, filters)
    if filters.kind in ("", "book") and not filters.table and not filters.player:
        found += _of_log(tournament, filters)
    found.sort(key=lambda each: each.when, reverse=True)  # stable: keeps the order of simultaneous entries
    return SearchResults(found[:MOST], len(found) > MOST)


def _of_matches(tournament: Tournament, filters: Filters) -> list[FoundEntry]:
    """Journal entries that match the filters, newest first, at most MOST + 1."""
    matches = {match.pk: match for match in _matches(tournament, filters)}
    found = entries.but_hits().filter(match__in=matches.keys()).filter(_kind(filters.kind))
    if filters.since is not None:
        found = found.filter(at__gte=_ms(filters.since))
    if filters.until is not None:
        found = found.filter(at__lte=_ms(filters.until))
    newest = list(found.order_by("-at", "-pk").values_list("match_id", "seq")[: MOST + 1])
    wanted = set(newest)
    told = {
        (match_id, entry.seq): FoundEntry(entry.when, matches[match_id], entry.who, entry.what, entry.why)
        for match_id in {match_id for match_id, _ in newest}
        for entry in match_record.lines(match_id)
        if (match_id, entry.seq) in wanted
    }
    return [told[key] for key in newest]


def _matches(tournament: Tournament, filters: Filters) -> Iterable[Match]:
    """Matches by player and table, including matches moved away; ignores case."""
    name, table = filters.player.strip().casefold(), filters.table.strip()
    there = tables_named(tournament.tables.all(), [table]).values()
    names = {each.name.casefold() for each in there} | {table.casefold()}
    moved = entries.but_hits().filter(match__table__tournament=tournament, event=e.Moved.name) if table else ()
    left_it = {entry.match_id for entry in moved if entry.data["before"].casefold() in names}
    return [
        match
        for match in matches_of(tournament)
        if (not table or match.table in there or match.pk in left_it)
        and (not name or any(name in each.casefold() for each in match.setup["names"]))
    ]


def _kind(kind: str) -> Q:
    if kind == "rulings":
        return Q(by=Official.DIRECTOR)
    if kind in _EVENTS:
        return Q(event__in=[event.name for event in _EVENTS[kind]])
    return ~Q(event__in=_PRESSES)


def _of_log(tournament: Tournament, filters: Filters) -> list[FoundEntry]:
    """Entries of the tournament's log in the filters' period, newest first."""
    since, until = filters.since or datetime.min.replace(tzinfo=UTC), filters.until or datetime.max.replace(tzinfo=UTC)
    return [
        FoundEntry(entry.when, None, entry.who, entry.what, entry.why)
        for entry in tournament_record.lines(tournament)
        if since <= entry.when <= until
    ]


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
