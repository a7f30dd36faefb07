"""`manage.py move`: move everything from SQLite to PostgreSQL."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clocks.backups import moving
from clocks.backups.faults import BackupError
from clocks.host.checks import PROCESSES


class Command(BaseCommand):
    """Copy all rows to an empty PostgreSQL database, and compare them there."""

    help = (
        "Copy everything from SQLite to an empty PostgreSQL database. Stop the clock first. Every row is compared, and "
        "every match replayed from its journal there. The SQLite database stays as it is."
    )
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", required=True, metavar="postgres://user:password@host/name", help="the new database"
        )

    def handle(self, *args: Any, to: str, **options: Any) -> None:
        try:
            moving.move(to, lambda line: self.stdout.write(f"  {line}"))
        except BackupError as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write(
            "Everything is in the new database, each row compared, and agrees with every journal.\n"
            "Start the clock with this DATABASE_URL from now on. Give it the same SECRET_KEY, the content of the file "
            "secret-key beside the old database: then everybody stays signed in, and every phone in its seat."
        )
