"""`manage.py forget`: remove names and notes for good."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from clocks.backups import traces
from clocks.backups.traces import Left
from clocks.engine.refusals import Refused
from clocks.host.checks import PROCESSES
from clocks.models import Match, Tournament
from clocks.tournament import forgetting
from clocks.tournament.forgetting import Plan


class Command(BaseCommand):
    """Show what would be removed; with --yes remove it for good."""

    help = (
        "Remove names and notes. Results, clocks and journals stay, and each journal says that its names were removed."
    )
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--tournament", metavar="SLUG", help="a whole tournament, by its name in addresses")
        which.add_argument("--person", metavar="NAME", help="a person everywhere: player, member of a team, user")
        which.add_argument("--expired", action="store_true", help="everything older than KEEP_DAYS")
        parser.add_argument("--yes", action="store_true", help="do it; without this nothing is changed")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            plan = self._plan(options)
            if not plan:
                self.stdout.write("There is nothing to forget.")
                if options["yes"]:  # the write-ahead log may still contain names that were removed earlier
                    self._tell_left(traces.clear(removed=False))
                return
            self._tell(plan)
            if not options["yes"]:
                self.stdout.write("Nothing has been changed. To forget this for good, add --yes.")
                return
            done = forgetting.carry_out(plan)
        except Refused as refused:
            raise CommandError(str(refused.words)) from None
        self.stdout.write(f"Forgotten. {done} journals say that their names were removed.")
        self._tell_left(traces.clear())

    def _tell_left(self, left: Left) -> None:
        if left.backups:
            self.stdout.write("Earlier backups still have what was removed. Delete them if nobody needs them:")
            for path in left.backups:
                self.stdout.write(str(path))
        if left.in_log:
            self.stdout.write(
                "The write-ahead log of the database still has what was removed, because something is reading the "
                "database. Give the same command again later."
            )

    def _plan(self, options: dict[str, Any]) -> Plan:
        if options["person"] is not None:
            return forgetting.of_person(options["person"])
        if options["expired"]:
            if not settings.KEEP_DAYS:
                raise CommandError("KEEP_DAYS is not set: everything is kept for ever.")
            return forgetting.expired()
        tournament = Tournament.objects.filter(slug=options["tournament"]).first()
        if tournament is None:
            known = ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no tournament {options['tournament']!r}. Known: {known}.")
        return forgetting.of_tournament(tournament)

    def _tell(self, plan: Plan) -> None:
        for match in Match.objects.filter(pk__in=plan.matches).select_related("table__tournament").order_by("pk"):
            self.stdout.write(f"match {match.pk}, {match.table.tournament}, {match.table}: {match}")
        self.stdout.write(
            f"{len(plan.matches)} matches with their notes, {len(plan.pairings)} lines of draws, messages and notes of "
            f"{len(plan.tournaments)} tournaments, {len(plan.accounts)} accounts"
        )
        for user in plan.accounts:
            self.stdout.write(f"The account {user.get_username()} loses its name and can no longer sign in.")
