"""Messages between processes, over the channel layer.

Each process has its own channel, and announces the tables and tournaments that it follows to a group of all processes
(`peer_topics`). An update goes only to processes that follow its match, so a hit whose phones are all here leaves this
process only if somebody watches elsewhere.

Presence is sent to the same processes: at once to a process that begins to follow a match, then every few seconds.
Before a seat is claimed, all other processes are asked. PostgreSQL knows how many there are (`process_lock`): if one
does not answer, it may have heard from the phone, so the seat stays taken.
"""

import asyncio
import logging
from collections.abc import Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

from clocks.host.process_lock import process_lock
from clocks.host.server_time import now_ms
from clocks.live import command_limit
from clocks.live.hub import hub
from clocks.live.peer_topics import PeerTopics
from clocks.live.pools import ruling
from clocks.live.table_room import TableRoom
from clocks.live.updates import Update
from clocks.seats import presence

GROUP = "clocks-4"  # change it with the message format; then processes of different versions rely on `catchup`
FOLLOWED_S = 5.0  # interval between announcements of all topics
CONNECTED_MS = 2_500 * FOLLOWED_S  # two announcements may be lost
ROUND_S, ROUNDS = 1.0, 4  # returned phones are announced in each round, others in every fourth
ASK_S = 0.5  # timeout for answers of other processes
TRIES = 4  # attempts to discover all other processes

logger = logging.getLogger(__name__)
_running: set[asyncio.Task[None]] = set()


def several_processes() -> bool:
    """True if other processes may serve the same matches."""
    return "channels_redis" in settings.CHANNEL_LAYERS["default"]["BACKEND"]


class Peers:
    """Messages to and from the other processes, in the event loop's thread."""

    def __init__(self) -> None:
        self.topics = PeerTopics()
        self._channel = ""  # this process's channel; "" until the layer is first reached
        self._new: tuple[set[int], set[int]] = (set(), set())  # tables and tournaments still to be announced
        self._left: dict[int, tuple[int, int]] = {}  # table and tournament of matches whose last socket has just left
        self._numbers = count(1)
        self._heard_self_at = 0
        self._asked: dict[int, tuple[set[str], asyncio.Event]] = {}  # by question: channels yet to answer
        self._told_until: dict[int, int] = {}  # latest answer so far to each question

    def begin(self) -> None:
        """Start listening and sending."""
        hub.begins, hub.ends = self.follow, self.leave
        presence.ask_by(self.ask)
        for work in (self._listen, self._announce_all, self._tell_seen, self._stay_in_touch):
            _keep(work())

    def connected(self) -> bool:
        """True if Redis delivers this process's own announcements, or is not used."""
        return not several_processes() or now_ms() - self._heard_self_at < CONNECTED_MS

    def tell(self, updates: Sequence[Update]) -> None:
        """Send each process the updates that it follows; new matches at a table go to all."""
        news: dict[str, list[list[Any]]] = {}
        for one in updates:
            following = self.topics.following(one.table_id, one.tournament_id)
            for channel in self.topics.channels() if one.moved else following:
                news.setdefault(channel, []).append(list(one))
        for channel, theirs in news.items():
            _keep(_send(channel, {"type": "news", "from": self._channel, "news": theirs}))

    def tell_taken(self, tournament_id: int, alert: str, by: str, at: int) -> None:
        """Publish who handles an alert of a tournament."""
        self._tell_all({"type": "taken", "taken": [tournament_id, alert, by, at]})

    def follow(self, table_id: int | None, tournament_id: int | None) -> None:
        """Announce a newly followed table or tournament in the next iteration."""
        if self._new == (set(), set()):
            asyncio.get_running_loop().call_soon(self._announce_new)
        for new, one in zip(self._new, (table_id, tournament_id), strict=True):
            if one is not None:
                new.add(one)

    def leave(self, table_id: int, room: TableRoom) -> None:
        """Note that a table's last socket has left: its last presence is still to be sent."""
        self._left[room.match_id] = (table_id, room.tournament_id)

    def tell_seen(self, back_only: bool = False) -> None:
        """Send new presence to the processes that follow its matches."""
        seen = presence.to_tell(back_only)
        if self.topics.channels():
            self._tell_shares(self.topics.shares(self._left | hub.places(seen)), seen)
        if not back_only:
            self._left.clear()

    def ask(self, match_ids: Collection[int]) -> bool:
        """Ask all other processes when they last heard from these matches' phones.

        False if one does not answer in time. Call it in a thread that may use the database.
        """
        others = process_lock.others()
        if others == 0 or hub.loop is None:
            return others == 0
        try:
            asking = asyncio.run_coroutine_threadsafe(self._ask(list(match_ids)), hub.loop)
            return asking.result(2 * ASK_S) >= others
        except (TimeoutError, RuntimeError):  # the loop is blocked or closed
            return False

    async def _ask(self, match_ids: Sequence[int]) -> int:
        """Ask all known processes. Returns the number of answers in time."""
        channels = self.topics.channels()
        if not channels or not self._channel:
            return 0
        number, waited_for, answered = next(self._numbers), set(channels), asyncio.Event()
        self._asked[number] = (waited_for, answered)
        for channel in channels:
            _keep(_send(channel, {"type": "asks", "from": self._channel, "number": number, "heard": match_ids}))
        with suppress(TimeoutError):
            await asyncio.wait_for(answered.wait(), ASK_S)
        del self._asked[number]
        return len(channels) - len(waited_for)

    async def heard_until(self, match_id: int, device_id: int | None, now: int) -> int:
        """Time at which other processes last heard from a shared phone; 0 if none did.

        `now` if one does not answer: nothing then proves that the phone was silent.
        """
        for _ in range(TRIES):
            others = await ruling(process_lock.others)()
            if len(self.topics.channels()) >= others:
                break
            await asyncio.sleep(ASK_S)  # this or another process has just started
        if not others:
            return 0
        number, waited_for, answered = next(self._numbers), set(self.topics.channels()), asyncio.Event()
        asked = len(waited_for)
        self._asked[number], self._told_until[number] = (waited_for, answered), 0
        question = {"type": "asks", "from": self._channel, "number": number, "between": [match_id, device_id]}
        for channel in list(waited_for):
            _keep(_send(channel, question))
        with suppress(TimeoutError):
            await asyncio.wait_for(answered.wait(), ASK_S)
        del self._asked[number]
        until = self._told_until.pop(number)
        return until if asked - len(waited_for) >= others else now

    def hear(self, message: dict[str, Any]) -> None:
        """Handle another process's message; our own only shows that Redis delivers."""
        if message["from"] == self._channel:
            self._heard_self_at = now_ms()
            return
        sender, now = message["from"], now_ms()
        for one in message.get("news", ()):
            update = Update(*one)
            left, right = update.devices
            hub.deliver(update._replace(devices=(left, right), replaced=tuple(update.replaced)))
        if "taken" in message:
            hub.claim_alert(*message["taken"])
        if "seen" in message:
            told = {
                match_id: presence.heard_elsewhere(match_id, (left, right), now)
                for match_id, left, right in message["seen"]
            }
            back = {match_id for match_id, is_back in told.items() if is_back}
            if back:
                hub.tell_back(back, now)
            self._answered(message.get("number"), sender)
        if "heard" in message:
            self._tell_known(sender, message["heard"], message["number"])
        if "between" in message:
            match_id, device_id = message["between"]
            until = presence.heard_until(match_id, device_id, now)
            _keep(_send(sender, {"type": "until", "from": self._channel, "number": message["number"], "until": until}))
        if "until" in message and message["number"] in self._told_until:
            number = message["number"]
            self._told_until[number] = max(self._told_until[number], message["until"] or 0)
            self._answered(number, sender)
        if "tables" in message:
            followed = (message["tables"], message["tournaments"], message["whole"])
            tables, tournaments = self.topics.said(sender, *followed, now)
            self._tell_known(sender, hub.matches_at(tables, tournaments))
            if message["asks"]:
                self._announce(hub.tables, hub.tournaments, whole=True)

    def _answered(self, number: int | None, sender: str) -> None:
        """Record an answer to a pending question."""
        if number is not None and number in self._asked:
            waited_for, answered = self._asked[number]
            waited_for.discard(sender)
            if not waited_for:
                answered.set()

    def _tell_known(self, channel: str, match_ids: Collection[int], number: int | None = None) -> None:
        """Send a process the presence of these matches, in answer to question `number`."""
        seen = presence.known(match_ids)
        if seen or number is not None:
            _keep(_send(channel, self._seen(seen) | {"number": number}))

    def _tell_shares(self, shares: Mapping[str, Sequence[int]], seen: Mapping[int, Sequence[int]]) -> None:
        for channel, match_ids in shares.items():
            theirs = {match_id: seen[match_id] for match_id in match_ids if match_id in seen}
            if theirs:
                _keep(_send(channel, self._seen(theirs)))

    def _seen(self, seen: Mapping[int, Sequence[int]]) -> dict[str, Any]:
        return {"type": "seen", "from": self._channel, "seen": [[match_id, *both] for match_id, both in seen.items()]}

    def _announce_new(self) -> None:
        (tables, tournaments), self._new = self._new, (set(), set())
        self._announce(tables, tournaments)

    def _announce(self, *followed: Any, whole: bool = False, asks: bool = False) -> None:
        """Announce this process's topics: all of them (`whole`), or only these.

        With `asks`, all other processes announce theirs in reply.
        """
        tables, tournaments = map(sorted, followed)
        said = {"tables": tables, "tournaments": tournaments, "whole": whole, "asks": asks}
        self._tell_all({"type": "follows", **said})

    def _tell_all(self, message: dict[str, Any]) -> None:
        if self._channel:
            _keep(_group_send({**message, "from": self._channel}))

    async def _listen(self) -> None:
        """Receive messages, forever."""
        while True:
            try:
                layer = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(GROUP, channel)
                self._channel = channel
                self._announce(hub.tables, hub.tournaments, whole=True, asks=True)
                while True:
                    self.hear(await layer.receive(channel))
            except Exception:
                logger.warning("the channel layer is not reachable", exc_info=True)
                await asyncio.sleep(1)

    async def _announce_all(self) -> None:
        while True:
            await asyncio.sleep(FOLLOWED_S)
            self.topics.forget_silent(now_ms())
            self._announce(hub.tables, hub.tournaments, whole=True)

    async def _tell_seen(self) -> None:
        """Send presence, forever."""
        for number in count(1):
            await asyncio.sleep(ROUND_S)
            self.tell_seen(back_only=number % ROUNDS != 0)

    async def _stay_in_touch(self) -> None:
        """Check every second that all other processes answer; share limits among them."""
        while True:
            asked_at = now_ms()
            try:
                others = await ruling(process_lock.others)()
                command_limit.share_among(1 + others)
                if await self._ask([]) >= others:
                    presence.all_answered(asked_at)
            except Exception:
                logger.warning("it is not known which other processes there are", exc_info=True)
            await asyncio.sleep(ROUND_S)


def _keep(work: Coroutine[Any, Any, None]) -> None:
    task = asyncio.ensure_future(work)
    _running.add(task)
    task.add_done_callback(_running.discard)


async def _send(channel: str, message: dict[str, Any]) -> None:
    try:
        await get_channel_layer().send(channel, message)
    except Exception:
        # The receiver finds a lost update within a second (`catchup`).
        logger.warning("the channel layer took no message", exc_info=True)


async def _group_send(message: dict[str, Any]) -> None:
    try:
        await get_channel_layer().group_send(GROUP, message)
    except Exception:
        logger.warning("the channel layer took no message", exc_info=True)


peers = Peers()
