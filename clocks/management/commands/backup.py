"""`manage.py backup`: back up everything while play goes on."""

import os
import re
import subprocess
import time
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import PIPE
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clocks.backups import archives, last, taking
from clocks.backups.faults import BackupError
from clocks.backups.folder import own_folder
from clocks.host.checks import PROCESSES
from clocks.host.yielding import lower_thread_priority

UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def pause(text: str) -> int:
    """Parse an interval such as `30s`, `5m`, `1h` or `1d` into seconds."""
    found = re.fullmatch(r"([1-9]\d{0,5})([smhd])", text)
    if not found:
        raise ArgumentTypeError(f"must be a number with s, m, h or d behind it, such as 5m, not {text!r}")
    return int(found[1]) * UNITS_S[found[2]]


def number(text: str) -> int:
    """Parse the number of backups to keep."""
    if not re.fullmatch(r"[1-9]\d{0,5}", text):
        raise ArgumentTypeError(f"must be a whole number above 0, not {text!r}")
    return int(text)


class Command(BaseCommand):
    """Take a backup and verify it; with --every continue until Ctrl-C."""

    help = (
        "Back up the database beside a running server. Each backup is checked: every match is replayed from its "
        "journal. The directors' pages show the age of the last good one."
    )
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", type=Path, metavar="FOLDER", help="such as a USB stick (default: BACKUP_DIR, else DATA_DIR/backups)"
        )
        parser.add_argument("--every", type=pause, metavar="5m", help="take a backup now, and then at this interval")
        parser.add_argument(
            "--then",
            metavar="COMMAND",
            help='shell command after each good backup, such as: rclone copy "$BACKUP" remote:clock',
        )
        parser.add_argument("--keep", type=number, metavar="24", help="keep only this many, the newest")

    def handle(
        self, *args: Any, to: Path | None, every: int | None, keep: int | None, then: str | None, **options: Any
    ) -> None:
        lower_thread_priority()  # play comes first
        folder = (to or own_folder()).resolve()
        if not every:
            try:
                self._take(folder, keep, None, then)
            except BackupError as fault:
                raise CommandError(str(fault)) from None
            return
        try:
            while True:
                began = time.monotonic()
                try:
                    self._take(folder, keep, timedelta(seconds=every), then)
                except BackupError as fault:
                    # An unplugged USB stick may come back, so try again at the next interval.
                    self.stderr.write(f"{datetime.now(UTC).astimezone():%H:%M:%S} {fault}")
                time.sleep(max(0.0, every - (time.monotonic() - began)))
        except KeyboardInterrupt:
            with suppress(OSError):  # the disk may be full
                last.note_end()
            self.stdout.write(f"\nStopped. The backups are in {folder}.")

    def _take(self, folder: Path, keep: int | None, pause: timedelta | None, then: str | None) -> None:
        path, about, fault = taking.take(folder, pause)
        if fault:
            raise BackupError(f"{path} was taken, but its journals and its matches do not agree: {fault}")
        removed = archives.keep_newest(folder, keep) if keep else []
        also = f" {len(removed)} older removed." if removed else ""
        self.stdout.write(f"{path} holds {about.contents}, and agrees with every journal.{also}")
        self.stdout.flush()
        if then:
            self._send(path, about.made_at, then)

    def _send(self, path: Path, made_at: datetime, command: str) -> None:
        """Run the `--then` command; record the backup as copied to another machine."""
        done = subprocess.run(command, shell=True, env=os.environ | {"BACKUP": str(path)}, stderr=PIPE, text=True)
        if done.returncode:
            said = done.stderr.strip()[-500:] or f"exit status {done.returncode}"
            raise BackupError(f"{path} was taken, but the command after it failed: {said}")
        last.note_sent(made_at)
