"""Zombie: a process that hangs, then continues with stale state, changes nothing.

The invariant (fencing): a process decides only on the version of a match that it read under its row lock, in the same
transaction that appends the entries; entry numbers are unique. Whatever a zombie held before, it either reads again, or
PostgreSQL has ended its transaction (`idle_in_transaction_session_timeout`). `make check-faults` freezes it for a
minute.
"""

import os
import signal
import time
from typing import Any

import psycopg

from tests.processes.conftest import Houses
from tests.processes.test_two import entries, hit, start_play
from tests.server.daphne import House

FROZEN_S = float(os.environ.get("FROZEN_S", "8"))  # longer than OUTAGE_MS, and than Bob's reserve
WAITS = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    " AND query LIKE 'INSERT INTO%clocks_journalentry%'"
)


def events(house: House, made: dict[str, Any]) -> list[str]:
    return [event for event, _ in entries(house, made)]


def wait_past_frozen(since: float) -> None:
    """Wait until a process has been frozen for FROZEN_S."""
    time.sleep(max(0.0, since + FROZEN_S - time.monotonic()))  # duration of the fault


def test_a_zombie_flags_nobody_and_gives_no_time_back(houses: Houses) -> None:
    made = houses.one.new_match("--option", "reserve_ms=[300000,6000]", "--option", "delay_ms=0")
    _, bob = start_play(houses, made)
    ann = houses.two.phone(made, "left")
    houses.one.signal(signal.SIGSTOP)  # it knows when Bob's flag falls
    since = time.monotonic()
    try:
        assert hit(bob, "in time")["t"] == "ack"
        ann.see(turn="left")
        wait_past_frozen(since)
    finally:
        houses.one.signal(signal.SIGCONT)
    back = houses.one.phone(made, "left")
    back.see(status="running", turn="left")
    assert 0 < back.snapshot["reserve_ms"][1] < 6_000  # Bob was charged for his turn, and for nothing else
    assert events(houses.two, made)[-2:] == ["hit", "hit"]
    assert set(events(houses.two, made)) & {"flag_fell", "stopped"} == set()
    assert houses.two.manage("verify").strip().endswith("all as their journals say")


def test_a_zombie_in_the_middle_of_a_press_writes_no_old_state(houses: Houses) -> None:
    made = houses.one.new_match()
    _, bob_at_two = start_play(houses, made)
    ann = houses.one.phone(made, "left")
    assert hit(bob_at_two, "before")["t"] == "ack"
    ann.see(turn_number=2)
    url = houses.one.environment["DATABASE_URL"]
    with psycopg.connect(url) as holder, psycopg.connect(url, autocommit=True) as connection:
        with holder.transaction():
            holder.execute("LOCK TABLE clocks_journalentry IN SHARE MODE")
            ann.say({"t": "do", "id": "half", "do": "hit", "turn_number": ann.snapshot["turn_number"]})
            while not (waiting := connection.execute(WAITS).fetchall()):
                time.sleep(0.01)  # polled, because there is no event
            houses.one.signal(signal.SIGSTOP)  # it holds the lock of the match
        since = time.monotonic()
        try:
            # As PostgreSQL does by itself after 10 s (idle_in_transaction_session_timeout).
            connection.execute("SELECT pg_terminate_backend(%s)", waiting[0])
            ann_at_two = houses.two.phone(made, "left")
            while (answer := hit(ann_at_two, "half")).get("code") == "not-stored":
                time.sleep(0.1)  # retry, like a phone
            assert answer["t"] == "ack"
            bob_at_two.see(turn_number=3)
            assert hit(bob_at_two, "meanwhile")["t"] == "ack"
            wait_past_frozen(since)
        finally:
            houses.one.signal(signal.SIGCONT)
    back = houses.one.phone(made, "left")
    back.see(turn_number=4)
    assert hit(back, "at last")["t"] == "ack"
    bob_at_two.see(turn_number=5)
    told = [id_ for event, id_ in entries(houses.two, made) if event == "hit"]
    assert told == ["start", "before", "half", "meanwhile", "at last"]
    assert "stopped" not in events(houses.two, made)
    assert houses.two.manage("verify").strip().endswith("all as their journals say")
