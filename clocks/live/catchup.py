"""Poll the database once a second for missed updates.

Management commands publish no updates, and Redis loses messages while it restarts, so the versions in the database are
compared with those last sent. Directors' messages, start times, ended sessions and roles, and other processes' seat
requests are less urgent and use only this path.
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import connection

from clocks.backups import last
from clocks.desk.changes import Change
from clocks.host.server_time import now_ms
from clocks.journal import entries, stored
from clocks.live import broadcast, ended, protocol, updates
from clocks.live.hub import hub
from clocks.live.peers import peers, several_processes
from clocks.live.updates import updates_of
from clocks.models import Message
from clocks.people import sessions
from clocks.people.roles import Action, tournaments_of
from clocks.seats import takeover
from clocks.tournament.messages import message_to_all, messages_at, tournaments_with_messages

AT_FIRST = 1_000  # entries read at the first poll: more than are stored while the first sockets join
OVERLAP = AT_FIRST if connection.vendor == "postgresql" else 0  # read again: on PostgreSQL some entries appear late
AGAIN_MS = 10_000  # interval between lookups of a match without sockets here
UNDER_WAY_MS = 700  # grace period for updates from other processes before the match is read

_looked_up_to: int | None = None
_elsewhere: dict[int, int] = {}  # time of the last lookup of each match without sockets here
_awaited: dict[int, tuple[int, int]] = {}  # version and time of updates in transit at the last poll
_begun = 0  # `hub.begun` at the last poll


def look() -> None:
    """Send missed updates, and close sockets that may no longer watch."""
    if hub.tables or hub.tournaments:
        broadcast.tell_seen_here()
        _tell_updates()
        _tell_messages()
        if hub.tournaments:
            _tell_kept()
        broadcast.tell_asks_here(takeover.waiting(now_ms()))
        ended.look()
        _revoke()
        _sign_out()


def forget() -> None:
    """Reset after the database was replaced: its entries may start at 1 again."""
    global _looked_up_to
    _looked_up_to = None
    _elsewhere.clear()
    _awaited.clear()
    hub.told.clear()
    ended.forget()


def _tell_updates() -> None:
    """Send every match that has a missed version or a new table."""
    unheard = _unheard(now_ms())
    if not unheard:
        return
    played = stored.current_versions(unheard)
    missed = {}
    for tournament_id, table_id, match_id, version in played:
        shown, told = hub.match_at(table_id)
        moved = shown not in (0, match_id)
        behind = table_id in hub.tables and (moved or told < version)
        watched = hub.matches_in(tournament_id)
        if behind or (watched is not None and watched.get(match_id, 0) < version):
            missed[match_id] = moved
        if table_id in hub.tables or watched is not None:
            _elsewhere.pop(match_id)
    # A match shown at its current table has not moved. Usually all are shown there, which avoids a scan of all rooms.
    at_theirs = {match_id for _, table_id, match_id, _ in played if hub.match_at(table_id)[0] == match_id}
    known_at = {match_id: table_id for match_id, (table_id, _) in hub.places(unheard - at_theirs).items()}
    missed |= dict.fromkeys(stored.moved_away(known_at), True)
    if missed:
        now = now_ms()
        boards = stored.matches(missed)
        broadcast.publish_here(updates_of([Change(board, moved=missed[pk]) for pk, board in boards.items()], now))


def _unheard(now: int) -> set[int]:
    """Matches with entries not sent here, unless elsewhere or still in transit.

    Marks all of them as elsewhere; the caller unmarks those with sockets here.
    """
    global _looked_up_to, _begun
    if _looked_up_to is None:
        _looked_up_to = entries.newest_entry() - AT_FIRST
    found, newest = entries.versions_since(_looked_up_to - OVERLAP)
    _looked_up_to = max(_looked_up_to, newest)
    changed = _awaited | found
    _awaited.clear()
    for match_id in [match_id for match_id in list(hub.told) if match_id not in changed]:
        hub.told.pop(match_id, None)
    if _begun != hub.begun:
        _begun = hub.begun
        _elsewhere.clear()
    for match_id in [match_id for match_id, at in _elsewhere.items() if now - at > AGAIN_MS]:
        del _elsewhere[match_id]
    told = hub.told.copy()
    unheard = {
        match_id
        for match_id, (version, _) in changed.items()
        if told.get(match_id, 0) < version and match_id not in _elsewhere
    }
    if several_processes() and peers.connected():
        _awaited.update(
            {match_id: changed[match_id] for match_id in unheard if now - changed[match_id][1] < UNDER_WAY_MS}
        )
    unheard -= _awaited.keys()
    _elsewhere.update(dict.fromkeys(unheard, now))
    return unheard


def _tell_messages() -> None:
    """Send directors' messages to the phones and hall screens that may need them."""
    now = now_ms()
    tables, tournaments = hub.with_messages(tournaments_with_messages(now))
    at_tables = messages_at(tables, now) if tables else {}
    broadcast.tell_messages_here({key: _numbered(message, now) for key, message in at_tables.items()})
    to_all = {key: _numbered(message_to_all(key, now), now) for key in tournaments}
    broadcast.tell_screens_here(to_all)


def _numbered(message: Message | None, now: int) -> tuple[int, str]:
    return message.pk if message else 0, updates.message_frame(message, now)


def _tell_kept() -> None:
    kept = last.state()
    at, overdue_at = (None if moment is None else _ms(moment) for moment in (kept.at, kept.overdue_at))
    broadcast.tell_kept_here(protocol.kept(at, overdue_at, kept.free_bytes, kept.low_space))


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def _sign_out() -> None:
    """Close sockets of ended sessions: signed out, expired, or password changed."""
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
