"""CPU time of the pages of a 1,000-player tournament: draw, standings, bracket.

    python -m tests.bench.pages [--players 1000] [--profile standings] [PART OF A NAME ...]

A test client requests each page a few times in this process. The shortest time is printed with the number of queries,
and relative to this machine's time for a fixed piece of work (`large_hall.slowness`), because other programs slow down
both. The last line has the relative times as JSON.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import argparse
import cProfile
import gc
import json
import os
import pstats
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tests.bench.server import data_home

FOLDER = tempfile.TemporaryDirectory(prefix="bench-", dir=data_home())
os.environ |= {"DATA_DIR": FOLDER.name, "DJANGO_SETTINGS_MODULE": "config.settings"}

import django

django.setup()

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from clocks.models import Player, Tournament
from clocks.tournament import events
from clocks.views import bracket_drawing
from clocks.views.bracket_svg import svg
from clocks.views.public import parts
from tests.server.hall import client_of
from tests.server.large_event import knockout_of, swiss_of
from tests.server.large_hall import slowness

PLAIN_STATIC = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
TIMES = 3
SWISS_ROUNDS = 9
WISH = {"method": "knockout", "order": "random", "byes": "best", "length": "7", "rules": "us-2013", "into": "1"}


@contextmanager
def counted() -> Iterator[list[str]]:
    """Collect the SQL statements executed in the block."""
    queries: list[str] = []

    def counting(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        queries.append(sql)
        return execute(sql, *more)

    with connection.execute_wrapper(counting):
        yield queries


class Bench:
    """Measures work if its name has one of `parts`; profiles it if it has `profile`."""

    def __init__(self, parts: Sequence[str], profile: str) -> None:
        self.parts, self.profile = parts or [""], profile
        self.found: dict[str, float] = {}

    def measure(self, name: str, work: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> None:
        """Print the shortest CPU time of several calls, and the queries of one."""
        if not any(part in name for part in self.parts):
            return
        prepare()
        with counted() as queries:
            work()
        if self.profile and self.profile in name:
            prepare()
            profiler = cProfile.Profile(time.process_time)
            profiler.runcall(work)
            pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
        took, related = [], []
        for _time in range(TIMES):
            prepare()
            gc.collect()
            slower, began = slowness(), time.process_time()
            work()
            took.append((time.process_time() - began) * 1000)
            related.append(took[-1] / max(slower, slowness()))
        self.found[name] = round(min(related))
        print(f"{name:58} {min(took):7.0f} ms {self.found[name]:7.0f} in proportion {len(queries):5} queries")


def asked(client: Client, path: str) -> Callable[[], HttpResponse]:
    """Return a function that requests a page, uncached."""

    def work() -> HttpResponse:
        parts._kept.clear()
        response = client.get(path)
        assert response.status_code == 200, response.content[:500]
        return response

    return work


class Draw:
    """First-round draw from a player list, in a new tournament each time."""

    def __init__(self, players: int) -> None:
        self.players, self.made = players, 0
        self.wish = {**WISH, "apart": ["club"]}

    def prepare(self) -> None:
        """Create a tournament with a player list, and preview its draw."""
        self.made += 1
        slug = f"draw-{self.made}"
        tournament = Tournament.objects.create(slug=slug, name="Draw")
        Player.objects.bulk_create(
            Player(tournament=tournament, name=f"Player {n:04}", club=f"Club {n % 40}") for n in range(self.players)
        )
        self.client, self.path = client_of("director", slug), f"/director/{slug}/draw/"
        pairs = re.search(r'name="pairs" value="([^"]+)"', self.preview())
        assert pairs
        self.pairs = pairs[1]

    def preview(self) -> str:
        """Request a preview of the draw."""
        return str(self.client.get(self.path, self.wish).content.decode())

    def store(self) -> None:
        """Store the previewed draw and start its matches."""
        answer = self.client.post(self.path, {**self.wish, "pairs": self.pairs, "store": "yes"})
        assert answer.status_code == 302, answer.content[:2000]


def standings(bench: Bench, name: str, tournament: Tournament) -> None:
    """Measure a tournament's standings and results pages."""
    client, slug = client_of("viewer", tournament.slug), tournament.slug
    bench.measure(f"{name}: standings", asked(client, f"/director/{slug}/standings/"))
    bench.measure(f"{name}: public standings", asked(Client(), f"/e/{slug}/standings/"))
    bench.measure(f"{name}: results", asked(client, f"/director/{slug}/results/"))


def main(arguments: Sequence[str]) -> None:
    """Create the tournaments and measure their pages."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pages", description=__doc__)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--profile", default="", help="part of the name of what is profiled")
    parser.add_argument("parts", nargs="*", help="parts of the names of what is measured (all)")
    chosen = parser.parse_args(arguments)
    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES = settings.STORAGES | PLAIN_STATIC
    call_command("migrate", verbosity=0)
    bench, draw = Bench(chosen.parts, chosen.profile), Draw(chosen.players)
    draw.prepare()
    bench.measure("draw: preview", draw.preview)
    bench.measure("draw: stored, with the start of its matches in slices", draw.store, draw.prepare)
    knockout = knockout_of(chosen.players, "knockout")
    standings(bench, "knockout", knockout)
    client = client_of("viewer", "knockout")
    bench.measure("knockout: bracket on A3", asked(client, "/director/knockout/standings/?paper=a3"))
    (event,) = events.of_tournament(knockout)
    bench.measure("knockout: bracket alone", lambda: svg(bracket_drawing.whole(event), ""))
    standings(bench, "swiss", swiss_of(chosen.players, SWISS_ROUNDS, "swiss"))
    print(json.dumps(bench.found))


if __name__ == "__main__":
    main(sys.argv[1:])
