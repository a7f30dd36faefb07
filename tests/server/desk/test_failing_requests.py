"""A failing request stops no other clock, on SQLite and on PostgreSQL.

An attacker starts a casual match on one phone and once a second sends hand-overs whose ids collide or do not fit their
column. Only storage failures count as an outage, so all other clocks keep running.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.daphne import House, migrated
from tests.services import PostgreSQL

ATTACKS, EVERY_S = 5, 1.0  # together longer than three seconds, after which a lack of commits is an outage
Kept = list[dict[str, Any]]
MAKE = """
import json
from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm, Hit
from clocks.engine.setup import Setup
from clocks.seats import devices
from clocks.tournament import tables

def make(*phones):
    table = tables.add_table(tables.casual_tournament())
    match = desk.make_match(table, Setup.parse({"rules": "us-2013", "length": 3, "names": ["Ann", "Bob"]}))
    tokens = []
    for seats in phones:
        device, token = devices.join_device({})
        desk.claim_seat(match.pk, [Seat(seat) for seat in seats], device)
        tokens.append(token)
    assert desk.submit_and_wait(desk.Request(match.pk, Confirm(), "director")).ok
    assert desk.submit_and_wait(desk.Request(match.pk, Hit(), "left")).ok
    return {"code": table.code, "match": match.pk, "tokens": tokens}

print(json.dumps([make(["left"], ["right"]), *(make(["left", "right"]) for _ in range(4))]))
"""


def part(number: int, at: int, **more: str) -> dict[str, Any]:
    return {"do": "hit", "seat": ("right", "left")[number % 2], "at": at + number, **more}


def one_id_twice(number: int, at: int) -> tuple[str, Kept]:
    return f"outer-{number}", [part(0, at, id=f"same-{number}"), part(1, at, id=f"same-{number}")]


def the_id_of_the_whole(number: int, at: int) -> tuple[str, Kept]:
    return f"outer-{number}", [part(0, at, id=f"outer-{number}")]


def a_derived_id(number: int, at: int) -> tuple[str, Kept]:
    return f"outer-{number}", [part(0, at, id=f"outer-{number}.1"), part(1, at)]


def no_room_for_a_derived_id(number: int, at: int) -> tuple[str, Kept]:
    return f"{number:064}", [part(0, at), part(1, at)]


HAND_OVERS: list[Callable[[int, int], tuple[str, Kept]]] = [
    one_id_twice,
    the_id_of_the_whole,
    a_derived_id,
    no_room_for_a_derived_id,
]


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """Running server on SQLite or PostgreSQL, depending on the parameter."""
    settings = {}
    if request.param == "PostgreSQL":
        server: PostgreSQL = request.getfixturevalue("postgresql")
        settings = {"DATABASE_URL": server.url_of(migrated(server))}
    house = House(tmp_path / "house", **settings)
    house.start()
    yield house
    house.close()


def test_hand_overs_that_cannot_be_stored_stop_no_other_clock(hall: House) -> None:
    other, *own = hall.python(MAKE)
    ann, strangers = hall.phone(other, "left"), [hall.phone(each, "left") for each in own]
    codes, stopped = set[str](), False
    for number in range(ATTACKS):
        began = time.monotonic()
        for attack, stranger, match in zip(HAND_OVERS, strangers, own, strict=True):
            id_, kept = attack(number, stranger.snapshot["now"])
            codes.add(stranger.do("hand-over", id_, kept=kept, match=match["match"])["code"])
        stopped = stopped or ann.hears("match", within_s=EVERY_S - (time.monotonic() - began))
    assert (stopped, codes) == (False, {"bad-value"})
    bob = hall.phone(other, "right")
    assert bob.do("hit", "still-there", turn_number=bob.snapshot["turn_number"])["t"] == "ack"
    assert "Traceback" not in hall.log.read_text()
