"""Fingerprint of a draw's inputs, to detect changes between planning and storing."""

from typing import Any, NamedTuple

from django.db import connection

from clocks.journal.begun import unbegun_sql
from clocks.journal.tournament_events import PlayerJoined, PlayerRenamed
from clocks.models import Bye, HallEntry, Match, Pairing, Round

_LINES = (
    "SELECT line.id, line.table_id, line.match_id, line.winner, line.setup,"
    f" EXISTS ({{unbegun}} AND {Match._meta.db_table}.id = line.match_id)"
    f" FROM {Pairing._meta.db_table} AS line WHERE line.round_id = %s ORDER BY line.id"
)
_BYES = f"SELECT id, name, source_id FROM {Bye._meta.db_table} WHERE round_id = %s ORDER BY id"
_RENAMED = f"SELECT MAX(id) FROM {HallEntry._meta.db_table} WHERE tournament_id = %s AND event IN (%s, %s)"


class Fingerprint(NamedTuple):
    """Pairings and byes of a round, and the log entry of the last rename or merge.

    Excludes the state of tables: if a match ends there meanwhile, the planned match starts instead of waiting.
    """

    lines: tuple[tuple[Any, ...], ...]
    byes: tuple[tuple[Any, ...], ...]
    renamed: int

    @classmethod
    def of(cls, round_: Round) -> "Fingerprint":
        """Read the fingerprint with three simple queries.

        It is read again under the write lock, so it must be quick.
        """
        unbegun, values = unbegun_sql()
        with connection.cursor() as cursor:
            cursor.execute(_LINES.format(unbegun=unbegun), [*values, round_.pk])
            lines = tuple(cursor.fetchall())
            cursor.execute(_BYES, [round_.pk])
            byes = tuple(cursor.fetchall())
            cursor.execute(_RENAMED, [round_.tournament_id, PlayerRenamed.name, PlayerJoined.name])
            (renamed,) = cursor.fetchone()
        return cls(lines, byes, renamed or 0)
