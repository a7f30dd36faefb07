"""What is looked up once a second, because nobody tells this process: updates, messages, and who may no longer watch.

A management command beside an embedded server tells nobody, and Redis loses what is sent while it restarts. So the
versions in the database are compared with what the sockets here were last told. The director's messages to phones,
the end of somebody's session or role and, from another process, phones that ask for a seat need be no faster than
that, and so go no other way.
"""

from django.contrib.auth.models import User

from clocks.desk.changes import Change
from clocks.host.server_time import now_ms
from clocks.journal import entries, stored
from clocks.live import broadcast, updates
from clocks.live.hub import hub
from clocks.live.updates import update_of
from clocks.people import sessions
from clocks.people.roles import Action, tournaments_of
from clocks.seats import takeover
from clocks.tournament.messages import message_to_all, messages_at

OVERLAP = 1_000  # entries read again: on PostgreSQL one may become visible after another with a higher id

_looked_up_to: int | None = None


def look() -> None:
    """Tell the sockets of this process what they have not heard; close those that may no longer watch."""
    tables, tournaments = hub.watched()
    if tables or tournaments:
        broadcast.tell_seen_here()
        _tell_updates(tables, tournaments)
        _tell_messages(list(tables))
        _tell_screens(list(tournaments))
        broadcast.tell_asks_here(takeover.waiting(now_ms()))
        _revoke()
        _sign_out()


def forget() -> None:
    """Begin anew with the entries that there are: another database may count its own from one."""
    global _looked_up_to
    _looked_up_to = None


def _tell_updates(tables: dict[int, tuple[int, int]], tournaments: dict[int, dict[int, int]]) -> None:
    """Tell of every match that has moved on unnoticed, to another version or another table."""
    unheard = _unheard(tables, tournaments)
    if not unheard:
        return
    missed = {}
    for tournament_id, table_id, match_id, version in stored.current_versions(unheard):
        known = tables.get(table_id)
        moved = known is not None and known[0] not in (0, match_id)
        behind = known is not None and (moved or known[1] < version)
        watched = tournaments.get(tournament_id)
        if behind or (watched is not None and watched.get(match_id, 0) < version):
            missed[match_id] = moved
    known_at = {match_id: table_id for table_id, (match_id, _) in tables.items() if match_id in unheard}
    missed |= dict.fromkeys(stored.moved_away(known_at), True)
    if missed:
        now = now_ms()
        boards = stored.matches(missed)
        broadcast.publish_here([update_of(Change(board, moved=missed[pk]), now) for pk, board in boards.items()])


def _unheard(tables: dict[int, tuple[int, int]], tournaments: dict[int, dict[int, int]]) -> set[int]:
    """Return the matches with new entries that the sockets here were not told of, also those that nobody watches."""
    global _looked_up_to
    if _looked_up_to is None:
        _looked_up_to = entries.newest_entry()
    changed, newest = entries.versions_since(_looked_up_to - OVERLAP)
    _looked_up_to = max(_looked_up_to, newest)
    known = dict(tables.values())
    for versions in tournaments.values():
        for match_id, version in versions.items():
            known[match_id] = min(version, known.get(match_id, version))
    return {match_id for match_id, version in changed.items() if known.get(match_id, 0) < version}


def _tell_messages(table_ids: list[int]) -> None:
    now = now_ms()
    messages = messages_at(table_ids, now)
    broadcast.tell_messages_here(
        {
            table_id: (message.pk if message else 0, updates.message_frame(message, now))
            for table_id, message in messages.items()
        }
    )


def _tell_screens(tournament_ids: list[int]) -> None:
    now = now_ms()
    messages = {tournament_id: message_to_all(tournament_id, now) for tournament_id in tournament_ids}
    broadcast.tell_screens_here(
        {key: (message.pk if message else 0, updates.message_frame(message, now)) for key, message in messages.items()}
    )


def _sign_out() -> None:
    """Close the sockets that have outlived their session: signed out, idle too long, or the password was changed."""
    watching = hub.sessions()
    if watching:
        still = sessions.users_of({key for key, _ in watching})
        ended = {(key, user_id) for key, user_id in watching if still.get(key) != user_id}
        if ended:
            broadcast.sign_out_here(ended)


def _revoke() -> None:
    watchers = hub.watchers()
    for user_id in {user_id for _, user_id in watchers}:
        may_watch = set(tournaments_of(User(pk=user_id), Action.WATCH).values_list("pk", flat=True))
        revoked = {pair for pair in watchers if pair[1] == user_id and pair[0] not in may_watch}
        if revoked:
            broadcast.revoke_here(revoked)
