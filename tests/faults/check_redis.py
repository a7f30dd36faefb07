"""Redis is killed, hangs, restarts empty or is partitioned off during play.

Play continues meanwhile, and every phone, whichever process it is connected to, receives each acknowledged version
within two seconds. Each fault is repeated REDIS times.
"""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.check_histories import AGREED_S
from tests.faults.houses import Pair, cut, pair
from tests.faults.judging import history_faults, judge, stopped
from tests.faults.players import Play
from tests.services import Missing

TIMES = int(os.environ.get("REDIS", "50"))
AWAY_S = 3.0  # longer than phones may disagree
MOST_S = 10.0  # limit until play resumes at all boards after a fault


def died(two: Pair) -> None:
    """Kill Redis and restart it some seconds later."""
    two.layer.signal(signal.SIGKILL)
    time.sleep(AWAY_S)  # duration of the fault
    two.layer.start()


def hung(two: Pair) -> None:
    """Freeze Redis for a while; afterwards it processes what it was sent meanwhile."""
    two.layer.signal(signal.SIGSTOP)
    time.sleep(AWAY_S)  # duration of the fault
    two.layer.signal(signal.SIGCONT)


def restarted_empty(two: Pair) -> None:
    """Kill and restart Redis at once; it has lost all subscriptions."""
    two.layer.signal(signal.SIGKILL)
    two.layer.start()


def split(two: Pair) -> None:
    """Cut one of the two processes off from Redis for a while."""
    cut(two.to_redis[:1], True)
    time.sleep(AWAY_S)  # duration of the fault
    cut(two.to_redis[:1], False)


@pytest.mark.timeout(180 + TIMES * 20)
@pytest.mark.parametrize("fault", [died, hung, restarted_empty, split])
def test_without_redis_phones_agree_within_two_seconds(tmp_path: Path, fault: Callable[[Pair], None]) -> None:
    try:
        with pair(tmp_path) as two:
            with Play(two.ports, two.places) as play:
                for _ in range(TIMES):
                    play.recovered_s(time.time(), within_s=MOST_S)
                    fault(two)
                play.recovered_s(time.time(), within_s=MOST_S)
            print(f"\n{TIMES} times {fault.__name__}, {len(play.acknowledged())} acknowledged, {dict(play.refused())}")
            assert stopped(two.houses[0]) == set()
            assert history_faults(two.houses[0], play, AGREED_S) == []
            judge(two.houses[0], play)
    except Missing as missing:
        pytest.skip(str(missing))
