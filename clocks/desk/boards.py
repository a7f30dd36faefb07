"""Cache of stored matches, locked and checked for each batch."""

from collections import OrderedDict
from collections.abc import Collection, Iterable

from django.db import connection

from clocks.engine.closed_sets import Status
from clocks.host.server_time import now_ms
from clocks.journal import chain, stored
from clocks.journal.stored import StoredMatch
from clocks.models import Match

# Cache size, more than a process serves, because a cache miss delays a press by a millisecond.
AT_HAND = 12_000
IDLE_MS = 120_000  # idle matches are evicted, because the end of a match in another process is not noticed here

_TABLE = Match._meta.db_table
_LOCK = f"SELECT id, version, left_device_id, right_device_id FROM {_TABLE} WHERE id IN ({{}}) ORDER BY id"


class Boards(OrderedDict[int, StoredMatch]):
    """Stored matches by id, least recently used first."""

    def load(self, match_ids: set[int]) -> None:
        """Lock these matches in key order; read those not cached or changed elsewhere."""
        if not match_ids:
            return
        sql = _LOCK.format(", ".join(["%s"] * len(match_ids)))
        if connection.features.has_select_for_update:
            sql += " FOR UPDATE"
        with connection.cursor() as cursor:
            cursor.execute(sql, sorted(match_ids))
            locked = cursor.fetchall()
        outdated = []
        for match_id, version, left, right in locked:
            board = self.get(match_id)
            if board is None or board.version != version:
                outdated.append(match_id)
            else:
                board.devices = (left, right)
                self.move_to_end(match_id)
        for match_id, read in _read(outdated).items():
            self[match_id] = read
            self.move_to_end(match_id)
        if len(locked) < len(match_ids):
            for gone in match_ids - {row[0] for row in locked}:
                self.pop(gone, None)

    def put_away(self, match_ids: Iterable[int]) -> None:
        """Evict these matches if finished, idle ones, and the least recently used excess."""
        for match_id in match_ids:
            board = self.get(match_id)
            if board is not None and board.match.status == Status.OVER:
                del self[match_id]
        idle_since = now_ms() - IDLE_MS
        while self:
            unused_for_longest = next(iter(self.values()))
            if len(self) <= AT_HAND and unused_for_longest.match.at >= idle_since:
                break
            del self[unused_for_longest.id]

    def read_again(self, match_ids: Collection[int], wanted: Iterable[int]) -> set[int]:
        """Evict all matches at these matches' tables; reload these and missing `wanted`.

        Returns the tables that one of these matches has left.
        """
        before = {match_id: self[match_id].table_id for match_id in match_ids}
        tables = set(before.values())
        for match_id in [board.id for board in self.values() if board.table_id in tables]:
            del self[match_id]
        self.update(_read({match_id for match_id in (*match_ids, *wanted) if match_id not in self}))
        return {at for match_id, at in before.items() if match_id not in self or self[match_id].table_id != at}


def _read(match_ids: Collection[int]) -> dict[int, StoredMatch]:
    """Read these locked matches and the heads of their hash chains."""
    boards = stored.matches(match_ids)
    for match_id, head in chain.heads_to_follow(boards).items():
        boards[match_id].head = head
    return boards
