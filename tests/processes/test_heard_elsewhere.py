"""Backdating presses of a shared phone that was heard from at two processes."""

import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.processes.conftest import Houses
from tests.processes.test_two import cut_off
from tests.server.lag.test_shared_silence import Match


def now_at(phone: Any) -> int:
    """Server time, once this phone was heard from for long enough to count as known."""
    phone.is_pinged(3)
    phone.say({"t": "ping", "c": 1})
    now: int = phone.hear("pong")["now"]
    return now


def test_a_phone_heard_at_one_process_backdates_nothing_at_another(houses: Houses) -> None:
    match = Match(houses.one)
    again = match.connect(houses.two)
    now = now_at(match.phone)
    assert again.do("hand-over", "back", kept=match.kept(1))["t"] == "ack"
    (press,) = match.presses()
    assert press >= now - match.began


def test_a_phone_that_just_left_one_process_backdates_nothing_at_another(houses: Houses) -> None:
    match = Match(houses.one)
    now = now_at(match.phone)
    match.phone.socket.close()
    assert match.connect(houses.two).do("hand-over", "back", kept=match.kept(1))["t"] == "ack"
    (press,) = match.presses()
    assert press >= now - match.began


def test_while_the_processes_cannot_ask_each_other_nothing_is_dated_back(houses: Houses) -> None:
    match = Match(houses.one)
    again = match.connect(houses.two)
    now = now_at(match.phone)
    with cut_off(houses):
        assert again.do("hand-over", "back", kept=match.kept(1))["t"] == "ack"
        assert again.do("hit", "next", seat="left")["t"] == "ack"
    first, second = match.presses()
    assert (first >= now - match.began, second > first) == (True, True)


def test_what_was_played_in_a_silence_at_one_process_counts_at_the_other(houses: Houses) -> None:
    match = Match(houses.one)
    match.phone.is_deaf()
    made = int(time.time() * 1000) - match.began + 500
    with pytest.raises(ConnectionClosed):
        while True:
            match.phone.socket.recv(timeout=20)
    again = match.connect(houses.two)
    assert again.do("hand-over", "back", kept=match.kept(made, made + 700))["t"] == "ack"
    assert again.do("hit", "next", seat="right")["t"] == "ack"
    assert match.presses()[:2] == [made, made + 700]
