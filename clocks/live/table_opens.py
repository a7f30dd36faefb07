"""Batched lookups for new table sockets, since a whole hall reconnects at once."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.journal.stored import StoredMatch
from clocks.live import protocol
from clocks.live.together import Together
from clocks.models import Message
from clocks.seats import devices
from clocks.tournament import code_limit, codes, messages


class Asked(NamedTuple):
    """Query of a new socket; `is_there()` is True while its client is connected."""

    code: str
    token: str
    is_there: Callable[[], bool]
    address: str = ""


class Found(NamedTuple):
    """Result for a socket; `refused_with` is the close code if it is rejected."""

    table_id: int = 0
    tournament_id: int = 0
    device_id: int | None = None
    board: StoredMatch | None = None
    message: Message | None = None
    refused_with: int | None = None


def read(asked: Sequence[Asked]) -> list[Found | None]:
    """Look up a batch of sockets; None for a client that has gone."""
    there = [one for one in asked if one.is_there()]
    tables = codes.tables_with({one.code for one in there})
    played = [table.id for table in tables.values() if not table.archived]
    phones = devices.by_token({one.token for one in there if one.token})
    boards = stored.matches_at_tables(played)
    told = messages.messages_at(played, now_ms())
    found: dict[Asked, Found] = {}
    for one in there:
        table, phone_id = tables.get(one.code), phones[one.token].pk if one.token in phones else None
        if not _is_let_in(one, table, phone_id):
            found[one] = Found(refused_with=protocol.TOO_MANY_MESSAGES)
        elif table is None:
            found[one] = Found(refused_with=protocol.NO_SUCH_MATCH)
        elif table.archived:
            found[one] = Found(refused_with=protocol.PUT_AWAY)
        else:
            where = (table.id, table.tournament_id)
            found[one] = Found(*where, phone_id, boards.get(table.id), told.get(table.id))
    return [found.get(one) for one in asked]


def _is_let_in(one: Asked, table: codes.CodedTable | None, phone_id: int | None) -> bool:
    """Count a wrong code. False if the address has tried too many.

    Then even a correct code is rejected, unless `code_limit.admits` the client.
    """
    if not code_limit.is_spent(one.address):
        if table is None and one.code:
            code_limit.count_wrong_code(one.address)
        return True
    if table is None:
        code_limit.count_wrong_code_of(phone_id)
        return False
    return code_limit.admits(one.address, phone_id, table.id, table.tournament_id)


table_opens: Together[Asked, Found | None] = Together(lambda asked: read(asked))
