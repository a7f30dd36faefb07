"""The database machine is lost and its standby takes over (`make check-faults`)."""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.houses import RECOVERY_S
from tests.faults.judging import Outage, judge, stopped
from tests.faults.players import Play
from tests.faults.replicas import SCRIPT, Cell, cell
from tests.services import Missing

LOSSES = int(os.environ.get("LOSSES", "1"))
PROCESSES = 1 if LOSSES == 1 else 2
SEED = int(os.environ.get("SEED", "27"))
AWAY_S = 4.5  # until somebody promotes the standby; longer than the shortest outage


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Cell]:
    try:
        with cell(tmp_path, PROCESSES) as both:
            yield both
    except Missing as missing:
        assert os.environ.get("CI") != "true", missing
        pytest.skip(str(missing))


def lose_the_first_server(made: Cell, play: Play) -> tuple[Outage, float]:
    """Lose the server that accepts writes, and promote the other.

    Returns the outage, and the seconds until play resumes at every board.
    """
    first, standby = made.first_and_standby()
    refused = standby.try_script(SCRIPT, "promote")
    assert (refused.returncode, "still answers" in refused.stderr) == (1, True)
    made.lose(first)
    lost = time.time()
    time.sleep(AWAY_S)  # duration of the fault
    standby.script(SCRIPT, "promote")
    promoted = time.time()
    return Outage(lost, promoted), play.recovered_s(promoted, within_s=RECOVERY_S)


@pytest.mark.timeout(180 + 60 * LOSSES)
def test_the_databases_machine_is_lost_and_its_standby_goes_on(made: Cell) -> None:
    moments = random.Random(SEED)
    outages, recoveries = [], []
    with Play(made.ports, made.places) as play:
        for number in range(LOSSES):
            if number:
                made.replace()
            play.recovered_s(time.time())
            time.sleep(moments.uniform(0, 1))  # the server is to be lost at a random moment
            outage, took_s = lose_the_first_server(made, play)
            outages.append(outage)
            recoveries.append(took_s)
    print(f"\n{len(play.acknowledged())} acknowledged, the slowest went on after {max(recoveries):.1f} s")
    stops = Counter(stop.match for stop in stopped(made.houses[0]))
    assert [*stops.values()] == [LOSSES] * len(made.places)
    judge(made.houses[0], play, outages)
