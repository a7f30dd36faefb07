"""`manage.py restore`: restore a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clocks.backups import restoring
from clocks.backups.faults import BackupError
from clocks.backups.folder import own_folder
from clocks.host.checks import PROCESSES


class Command(BaseCommand):
    """Show a backup's contents; with --yes restore it, after backing up current data."""

    help = (
        "Restore a backup. Without --yes it only shows what would happen. The present data is first backed up to "
        "BACKUP_DIR (else DATA_DIR/backups); if it has matches, it is replaced only with "
        "--over-play. A damaged database is moved there as it is."
    )
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup, a file clock-….zip")
        parser.add_argument("--yes", action="store_true", help="do it; without this nothing is changed")
        parser.add_argument("--over-play", action="store_true", help="also replace matches that were played here")

    def handle(self, *args: Any, file: Path, yes: bool, over_play: bool, **options: Any) -> None:
        try:
            plan = restoring.plan(file)
            self.stdout.write(f"{file} was taken on {plan.about.made_at.astimezone():%Y-%m-%d at %H:%M}.")
            self.stdout.write(f"It would restore {plan.about.contents}.")
            here = f"a damaged database, which would be set aside ({plan.damage})" if plan.damage else str(plan.here)
            self.stdout.write(f"Here now: {here}.")
            if not yes:
                self.stdout.write("Nothing has been changed. To restore it, stop the clock and add --yes.")
                return
            replaced = restoring.carry_out(plan, over_play, own_folder())
        except BackupError as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write("Restored. Start the clock as usual: it brings the database up to date.")
        if replaced:
            self.stdout.write(f"What was here before is in {replaced}.")
