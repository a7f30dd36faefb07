"""Publishing what was stored: replies and updates to the sockets of this process, updates to the other processes."""

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
_replies: deque[tuple[Callable[[Reply], None], Reply]] = deque()  # to be given together with what is published next


def replying(answered: Callable[[Reply], None]) -> Callable[[Reply], None]:
    """Return what the desk is to call so that `answered` is called in the event loop's thread, before the updates."""
    return lambda reply: _replies.append((answered, reply))


def publish(changed: Sequence[Change]) -> None:
    """Answer the senders and tell everybody, here and in the other processes: once a commit, in the desk's thread."""
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
    """Tell the sockets of this process what another one stored."""
    _call(_deliver, (), updates, False)


def probe_between_here(table_id: int) -> None:
    """Ping the phone between the players at a table of this process: its flag is due."""
    if (room := hub.tables.get(table_id)) is not None:
        _call(room.probe_between)


def tell_messages_here(messages: Mapping[int, tuple[int, str]]) -> None:
    """Tell the phones at these tables of this process what the director says: number and frame."""
    _call(hub.tell_messages, messages)


def tell_screens_here(messages: Mapping[int, tuple[int, str]]) -> None:
    """Tell the hall's screens of this process what the director says to all: number and frame by tournament."""
    _call(hub.tell_screens, messages)


def tell_kept_here(text: str) -> None:
    """Tell the directors' pages of this process what is known of copies."""
    _call(hub.tell_kept, text)


def tell_seen_here() -> None:
    """Tell the phones of this process which phones have fallen silent, or are back."""
    _call(lambda: hub.tell_seen(now_ms()))


def tell_asks_here(asks: Sequence[SeatRequest]) -> None:
    """Tell the pages of this process which phones ask for a seat; those of other processes look for themselves."""
    _call(lambda: hub.tell_asks(asks, now_ms()))


def claim_alert(tournament_id: int, alert: str, by: str, at: int) -> None:
    """Tell the directors' pages of a tournament who is coming to deal with an alert. In the event loop's thread."""
    hub.claim_alert(tournament_id, alert, by, at)
    if several_processes():
        peers.tell_taken(tournament_id, alert, by, at)


def tell_starts_here(starts: Mapping[int, tuple[Mapping[str, int], Sequence[Any]]]) -> None:
    """Tell the directors' pages of this process when rounds start and what being late costs, by tournament."""
    _call(hub.tell_starts, starts)


def forget_here(gone: Mapping[int, Collection[int]]) -> None:
    """Tell this process's pages of these tournaments which matches are at no table any more."""
    _call(hub.forget_matches, gone)


def end_here(matches: Mapping[int, int], tournaments: Mapping[int, int]) -> None:
    """Close the sockets of this process that follow these matches (by table), or these tournaments: with which code."""
    _call(hub.end_matches, matches)
    _call(hub.end_tournaments, tournaments)


def revoke_here(revoked: Collection[tuple[int, int]]) -> None:
    """Close the sockets of this process on which users watch tournaments that they may no longer watch."""
    _call(hub.revoke, revoked)


def sign_out_here(ended: Collection[tuple[str, int]]) -> None:
    """Close the sockets of this process that came by these sessions, each with its user."""
    _call(hub.sign_out, ended)


def _call(work: Callable[..., None], *arguments: Any) -> None:
    """Do something in the event loop's thread, if there is one."""
    loop = hub.loop
    if loop is None:
        return
    try:
        loop.call_soon_threadsafe(work, *arguments)
    except RuntimeError:  # the loop is closed, and with it every socket
        logger.debug("nobody left to tell")


def _deliver(replies: Replies, updates: Sequence[Update], stored_here: bool) -> None:
    for answered, answer in replies:
        answered(answer)
    for one in updates:
        hub.deliver(one)
    if updates and stored_here and several_processes():
        peers.tell(updates)


def listen() -> None:
    """Begin to publish what the desk stores, and to exchange updates with the other processes, if there may be any.

    Call in the event loop's thread.
    """
    hub.loop = asyncio.get_running_loop()
    changes.listen(publish)
    if several_processes():
        peers.begin()
        draining.begin()
