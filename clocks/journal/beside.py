"""Expected values of match columns that no event stores, by the draw and the log."""

from collections.abc import Iterable

from django.db.models import QuerySet

from clocks.engine.events import Event, Moved
from clocks.journal.rows import Row
from clocks.journal.tournament_events import MatchEntered, MatchStruckOut
from clocks.models import HallEntry, Match, Pairing

ENTERED_WITHIN_MS = 60_000  # the log entry follows the setup in the same transaction


def table(match: Match, events: Iterable[Event], drawn: Pairing | None) -> str:
    """Name of the match's table: last moved to, else drawn at, else stored."""
    moved = [event.after for event in events if isinstance(event, Moved)]
    if moved:
        return moved[-1]
    return match.table.name if drawn is None else drawn.table.name


def entered_by_players(match: Match, setup: Row) -> bool:
    """True if the log says that players entered the match."""
    if setup.device_id is None:
        return False
    entered = _log(match, MatchEntered.name).filter(data__phone=setup.device_id)
    return entered.filter(at__gte=setup.at, at__lt=setup.at + ENTERED_WITHIN_MS).exists()


def struck_out(match: Match) -> bool:
    """Expected value of `struck_out`: the stored one, unless the log contradicts it.

    The log names only the table, so the counts of matches struck out there are compared.
    """
    if match.by_players is None and not match.struck_out:
        return False
    logged = _log(match, MatchStruckOut.name).filter(data__table=match.table.name).count()
    stored = Match.objects.filter(table=match.table_id, struck_out=True).count()
    return match.struck_out == (logged == stored)


def _log(match: Match, event: str) -> QuerySet[HallEntry]:
    return HallEntry.objects.filter(tournament=match.table.tournament_id, event=event)
