"""Events get the next numbers of their tournament, and are stored.

While SQLite stores something for the feed the desk waits: so events come here as they are stored, and it takes two
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
    "(tournament_id, number, at, kind, data, match_id, entry_id, log_entry_id) VALUES {}"  # in the order of Numberless
)
_ROW = "(%s, %s, %s, %s, %s, %s, %s, %s)"

logger = logging.getLogger(__name__)


class Numberless(NamedTuple):
    """An event that has no number yet; `data` is JSON text. It is from an entry of a journal or of a log."""

    at: int
    kind: str
    data: str
    match_id: int | None
    entry_id: int | None
    log_entry_id: int | None


def store(tournament_id: int, events: Sequence[Numberless]) -> None:
    """Give events the next numbers of their tournament; what another process has recorded meanwhile is left to it."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.features.has_select_for_update:  # elsewhere nobody else writes meanwhile
                Tournament.objects.select_for_update().get(pk=tournament_id)
            cursor.execute(_LAST, [tournament_id])
            (last,) = cursor.fetchone()
            rows = [(tournament_id, number, *event) for number, event in enumerate(events, last + 1)]
            for begin in range(0, len(rows), AT_A_TIME):
                some = rows[begin : begin + AT_A_TIME]
                cursor.execute(_INSERT.format(", ".join([_ROW] * len(some))), [value for row in some for value in row])
    except IntegrityError:
        logger.debug("another process has recorded some of this; the rest follows")
