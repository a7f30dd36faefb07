"""Cost of one process's hits for another on the same PostgreSQL and Redis."""

import asyncio
import shutil
from collections.abc import Sequence
from typing import Any

from tests.bench.measure import Alarm, join, leave, rest
from tests.bench.play import MatchBoard, Place
from tests.bench.product import make_boards, serve_product
from tests.bench.rig import Rig
from tests.bench.server import Server

PLAYING, RESTING = 600, 100  # boards at the first process (enough to keep phones below their limits), and at the other
SECRET = "two processes sign alike, or a cookie of one is nothing to the other"
REST_S, WARM_S, PLAY_S = 6.0, 3.0, 12.0  # REST_S includes at least one presence update


def cost(rig: Rig) -> dict[str, Any]:
    """CPU time per hit in both processes, beyond their idle load, in a closed loop."""
    playing, resting = rig.scaled(PLAYING), rig.scaled(RESTING)
    with rig.postgresql() as backend:
        folders = [rig.new_folder() for _ in range(2)]
        environments = [backend.environment(str(folder)) | {"SECRET_KEY": SECRET} for folder in folders]
        places = make_boards(playing + resting, environments[0])
        shutil.copytree(folders[0] / "static", folders[1] / "static")
        core = rig.server_core
        with serve_product(core, environments[0]) as here, serve_product(core, environments[1]) as there:
            return asyncio.run(_compare((here, there), places[:playing], places[playing:]))


async def _compare(
    servers: tuple[Server, Server], playing: Sequence[Place], resting: Sequence[Place]
) -> dict[str, Any]:
    alarm = Alarm()
    here, there = servers
    boards = [MatchBoard(here.port, place, alarm.ring) for place in playing]
    others = [MatchBoard(there.port, place, alarm.ring) for place in resting]
    await join(boards, here.port)
    await join(others, there.port)
    used = [server.cpu_s() for server in servers]
    await alarm.sleep(REST_S)
    at_rest = [(server.cpu_s() - before) / REST_S for server, before in zip(servers, used, strict=True)]
    for board in boards:
        board.going = True
        board.hit()
    await alarm.sleep(WARM_S)
    hits, used, began_s = _hits(boards), [server.cpu_s() for server in servers], asyncio.get_running_loop().time()
    await alarm.sleep(PLAY_S)
    hits, passed_s = _hits(boards) - hits, asyncio.get_running_loop().time() - began_s
    spent = [server.cpu_s() - before for server, before in zip(servers, used, strict=True)]
    await rest(boards, alarm)
    await leave([*boards, *others])
    mine, theirs = ((s - passed_s * idle) * 1e6 / hits for s, idle in zip(spent, at_rest, strict=True))
    return {
        "hits": hits,
        "per_second": round(hits / passed_s),
        "us_here": round(mine, 1),
        "us_elsewhere": round(theirs, 2),
        "cpu_at_rest": [round(idle, 4) for idle in at_rest],
        "cpu_played": [round(s / passed_s, 4) for s in spent],
        "ratio": round(theirs / mine, 4),
    }


def _hits(boards: Sequence[MatchBoard]) -> int:
    return sum(board.counted() for board in boards)
