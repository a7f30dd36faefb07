"""Claiming a seat while Redis or a process hangs."""

import signal
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from clocks.seats.presence import SILENT_MS
from tests import prepared
from tests.processes.conftest import Houses
from tests.processes.test_two import start_play
from tests.server.daphne import House, Phone
from tests.services import Redis

CANNOT_TELL = "The server cannot tell at the moment whether Bob’s phone is online, so nobody else can act for Bob."
TRIES = 30


class NoRedirect(urllib.request.HTTPRedirectHandler, urllib.request.HTTPErrorProcessor):
    """Returns responses without following redirects or raising errors."""

    def http_response(self, request: urllib.request.Request, response: Any) -> Any:
        return response

    https_response = http_response


class Stranger:
    """Browser of somebody who knows the table code; keeps its cookies."""

    def __init__(self) -> None:
        self._cookies = {"csrftoken": "x" * 32}

    def claim(self, house: House, made: dict[str, Any], seat: str) -> tuple[int, str, str]:
        """Claim a seat at a process; return status, redirect target and page."""
        form = urlencode({"seat": seat, "csrfmiddlewaretoken": "x" * 32}).encode()
        sent = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        address = f"http://127.0.0.1:{house.port}/t/{made['code']}/seat/"
        asked = urllib.request.Request(address, form, {"Cookie": sent})
        with urllib.request.build_opener(NoRedirect).open(asked, timeout=30) as answer:
            for cookie in answer.headers.get_all("Set-Cookie", ()):
                name, _, value = cookie.partition(";")[0].partition("=")
                self._cookies[name] = value
            return answer.status, answer.headers.get("Location", ""), answer.read().decode()


@contextmanager
def stopped(service: Redis | House) -> Iterator[None]:
    """Freeze a process within the block: it neither answers nor exits."""
    service.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        service.signal(signal.SIGCONT)


def holders(house: House, made: dict[str, Any]) -> list[int | None]:
    seats = "import json\nfrom clocks.models import Match\n"
    seats += f"match = Match.objects.get(pk={made['match']})\n"
    seats += "print(json.dumps([match.left_device_id, match.right_device_id, match.tenure]))"
    found: list[int | None] = house.python(seats)
    return found


@pytest.fixture(autouse=True, scope="module")
def pages(houses: Houses) -> None:
    """Collect static files, needed by pages, for both processes."""
    for house in (houses.one, houses.two):
        prepared.static_files(house.folder)


def past_the_start(houses: Houses) -> None:
    """Wait until the first process no longer presumes phones present after its start."""
    assert houses.one._process is not None
    started_at = Path(f"/proc/{houses.one._process.pid}").stat().st_ctime
    while time.time() < started_at + 20:
        time.sleep(1)  # polled, because the end of that period has no event


def at_two(houses: Houses) -> tuple[dict[str, Any], Phone, Phone]:
    """Start a match with both phones connected to the second process."""
    past_the_start(houses)
    made = houses.one.new_match()
    ann, bob = houses.two.phone(made, "left"), houses.two.phone(made, "right")
    assert [phone.do("confirm", f"confirm {phone is ann}")["t"] for phone in (ann, bob)] == ["ack", "ack"]
    ann.see(status="ready")
    assert ann.do("hit", "start", turn_number=0)["t"] == "ack"
    return made, ann, bob


def test_a_stranger_at_the_other_process_asks_for_a_live_seat(houses: Houses) -> None:
    made, _, _ = at_two(houses)
    before = holders(houses.two, made)
    assert Stranger().claim(houses.one, made, "right")[:2] == (302, f"/t/{made['code']}/asking/")
    assert holders(houses.two, made) == before


def test_while_redis_hangs_a_stranger_borrows_no_live_seat(houses: Houses, redis: Redis) -> None:
    made, _, bob = at_two(houses)
    before = holders(houses.two, made)
    with stopped(redis):
        status, _, page = Stranger().claim(houses.one, made, "right")
        assert (status, CANNOT_TELL in page) == (409, True)
        bob.say({"t": "ping", "c": 1})
        assert bob.hear("pong")["t"] == "pong"
    assert holders(houses.two, made) == before


def told_silence_ms(phone: Phone, made: dict[str, Any]) -> int:
    """Silence of the right seat's phone in ms, from the next `seen` frame."""
    told = phone.hear("seen")
    return int(told["now"] - told["seats"][str(made["match"])][1])


def test_while_redis_hangs_nobody_presses_for_a_phone_of_the_other_process(houses: Houses, redis: Redis) -> None:
    made = houses.one.new_match()
    ann, bob = start_play(houses, made)
    shown = ann.see(turn="right")
    silent_ms = shown["now"] - shown["seats"][1]["seen_at"]
    while silent_ms >= SILENT_MS:  # the first process has not heard of Bob's phone yet
        silent_ms = told_silence_ms(ann, made)
    with stopped(redis):
        while silent_ms < SILENT_MS:
            silent_ms = told_silence_ms(ann, made)
        answer = ann.do("hit", "for Bob", turn_number=ann.snapshot["turn_number"], seat="right")
        assert (answer["t"], answer["words"]) == ("refused", f"{CANNOT_TELL} Try again in a minute.")
        bob.say({"t": "ping", "c": 1})
        assert bob.hear("pong")["v"] == bob.snapshot["v"]
        assert Stranger().claim(houses.one, made, "right")[0] == 409
        assert Stranger().claim(houses.two, made, "right")[:2] == (302, f"/t/{made['code']}/asking/")


def test_of_a_process_that_answers_nothing_no_seat_is_taken(houses: Houses) -> None:
    made, _, _ = at_two(houses)
    before = holders(houses.one, made)
    with stopped(houses.two):
        assert Stranger().claim(houses.one, made, "right")[0] == 409
    assert holders(houses.one, made) == before


def test_once_redis_answers_again_a_silent_seat_can_be_taken(houses: Houses, redis: Redis) -> None:
    made, _, bob = at_two(houses)
    with stopped(redis):
        assert Stranger().claim(houses.one, made, "right")[0] == 409
    bob.socket.close()
    stranger = Stranger()
    for _ in range(TRIES):
        status, to, _ = stranger.claim(houses.one, made, "right")
        if to.endswith("/clock/"):
            break
        time.sleep(1)  # polled, because there is no event
    assert (status, to) == (302, f"/t/{made['code']}/clock/")


def test_a_process_that_was_killed_keeps_no_seat_from_being_taken(houses: Houses) -> None:
    made = houses.one.new_match()
    houses.two.signal(signal.SIGKILL)
    stranger = Stranger()
    try:
        for _ in range(TRIES):
            to = stranger.claim(houses.one, made, "right")[1]
            if to.endswith("/clock/"):
                break
            time.sleep(1)  # polled, because there is no event
        assert to == f"/t/{made['code']}/clock/"
    finally:
        houses.two.start()
