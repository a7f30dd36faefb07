"""`manage.py demo`: fill a hall with matches in many states, through the desk."""

import random
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.closed_sets import Official, Reason, Status
from clocks.engine.commands import Stop
from clocks.engine.refusals import Refused
from clocks.host import addresses
from clocks.host.checks import PROCESSES
from clocks.host.server_time import now_ms
from clocks.management.demo_games import Play, played
from clocks.models import Table, Tournament
from clocks.people import sign_in_links
from clocks.seats import devices
from clocks.tournament.tables import add_table, tables_named

SLUG = "demo"
AT_ONCE = 32  # matches played in parallel, so that the desk can group their commits


class Command(BaseCommand):
    """Fill the tournament `demo`. Running it again adds matches and deletes nothing."""

    help = (
        "Fill the tournament `demo` with running, stopped, flagged, calling and other boards, and print a director's "
        "link. Run it beside a running server, or the clocks will count as stopped by an outage when it starts. Run it "
        "again to start new matches at the same tables; the old ones stay in the journal."
    )
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tables", type=int, default=300, help="number of boards (default: 300)")
        parser.add_argument("--seed", type=int, default=1, help="another number gives different names and games")

    def handle(self, *args: Any, tables: int, seed: int, **options: Any) -> None:
        if not 1 <= tables <= 2000:
            raise CommandError("--tables must be a number from 1 to 2000.")
        tournament, _ = Tournament.objects.get_or_create(slug=SLUG, defaults={"name": "Demo Open"})
        plays = played(tables, random.Random(seed), now_ms())
        matches = [self._match_at(table, play) for table, play in zip(_tables(tournament, tables), plays, strict=True)]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(_play, matches, plays))
        self.stdout.write(f"{tables} boards are in the tournament “{tournament.name}”. This link signs you in, once:")
        self.stdout.write(f"{addresses.base_url()}{sign_in_links.make_link()}")

    def _match_at(self, table: Table, play: Play) -> int:
        """Create the match at its table, and seat the phones that will appear offline.

        Stops a clock that an earlier run left running. Seats are taken here, not while the matches are played: there, a
        thread that waits for the desk would hold the write lock.
        """
        if table.current is not None and table.current.status == Status.RUNNING:
            desk.submit_and_wait(Request(table.current.pk, Stop(Reason.DIRECTOR), Official.DIRECTOR))
        match = desk.make_match(table, play.setup, at=play.began_at, replace=True)
        if play.gone:
            device, _ = devices.join_device({})
            desk.claim_seat(match.pk, play.gone, device)
        return match.pk


def _tables(tournament: Tournament, count: int) -> list[Table]:
    """Tables 1 to `count`, created if missing."""
    names = [str(number) for number in range(1, count + 1)]
    known = tables_named(tournament.tables.select_related("current"), names)
    return [known.get(name) or add_table(tournament, name) for name in names]


def _play(match_id: int, play: Play) -> None:
    """Submit a match's commands as one batch, so that no flag falls in between."""
    requests = [Request(match_id, one.command, one.by, one.at, claimed_at=one.pressed_at) for one in play.commands]
    for answer, one in zip(desk.submit_all_and_wait(requests), play.commands, strict=True):
        if not answer.ok:
            raise Refused(answer.refusal().code, f"match {match_id}: {one.command} by {one.by}: {answer.words}")
