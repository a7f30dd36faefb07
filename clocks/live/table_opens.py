"""Sockets that open at tables are looked up together: ten cost little more than one.

After a restart a whole hall comes back at once. Whoever opens alone is looked up at once; whoever comes just after
somebody else waits for a moment, in which others gather and presses are heard.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.journal.stored import StoredMatch
from clocks.live import protocol
from clocks.live.pools import opening
from clocks.models import Message
from clocks.people import devices
from clocks.tournament import codes, messages

MOST_TOGETHER = 80
REST_S = 0.03  # each look-up has a connection of its own, and six queries


class Asked(NamedTuple):
    """Who opens: the code in the address, the phone's token ("" without one), and whether anybody is there still."""

    code: str
    token: str
    is_there: Callable[[], bool]


class Found(NamedTuple):
    """What was found for them: the table, its tournament, the phone, the match played there, what they are told.

    Or the code to close with, where there is no such table, or none that is played at any more.
    """

    table_id: int = 0
    tournament_id: int = 0
    device_id: int | None = None
    board: StoredMatch | None = None
    message: Message | None = None
    refused_with: int | None = None


def read(asked: Sequence[Asked]) -> list[Found | None]:
    """Look these up; None for whoever has gone meanwhile."""
    there = [one for one in asked if one.is_there()]
    tables = codes.tables_with({one.code for one in there})
    played = [table.id for table in tables.values() if not table.put_away]
    phones = devices.by_token({one.token for one in there if one.token})
    boards = stored.matches_at_tables(played)
    told = messages.messages_at(played, now_ms())
    found: dict[Asked, Found] = {}
    for one in there:
        table = tables.get(one.code)
        if table is None:
            found[one] = Found(refused_with=protocol.NO_SUCH_MATCH)
        elif table.put_away:
            found[one] = Found(refused_with=protocol.PUT_AWAY)
        else:
            phone_id = phones[one.token].pk if one.token in phones else None
            where = (table.id, table.tournament_id)
            found[one] = Found(*where, phone_id, boards.get(table.id), told.get(table.id))
    return [found.get(one) for one in asked]


class TableOpens:
    """Those who wait to be looked up. In the event loop's thread."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Asked, asyncio.Future[Found | None]]] = deque()
        self._working: asyncio.Task[None] | None = None

    async def look_up(self, asked: Asked) -> Found | None:
        """Return what is found for somebody; None where they have gone by then."""
        found = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, found))
        if self._working is None:
            self._working = asyncio.ensure_future(self._work())
        answer: Found | None = await found
        return answer

    async def _work(self) -> None:
        try:
            while self._waiting:
                together = [self._waiting.popleft() for _ in range(min(MOST_TOGETHER, len(self._waiting)))]
                await self._settle(together)
                await asyncio.sleep(REST_S)
        finally:
            self._working = None

    async def _settle(self, together: Sequence[tuple[Asked, asyncio.Future[Found | None]]]) -> None:
        try:
            answers = await opening(read)([asked for asked, _ in together])
        except Exception as error:
            for _, future in together:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), answer in zip(together, answers, strict=True):
            if not future.done():  # nobody waits any more where the socket was ended
                future.set_result(answer)


table_opens = TableOpens()
