"""Matches that have begun: confirmed by both players, even if they are on a break."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from django.db.models import Q, QuerySet

from clocks.engine.closed_sets import Status
from clocks.models import Match

# A break comes no earlier than entry 3, so most states need not be parsed while a draw holds the write lock.
UNBEGUN = Q(status=Status.SETUP) & (Q(version__lt=3) | Q(state__halt__by__isnull=True))


@cache
def unbegun_sql() -> tuple[str, tuple[Any, ...]]:
    """SQL for the ids of `UNBEGUN` matches, and its parameters.

    Further conditions may be appended with AND. Compiled once, because a draw runs it while holding the write lock.
    """
    sql, values = Match.objects.filter(UNBEGUN).values("pk").query.sql_with_params()
    return sql, tuple(values)


def note_breaks(matches: Iterable[Match], within: QuerySet[Match]) -> None:
    """Set `on_break` of matches in one query, without reading their states.

    All of them must be in `within`.
    """
    on_break = set(within.filter(status=Status.SETUP).exclude(UNBEGUN).values_list("pk", flat=True))
    for match in matches:
        match.on_break = match.pk in on_break
