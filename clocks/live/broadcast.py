"""Publish stored changes to this process's sockets and to other processes."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from clocks.desk import changes
from clocks.desk.changes import Change
from clocks.desk.requests import Reply
from clocks.host.server_time import now_ms
from clocks.live import draining
from clocks.live.hub import hub
from clocks.live.peers import peers, several_processes
from clocks.live.updates import Update, updates_of
from clocks.seats.takeover import SeatRequest

Replies = Sequence[tuple[Callable[[Reply], None], Reply]]

logger = logging.getLogger(__name__)
_replies: deque[tuple[Callable[[Reply], None], Reply]] = deque()  # delivered with the next updates


def replying(answered: Callable[[Reply], None]) -> Callable[[Reply], None]:
    """Wrap a reply callback to run in the event loop, before the commit's updates."""
    return lambda reply: _replies.append((answered, reply))


def publish(changed: Sequence[Change]) -> None:
    """Deliver replies and updates of a commit. Runs in the desk's thread."""
    updates: list[Update] = []
    try:
        now = now_ms()
        if hub.loop is not None:
            updates += updates_of(changed, now)
    finally:
        replies = []
        while _replies:
            replies.append(_replies.popleft())
        if replies or updates:
            _call(_deliver, replies, updates, True)


def publish_here(updates: Sequence[Update]) -> None:
    """Deliver updates that another process stored."""
    _call(_deliver, (), updates, False)


def probe_between_here(table_id: int) -> None:
    """Ping the shared phone, if any, at a table whose flag is due."""
    if (room := hub.tables.get(table_id)) is not None:
        _call(room.probe_between)


def tell_messages_here(messages: Mapping[int, tuple[int, str]]) -> None:
    """Send directors' messages to phones: id and frame by table."""
    _call(hub.tell_messages, messages)


def tell_screens_here(messages: Mapping[int, tuple[int, str]]) -> None:
    """Send directors' messages to hall screens: id and frame by tournament."""
    _call(hub.tell_screens, messages)


def tell_kept_here(text: str) -> None:
    """Send the state of the backups, as JSON, to directors' pages."""
    _call(hub.tell_kept, text)


def tell_seen_here() -> None:
    """Notify phones when another at their table has gone silent or is back."""
    _call(lambda: hub.tell_seen(now_ms()))


def tell_asks_here(asks: Sequence[SeatRequest]) -> None:
    """Send pending seat requests to this process's pages.

    Other processes find them through `catchup`.
    """
    _call(lambda: hub.tell_asks(asks, now_ms()))


def claim_alert(tournament_id: int, alert: str, by: str, at: int) -> None:
    """Tell all processes who handles an alert. Runs in the event loop's thread."""
    hub.claim_alert(tournament_id, alert, by, at)
    if several_processes():
        peers.tell_taken(tournament_id, alert, by, at)


def tell_starts_here(starts: Mapping[int, tuple[Mapping[str, int], Sequence[Any]]]) -> None:
    """Send start times by tournament; directors also get lateness penalties."""
    _call(hub.tell_starts, starts)


def forget_here(gone: Mapping[int, Collection[int]]) -> None:
    """Remove matches that are no longer at any table from tournament pages."""
    _call(hub.forget_matches, gone)


def end_here(matches: Mapping[int, int], tournaments: Mapping[int, int]) -> None:
    """Close sockets of ended matches (by table) and tournaments (with close codes)."""
    _call(hub.end_matches, matches)
    _call(hub.end_tournaments, tournaments)


def revoke_here(revoked: Collection[tuple[int, int]]) -> None:
    """Close sockets of users who may no longer watch, given as (tournament, user)."""
    _call(hub.revoke, revoked)


def sign_out_here(ended: Collection[tuple[str, int]]) -> None:
    """Close sockets of ended sessions, given as (stored key, user)."""
    _call(hub.sign_out, ended)


def _call(work: Callable[..., None], *arguments: Any) -> None:
    """Call `work` in the event loop's thread; do nothing without a running loop."""
    loop = hub.loop
    if loop is None:
        return
    try:
        loop.call_soon_threadsafe(work, *arguments)
    except RuntimeError:  # the loop is closed, and so are all sockets
        logger.debug("nobody left to tell")


def _deliver(replies: Replies, updates: Sequence[Update], stored_here: bool) -> None:
    for answered, answer in replies:
        answered(answer)
    for one in updates:
        hub.deliver(one)
    if updates and stored_here and several_processes():
        peers.tell(updates)


def listen() -> None:
    """Subscribe to the desk's changes, and connect to other processes, if any.

    Call in the event loop's thread.
    """
    hub.loop = asyncio.get_running_loop()
    changes.listen(publish)
    if several_processes():
        peers.begin()
        draining.begin()
