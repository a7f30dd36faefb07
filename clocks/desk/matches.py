"""Create matches, with the setup as the first journal entry."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from clocks.desk import changes
from clocks.desk.handler import handle
from clocks.desk.projection import as_json
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Party, Status
from clocks.engine.commands import TakeSeat
from clocks.engine.match import Match as MatchState
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.host.server_time import now_ms
from clocks.journal import entries, stored
from clocks.journal.tenure import Tenure
from clocks.models import CASUAL, Match, Pairing, Table
from clocks.seats import presence

_CURRENT = f"UPDATE {Table._meta.db_table} SET current_id = %s WHERE id = %s"
_ADDED = "(%s, %s, %s, '{}', 1, %s, %s, %s, FALSE)"
_ADD = (
    f"INSERT INTO {Match._meta.db_table}"
    " (table_id, round_id, setup, tenure, version, status, state, created_at, struck_out) VALUES {} RETURNING id"
)
_DRAWN = f"UPDATE {Pairing._meta.db_table} SET match_id = %s WHERE id = %s"


class Beginning(NamedTuple):
    """Match to create: its table and setup, and its pairing and round, if drawn.

    Holds ids, because building ORM objects would take longer than creating the match.
    """

    table_id: int
    setup: Setup
    pairing_id: int | None = None
    round_id: int | None = None


def create_match(
    table: Table, setup: Setup, asker: entries.Asker, at: int, pairing: Pairing | None = None
) -> tuple[Match, entries.Row]:
    """Store a match as its table's current one; return it and its first entry.

    Runs in the caller's transaction, which must have locked the table and must append the entry.
    """
    if pairing is None and table.tournament.slug == CASUAL:
        setup = replace(setup, director=False)
    drawn = () if pairing is None else (pairing.pk, pairing.round_id)
    states, (row,) = create_matches([Beginning(table.pk, setup, *drawn)], asker, at)
    ((id_, state),) = states.items()
    table.current_id = id_  # by id, because references would form cycles (`host/garbage.py`)
    if pairing is not None:
        pairing.match_id = id_
    return Match(pk=id_, table=table, setup=setup.to_dict(), version=1, status=state.status), row


def create_matches(
    beginnings: Sequence[Beginning], asker: entries.Asker, at: int
) -> tuple[dict[int, MatchState], list[entries.Row]]:
    """Bulk version of `create_match`, in a few statements.

    Returns their states by id, and their first entries.
    """
    states = [MatchState.begin(each.setup) for each in beginnings]
    made_at = connection.ops.adapt_datetimefield_value(timezone.now())
    values: list[Any] = []
    for each, state in zip(beginnings, states, strict=True):
        values += (each.table_id, each.round_id, as_json(each.setup.to_dict()), state.status, as_json(state), made_at)
    with connection.cursor() as cursor:
        cursor.execute(_ADD.format(", ".join([_ADDED] * len(beginnings))), values)
        ids = [id_ for (id_,) in cursor.fetchall()]
        made = list(zip(ids, beginnings, strict=True))
        cursor.executemany(_CURRENT, [(id_, each.table_id) for id_, each in made])
        drawn = [(id_, each.pairing_id) for id_, each in made if each.pairing_id is not None]
        if drawn:
            cursor.executemany(_DRAWN, drawn)
    rows = [entries.setup_row(id_, each.setup, at, asker) for id_, each in made]
    return dict(zip(ids, states, strict=True)), rows


def make_match(
    table: Table,
    setup: Setup,
    *,
    by: Party = Official.SERVER,
    user_id: int | None = None,
    at: int | None = None,
    replace: bool = False,
    rematch_of: int | None = None,
) -> Match:
    """Store a new match as the current one of its table.

    Raises Refused(Why.BAD_VALUE) while the clock of the table's current match runs and, without `replace`, if that
    match has begun and is not over, because nobody could continue it. With `rematch_of`, the seat owners of that match
    get their seats again; raises Refused(Why.STALE) if it is no longer the table's current match.
    """
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table.pk)
        present = table.current
        if rematch_of is not None and table.current_id != rematch_of:
            raise Refused(Why.STALE)
        if present is not None and present.status == Status.RUNNING:
            words = Words(
                "Table %(table)s is playing %(match)s. Stop that clock first.", table=table.name, match=present
            )
            raise Refused(Why.BAD_VALUE, words)
        if present is not None and present.has_begun and present.status != Status.OVER and not replace:
            words = Words(
                "%(match)s has begun at table %(table)s and is not over. End that match first, or replace it.",
                match=present,
                table=table.name,
            )
            raise Refused(Why.BAD_VALUE, words)
        asker = entries.Asker(by, user_id=user_id)
        at = now_ms() if at is None else at
        match, row = create_match(table, setup, asker, at)
        seated = [] if rematch_of is None or present is None else _seat_again(match, present, at)
        append_and_publish([match.pk], [row, *seated])
    return match


def _seat_again(match: Match, before: Match, at: int) -> list[entries.Row]:
    """Give the seats to their owners in the previous match; return the entries.

    Runs in the transaction that stores the match, so that no other phone can claim them first.
    """
    held = Tenure.from_dict(before.tenure).rightful((before.left_device_id, before.right_device_id))
    board, rows = stored.matches([match.pk])[match.pk], list[entries.Row]()
    for device in dict.fromkeys(device for device in held if device is not None):
        seats = tuple(seat for seat in Seat if held[seat.index] == device)
        taken = handle(Request(match.pk, TakeSeat(device, seats), Official.SERVER, at, device_id=device), board, {})
        board.match, board.devices, board.tenure = taken.match, taken.devices, taken.tenure
        board.version += len(taken.rows)
        rows += taken.rows
        for seat in seats:
            presence.saw(match.pk, seat.index, at)
    left, right = board.devices
    as_seated = {"left_device": left, "right_device": right, "tenure": board.tenure.to_dict()}
    Match.objects.filter(pk=match.pk).update(version=board.version, state=board.match.to_dict(), **as_seated)
    return rows


def use_clock(pairing: Pairing, setup: Setup, asker: entries.Asker) -> Match:
    """Create the match of a pairing when a clock is requested, from `setup`'s score.

    The first journal entry records who asked. Raises Refused(Why.BAD_VALUE) if the pairing has a match or result or an
    unknown player, or if its table is busy.
    """
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=pairing.table_id)
        pairing = Pairing.objects.get(pk=pairing.pk)
        if not pairing.waits:
            if pairing.winner:
                raise Refused(Why.BAD_VALUE, Words("%(match)s is over.", match=pairing))
            raise Refused(Why.BAD_VALUE, Words("%(match)s already has a clock.", match=pairing))
        if pairing.places.filter(filled=False).exists():
            raise Refused(Why.BAD_VALUE, "The players of this match are not known yet.")
        busy_with = Match.objects.filter(pk__in=[table.current_id]).exclude(status=Status.OVER).first()
        if busy_with is not None:
            words = Words(
                "The clock at table %(table)s is in use by %(match)s until that match is over.",
                table=table.name,
                match=busy_with,
            )
            raise Refused(Why.BAD_VALUE, words)
        match, row = create_match(table, setup, asker, now_ms(), pairing)
        append_and_publish([match.pk], [row])
    return match


def append_and_publish(
    match_ids: Collection[int], rows: Sequence[entries.Row], states: Mapping[int, MatchState] = MappingProxyType({})
) -> None:
    """Append the first entries of new matches, and publish them after the commit.

    `states` are their states after the first entry, where known, which saves reading them again.
    """
    if rows:
        entries.append(rows)
        transaction.on_commit(lambda: changes.publish(changes.of_new(match_ids, states)))
