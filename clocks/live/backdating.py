"""Backdate a shared phone's commands, at most to the start of its silence."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from clocks import desk
from clocks.engine.commands import Command, HandOver
from clocks.lag.late_presses import LATE_MS
from clocks.lag.signs import Signs
from clocks.lag.silence import SHORTEST_MS
from clocks.live.peers import peers, several_processes
from clocks.seats import presence

logger = logging.getLogger(__name__)


class Backdating:
    """Submits the requests of one socket to the desk, in order.

    Requests wait while other processes are asked when they last heard from the phone.
    """

    __slots__ = ("_in_turn", "waiting")

    def __init__(self) -> None:
        self._in_turn: asyncio.Lock | None = None
        self.waiting = 0

    def submit(self, request: desk.Request, submitted: Callable[[], None]) -> Coroutine[Any, Any, None] | None:
        """Submit a request now, or return a coroutine that submits it in order.

        The coroutine then calls `submitted`.
        """
        until = presence.heard_until(request.match_id, request.device_id, request.at)
        if not _is_dated_back(request):
            until = request.at
        if not self.waiting and (until == request.at or not several_processes()):
            _submit(request, until or 0)
            return None
        self.waiting += 1
        return self._submit_in_turn(request, until, submitted)

    async def _submit_in_turn(self, request: desk.Request, until: int | None, submitted: Callable[[], None]) -> None:
        self._in_turn = self._in_turn or asyncio.Lock()
        try:
            async with self._in_turn:
                elsewhere = 0
                if until != request.at:
                    elsewhere = await _heard_elsewhere(request)
                _submit(request, max(until or 0, elsewhere))
        finally:
            self.waiting -= 1
        submitted()


async def _heard_elsewhere(request: desk.Request) -> int:
    try:
        return await peers.heard_until(request.match_id, request.device_id, request.at)
    except Exception:
        logger.warning("the other processes could not be asked about a phone", exc_info=True)
        return request.at


def last_sign(command: Command, claimed_at: int | None, signs: Iterable[Signs], now: int) -> int | None:
    """Time of last contact that may disprove a press's claimed delay, or None.

    `signs` cover all the phone's sockets, because one of them may be muted on purpose.
    """
    made_at = command.kept[0].at if isinstance(command, HandOver) else claimed_at
    if made_at is None or now - made_at < LATE_MS:
        return None
    return max((each.last_before(made_at) for each in signs), default=0) or None


def _is_dated_back(request: desk.Request) -> bool:
    """True if a request is a hand-over, or claims a press at least LATE_MS ago."""
    claimed_at = request.claimed_at
    return isinstance(request.command, HandOver) or (claimed_at is not None and request.at - claimed_at >= LATE_MS)


def _submit(request: desk.Request, heard_until: int) -> None:
    """Submit a request; if the phone was silent, backdate at most to `heard_until`."""
    if request.at - heard_until >= SHORTEST_MS:
        request.dated_from, heard_at = heard_until, heard_until or request.heard_at
    else:
        request.dated_from, heard_at = request.at, max(request.heard_at or 0, request.at - SHORTEST_MS)
    if _is_dated_back(request):
        request.heard_at = heard_at
    desk.submit(request)
