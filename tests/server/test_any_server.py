"""The same clock on uvicorn with uvloop, and under any server that knows ASGI."""

import json
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests import prepared
from tests.server.daphne import House
from tests.server.test_floods import FINAL, PING, all_of, close_code, frame, opened
from tests.server.test_process import start_play

SETTINGS = {"TRUSTED_PROXIES": "10.1.2.3"}  # a proxy that takes no part
TAKE_RIGHT = (
    "import json\n"
    "from clocks import desk\n"
    "from clocks.engine.clock import Seat\n"
    "from clocks.engine.commands import TakeSeat\n"
    "from clocks.people import devices\n"
    "device, token = devices.join_device({{}})\n"
    "command = TakeSeat(device.pk, (Seat.RIGHT,))\n"
    "answer = desk.submit_and_wait(desk.Request({match}, command, 'director', device_id=device.pk))\n"
    "print(json.dumps([answer.ok, token]))"
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path, **SETTINGS)
    prepared.static_files(tmp_path)
    house.start("manage.py", "serve", "--server", "uvicorn", "--bind", "127.0.0.1", "--port", str(house.port))
    yield house
    house.close()


def test_a_match_on_uvicorn_with_presses_a_seat_that_goes_to_another_phone_a_flag_and_the_servers_end(
    house: House,
) -> None:
    made = house.new_match()
    ann, bob = start_play(house, made)
    for number, (mine, other) in enumerate(((bob, ann), (ann, bob)), 1):
        assert mine.do("hit", f"hit {number}", turn_number=mine.see(turn_number=number)["turn_number"])["t"] == "ack"
        other.see(turn_number=number + 1)
    assert bob.do("hit", "hit 1", turn_number=1)["t"] == "ack"
    assert ann.see(turn_number=3)["turn"] == "right"
    ok, token = house.python(TAKE_RIGHT.format(match=made["match"]))
    assert (ok, bob.close_code()) == (True, 4403)
    made["tokens"][1] = token
    bob = house.phone(made, "right")
    assert bob.do("hit", "by the new phone", turn_number=bob.snapshot["turn_number"])["t"] == "ack"
    ann.see(turn="left")
    short = house.new_match("--option", "reserve_ms=[300000,1500]", "--option", "delay_ms=0")
    for phone in start_play(house, short):
        phone.see(status="flagged")
    house.signal(signal.SIGTERM)
    assert (ann.hear("restart")["t"], ann.close_code()) == ("restart", 1012)
    assert "all as their journals say" in house.manage("verify")


def test_round_trips_are_measured_on_uvicorn_by_pings_that_no_script_sees(house: House) -> None:
    made = house.new_match()
    ann = house.phone(made, "left")
    ann.say({"t": "ping", "c": 1})
    told = [""]
    while told[-1] != "pong":
        told.append(json.loads(ann.socket.recv(timeout=20))["t"])
    assert "probe" not in told


def test_frames_of_every_kind_are_counted_on_uvicorn(house: House) -> None:
    house.table = f"/ws/table/{house.new_match()['code']}/"
    with closing(opened(house)) as socket:
        socket.sendall(frame(FINAL | PING) * 400)
        assert close_code(all_of(socket)) == 4429


def test_without_a_proxy_uvicorn_does_not_serve(tmp_path: Path) -> None:
    house = House(tmp_path, TRUSTED_PROXIES="")
    with pytest.raises(AssertionError, match="uvicorn serves only behind a proxy"):
        house.manage("serve", "--server", "uvicorn", "--port", str(house.port))


def test_a_server_that_is_told_nothing_but_the_application_begins_and_ends_it(tmp_path: Path) -> None:
    house = House(tmp_path)
    made = house.new_match()
    house.start("-m", "uvicorn", "config.asgi:application", "--port", str(house.port))
    try:
        ann, bob = start_play(house, made)
        probe: dict[str, Any] = bob.hear("probe")
        bob.say(probe)
        ann.see(turn="right")
        assert bob.do("hit", "hit", turn_number=1)["t"] == "ack"
        ann.see(turn="left")
        house.signal(signal.SIGTERM)
        assert bob.close_code() == 1012
    finally:
        house.close()
