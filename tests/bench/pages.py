"""Processor time of the pages of a tournament of 1,000: draw, standings, bracket.

    python -m tests.bench.pages [--players 1000] [--profile standings]

Each page is asked for in this process, by a test client, a few times; the least is given, with the number of queries.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import argparse
import cProfile
import gc
import os
import pstats
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
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

PLAIN_STATIC = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
TIMES = 3
SWISS_ROUNDS = 9
WISH = {"method": "knockout", "order": "random", "byes": "best", "length": "7", "rules": "us-2013", "into": "1"}


def measured(name: str, work: Callable[[], object], times: int = TIMES, profile: str = "") -> None:
    """Print the least processor time of some calls, and the queries of one."""
    queries: list[str] = []

    def counting(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        queries.append(sql)
        return execute(sql, *more)

    with connection.execute_wrapper(counting):
        work()
    if profile and profile in name:
        profiler = cProfile.Profile(time.process_time)
        profiler.runcall(work)
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)
    took = []
    for _time in range(times - 1):
        gc.collect()
        began = time.process_time()
        work()
        took.append((time.process_time() - began) * 1000)
    print(f"{name:58} {min(took):7.0f} ms {len(queries):5} queries")


def asked(client: Client, path: str) -> Callable[[], HttpResponse]:
    """Request for a page, rendered anew."""

    def work() -> HttpResponse:
        parts._kept.clear()
        response = client.get(path)
        assert response.status_code == 200, response.content[:500]
        return response

    return work


def drawing(players: int, profile: str) -> None:
    """Draw a first round from the list of players."""
    tournament = Tournament.objects.create(slug="open", name="Draw")
    Player.objects.bulk_create(
        Player(tournament=tournament, name=f"Player {n:04}", club=f"Club {n % 40}") for n in range(players)
    )
    client, path = client_of("director"), "/director/open/draw/"
    wish = {**WISH, "apart": ["club"]}
    measured("draw: preview", lambda: client.post(path, wish), profile=profile)
    shown = client.post(path, wish).content.decode()
    pairs = re.search(r'name="pairs" value="([^"]+)"', shown)
    assert pairs
    began = time.process_time()
    answer = client.post(path, {**wish, "pairs": pairs[1], "store": "yes"})
    assert answer.status_code == 302, answer.content[:2000]
    print(
        f"{'draw: stored, with the start of its matches in slices':58} {(time.process_time() - began) * 1000:7.0f} ms"
    )


def standings(name: str, tournament: Tournament, profile: str) -> None:
    """Ask for the standings of a tournament."""
    client, slug = client_of("viewer", tournament.slug), tournament.slug
    measured(f"{name}: standings", asked(client, f"/director/{slug}/standings/"), profile=profile)
    measured(f"{name}: public standings", asked(Client(), f"/e/{slug}/standings/"), profile=profile)
    measured(f"{name}: results", asked(client, f"/director/{slug}/results/"), profile=profile)


def main(arguments: Sequence[str]) -> None:
    """Make the tournaments, and measure their pages."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.pages", description=__doc__)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--profile", default="", help="part of the name of what is profiled")
    chosen = parser.parse_args(arguments)
    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES = settings.STORAGES | PLAIN_STATIC
    call_command("migrate", verbosity=0)
    drawing(chosen.players, chosen.profile)
    knockout = knockout_of(chosen.players, "knockout")
    standings("knockout", knockout, chosen.profile)
    client = client_of("viewer", "knockout")
    measured("knockout: bracket on A3", asked(client, "/director/knockout/standings/?paper=a3"), profile=chosen.profile)
    (event,) = events.of_tournament(knockout)
    measured("knockout: bracket alone", lambda: svg(bracket_drawing.whole(event), ""), profile=chosen.profile)
    standings("swiss", swiss_of(chosen.players, SWISS_ROUNDS, "swiss"), chosen.profile)


if __name__ == "__main__":
    main(sys.argv[1:])
