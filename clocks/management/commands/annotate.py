"""`manage.py annotate TRANSCRIPT MATCH`: add clock times to a match transcript."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clocks.host.checks import PROCESSES
from clocks.interchange import annotation
from clocks.models import Match
from clocks.record import turn_times


class Command(BaseCommand):
    """Print the annotated transcript; report mismatches on standard error."""

    help = "Print an SGF transcript with the times of a match: comments, and WL/BL, the seconds left."
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("transcript", help="an SGF file, or - for standard input")
        parser.add_argument("match", type=int, help="the number of the match, as in the address of its record")

    def handle(self, *args: Any, **options: Any) -> None:
        match = Match.objects.filter(pk=options["match"]).first()
        if match is None:
            raise CommandError(f"there is no match {options['match']}")
        left, right = match.setup["names"]
        try:
            given = options["transcript"]
            data = sys.stdin.buffer.read() if given == "-" else Path(given).read_bytes()
            annotated = annotation.annotate(data, (left, right), turn_times.of_match(match.pk))
        except OSError as error:
            raise CommandError(f"cannot read {options['transcript']}: {error}", returncode=2) from None
        except ValueError as error:
            raise CommandError(f"{options['transcript']} cannot be read: {error}", returncode=2) from None
        self.stdout.write(annotated.sgf.decode("utf-8", "replace"))
        for note in annotated.notes:
            self.stderr.write(note)
