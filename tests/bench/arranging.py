"""Cost of arranging a large tournament for the players of another.

1,000 boards hit at the pace of a hall: alone, then while another tournament is arranged, then alone again. Arranging
means previewing, drawing, importing, correcting, exporting and backing up a round of 1,000 matches, and removing its
players' names.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any
from urllib.parse import urlencode

from tests.bench.measure import Alarm, join, leave, steady
from tests.bench.play import MatchBoard, Place
from tests.bench.product import inside
from tests.bench.rig import SQLITE, Rig, must_hold, must_keep_up
from tests.bench.server import HOST, PROJECT, Server
from tests.bench.viewers import sign_in

BOARDS, LINES = 1_000, 1_000
WARM_S, WINDOW_S = 0.1, 5.0
CLIENT_NICE = 10  # lower priority than the phones on the same core
MAKE = """
import json
from django.contrib.auth.models import User
from clocks.models import Membership, Round, Tournament
from clocks.people import api_tokens
made = Tournament.objects.create(slug="large", name="Large")
owner = User.objects.create_user("large")
Membership.objects.create(tournament=made, user=owner, role="owner")
for number in (1, 2):
    Round.objects.create(tournament=made, number=number)
print(json.dumps(api_tokens.make(made, owner, "Draws", "director", None)))
"""


def compare(rig: Rig) -> dict[str, Any]:
    """Measure a hall alone, while another tournament is arranged, and alone again."""
    boards = rig.scaled(BOARDS)
    must_hold(2 * boards)
    folder, places = rig.places(boards)
    environment = SQLITE.environment(str(folder))
    token = inside(environment, MAKE)
    with rig.serve(folder) as server:
        arranger = Arranger(server.port, environment, token, rig.scaled(LINES))
        figures = asyncio.run(_compare(server, places, arranger, rig))
    must_keep_up(figures["load_cpu"])
    return figures


async def _compare(server: Server, places: list[Place], arranger: "Arranger", rig: Rig) -> dict[str, Any]:
    alarm = Alarm()
    boards = [MatchBoard(server.port, place, alarm.ring) for place in places]
    await join(boards, server.port)
    every_s, seconds = rig.every_s, rig.chosen.hall_seconds
    log: list[tuple[float, float]] = []
    for board in boards:
        board.delays_s = Delays(log)
    quiet = list[float]()
    await steady(boards, server, every_s, seconds, alarm, quiet)
    log.clear()
    with ProcessPoolExecutor(1, get_context("spawn"), os.nice, (CLIENT_NICE,)) as client:
        working = asyncio.get_running_loop().run_in_executor(client, arranger.work)
        load_cpu = server_cpu = 0.0
        while not working.done():
            figures = await steady(boards, server, every_s, WINDOW_S, alarm, warm_s=WARM_S)
            load_cpu, server_cpu = max(load_cpu, figures["load_cpu"]), max(server_cpu, figures["server_cpu"])
        spans = await working
    await steady(boards, server, every_s, seconds, alarm, quiet, warm_s=WARM_S)
    await leave(boards)
    steps = {
        name: [delay for seen, delay in log if begun <= seen - delay <= ended or begun <= seen <= ended]
        for name, (begun, ended) in spans.items()
    }
    busy = [delay for delays in steps.values() for delay in delays]
    return {
        "boards": len(boards),
        "hits": len(quiet) + len(busy),
        "quiet_p99_ms": _p99(quiet),
        "p99_ms": _p99(busy),
        "max_ms": round(max(busy) * 1000, 2),
        "p99_ratio": round(_p99(busy) / _p99(quiet), 3),
        "p99_of_steps": {name: _p99(delays) for name, delays in steps.items()},
        "steps_s": {name: round(ended - begun, 1) for name, (begun, ended) in spans.items()},
        "server_cpu": server_cpu,
        "load_cpu": load_cpu,
    }


class Delays(list[float]):
    """Delays of a board; each is also logged with its arrival time in a shared list."""

    def __init__(self, log: list[tuple[float, float]]) -> None:
        super().__init__()
        self._log = log

    def append(self, delay: float) -> None:
        """Append a delay to this list and to the log."""
        super().append(delay)
        self._log.append((time.perf_counter(), delay))


def _p99(delays: list[float]) -> float:
    return round(sorted(delays)[int(len(delays) * 0.99)] * 1000, 2) if delays else 0.0


class Arranger:
    """Client that arranges a tournament through API, an owner's pages and commands.

    Runs in its own process, as if on another computer: parsing a page of 1,000 lines would delay the phones' event
    loop.
    """

    def __init__(self, port: int, environment: Mapping[str, str], token: str, lines: int) -> None:
        self._at = f"http://{HOST}:{port}"
        self._environment, self._token = environment, token
        self._lines = [(f"T{n}", f"Left {n}", f"Right {n}") for n in range(lines)]
        self._cookie = sign_in(port, environment)

    def work(self) -> dict[str, tuple[float, float]]:
        """Run each step once; return its start and end (`perf_counter`) by name."""
        spans = {}
        for name, step in self._steps():
            began = time.perf_counter()
            step()
            spans[name] = began, time.perf_counter()
        return spans

    def _steps(self) -> Iterator[tuple[str, Callable[[], object]]]:
        yield "tried out", lambda: self._put(1, "?dry_run=1")
        yield "drawn", lambda: self._put(1)
        yield "drawn anew", lambda: self._put(1, shift=1)
        yield "imported", lambda: self._import(2)
        yield "corrected", self._correct
        yield "exported", lambda: [self._get(f"/director/large/{name}") for name in ("results.csv", "journals.zip")]
        yield "backed up", lambda: self._command("backup", "--to", self._environment["DATA_DIR"])
        yield "forgotten", lambda: self._post("/director/large/forget/", name="Large")

    def _put(self, number: int, query: str = "", shift: int = 0) -> None:
        rights = [right for _table, _left, right in self._lines]
        pairings = [
            {"table": table, "left": left, "right": rights[(n + shift) % len(rights)]}
            for n, (table, left, _right) in enumerate(self._lines)
        ]
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        address = f"{self._at}/api/v1/tournaments/large/rounds/{number}/pairings{query}"
        body = json.dumps({"pairings": pairings}).encode()
        with urllib.request.urlopen(urllib.request.Request(address, body, headers, method="PUT")) as answer:
            answer.read()

    def _import(self, number: int) -> None:
        text = "\n".join(["table,left,right", *map(",".join, self._lines)])
        path = f"/director/large/rounds/{number}/draw/"
        shown = self._post(path, pasted=text)
        plan = re.search(r'name="plan" value="(\w+)"', shown)
        assert plan is not None, shown[:2000]
        self._post(path, pasted=text, plan=plan[1])

    def _correct(self) -> None:
        players = re.findall(r"/director/large/players/(\d+)/", self._get("/director/large/players/"))
        for number, player in enumerate(players[:5]):
            self._post(f"/director/large/players/{player}/", name=f"Corrected {number}", note="Misspelt")

    def _command(self, *arguments: str) -> None:
        every_core = lambda: os.sched_setaffinity(0, range(os.cpu_count() or 1))  # noqa: E731
        command = [sys.executable, "manage.py", *arguments]
        quiet = {"stdout": subprocess.DEVNULL, "preexec_fn": every_core}
        subprocess.run(command, cwd=PROJECT, env=dict(self._environment), check=True, **quiet)

    def _get(self, path: str) -> str:
        return self._open(urllib.request.Request(self._at + path, headers={"Cookie": self._cookie}))

    def _post(self, path: str, **data: str) -> str:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self._get(path))
        assert token is not None, path
        body = urlencode({**data, "csrfmiddlewaretoken": token[1]}).encode()
        headers = {"Cookie": self._cookie, "Origin": self._at}
        return self._open(urllib.request.Request(self._at + path, body, headers))

    def _open(self, request: urllib.request.Request) -> str:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return str(answer.read().decode("utf-8", "replace"))
