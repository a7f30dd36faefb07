"""Making matches: which pairing's turn it is at a table, and the rows of a new match. Called by the desk alone."""

from collections.abc import Collection, Iterable, Sequence

from clocks.engine.closed_sets import Status
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal import entries, stored
from clocks.models import Match, Pairing, Table


def begin(
    table: Table, setup: Setup, asked: entries.Asked, at: int, pairing: Pairing | None = None
) -> tuple[Match, entries.Row]:
    """Store a match that its table plays from now on; return it and its first entry, which is still to be appended.

    In the caller's transaction, which has locked the table.
    """
    state = MatchState.begin(setup)
    match = Match.objects.create(
        table=table,
        round_id=pairing.round_id if pairing else None,
        setup=setup.to_dict(),
        version=1,
        status=state.status,
        state=state.to_dict(),
    )
    table.current = match
    table.save(update_fields=["current"])
    if pairing is not None:
        pairing.match = match
        pairing.save(update_fields=["match"])
    return match, entries.setup_row(match.pk, setup, at, asked)


def set_aside(match_ids: Collection[int]) -> None:
    """Free the tables of those of these matches that nobody has begun. Their journals stay as they are.

    The matches are locked, so that nobody begins one meanwhile.
    """
    unbegun = Match.objects.select_for_update().filter(pk__in=match_ids, status=Status.SETUP).order_by("pk")
    Table.objects.filter(current_id__in=[match.pk for match in unbegun]).update(current=None)


def start_pairings(table_ids: Iterable[int], asked: entries.Asked) -> tuple[list[int], Sequence[entries.Row]]:
    """Store the next match of each of these tables that is free; return the matches and their first entries.

    The tables are locked before anything is read: of a pairing that is made and a match that ends at the same
    moment, whoever comes second sees the other.
    """
    tables = {table.pk: table for table in Table.objects.select_for_update().filter(pk__in=table_ids).order_by("pk")}
    present = Match.objects.filter(pk__in=[table.current_id for table in tables.values() if table.current_id])
    busy = set(present.exclude(status=Status.OVER).values_list("table_id", flat=True))
    begun = [
        begin(tables[pairing.table_id], Setup.parse(pairing.setup), asked, now_ms(), pairing)
        for pairing in stored.next_pairings(tables.keys() - busy)
    ]
    return [match.pk for match, _ in begun], [row for _, row in begun]
