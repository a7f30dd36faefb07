"""Find ended matches and tournaments that still have subscribers, once a second.

An empty table is checked once, or repeatedly while it has sockets. Start times of rounds are read together with the
tournaments, so they are sent to directors and phones here.
"""

from collections.abc import Collection

from clocks.live import broadcast, protocol
from clocks.live.hub import hub
from clocks.models import CASUAL, Table, Tournament
from clocks.tournament import rounds

_empty: set[int] = set()  # tables without a match at the last poll


def look() -> None:
    """Publish the end of matches and tournaments, and start times of rounds."""
    followed = hub.followed()
    rows = Tournament.objects.filter(pk__in=followed).values_list("pk", "slug", "archived_at", "lateness")
    found = {key: (slug, archived_at, lateness) for key, slug, archived_at, lateness in rows}
    ended = dict.fromkeys(followed - found.keys(), protocol.NO_SUCH_MATCH)
    ended |= {key: protocol.PUT_AWAY for key, (_, archived_at, _lateness) in found.items() if archived_at is not None}
    if ended:
        broadcast.end_here({}, ended)
    played = [key for key, (slug, *_) in found.items() if slug != CASUAL]
    if played:
        starts = rounds.starts(played)
        broadcast.tell_starts_here({key: (starts[key], found[key][2]) for key in played})
    _look_at_empty(played)


def forget() -> None:
    """Reset after the database was replaced."""
    _empty.clear()


def _look_at_empty(tournament_ids: Collection[int]) -> None:
    """Publish the end of matches whose tables are now empty.

    A match that moved to another table has not ended: its phones follow it.
    """
    global _empty
    empty = set(Table.objects.filter(tournament__in=tournament_ids, current=None).values_list("pk", flat=True))
    news, _empty = empty - (_empty - hub.tables.keys()), empty
    if not news:
        return
    played = set(
        Table.objects.filter(tournament__in=tournament_ids).exclude(current=None).values_list("current_id", flat=True)
    )
    known = {key: set(hub.matches_in(key) or ()) for key in tournament_ids}
    broadcast.forget_here({key: gone for key, matches in known.items() if (gone := matches - played)})
    left = {table_id: match_id for table_id in news if (match_id := hub.match_at(table_id)[0])}
    broadcast.end_here({table_id: match_id for table_id, match_id in left.items() if match_id not in played}, {})
