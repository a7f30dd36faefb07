"""The other processes: what they are told, and what they tell. The only module that sends by the channel layer.

Each process has a channel of its own, at which it hears of matches that it follows and of no others; it says what it
follows to a group in which all are (`peer_topics`). A hit both of whose phones are here leaves this process only where
somebody watches elsewhere, and whoever has no socket for it spends nothing on it.

Whose phones were heard goes the same way: a process that begins to follow a match is told at once, and again every few
seconds. Where it has to be known at once, because a page claims a seat, all other processes are asked. How many there
are, PostgreSQL says (`process_lock`): one that answers nothing may have heard the phone, so its seat is not taken.
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
from clocks.live.hub import hub
from clocks.live.peer_topics import PeerTopics
from clocks.live.pools import ruling
from clocks.live.table_room import TableRoom
from clocks.live.updates import Update
from clocks.seats import presence

GROUP = "clocks-4"  # another one where messages change: processes of two versions leave each other to `catchup`
FOLLOWED_S = 5.0  # between two statements of all that is followed here
ROUND_S, ROUNDS = 1.0, 4  # a phone that is back is told of at once, others every fourth round
ASK_S = 0.5  # how long the answer of another process is awaited
TRIES = 4  # to know as many other processes as there are

logger = logging.getLogger(__name__)
_running: set[asyncio.Task[None]] = set()


def several_processes() -> bool:
    """Tell whether other processes may serve the same matches."""
    return "channels_redis" in settings.CHANNEL_LAYERS["default"]["BACKEND"]


class Peers:
    """What this process exchanges with the others, if there may be any. In the event loop's thread."""

    def __init__(self) -> None:
        self.topics = PeerTopics()
        self._channel = ""  # this process's own; empty while the layer cannot be reached
        self._new: tuple[set[int], set[int]] = (set(), set())  # tables and tournaments, not yet said to be followed
        self._left: dict[int, tuple[int, int]] = {}  # where matches are whose last socket left since the last round
        self._numbers = count(1)
        self._asked: dict[int, tuple[set[str], asyncio.Event]] = {}  # who is still to answer a question
        self._told_until: dict[int, int] = {}  # of the questions when a phone was heard: the latest answer so far

    def begin(self) -> None:
        """Listen and tell from now on."""
        hub.begins, hub.ends = self.follow, self.leave
        presence.ask_by(self.ask)
        for work in (self._listen, self._say_what_is_followed, self._tell_seen, self._stay_in_touch):
            _keep(work())

    def tell(self, updates: Sequence[Update]) -> None:
        """Tell each process the updates that it follows; all of them, where a table plays another match from now on."""
        news: dict[str, list[list[Any]]] = {}
        for one in updates:
            following = self.topics.following(one.table_id, one.tournament_id)
            for channel in self.topics.channels() if one.moved else following:
                news.setdefault(channel, []).append(list(one))
        for channel, theirs in news.items():
            _keep(_send(channel, {"type": "news", "from": self._channel, "news": theirs}))

    def tell_taken(self, tournament_id: int, alert: str, by: str, at: int) -> None:
        """Tell who is coming to deal with an alert of a tournament."""
        self._tell_all({"type": "taken", "taken": [tournament_id, alert, by, at]})

    def follow(self, table_id: int | None, tournament_id: int | None) -> None:
        """Note that the first socket for a table or tournament is here; it is said once this turn of the loop ends."""
        if self._new == (set(), set()):
            asyncio.get_running_loop().call_soon(self._say_what_is_new)
        for new, one in zip(self._new, (table_id, tournament_id), strict=True):
            if one is not None:
                new.add(one)

    def leave(self, table_id: int, room: TableRoom) -> None:
        """Note that the last socket of a table is gone: what it was heard of last is still to be told."""
        self._left[room.match_id] = (table_id, room.tournament_id)

    def tell_seen(self, back_only: bool = False) -> None:
        """Tell the processes that follow a match whose phones were heard here since they were last told."""
        seen = presence.to_tell(back_only)
        if self.topics.channels():
            self._tell_shares(self.topics.shares(self._left | hub.places(seen)), seen)
        if not back_only:
            self._left.clear()

    def ask(self, match_ids: Collection[int]) -> bool:
        """Ask all other processes when the phones of these matches were heard, not for long; False if one is missing.

        In a thread that may ask the database.
        """
        others = process_lock.others()
        if others == 0 or hub.loop is None:
            return others == 0
        try:
            asking = asyncio.run_coroutine_threadsafe(self._ask(list(match_ids)), hub.loop)
            return asking.result(2 * ASK_S) >= others
        except (TimeoutError, RuntimeError):  # the loop stands still, or is closed
            return False

    async def _ask(self, match_ids: Sequence[int]) -> int:
        """Ask all other processes that are known; return how many have answered in time."""
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
        """Return until when other processes say that the phone between the players was there; 0 if none knows it.

        `now` if fewer answer than there are: nothing then proves that the phone was silent.
        """
        for _ in range(TRIES):
            others = await ruling(process_lock.others)()
            if len(self.topics.channels()) >= others:
                break
            await asyncio.sleep(ASK_S)  # this process has just started, and has not heard of the others yet
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
        """Take up what another process says."""
        if message["from"] == self._channel:
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
                self._say(hub.tables, hub.tournaments, whole=True)

    def _answered(self, number: int | None, sender: str) -> None:
        """Note that a process has answered the question of this number, if that still waits."""
        if number is not None and number in self._asked:
            waited_for, answered = self._asked[number]
            waited_for.discard(sender)
            if not waited_for:
                answered.set()

    def _tell_known(self, channel: str, match_ids: Collection[int], number: int | None = None) -> None:
        """Tell a process when the phones of these matches were heard; in answer to its question where it asked one."""
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

    def _say_what_is_new(self) -> None:
        (tables, tournaments), self._new = self._new, (set(), set())
        self._say(tables, tournaments)

    def _say(self, *followed: Any, whole: bool = False, asks: bool = False) -> None:
        """Say what is followed here, all or what is new; with `asks` everybody else is to say so too."""
        tables, tournaments = map(sorted, followed)
        said = {"tables": tables, "tournaments": tournaments, "whole": whole, "asks": asks}
        self._tell_all({"type": "follows", **said})

    def _tell_all(self, message: dict[str, Any]) -> None:
        if self._channel:
            _keep(_group_send({**message, "from": self._channel}))

    async def _listen(self) -> None:
        """Listen to what other processes say, for ever."""
        while True:
            try:
                layer = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(GROUP, channel)
                self._channel = channel
                self._say(hub.tables, hub.tournaments, whole=True, asks=True)
                while True:
                    self.hear(await layer.receive(channel))
            except Exception:
                logger.warning("the channel layer is not reachable", exc_info=True)
                await asyncio.sleep(1)

    async def _say_what_is_followed(self) -> None:
        while True:
            await asyncio.sleep(FOLLOWED_S)
            self.topics.forget_silent(now_ms())
            self._say(hub.tables, hub.tournaments, whole=True)

    async def _tell_seen(self) -> None:
        """Tell the other processes whose phones were heard here, for ever."""
        for number in count(1):
            await asyncio.sleep(ROUND_S)
            self.tell_seen(back_only=number % ROUNDS != 0)

    async def _stay_in_touch(self) -> None:
        """Note once a second whether all other processes answer, for ever."""
        while True:
            asked_at = now_ms()
            try:
                if await self._ask([]) >= await ruling(process_lock.others)():
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
        # What is lost here is found by the look for missed updates (`catchup`) within a second.
        logger.warning("the channel layer took no message", exc_info=True)


async def _group_send(message: dict[str, Any]) -> None:
    try:
        await get_channel_layer().group_send(GROUP, message)
    except Exception:
        logger.warning("the channel layer took no message", exc_info=True)


peers = Peers()
