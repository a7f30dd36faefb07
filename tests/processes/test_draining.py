"""A process that stops hands its sockets over to another."""

import os
import signal
import socket
import time
from contextlib import closing
from typing import Any

from clocks.live import draining
from tests.processes.conftest import Houses
from tests.server.daphne import House, Phone

GROUPS = 20  # groups of spectators that are handed over before the players; takes two seconds


def wait_until_it_listens_no_more(house: House) -> None:
    deadline = time.monotonic() + 10
    while True:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", house.port)) != 0:
                return
        assert time.monotonic() < deadline, "connections are accepted while sockets are handed over"
        time.sleep(0.01)  # no event signals a closed port


def start_play(house: House, made: dict[str, Any]) -> tuple[Phone, Phone]:
    ann, bob = house.phone(made, "left"), house.phone(made, "right")
    for name, phone in (("ann", ann), ("bob", bob)):
        assert phone.do("confirm", f"confirm {name}")["t"] == "ack"
    assert ann.do("hit", "start")["t"] == "ack"
    return ann, bob


def test_players_press_on_while_sockets_are_handed_over_a_few_at_a_time(houses: Houses) -> None:
    watched, played = houses.one.new_match(), houses.one.new_match()
    watchers = [houses.one.phone(watched) for _ in range(GROUPS * draining.AT_LEAST)]
    ann, bob = start_play(houses.one, played)
    os.kill(houses.one.pid(), signal.SIGTERM)
    wait_until_it_listens_no_more(houses.one)
    assert bob.do("hit", "while others leave")["t"] == "ack"
    least, most = draining.HANDED_OVER_MS
    assert all(least <= phone.hear("restart")["after_ms"] <= most for phone in (ann, bob))
    assert [phone.close_code() for phone in (ann, bob)] == [1012, 1012]
    again = houses.two.phone(played, "left")
    assert (again.snapshot["turn"], again.do("hit", "at the other")["t"]) == ("left", "ack")
    assert {watcher.close_code() for watcher in watchers} == {1012}
    houses.one.wait_for_its_end()
