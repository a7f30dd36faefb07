"""Tables of a director's other events in progress, which may have the same names.

Two tables with the same name in one hall would send players to the wrong match.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from clocks.engine.closed_sets import Status
from clocks.models import CASUAL, Membership, Table, Tournament
from clocks.tournament.tables import as_ranges, new_names, table_order

RECENT_DAYS = 3
DIRECTORS = (Membership.Role.DIRECTOR, Membership.Role.OWNER)


def in_play() -> QuerySet[Table]:
    """Subquery: tables of the outer query's tournament with an unfinished match."""
    played = Table.objects.filter(tournament=OuterRef("pk"), current__isnull=False)
    return played.exclude(current__status=Status.OVER)


def events_beside(user: User, tournament: Tournament, roles: Sequence[str]) -> QuerySet[Tournament]:
    """Other events in progress in which a user has one of these roles.

    Empty unless the user has such a role in this event too: a superuser does not get the events of strangers. Matches
    older than RECENT_DAYS do not count, because nobody may ever end them.
    """
    mine = Membership.objects.filter(user=user, role__in=roles)
    recent = timezone.now() - timedelta(days=RECENT_DAYS)
    found = Tournament.objects.filter(
        Exists(mine.filter(tournament=tournament)),
        Exists(mine.filter(tournament=OuterRef("pk"))),
        Exists(in_play().filter(current__created_at__gte=recent)),
        archived_at=None,
    )
    return found.exclude(pk=tournament.pk).exclude(slug=CASUAL)


class _Row(NamedTuple):
    """A table with its event and the status of its match, if any."""

    tournament_id: int
    event: str
    name: str
    status: str | None

    @property
    def in_play(self) -> bool:
        """True if it has an unfinished match."""
        return self.status not in (None, Status.OVER)


class Shared(NamedTuple):
    """Tables of an event, for messages; `names` reads like `1–8, B1`."""

    event: str
    names: str
    number: int


class TablesBeside:
    """Tables of an event and of its director's other events in progress.

    They are read with one query, on first use.
    """

    def __init__(self, user: User | None, tournament: Tournament) -> None:
        self.user, self.tournament = user, tournament

    @cached_property
    def _rows(self) -> list[_Row]:
        if self.user is None:
            return []
        others = events_beside(self.user, self.tournament, DIRECTORS)
        wanted = Table.objects.filter(Q(tournament=self.tournament) | Q(tournament__in=others))
        return [
            _Row(*row)
            for row in wanted.values_list("tournament_id", "tournament__name", "name", "current__status").order_by("pk")
        ]

    @property
    def _others(self) -> list[_Row]:
        return [row for row in self._rows if row.tournament_id != self.tournament.pk]

    @cached_property
    def names(self) -> frozenset[str]:
        """Casefolded names of all tables of the other events."""
        return frozenset(row.name.casefold() for row in self._others)

    @property
    def all(self) -> list[Shared]:
        """All tables of the other events, by event."""
        return _by_event(self._others)

    def shared(self, names: Iterable[str]) -> list[Shared]:
        """Those of these names that other events have at tables in use, by event."""
        wanted = {name.casefold() for name in names}
        return _by_event(row for row in self._others if row.in_play and row.name.casefold() in wanted)

    def next(self, number: int) -> list[str]:
        """Names of the next `number` tables for this event: free ones, then new ones."""
        own = [row for row in self._rows if row.tournament_id == self.tournament.pk]
        free = sorted((row.name for row in own if not row.in_play), key=table_order)
        known = self.names.union(row.name.casefold() for row in own)
        return list(islice(chain(free, new_names(self.tournament, known)), number))


def _by_event(rows: Iterable[_Row]) -> list[Shared]:
    """Rows by event, in the order of the events' names."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for row in rows:
        found[row.event, row.tournament_id].append(row.name)
    return [Shared(event, as_ranges(names), len(names)) for (event, _id), names in sorted(found.items())]
