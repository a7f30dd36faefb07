"""`manage.py upgrade`: back up the database, then migrate it to this version."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError, OperationalError

from clocks.backups import taking
from clocks.backups.contents import Contents
from clocks.backups.faults import BackupError
from clocks.backups.folder import newest_first, own_folder
from clocks.host import advice, newer
from clocks.host.checks import PROCESSES
from clocks.journal import chain


class Command(BaseCommand):
    """Back up, then migrate, if needed; reject a database from a newer version."""

    help = "Bring the database up to this version, after a backup."
    requires_system_checks = [PROCESSES]

    def handle(self, *args: Any, verbosity: int, **options: Any) -> None:
        try:
            with connection.cursor() as cursor:
                here = Contents.read(cursor)
        except OperationalError as error:
            raise CommandError(f"The database cannot be reached: {error}") from None
        except DatabaseError as error:
            copy = next(iter(newest_first(own_folder())), "FILE")
            raise CommandError(
                f"The database is damaged ({error}), and nothing has been changed. This sets it aside and puts the "
                f"newest backup in its place: {advice.manage('restore', str(copy), '--yes')}"
            ) from None
        if unknown := here.unknown():
            raise CommandError(newer.words(unknown))
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            chain.complete()  # entries written by older processes after the migration
            return
        if here.entries:
            try:
                path, _, fault = taking.take(own_folder())
            except BackupError as refused:
                raise CommandError(
                    f"Nothing has been changed, because no backup could be taken first. {refused}"
                ) from None
            self.stdout.write(f"A backup of everything as it was is in {path}.")
            if fault:  # report but continue: upgrading does not make the fault worse
                self.stderr.write(f"Its journals and its matches do not agree: {fault}")
        connection.close()
        call_command("migrate", verbosity=0)
        if here.migrations:
            self.stdout.write("The database is up to date.")
