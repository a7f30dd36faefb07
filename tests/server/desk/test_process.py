"""The server process: kill, restart, suspend, stop; flags without a phone."""

import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests import prepared
from tests.server.daphne import House, Phone

ENTRIES = "SELECT seq, at, by, event, command_id FROM clocks_journalentry WHERE match_id = ? ORDER BY seq"
LOADED = """
import json, sys
import config.asgi
print(json.dumps(sorted({"clocks.live.consumers", "django.test", "ninja", "psycopg", "pydantic"} & set(sys.modules))))
"""
HANGS = """
import sys, time
from django.core.management import execute_from_command_line
import config.asgi
from clocks.live import draining, lifespan

def send_nobody_away():
    time.sleep(60)

lifespan.LONGEST_STOP_S, draining.send_away = 1.0, send_nobody_away
execute_from_command_line({arguments!r})
"""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running server for tests that do not end it, each with its own match."""
    house = House(tmp_path_factory.mktemp("shared"))
    house.start()
    yield house
    house.close()


def stored(house: House, statement: str, *values: object) -> list[dict[str, Any]]:
    """Rows of a query of the database, by column."""
    with closing(sqlite3.connect(house.folder / "clock.sqlite3")) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(statement, values)]


def last_sign_of_life(house: House) -> int:
    """Last sign of life of the server; 0 if there was none."""
    return int(stored(house, "SELECT coalesce(max(at), 0) AS at FROM clocks_signoflife")[0]["at"])


def start_play(house: House, made: dict[str, Any]) -> tuple[Phone, Phone]:
    """Confirm for both players and start Bob's clock; return both phones."""
    ann, bob = house.phone(made, "left"), house.phone(made, "right")
    assert [phone.do("confirm", "confirm")["t"] for phone in (ann,)] == ["ack"]
    assert bob.do("confirm", "confirm of bob")["t"] == "ack"
    assert ann.do("hit", "start")["t"] == "ack"
    return ann, bob


def journal(house: House, made: dict[str, Any]) -> list[dict[str, Any]]:
    return stored(house, ENTRIES, made["match"])


def test_after_kill_9_each_acknowledged_hit_is_stored_once(house: House) -> None:
    made = house.new_match()
    house.start()
    ann, bob = start_play(house, made)
    acknowledged = [(bob, ann)[n % 2].do("hit", f"hit {n}")["id"] for n in range(60)]
    bob.say({"t": "do", "id": "unanswered", "do": "hit"})
    house.signal(signal.SIGKILL)
    killed_at = time.monotonic()
    hits = [entry["command_id"] for entry in journal(house, made) if entry["event"] == "hit"]
    assert [hit for hit in hits if hit != "unanswered"] == ["start", *acknowledged]
    sign_of_life, last = last_sign_of_life(house), journal(house, made)[-1]

    time.sleep(max(0.0, killed_at + 4.5 - time.monotonic()))  # the outage; there is no event to wait for
    house.start()
    ann = house.phone(made, "left")
    snapshot = ann.see(status="stopped")
    stopped_at = max(sign_of_life, last["at"])
    assert snapshot["stop"] == {"by": "server", "reason": "outage", "at": stopped_at}
    charged = snapshot["used_ms"]
    assert charged == stopped_at - last["at"]
    assert snapshot["now"] - last["at"] > 4_000

    bob = house.phone(made, "right")
    before = len(journal(house, made))
    for n in (58, 59):  # requests from before the kill get their first reply and do not count again
        assert (bob, ann)[n % 2].do("hit", f"hit {n}") == {"t": "ack", "id": f"hit {n}", "v": 7 + n, "credit_ms": 0}
    assert len(journal(house, made)) == before
    assert ann.do("resume", "resume")["t"] == "ack"
    on_turn = {"left": ann, "right": bob}[snapshot["turn"]]
    assert on_turn.do("hit", "after")["t"] == "ack"
    assert house.manage("verify").endswith("all as their journals say\n")


def test_a_restart_within_three_seconds_stops_no_clock(house: House) -> None:
    made = house.new_match()
    house.start()
    start_play(house, made)
    deadline = time.monotonic() + 10
    while last_sign_of_life(house) == 0:
        assert time.monotonic() < deadline
        time.sleep(0.1)  # polled, because there is no event
    house.signal(signal.SIGKILL)
    house.start()
    ann = house.phone(made, "left")
    assert ann.do("call", "ask")["t"] == "ack"
    assert [entry["event"] for entry in journal(house, made)][-3:] == ["hit", "stopped", "director_called"]


def test_flags_fall_on_time_with_no_phone_connected(shared: House) -> None:
    made = shared.new_match("--option", "reserve_ms=1500", "--option", "delay_ms=0")
    ann, bob = start_play(shared, made)
    flag_at = ann.see(status="running")["flag_at"]
    ann.socket.close()
    bob.socket.close()
    deadline = time.monotonic() + 20
    while (entries := journal(shared, made))[-1]["event"] != "flag_fell":
        assert time.monotonic() < deadline
        time.sleep(0.1)  # polled, because nothing listens
    assert entries[-1] == {"seq": 7, "at": flag_at, "by": "server", "event": "flag_fell", "command_id": None}
    watcher = shared.phone(made)
    assert (watcher.snapshot["status"], watcher.snapshot["flagged"], watcher.snapshot["called"]) == (
        "flagged",
        "right",
        True,
    )


def test_spectators_see_a_flag_soon_after_its_lag_allowance(shared: House) -> None:
    made = shared.new_match("--option", "reserve_ms=700", "--option", "delay_ms=0")
    ann, _ = start_play(shared, made)
    snapshot = ann.see(status="flagged")
    fell_at = journal(shared, made)[-1]["at"]
    assert 250 <= snapshot["now"] - fell_at < 3_000


def test_a_suspended_server_gives_time_back_before_reading_frames(house: House) -> None:
    made = house.new_match()
    house.start()
    ann, bob = start_play(house, made)
    bob.see(turn="right")
    house.signal(signal.SIGSTOP)
    time.sleep(4.5)  # the outage; there is no event to wait for
    bob.say({"t": "do", "id": "into the gap", "do": "hit", "turn_number": 1})
    house.signal(signal.SIGCONT)
    assert bob.hear("refused")["code"] == "stopped"
    snapshot = ann.see(status="stopped")
    assert (snapshot["stop"]["by"], snapshot["stop"]["reason"]) == ("server", "outage")
    assert snapshot["used_ms"] < 2_500
    assert ann.do("resume", "go on")["t"] == "ack"


def test_a_stopping_server_says_when_to_reconnect_and_closes_with_1012(house: House) -> None:
    made = house.new_match()
    house.start()
    watcher = house.phone(made)
    house.signal(signal.SIGTERM)
    restart = watcher.hear("restart")
    assert restart == {"t": "restart", "after_ms": restart["after_ms"]}
    assert 500 <= restart["after_ms"] <= 2_500
    assert watcher.close_code() == 1012
    assert "Traceback" not in house.log.read_text()


def test_a_server_that_hangs_while_stopping_ends_and_says_where(house: House) -> None:
    prepared.static_files(house.folder)
    house.start("-c", HANGS.format(arguments=house.product()))
    house.phone(house.new_match())  # signal handlers are installed only once a socket is served
    house.signal(signal.SIGTERM)
    log = house.log.read_text()
    assert "Timeout (0:00:01)!" in log and "in send_nobody_away" in log


def test_a_frame_above_4_kib_is_refused_and_the_socket_stays_open(shared: House) -> None:
    made = shared.new_match()
    ann = shared.phone(made, "left")
    ann.socket.send('{"t":"ping","c":1,"x":"' + "x" * 10_000 + '"}')
    assert ann.hear("refused") == {
        "t": "refused",
        "id": None,
        "code": "bad-message",
        "v": 3,
        "words": "A message may have at most 4096 bytes.",
    }
    ann.say({"t": "ping", "c": 1})
    assert ann.hear("pong")["c"] == 1


def test_a_match_made_by_a_command_is_shown_at_its_table(shared: House) -> None:
    first = shared.new_match("--table", "12", "--tournament", "open")
    watcher = shared.phone(first)
    second = shared.new_match("--table", "12", "--tournament", "open")
    assert second["code"] == first["code"]
    assert watcher.see(match=second["match"])["names"] == ["Ann", "Bob"]


def test_a_server_listens_before_loading_what_no_phone_needs(house: House) -> None:
    assert house.python(LOADED) == ["clocks.live.consumers"]
