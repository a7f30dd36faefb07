"""Pings at rest go only to silent sockets; too many unanswered close the socket."""

from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async

from clocks import desk
from clocks.engine.clock import Seat
from clocks.live import socket
from clocks.live.hub import hub
from clocks.live.socket import AT_REST_MS, MOST_UNANSWERED, Socket
from clocks.models import Match
from clocks.seats import devices
from tests.server.house import Page, in_loop, make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)


class Watched:
    """A phone's open socket with injected time and counted pings."""

    def __init__(self, page: Page, patch: pytest.MonkeyPatch) -> None:
        (self.socket,) = [one for one in hub.sockets() if isinstance(one, Socket)]
        self.page, self.pings, self.dropped = page, 0, False
        self._answer: Callable[[], None] = self.socket._ponged
        self.at = socket.now_ms()
        patch.setattr(socket, "now_ms", lambda: self.at)
        patch.setattr(self.socket._transport, "ping", self._ping)
        patch.setattr(self.socket._transport, "drop", lambda: setattr(self, "dropped", True))
        self.socket._pinged_at = self.at  # as if pinged when the socket opened

    def _ping(self, ponged: Callable[[], None]) -> bool:
        self.pings, self._answer = self.pings + 1, ponged
        return True

    def answer(self) -> None:
        """Answer the last ping."""
        self._answer()

    def probe_after(self, ms: int) -> int:
        """Advance time and run the server's probe; return the pings so far."""
        self.at += ms
        assert self.socket._timer is not None
        self.socket._timer.cancel()
        self.socket.probe()
        return self.pings


async def watched(match: Match, patch: pytest.MonkeyPatch) -> Watched:
    _, token = await sync_to_async(sit_down)(match, "left")
    page = Page.at(match, token)
    await page.open()
    return Watched(page, patch)


@in_loop
async def test_a_page_that_sends_every_ten_seconds_is_not_pinged_at_rest() -> None:
    with pytest.MonkeyPatch.context() as patch:
        one = await watched(await sync_to_async(make_match)(), patch)
        for _ in range(4):
            assert one.probe_after(5_000) == 0
            one.at += 5_000
            await one.page.is_silent()
            assert one.probe_after(250) == 0


@in_loop
async def test_a_silent_page_is_pinged_and_dropped_if_it_does_not_answer() -> None:
    with pytest.MonkeyPatch.context() as patch:
        one = await watched(await sync_to_async(make_match)(), patch)
        assert [one.probe_after(ms) for ms in (AT_REST_MS - 1, 1)] == [0, 1]
        one.answer()
        assert [one.probe_after(ms) for ms in (AT_REST_MS - 1, 1)] == [1, 2]
        assert [one.probe_after(5_000) for _ in range(MOST_UNANSWERED)] == [3, 3]
        assert one.dropped


@in_loop
async def test_a_phone_that_sits_down_while_it_watches_is_pinged_every_time() -> None:
    with pytest.MonkeyPatch.context() as patch:
        match = await sync_to_async(running_match)()
        device, token = await sync_to_async(devices.join_device)({})
        page = Page.at(match, token)
        await page.open()
        await sync_to_async(desk.claim_seat)(match.pk, [Seat.LEFT], device)
        await page.hear("match")
        one = Watched(page, patch)
        for number in range(1, 4):
            assert one.probe_after(5_000) == number
            one.answer()


@in_loop
async def test_a_phone_whose_clock_runs_is_pinged_every_time() -> None:
    with pytest.MonkeyPatch.context() as patch:
        one = await watched(await sync_to_async(running_match)(), patch)
        for number in range(1, 4):
            await one.page.is_silent()
            assert one.probe_after(5_000) == number
            one.answer()
