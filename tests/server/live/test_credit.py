"""Lag credit of a press: bounded by measured round trips and a budget per game."""

import time
from io import StringIO
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.core.management import call_command

from clocks import desk
from clocks.desk.requests import Reply, Request
from clocks.engine.commands import Confirm, Hit
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.lag.signs import Signs
from clocks.live.consumers import TableSocket
from clocks.live.hub import hub
from clocks.live.socket import Socket
from clocks.models import Match
from clocks.seats import presence
from tests.server.daphne import House, Phone
from tests.server.house import Page, in_loop, make_match, running_match, sit_down
from tests.server.live.test_table_socket import two_phones

SEATS = ("left", "right")


def play(match: Match, turns: int, *, claims: str, credit_ms: int = 250) -> list[int]:
    """Play turns of one second, Bob first; return the credits granted to `claims`.

    Only the phone of `claims` claims a delay, of `credit_ms`.
    """
    board = stored.matches([match.pk])[match.pk]
    at, got = board.match.at, []
    for number in range(turns):
        seat = SEATS[(number + 1) % 2]
        at += 1_000
        answers: list[Reply] = []
        claimed = credit_ms if seat == claims else 0
        request = Request(match.pk, Hit(), seat, at, claimed_at=at - claimed, credit_ms=claimed)
        request.answered = answers.append
        desk._desk.settle([request])
        assert [answer.ok for answer in answers] == [True]
        if seat == claims:
            got.append(answers[0].credit_ms)
    return got


def lag(match: Match) -> dict[str, Any]:
    """Lag counters in a snapshot, which must agree between cached and stored match."""
    both = [desk._desk._matches[match.pk], stored.matches([match.pk])[match.pk]]
    said = [
        {name: board.match.wire(0)[name] for name in ("lag_used_ms", "lag_presses", "game_presses")} for board in both
    ]
    assert said[0] == said[1]
    return said[0]


@pytest.mark.django_db(transaction=True)
def test_claiming_250_ms_at_each_press_gains_a_second_and_100_ms_a_press() -> None:
    match = running_match()
    got = play(match, 80, claims="right")
    assert (got[:8], sum(got), len(got)) == ([250, 250, 250, 250, 250, 250, 200, 100], 5_000, 40)
    assert lag(match) == {"lag_used_ms": (0, 5_000), "lag_presses": (0, 40), "game_presses": (41, 40)}


@pytest.mark.django_db(transaction=True)
def test_used_credit_survives_a_restart() -> None:
    match = running_match()
    play(match, 20, claims="right")
    desk.forget()
    assert sum(play(match, 20, claims="right")) == 1_000


@pytest.mark.django_db(transaction=True)
def test_credit_used_in_an_earlier_version_is_read_from_the_journal() -> None:
    match = running_match()
    play(match, 20, claims="right")
    state = Match.objects.get(pk=match.pk).state
    del state["lag"]
    Match.objects.filter(pk=match.pk).update(state=state)
    desk.forget()
    assert sum(play(match, 20, claims="right")) == 1_000
    printed = StringIO()
    call_command("verify", stdout=printed)
    assert "all as their journals say" in printed.getvalue()


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_the_shortest_of_the_last_five_round_trips_counts() -> None:
    match, _, bob = await two_phones()
    [socket] = [s for s in hub.tables[match.table_id].sockets if s.device_id == hub.tables[match.table_id].devices[1]]
    assert isinstance(socket, Socket)
    measured = []
    for number, took_s in enumerate((0.300, 0.090, 0.200, 0.200, 0.200, 0.200, 0.200), 1):
        if number > 1:
            assert socket._timer is not None
            socket._timer.cancel()
            socket.probe()
        assert socket._pinged_s is not None
        socket._pinged_s = socket._loop.time() - took_s
        probe = await bob.hear("probe")
        await bob.say(probe)
        await bob.say(probe)
        assert await bob.is_silent()
        measured.append(socket.rtt_ms // 10 * 10)
        assert len(socket._round_trips) == min(number, 5)
    assert measured == [300, 90, 90, 90, 90, 90, 200]


# --- the attack, against the real server ----------------------------------------------------------------------------


class LatePhone(Phone):
    """Phone whose script answers probes 400 ms late, but WebSocket pings at once."""

    def hear(self, *kinds: str) -> dict[str, Any]:
        frame = super().hear(*kinds, "probe")
        if frame["t"] != "probe":
            return frame
        time.sleep(0.4)  # the attack
        self.say(frame)
        return self.hear(*kinds)


def test_answering_pings_late_gains_no_credit(house: House) -> None:
    house.start()
    made = house.new_match()
    ann = house.phone(made, "left")
    bob = LatePhone(f"ws://127.0.0.1:{house.port}/ws/table/{made['code']}/", made["tokens"][1])
    for phone, id_ in ((ann, "ann"), (bob, "bob")):
        assert phone.do("confirm", f"{id_} is ready")["t"] == "ack"
    assert ann.do("hit", "begin")["t"] == "ack"
    for number in range(3):
        claimed_at = bob.see(turn="right")["now"] - 250
        answer = bob.do("hit", f"bob {number}", at=claimed_at)
        assert (answer["t"], answer["credit_ms"] < 250) == ("ack", True)  # 250 if the delayed probe counted
        ann.see(turn="left")
        assert ann.do("hit", f"ann {number}")["t"] == "ack"


# --- evidence against a claimed delay --------------------------------------------------------------------------------


async def opened(page: Page) -> TableSocket:
    """Open a page; return its socket on the server."""
    before = set(hub.sockets())
    await page.open()
    (socket,) = set(hub.sockets()) - before
    assert isinstance(socket, TableSocket)
    return socket


@database_sync_to_async
def a_turn_of_20_s() -> tuple[Match, str]:
    """Match in which Bob's turn has lasted 20 s, and his phone's token."""
    match, began = make_match(), now_ms() - 20_000
    assert desk.submit_and_wait(Request(match.pk, Confirm(), "director", began)).ok
    assert desk.submit_and_wait(Request(match.pk, Hit(), "left", began)).ok
    sit_down(match, "left")
    return match, sit_down(match, "right")[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("opened_ms", "earlier_ms", "pinged_ms", "shown"),
    [
        (15_000, 0, 6_000, True),
        (15_000, 0, 3_000, False),
        (2_000, 8_000, 1_500, True),
        (2_000, 3_000, 1_500, False),
    ],
    ids=[
        "no ping sent since was answered",
        "a ping sent since was answered",
        "its socket was opened since, and nothing was heard before that",
        "its socket was opened since, and it was heard before that",
    ],
)
@in_loop
async def test_time_is_given_back_only_to_a_phone_silent_since_its_press(
    opened_ms: int, earlier_ms: int, pinged_ms: int, shown: bool
) -> None:
    match, token = await a_turn_of_20_s()
    bob, now = Page.at(match, token), now_ms()
    socket = await opened(bob)
    socket.signs = Signs(now - opened_ms, now - earlier_ms)
    socket.signs.answered(now - pinged_ms)
    await bob.do("hit", "one", at=now - 5_000)
    late = (await bob.hear("match"))["late"]
    assert (late is not None and late["late_ms"] // 100 * 100 >= 5_000) == shown


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_a_phone_that_answers_on_another_page_gets_no_time_back() -> None:
    match, token = await a_turn_of_20_s()
    pages = [Page.at(match, token) for _ in range(2)]
    now = now_ms()
    for page, answered_ms in zip(pages, (2_000, 6_000), strict=True):
        socket = await opened(page)
        socket.signs = Signs(now - 15_000)
        socket.signs.answered(now - answered_ms)
    await pages[1].do("hit", "one", at=now - 5_000)
    assert (await pages[1].hear("match"))["late"] is None


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_frames_that_arrive_before_a_late_press_prove_nothing() -> None:
    match, token = await a_turn_of_20_s()
    bob, now = Page.at(match, token), now_ms()
    socket = await opened(bob)
    socket.signs = Signs(now - 15_000)
    for earlier_ms in (3_000, 1_500):
        socket.heard({"t": "ping"}, now - earlier_ms)
    await bob.do("hit", "one", at=now - 5_000)
    assert (await bob.hear("match"))["late"]["late_ms"] // 100 == 50


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_a_phones_signs_of_life_outlive_its_socket() -> None:
    match, token = await a_turn_of_20_s()
    first = Page.at(match, token)
    await first.open()
    await first.leave()
    presence.signs(match.pk, 1).answered(now_ms() - 100)
    second = Page.at(match, token)
    await second.open()
    await second.do("hit", "one", at=now_ms() - 5_000)
    assert (await second.hear("match"))["late"] is None
