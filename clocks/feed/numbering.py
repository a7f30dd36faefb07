"""Number and store feed events.

The desk waits while the feed writes to SQLite, so events arrive here fully prepared, and storing them takes few
statements.
"""

import logging
from collections.abc import Sequence
from typing import NamedTuple

from django.db import IntegrityError, connection, transaction

from clocks.models import FeedEvent, Tournament

AT_A_TIME = 500

_TABLE = FeedEvent._meta.db_table
_LAST = f"SELECT COALESCE(MAX(number), 0) FROM {_TABLE} WHERE tournament_id = %s"
_INSERT = (
    f"INSERT INTO {_TABLE} "
    "(tournament_id, number, at, kind, data, match_id, entry_id, log_entry_id) VALUES {}"  # same order as Numberless
)
_ROW = "(%s, %s, %s, %s, %s, %s, %s, %s)"

logger = logging.getLogger(__name__)


class Numberless(NamedTuple):
    """An event that has no number yet; `data` is JSON text.

    Its source is either a journal entry of a match or an entry of the tournament's log.
    """

    at: int
    kind: str
    data: str
    match_id: int | None
    entry_id: int | None
    log_entry_id: int | None


def store(tournament_id: int, events: Sequence[Numberless]) -> None:
    """Store events with the next numbers of their tournament.

    If another process has recorded some of them, stores nothing; the next pass records the rest.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.features.has_select_for_update:  # SQLite has one writer at a time
                Tournament.objects.select_for_update().get(pk=tournament_id)
            cursor.execute(_LAST, [tournament_id])
            (last,) = cursor.fetchone()
            rows = [(tournament_id, number, *event) for number, event in enumerate(events, last + 1)]
            for begin in range(0, len(rows), AT_A_TIME):
                some = rows[begin : begin + AT_A_TIME]
                cursor.execute(_INSERT.format(", ".join([_ROW] * len(some))), [value for row in some for value in row])
    except IntegrityError:
        logger.debug("another process has recorded some of this; the rest follows")
