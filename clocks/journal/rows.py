"""Journal entries as rows, for bulk SQL reads and writes."""

from typing import NamedTuple

from clocks.models import JournalEntry

TABLE = JournalEntry._meta.db_table


class Row(NamedTuple):
    """A journal entry, in the order of its columns.

    `data` and `command` are JSON text.
    """

    match_id: int
    seq: int
    at: int
    by: str
    device_id: int | None
    user_id: int | None
    event: str
    data: str
    command: str | None
    command_id: str | None
    claimed_at: int | None
    credit_ms: int
    heard_at: int | None
    user_name: str = ""
    user_role: str = ""


COLUMNS = ", ".join(f'"{name}"' for name in Row._fields)
INSERT = f"INSERT INTO {TABLE} ({COLUMNS}, seals, hash) VALUES ({', '.join(['%s'] * (len(Row._fields) + 2))})"
