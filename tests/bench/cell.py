"""A cell: four processes on PostgreSQL and Redis behind nginx, and 20,000 phones.

40 tournaments of 250 boards, each with a console and a hall screen, plus 1,000 spectators at the boards. Several
processes generate the load, and everything shares the machine's cores.
"""

import asyncio
import os
import re
import resource
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median
from typing import Any

from redis import Redis

from tests.bench.elsewhere import SECRET
from tests.bench.measure import Alarm, join, leave, steady
from tests.bench.play import MatchBoard, Place
from tests.bench.product import SLUG, make_boards, serve_product
from tests.bench.rig import LeftOut, Rig, must_hold, must_keep_up
from tests.bench.server import PROJECT, START_S, Server
from tests.bench.viewers import Viewer, sign_in
from tests.ports import free_port

BOARDS, TOURNAMENTS, SPECTATORS, SERVERS, LOADS = 10_000, 40, 1_000, 4, 2
FOUR_CORES_S, FEWER_CORES_S = 5.0, 10.0  # between hits of a board
CONF = PROJECT / "deploy/nginx/backgammon-clock.conf"
LINE = re.compile(r"^    server 127\.0\.0\.1:8000 (.*)$", re.MULTILINE)
MAIN = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 4;
worker_rlimit_nofile {files};
events {{ worker_connections {files}; }}
http {{
    access_log off;
    include {folder}/site.conf;
}}
"""

_joined: Barrier  # released once all load processes have connected


@dataclass(frozen=True)
class Share:
    """One load process's share."""

    port: int  # of nginx
    places: Sequence[Place]
    watched: Sequence[tuple[str, str]]  # path and cookie of each read-only page
    every_s: float
    seconds: float


def latency(rig: Rig) -> dict[str, Any]:
    """Measure delays from press to the other phone's snapshot, at the pace of a hall."""
    boards, spectators = rig.scaled(BOARDS), rig.scaled(SPECTATORS)
    must_hold((2 * boards + spectators) // LOADS)
    slugs = [f"{SLUG}-{number}" for number in range(rig.scaled(TOURNAMENTS))]
    with rig.postgresql() as backend, ExitStack() as stack:
        folders = [rig.new_folder() for _ in range(SERVERS)]
        own = {"SECRET_KEY": SECRET, "TRUSTED_PROXIES": "127.0.0.1"}
        environments = [backend.environment(str(folder)) | own for folder in folders]
        places = [place for slug in slugs for place in make_boards(boards // len(slugs), environments[0], slug)]
        for folder in folders[1:]:
            shutil.copytree(folders[0] / "static", folder / "static")
        servers = [stack.enter_context(serve_product(None, environment)) for environment in environments]
        before_mb = sum(server.memory_mb() for server in servers)
        port = stack.enter_context(_proxy(rig.new_folder(), [server.port for server in servers]))
        director = sign_in(servers[0].port, environments[0])
        watched = [(f"/ws/director/{slug}/", director) for slug in slugs]
        watched += [(f"/ws/hall/{slug}/", "") for slug in slugs]
        watched += [(f"/ws/table/{place.code}/", "") for place in places[:spectators]]
        every_s = rig.chosen.every or (FOUR_CORES_S if (os.cpu_count() or 1) >= 4 else FEWER_CORES_S)
        shares = [
            Share(port, places[at::LOADS], watched[at::LOADS], every_s, rig.chosen.hall_seconds) for at in range(LOADS)
        ]
        with closing(Redis.from_url(str(backend.settings["CHANNEL_REDIS_URL"]))) as layer:
            figures = _played(shares, servers, layer)
    sockets = 2 * len(places) + len(watched)
    kb_a_socket = round((figures["server_mb"] - before_mb) * 1000 / sockets, 1)
    return figures | {"boards": len(places), "every_s": every_s, "sockets": sockets, "kb_a_socket": kb_a_socket}


def _played(shares: Sequence[Share], servers: Sequence[Server], layer: "Redis") -> dict[str, Any]:
    context = get_context("spawn")
    joined = context.Barrier(len(shares) + 1)
    with ProcessPoolExecutor(len(shares), context, _begin, (joined,)) as loads:
        playing = [loads.submit(_play, share) for share in shares]
        joined.wait()
        began_s, cpu_s, sent = time.monotonic(), [server.cpu_s() for server in servers], _messages(layer)
        parts = [part.result() for part in playing]
        passed_s, sent = time.monotonic() - began_s, _messages(layer) - sent
        used = [(server.cpu_s() - before) / passed_s for server, before in zip(servers, cpu_s, strict=True)]
    delays, hits = sorted(delay for part in parts for delay in part["delays_s"]), sum(part["hits"] for part in parts)
    figures = {
        "hits": len(delays),
        "p50_ms": round(median(delays) * 1000, 2),
        "p99_ms": round(delays[int(len(delays) * 0.99)] * 1000, 2),
        "max_ms": round(delays[-1] * 1000, 2),
        "hits_overdue": sum(part["hits_overdue"] for part in parts),
        "messages_a_hit": round(sent / hits, 2),
        "server_cpu": round(max(used), 2),
        "load_cpu": max(part["load_cpu"] for part in parts),
        "server_mb": round(sum(server.memory_mb() for server in servers)),
    }
    must_keep_up(figures["load_cpu"])
    return figures


def _messages(layer: "Redis") -> int:
    """Count of messages published between processes so far."""
    published: dict[str, int] = layer.info("commandstats").get("cmdstat_publish", {"calls": 0})
    return published["calls"]


def _begin(joined: Barrier) -> None:
    global _joined
    _joined = joined
    os.sched_setaffinity(0, range(os.cpu_count() or 1))


def _play(share: Share) -> dict[str, Any]:
    try:
        return asyncio.run(_play_through(share))
    except BaseException:
        _joined.abort()
        raise


async def _play_through(share: Share) -> dict[str, Any]:
    alarm = Alarm()
    boards = [MatchBoard(share.port, place, alarm.ring) for place in share.places]
    await join(boards, share.port)
    viewers = [Viewer(share.port, path, cookie) for path, cookie in share.watched]
    for viewer in viewers:
        await viewer.open()
    await asyncio.to_thread(_joined.wait)
    delays_s: list[float] = []
    figures = await steady(boards, None, share.every_s, share.seconds, alarm, delays_s)
    hits = sum(board.counted() for board in boards)  # including the warm-up
    for viewer in viewers:
        viewer.close()
    await leave(boards)
    return figures | {"delays_s": delays_s, "hits": hits}


@contextmanager
def _proxy(folder: Path, ports: Sequence[int]) -> Iterator[int]:
    """Run nginx with the site from deploy/, without TLS; yield its port."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        raise LeftOut("nginx is not installed (apt install nginx)")
    port, files = free_port(), resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    head, _redirects, site = CONF.read_text().partition("server {\n    listen 80;")
    site = "server {\n    listen 443 ssl;" + site.partition("server {\n    listen 443 ssl;")[2]
    site = re.sub(r"^    ssl_.*\n", "", site, flags=re.MULTILINE).replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    head = LINE.sub(lambda line: "\n".join(f"    server 127.0.0.1:{one} {line[1]}" for one in ports), head)
    (folder / "site.conf").write_text(head + site)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, files=files))
    process = subprocess.Popen(
        [program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")],
        preexec_fn=lambda: os.sched_setaffinity(0, range(os.cpu_count() or 1)),
    )
    try:
        until = time.monotonic() + START_S
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"nginx does not listen:\n{(folder / 'error.log').read_text()}")
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()
