"""Publishing what was stored: replies and updates to the sockets of this process, updates to the other processes.

The only room that knows the group's name and calls `group_send`.
"""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

from clocks.desk import changes
from clocks.desk.changes import Change
from clocks.desk.requests import Reply
from clocks.host.server_time import now_ms
from clocks.live.hub import hub
from clocks.live.updates import Update, update_of
from clocks.seats import presence
from clocks.seats.takeover import SeatRequest

GROUP = "clocks"
SEEN_S = 2.0

Replies = Sequence[tuple[Callable[[Reply], None], Reply]]

logger = logging.getLogger(__name__)
_me = secrets.token_hex(8)
_running: set[asyncio.Task[None]] = set()
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
            updates += [update_of(change, now) for change in changed]
    finally:
        replies = []
        while _replies:
            replies.append(_replies.popleft())
        if replies or updates:
            _call(_deliver, replies, updates, True)


def publish_here(updates: Sequence[Update]) -> None:
    """Tell the sockets of this process what another one stored."""
    _call(_deliver, (), updates, False)


def tell_messages_here(messages: Mapping[int, tuple[int, str]]) -> None:
    """Tell the phones at these tables of this process what the director says: number and frame."""
    _call(hub.tell_messages, messages)


def tell_screens_here(messages: Mapping[int, tuple[int, str]]) -> None:
    """Tell the hall's screens of this process what the director says to all: number and frame by tournament."""
    _call(hub.tell_screens, messages)


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
        _send({"type": "taken", "from": _me, "taken": [tournament_id, alert, by, at]})


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


def _deliver(replies: Replies, updates: Sequence[Update], abroad: bool) -> None:
    for answered, answer in replies:
        answered(answer)
    for one in updates:
        hub.deliver(one)
    if updates and abroad and several_processes():
        _send({"type": "news", "from": _me, "news": [list(one) for one in updates]})


# --- other processes -----------------------------------------------------------------------------------------------


def several_processes() -> bool:
    """Tell whether other processes may serve the same matches."""
    return "channels_redis" in settings.CHANNEL_LAYERS["default"]["BACKEND"]


def listen() -> None:
    """Begin to publish what the desk stores, and to exchange updates with the other processes, if there may be any.

    Call in the event loop's thread.
    """
    hub.loop = asyncio.get_running_loop()
    changes.listen(publish)
    if several_processes():
        _keep(_listen())
        _keep(_tell_seen())


def _keep(work: Any) -> None:
    task = asyncio.ensure_future(work)
    _running.add(task)
    task.add_done_callback(_running.discard)


def _send(message: dict[str, Any]) -> None:
    _keep(_group_send(message))


async def _group_send(message: dict[str, Any]) -> None:
    try:
        await get_channel_layer().group_send(GROUP, message)
    except Exception:
        # What is lost here is found within a second, among missed updates (`catchup`).
        logger.warning("the channel layer took no message", exc_info=True)


async def _listen() -> None:
    """Listen to what other processes say, for ever."""
    while True:
        try:
            layer = get_channel_layer()
            channel = await layer.new_channel()
            await layer.group_add(GROUP, channel)
            while True:
                _hear(await layer.receive(channel))
        except Exception:
            logger.warning("the channel layer is not reachable", exc_info=True)
            await asyncio.sleep(1)


def _hear(message: dict[str, Any]) -> None:
    if message["from"] == _me:
        return
    for one in message.get("news", ()):
        update = Update(*one)
        left, right = update.devices
        hub.deliver(update._replace(devices=(left, right), replaced=tuple(update.replaced)))
    if "taken" in message:
        hub.claim_alert(*message["taken"])
    for match_id, both in message.get("seen", {}).items():
        for index, at in enumerate(both):
            presence.saw(int(match_id), index, at)


async def _tell_seen() -> None:
    """Tell the other processes whose phones were heard here, for ever."""
    told_at = 0
    while True:
        await asyncio.sleep(SEEN_S)
        now = now_ms()
        seen = {str(match_id): list(both) for match_id, both in presence.since(told_at).items()}
        told_at = now
        if seen:
            _send({"type": "seen", "from": _me, "seen": seen})
