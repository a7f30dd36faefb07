"""Write the current state, seats and late press of matches, beside their journals."""

from collections.abc import Sequence
from typing import Any

import orjson
from django.db import connection

from clocks.journal.stored import StoredMatch
from clocks.models import Match

_TABLE = Match._meta.db_table
_STATE = f"UPDATE {_TABLE} SET version = %s, status = %s, flag_at = %s, state = %s WHERE id = %s"
# A separate statement, because these columns are indexed and seldom change.
_SEATS = f"UPDATE {_TABLE} SET left_device_id = %s, right_device_id = %s, tenure = %s WHERE id = %s"
_LATE = f"UPDATE {_TABLE} SET late = %s WHERE id = %s"  # a separate statement, because it seldom changes


def write_states(boards: Sequence[StoredMatch]) -> None:
    """Write the states of these matches."""
    _write(
        _STATE,
        [(one.version, one.match.status, one.match.flag_at, as_json(one.match), one.id) for one in boards],
    )


def write_seats(boards: Sequence[StoredMatch]) -> None:
    """Write the seats of these matches."""
    _write(_SEATS, [(*one.devices, as_json(one.tenure.to_dict()), one.id) for one in boards])


def write_late(boards: Sequence[StoredMatch]) -> None:
    """Write the current late press of each match."""
    _write(_LATE, [(None if one.late is None else as_json(one.late._asdict()), one.id) for one in boards])


def _write(statement: str, values: Sequence[Sequence[Any]]) -> None:
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(statement, values)


def as_json(value: object) -> str:
    """JSON text for a column."""
    return orjson.dumps(value).decode()
