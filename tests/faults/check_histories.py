"""Histories under faults are linearizable; those of broken servers are not.

`make check-faults ARGS="-k histories"`. HISTORIES is the number of matches played through faults.
"""

import os
import random
import re
import signal
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from tests.bench.product import make_boards
from tests.faults.histories import WITHIN_S
from tests.faults.houses import Pair, cut, pair, serve
from tests.faults.judging import history_faults
from tests.faults.players import Play
from tests.services import Missing

HISTORIES = int(os.environ.get("HISTORIES", "1000"))
BOARDS = 40
FROZEN_S, AWAY_S = 5.0, 2.0
PLAY_S = 10.0
AGREED_S = 2.0  # limit for an acknowledged version to reach all clients if at most Redis is broken
SEED = int(os.environ.get("SEED", "27"))

pytestmark = pytest.mark.timeout(120 + 3 * HISTORIES)


def faults_of(two: Pair) -> dict[str, Callable[[], object]]:
    """Faults by name; each breaks something, waits, and repairs it."""
    house = two.houses[random.randrange(2)]
    network = two.to_database[random.randrange(2)]

    def killed() -> None:
        house.signal(signal.SIGKILL)
        serve(house)

    def frozen() -> None:
        house.signal(signal.SIGSTOP)
        time.sleep(FROZEN_S)  # duration of the fault
        house.signal(signal.SIGCONT)

    def redis_restarted() -> None:
        two.layer.signal(signal.SIGKILL)
        two.layer.start()

    def redis_frozen() -> None:
        two.layer.signal(signal.SIGSTOP)
        time.sleep(AWAY_S)  # duration of the fault
        two.layer.signal(signal.SIGCONT)

    def database_killed() -> None:
        two.database.signal(signal.SIGKILL)
        two.database.start()

    def cut_off() -> None:
        cut([network], True)
        time.sleep(AWAY_S)  # duration of the fault
        cut([network], False)

    every = (killed, frozen, redis_restarted, redis_frozen, database_killed, cut_off)
    return {fault.__name__: fault for fault in every}


OF_REDIS = ("redis_restarted", "redis_frozen")


def test_histories_under_faults_have_an_order_that_explains_them(tmp_path: Path) -> None:
    random.seed(SEED)
    checked = 0
    try:
        with pair(tmp_path) as two:
            while checked < HISTORIES:
                places = make_boards(BOARDS, two.houses[0].environment)
                with Play(two.ports, places) as play:
                    play.recovered_s(time.time(), within_s=60)
                    name, fault = random.choice([*faults_of(two).items()])
                    fault()
                    play.recovered_s(time.time(), within_s=60)
                found = history_faults(two.houses[0], play, AGREED_S if name in OF_REDIS else WITHIN_S)
                checked += len(play.histories())
                print(f"\n{checked}: {name}, {len(play.acknowledged())} acknowledged, {found}")
                assert found == []
    except Missing as missing:
        pytest.skip(str(missing))


OBJECTIONS = {
    "": None,
    "fencing": r"entry (\d+) is followed by \1$",
    "news": r"had not seen version \d+ 2 s after it was acknowledged$",
    "order": r"saw version \d+ after \d+$",
}


@pytest.mark.parametrize("broken", OBJECTIONS)
def test_the_checker_objects_to_a_broken_server_only(tmp_path: Path, broken: str) -> None:
    try:
        with pair(tmp_path) as two:
            for house in two.houses if broken else ():
                house.signal(signal.SIGTERM)
                house.start("tests/faults/broken.py", broken, *house.product()[1:])
            play = Play(two.ports, two.places, rivals=True)
            with suppress(AssertionError) if broken else nullcontext(), play:  # boards may get stuck on a broken server
                time.sleep(PLAY_S)  # enough presses for something to go wrong
            found = history_faults(two.houses[0], play, AGREED_S)
        print(f"\n{len(play.acknowledged())} acknowledged, {len(found)} objections, such as {found[:3]}")
        expected = OBJECTIONS[broken]
        if expected is None:
            assert found == []
        else:
            assert [fault for fault in found if re.search(expected, fault)]
    except Missing as missing:
        pytest.skip(str(missing))
