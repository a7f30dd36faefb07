"""A server killed while storing a draw leaves all of it or nothing."""

import http.client
import json
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clocks.desk.pairings import AT_ONCE
from tests import prepared
from tests.server.daphne import House

MATCHES = 40
MADE = """
import json
from django.contrib.auth.models import User
from clocks.models import Round, Tournament
from clocks.people import api_tokens, members
owner = User.objects.create_user("dora")
made = members.make_tournament("open", "Open", owner)
Round.objects.create(tournament=made, number=1)
print(json.dumps(api_tokens.make(made, owner, "Draws", "director", None)))
"""
STORED = """
import json
from clocks.models import Match, Pairing, Table
print(json.dumps({each.__name__: each.objects.count() for each in (Table, Pairing, Match)}))
"""
KILLED = """
import os, signal
from django.core.management import execute_from_command_line
import config.asgi
from clocks import desk
from clocks.desk import pairings
from clocks.tournament import draw_store, tables

def die(*_args, **_more):
    os.kill(os.getpid(), signal.SIGKILL)

def then_die(work, times=1):
    def killed(*args, **more):
        nonlocal times
        done = work(*args, **more)
        times -= 1
        return done if times else die()
    return killed

{death}
execute_from_command_line({arguments!r})
"""
NONE = {"Table": 0, "Pairing": 0, "Match": 0}
DRAWN = {"Table": MATCHES, "Pairing": MATCHES}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


def draw(house: House, token: str) -> Any:
    """Send the draw through the API; return the response, or None if the server died."""
    lines = [{"table": str(n), "left": f"Ann {n}", "right": f"Bob {n}"} for n in range(1, MATCHES + 1)]
    asked = urllib.request.Request(
        f"http://127.0.0.1:{house.port}/api/v1/tournaments/open/rounds/1/pairings",
        json.dumps({"pairings": lines}).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        method="PUT",
    )
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer)
    except (urllib.error.URLError, http.client.HTTPException, ConnectionError):
        return None


DEATHS = {  # and what is left, each in the place of the line {death}
    "tables.NewTables.store = then_die(tables.NewTables.store)": NONE,
    "draw_store.tournament_log.write = die": NONE,  # after its pairings
    "desk.start_pairings = die": {**DRAWN, "Match": 0},  # before its matches begin
    "pairings.append_and_publish = then_die(pairings.append_and_publish, 3)": {**DRAWN, "Match": 2 * AT_ONCE},
}


def test_a_draw_cut_short_by_kill_9_is_whole_or_not_there(house: House) -> None:
    token = house.python(MADE)
    prepared.static_files(house.folder)
    left = {}
    for death in DEATHS:
        house.start("-c", KILLED.format(death=death, arguments=house.product()))
        assert draw(house, token) is None
        house.wait_for_its_end()
        left[death] = house.python(STORED)
    assert left == DEATHS

    house.start()
    drawn = draw(house, token)  # resent: now stored in full
    assert len(drawn["lines"]) == MATCHES
    assert house.python(STORED) == {**DRAWN, "Match": MATCHES}
    assert house.manage("verify").endswith("all as their journals say\n")
    house.signal(signal.SIGTERM)
