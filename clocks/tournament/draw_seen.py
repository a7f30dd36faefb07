"""Fingerprint of what a draw is planned upon: read before the plan, and again before the plan is stored."""

from typing import Any, NamedTuple

from django.db import connection

from clocks.journal.tournament_events import PlayerJoined, PlayerRenamed
from clocks.models import Bye, HallEntry, Match, Pairing, Round

_LINES = (
    "SELECT line.id, line.table_id, line.match_id, line.winner, line.setup, played.status = 'setup'"
    f" FROM {Pairing._meta.db_table} AS line LEFT JOIN {Match._meta.db_table} AS played ON played.id = line.match_id"
    " WHERE line.round_id = %s ORDER BY line.id"
)
_BYES = f"SELECT id, name, source_id FROM {Bye._meta.db_table} WHERE round_id = %s ORDER BY id"
_RENAMED = f"SELECT MAX(id) FROM {HallEntry._meta.db_table} WHERE tournament_id = %s AND event IN (%s, %s)"


class Seen(NamedTuple):
    """What a plan is made upon: the lines of the round and its byes as they are stored, and the last renaming.

    The tables are not in it: a match that ends there meanwhile makes room for what was planned to wait.
    """

    lines: tuple[tuple[Any, ...], ...]
    byes: tuple[tuple[Any, ...], ...]
    renamed: int

    @classmethod
    def now(cls, round_: Round) -> "Seen":
        """Read it, by three plain statements: they are asked again under the write lock."""
        with connection.cursor() as cursor:
            cursor.execute(_LINES, [round_.pk])
            lines = tuple(cursor.fetchall())
            cursor.execute(_BYES, [round_.pk])
            byes = tuple(cursor.fetchall())
            cursor.execute(_RENAMED, [round_.tournament_id, PlayerRenamed.name, PlayerJoined.name])
            (renamed,) = cursor.fetchone()
        return cls(lines, byes, renamed or 0)
