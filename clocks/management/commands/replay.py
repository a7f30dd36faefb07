"""`manage.py replay FILE`: replay a match from JSON lines and print each result."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clocks.engine.refusals import Refused
from clocks.engine.replay import BadLine, run


class Command(BaseCommand):
    """Print a JSON line for each line read; uses no database."""

    help = "Run a match from JSON lines (- reads standard input) and print one JSON line for each."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file of JSON lines, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["file"] == "-":
                self._print(sys.stdin)
            else:
                with Path(options["file"]).open(encoding="utf-8") as lines:
                    self._print(lines)
        except BadLine as bad:
            raise CommandError(str(bad), returncode=2) from None
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"cannot read {options['file']}: {error}", returncode=2) from None

    def _print(self, lines: Iterable[str]) -> None:
        for line in run(lines, self._say):
            self.stdout.write(json.dumps(line))

    def _say(self, number: int, refusal: Refused) -> None:
        """Explain a refusal on standard error: the output line has only its code."""
        self.stderr.write(f"line {number}: {refusal.words}")
