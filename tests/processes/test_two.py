"""A match with phones at two processes, and faults between them."""

import json
import signal
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from redis import Redis as Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests import prepared
from tests.processes.conftest import Houses
from tests.server.daphne import House, Phone
from tests.services import Redis

ENTRIES = (
    "import json\n"
    "from clocks.models import JournalEntry\n"
    "rows = JournalEntry.objects.filter(match={match}).order_by('seq')\n"
    "print(json.dumps([[row.event, row.command_id] for row in rows]))"
)


def start_play(houses: Houses, made: dict[str, Any]) -> tuple[Phone, Phone]:
    """Connect Ann to one process and Bob to the other; Ann starts Bob's clock."""
    ann, bob = houses.one.phone(made, "left"), houses.two.phone(made, "right")
    assert [phone.do("confirm", f"confirm {phone is ann}")["t"] for phone in (ann, bob)] == ["ack", "ack"]
    ann.see(status="ready")
    assert hit(ann, "start")["t"] == "ack"
    bob.see(turn="right")
    return ann, bob


def hit(phone: Phone, id_: str) -> dict[str, Any]:
    return phone.do("hit", id_, turn_number=phone.snapshot["turn_number"])


def entries(house: House, made: dict[str, Any]) -> list[list[str]]:
    """Journal events, each with its command id."""
    told: list[list[str]] = house.python(ENTRIES.format(match=made["match"]))
    return told


@contextmanager
def cut_off(houses: Houses) -> Iterator[None]:
    """Cut both processes off from Redis within the block."""
    houses.to_redis.dead = True
    houses.to_redis.cut()
    try:
        yield
    finally:
        houses.to_redis.dead = False
        houses.to_redis.cut()


def test_what_is_pressed_at_one_process_is_seen_at_both_and_by_who_watches(houses: Houses) -> None:
    made = houses.one.new_match()
    ann, bob = start_play(houses, made)
    watchers = [house.phone(made) for house in (houses.one, houses.two)]
    for number in range(1, 21):
        mine, other = (bob, ann) if number % 2 else (ann, bob)
        assert hit(mine, f"hit {number}")["t"] == "ack"
        for phone in (mine, other, *watchers):
            phone.see(turn_number=number + 1)
    told = [{**phone.snapshot, "now": 0, "seats": []} for phone in (ann, bob, *watchers)]
    assert told == [told[0]] * 4
    assert houses.one.manage("verify").strip().endswith("all as their journals say")


def test_a_press_that_comes_to_both_processes_counts_once(houses: Houses) -> None:
    made = houses.one.new_match()
    ann, bob = start_play(houses, made)
    again = houses.one.phone(made, "right")
    for number in range(10):
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda phone, id_=f"both {number}": hit(phone, id_), (bob, again)))
        assert [answer["t"] for answer in answers] == ["ack", "ack"], answers
        ann.see(turn_number=2 * number + 2)
        assert hit(ann, f"back {number}")["t"] == "ack"
        for phone in (ann, bob, again):
            phone.see(turn_number=2 * number + 3)
    hits = [id_ for event, id_ in entries(houses.two, made) if event == "hit"]
    assert hits[1:] == [id_ for number in range(10) for id_ in (f"both {number}", f"back {number}")]


def test_phones_of_a_killed_process_go_on_at_the_other(houses: Houses) -> None:
    made = houses.one.new_match()
    _, bob = start_play(houses, made)
    houses.one.signal(signal.SIGKILL)
    ann = houses.two.phone(made, "left")
    assert hit(bob, "on")["t"] == "ack"
    ann.see(turn="left")
    houses.one.start()
    back = houses.one.phone(made, "left")
    assert (back.snapshot["status"], back.snapshot["turn"], back.snapshot["stop"]) == ("running", "left", None)
    assert hit(back, "back")["t"] == "ack"
    bob.see(turn="right")


def test_without_redis_every_press_counts_and_reaches_the_other_process(houses: Houses) -> None:
    made = houses.one.new_match()
    ann, bob = start_play(houses, made)
    with cut_off(houses):
        for number, (mine, other) in enumerate(((bob, ann), (ann, bob), (bob, ann))):
            assert hit(mine, f"alone {number}")["t"] == "ack"
            other.see(turn_number=number + 2)
    assert hit(ann, "together")["t"] == "ack"
    bob.see(turn="right")


def test_valkey_takes_the_place_of_redis_while_a_match_is_played(houses: Houses, valkey: Redis) -> None:
    made = houses.one.new_match()
    ann, bob = start_play(houses, made)
    with Client(port=valkey.port) as client:
        was, houses.to_redis.to = houses.to_redis.to, valkey.port
        houses.to_redis.cut()
        try:
            while len(client.client_list("pubsub")) < 2:
                time.sleep(0.05)  # polled, because reconnecting has no event
            number = 0
            while number < 2 or client.info("commandstats").get("cmdstat_publish", {"calls": 0})["calls"] < 2:
                mine, other = (ann, bob) if number % 2 else (bob, ann)
                assert hit(mine, f"valkey {number}")["t"] == "ack"
                number += 1
                other.see(turn_number=number + 1)
        finally:
            houses.to_redis.to = was
            houses.to_redis.cut()


def test_a_flag_that_both_processes_watch_falls_once(houses: Houses) -> None:
    made = houses.one.new_match("--option", "reserve_ms=[300000,1500]", "--option", "delay_ms=0")
    ann, bob = start_play(houses, made)
    versions = {phone.see(status="flagged")["v"] for phone in (ann, bob)}
    assert (len(versions), [event for event, _ in entries(houses.one, made)].count("flag_fell")) == (1, 1)


def test_a_process_asked_for_presence_tells_what_it_just_heard(houses: Houses) -> None:
    made = houses.one.new_match("--tournament", "heard")
    opened = "from clocks.models import Tournament\nprint(Tournament.objects.update(public_feed=True))"
    assert houses.one.python(opened)
    before = int(time.time() * 1000)
    ann = houses.one.phone(made, "left")
    address = f"http://127.0.0.1:{houses.two.port}/api/v1/tournaments/heard/live.json"
    with urllib.request.urlopen(address, timeout=20) as told:
        seats = json.load(told)["matches"][0]["seats"]
    assert [seat["seen_at"] >= before for seat in seats] == [True, False]
    assert seats[0]["seen_at"] == ann.snapshot["seats"][0]["seen_at"]


def test_a_seat_released_at_one_process_closes_its_phone_at_the_other(houses: Houses) -> None:
    made = houses.one.new_match()
    bob, watcher = houses.two.phone(made, "right"), houses.two.phone(made)
    release = (
        "import json\n"
        "from clocks import desk\n"
        "from clocks.engine.clock import Seat\n"
        "from clocks.engine.commands import ReleaseSeat\n"
        f"request = desk.Request({made['match']}, ReleaseSeat(Seat.RIGHT, 'lost'), 'director')\n"
        "answer = desk.submit_and_wait(request)\n"
        "print(json.dumps(answer.ok))"
    )
    assert (houses.one.python(release), bob.close_code()) == (True, 4403)
    while watcher.snapshot["seats"][1]["held"]:
        watcher.hear("match")


def test_a_socket_ends_with_its_session_whichever_process_ends_it(houses: Houses) -> None:
    made = houses.one.new_match("--tournament", "open")
    prepared.static_files(houses.two.folder)
    key = houses.one.python(
        "import json\n"
        "from django.contrib.auth.models import User\n"
        "from django.test import Client\n"
        "client = Client()\n"
        "client.force_login(User.objects.create_superuser('dora'))\n"
        "print(json.dumps(client.cookies['sessionid'].value))"
    )
    with connect(
        f"ws://127.0.0.1:{houses.one.port}/ws/director/open/",
        additional_headers={"Cookie": f"sessionid={key}"},
        legacy=True,
    ) as page:
        assert json.loads(page.recv(timeout=20))["boards"][0]["match"] == made["match"]
        form = urllib.request.Request(
            f"http://127.0.0.1:{houses.two.port}/director/sign-out/",
            urlencode({"csrfmiddlewaretoken": "x" * 32}).encode(),
            {"Cookie": f"sessionid={key}; csrftoken={'x' * 32}"},
        )
        urllib.request.urlopen(form, timeout=20).close()
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                page.recv(timeout=20)
    assert closed.value.rcvd and closed.value.rcvd.code == 4401
