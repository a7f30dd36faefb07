"""Loss of the database machine, LOSSES times, and of its standby."""

import signal
import time

from tests.faults.houses import RECOVERY_S
from tests.faults.judging import Outage, judge, stopped
from tests.faults.players import Play
from tests.faults.replicas import SCRIPT, Cell
from tests.faults.test_failover import (  # noqa: F401
    AWAY_S,
    lose_the_first_server,
    made,
    test_the_databases_machine_is_lost_and_its_standby_goes_on,
)


def test_the_standby_is_lost_play_does_without_it_and_it_comes_back(made: Cell) -> None:  # noqa: F811
    first, standby = made.servers
    with Play(made.ports, made.places) as play:
        play.recovered_s(time.time())
        standby.signal(signal.SIGKILL)
        lost = time.time()
        time.sleep(AWAY_S)  # duration of the fault
        first.script(SCRIPT, "do-without")
        alone = time.time()
        took_s = play.recovered_s(alone, within_s=RECOVERY_S)
        assert len(stopped(made.houses[0])) == len(made.places)
        standby.start()
        standby.wait_until_it_streams(first)
        first.script(SCRIPT, "require")
        play.recovered_s(time.time())
        outage, again_s = lose_the_first_server(made, play)
    print(f"\n{len(play.acknowledged())} acknowledged, all went on after {took_s:.1f} and {again_s:.1f} s")
    judge(made.houses[0], play, [Outage(lost, alone), outage])
