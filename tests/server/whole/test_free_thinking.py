"""Stopping and resuming gains no time, on the sockets of two phones."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Hit, parse_command
from clocks.engine.replay import run
from clocks.engine.setup import Setup
from clocks.host import server_time
from clocks.journal import entries
from clocks.models import Match
from clocks.record import match_record
from tests.server.house import Page, in_loop, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

Wait = Callable[[int], None]


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Wait:
    """Function that advances the server time, which otherwise stands still."""
    base, ahead_ms = server_time._timebase, [0]
    began_ns = base._steady_ns()
    monkeypatch.setattr(base, "_steady_ns", lambda: began_ns + ahead_ms[0] * server_time.MS)
    monkeypatch.setattr(base, "_last_ms", base._last_ms)

    def move(ms: int) -> None:
        ahead_ms[0] += ms

    return move


@database_sync_to_async
def a_match(**changes: Any) -> tuple[Match, str, str]:
    """Running match with Bob's turn, and the tokens of Ann's and Bob's phones."""
    match = running_match(**changes)
    return match, sit_down(match, "left")[1], sit_down(match, "right")[1]


@database_sync_to_async
def told(match: Match, event: str) -> list[str]:
    """Text of each record entry for this event."""
    return [line.what for line in match_record.lines(match.pk) if line.event == event]


async def two_phones(**changes: Any) -> tuple[Page, Page]:
    """Ann's and Bob's pages at a running match; it is Bob's turn."""
    match, *tokens = await a_match(**changes)
    ann, bob = (Page.at(match, token) for token in tokens)
    await ann.open()
    await bob.open()
    return ann, bob


async def seen(page: Page, **fields: object) -> dict[str, Any]:
    """Next snapshot with these fields."""
    while True:
        frame = await page.hear("match")
        if all(frame[name] == value for name, value in fields.items()):
            return frame


def charged_ms(frame: dict[str, Any], seat: int) -> int:
    """Reserve used by a seat according to a snapshot, in ms."""
    full = Setup.parse({"rules": frame["rules"], "length": frame["length"]}).opening_reserve_ms[seat]
    return full - frame["reserve_ms"][seat]


@pytest.mark.parametrize("rules", ["us-2007", "us-2013"])
@in_loop
async def test_two_swaps_of_the_turn_give_no_second_delay(wait: Wait, rules: str) -> None:
    ann, bob = await two_phones(rules=rules)
    for turn_of in ("left", "right"):
        wait(12_000 if turn_of == "left" else 0)
        assert (await bob.do("stop"))["t"] == "ack"
        assert (await bob.do("resume", turn_of=turn_of))["t"] == "ack"
    wait(15_000)
    assert (await bob.do("hit"))["t"] == "ack"
    frame = await seen(ann, turn="left", status="running", hits=[1, 1])
    assert [charged_ms(frame, seat) for seat in (0, 1)] == [0, 15_000]


def test_presses_that_are_taken_back_alone_are_credited_once() -> None:
    match = running_match()
    at = Match.objects.get(pk=match.pk).state["at"]
    for _ in range(20):
        at += 1_000
        for command in (Hit(), parse_command({"do": "stop"}), parse_command({"do": "resume", "turn_of": "right"})):
            credit_ms = 250 if isinstance(command, Hit) else 0
            assert desk.submit_and_wait(desk.Request(match.pk, command, Seat.RIGHT, at, credit_ms=credit_ms)).ok
    state = Match.objects.get(pk=match.pk).state
    assert (state["clock"]["used_ms"], state["lag"]["used_ms"], state["lag"]["presses"]) == (19_750, [0, 250], [1, 1])


@in_loop
async def test_the_record_says_who_resumed_with_the_other_turn(wait: Wait) -> None:
    match, *tokens = await a_match()
    ann, bob = (Page.at(match, token) for token in tokens)
    await ann.open()
    await bob.open()
    for turn_of in ("left", "right"):
        wait(12_000)
        assert (await bob.do("stop"))["t"] == "ack"
        assert (await bob.do("resume", turn_of=turn_of))["t"] == "ack"
    assert await told(match, "resumed") == [
        "Bob resumed with Ann’s turn, which begins with a full delay",
        "Bob resumed with Bob’s turn, which goes on as it was",
    ]


@in_loop
async def test_a_full_delay_waits_until_the_other_player_agrees(wait: Wait) -> None:
    ann, bob = await two_phones(rules="modern")
    wait(12_000)
    assert (await bob.do("stop"))["t"] == "ack"
    assert (await bob.do("resume", fresh_delay=True))["t"] == "ack"
    asked = await seen(ann, status="stopped", turn="right")
    while asked["proposal"] is None:
        asked = await ann.hear("match")
    shown = asked["proposal"]
    assert (shown["what"], shown["by"], shown["turn_of"], shown["fresh_delay"]) == ("resume", "right", "right", True)
    assert (await bob.do("agree", proposal=shown["number"]))["code"] == "not-yours-to-settle"
    assert (await bob.do("resume", turn_of="right"))["code"] == "proposal-pending"
    assert (await bob.do("decline", proposal=shown["number"]))["t"] == "ack"
    assert (await bob.do("resume", turn_of="right"))["t"] == "ack"
    wait(15_000)
    assert (await bob.do("hit"))["t"] == "ack"
    frame = await seen(ann, turn="left", status="running", hits=[1, 1])
    assert [charged_ms(frame, seat) for seat in (0, 1)] == [0, 15_000]


@in_loop
async def test_a_press_taken_back_alone_gives_no_second_delay(wait: Wait) -> None:
    ann, bob = await two_phones()
    wait(12_000)
    assert (await bob.do("hit"))["t"] == "ack"
    assert (await bob.do("stop"))["t"] == "ack"
    assert (await bob.do("resume", turn_of="right"))["t"] == "ack"
    wait(15_000)
    assert (await bob.do("hit"))["t"] == "ack"
    frame = await seen(ann, turn="left", status="running", hits=[1, 2])
    assert [charged_ms(frame, seat) for seat in (0, 1)] == [0, 15_000]


def test_an_export_replays_the_resumes_of_an_earlier_version(wait: Wait) -> None:
    match, at = running_match(rules="modern"), server_time.now_ms()
    for after_ms, given in ((12_000, {"do": "stop"}), (12_000, {"do": "resume"})):
        assert desk.submit_and_wait(desk.Request(match.pk, parse_command(given), "right", at + after_ms)).ok
    setup, *lines = entries.replay_lines(match.pk)
    stop = lines[-2]
    swaps = [
        {**stop, "do": "resume", "turn_of": turn_of, "recorded": {"at": stop["at"], "turn_of": turn_of}}
        for turn_of in ("left", "right")
    ]
    earlier = [setup, *lines[:-1], swaps[0], stop, swaps[1], {"at": stop["at"] + 12_000, "do": "look"}]
    *_, last = run([json.dumps(line) for line in earlier])
    assert (last["turn_number"], last["reserve_ms"]) == (3, [840_000, 840_000])
