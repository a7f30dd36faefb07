"""`manage.py whatif`: rerun played matches under other books, reserves, delays."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.base import ProgressBar

from clocks.engine.books.published import RULESETS
from clocks.engine.refusals import Refused
from clocks.engine.words import clock
from clocks.host.checks import PROCESSES
from clocks.management.options import parse_option
from clocks.models import Tournament
from clocks.record import what_if
from clocks.record.what_if import Report, Setting


class Command(BaseCommand):
    """Print how many flags would have fallen under each book, or under given settings."""

    help = (
        "Run the turns of a tournament's played matches through other rule books, reserves and delays, and print how "
        "many would have seen a flag. Players are assumed to have thought as long."
    )
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tournament", required=True, help="its slug")
        parser.add_argument("--rules", default="", help=f"one of {', '.join(RULESETS)} (default: each of them)")
        parser.add_argument("--option", action="append", default=[], metavar="K=V", help="such as delay_ms=9000")
        parser.add_argument("--per-point-ms", type=int, default=0, help="reserve for each point that both players need")
        parser.add_argument("--json", action="store_true", help="print one JSON object for each setting")
        parser.add_argument("--left-curve", action="store_true", help="in it, the reserve left by reserve a point, too")

    def handle(
        self, *args: Any, tournament: str, rules: str, option: list[str], per_point_ms: int, **options: Any
    ) -> None:
        chosen = Tournament.objects.filter(slug=tournament).first()
        if chosen is None:
            raise CommandError(f"There is no tournament “{tournament}”.")
        if (option or per_point_ms) and not rules:
            raise CommandError("Name the rules to which these options belong, too: --rules us-2013")
        given = tuple(sorted(parse_option(each) for each in option))
        settings = [Setting(rules, given, per_point_ms)] if rules else [Setting(), *map(Setting, RULESETS)]
        progress = ProgressBar(sys.stderr if sys.stderr.isatty() else None, what_if.count(chosen))
        try:
            reports = what_if.reports(chosen, settings, progress.update, left_curve=options["left_curve"])
        except Refused as refused:
            raise CommandError(refused.words) from None
        for report in reports:
            self.stdout.write(json.dumps(what_if.shown(report)) if options["json"] else _in_words(report))


def _in_words(report: Report) -> str:
    """Lines of a report: flags, reserves left, and the reserve that would be enough."""
    name = report.setting.rules or "as played"
    if not report.matches:
        return f"{name}: no match to run" + (" (the book has no doubles)" if report.left_out else "")
    left = ", ".join(f"{share}%: {clock(ms)}" for share, ms in report.left.items())
    enough = ", ".join(f"{share}%: {clock(ms)}" for share, ms in report.smallest.items())
    lines = [
        f"{name}: {_matches(report.matches)}, {report.flagged} with a flag, {report.lost} lost on time"
        + (f", {report.left_out} left out" if report.left_out else ""),
        f"  reserve left (percentiles)  {left}",
        f"  reserve a point so that at most so many matches see a flag  {enough}",
        *(
            f"  longest match of {line.name or 'no round'}  {clock(line.longest_ms)} ({_matches(line.matches)})"
            for line in report.by_round.values()
        ),
        *(
            f"  flag of {line.player} in match {line.match.pk}, game {line.flag.game}, turn {line.flag.turn_number}, "
            f"at {line.flag.score[0]}-{line.flag.score[1]}"
            for line in report.flags
        ),
    ]
    return "\n".join(lines)


def _matches(number: int) -> str:
    return "1 match" if number == 1 else f"{number} matches"
