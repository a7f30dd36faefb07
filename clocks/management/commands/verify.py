"""`manage.py verify`: check stored matches against their journals."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clocks.backups import schema
from clocks.engine.events import NamesRemoved
from clocks.host.checks import PROCESSES
from clocks.journal import chain, checking
from clocks.models import JournalEntry, Match

SHOWN = 12  # hash digits in the record, and the fewest that --hash accepts


class Command(BaseCommand):
    """Replay journals and check their hash chains; exit status 1 on any difference."""

    help = (
        "Replay the journal of every match, follow its chain of hashes, and compare the result with the match as "
        "stored. With --match and --hash, check a match against a hash that was shown earlier."
    )
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--match", type=int, metavar="17", help="only this match")
        parser.add_argument("--hash", metavar="3fa9…", help="an earlier hash of it, from a record or an export")

    def handle(self, *args: Any, match: int | None, hash: str | None, **options: Any) -> None:
        if hash is not None and match is None:
            raise CommandError("Name the match to which this hash belongs, too: --match 17")
        if match is not None and not Match.objects.filter(pk=match).exists():
            raise CommandError(f"There is no match {match}.")
        matches, read, wrong = 0, 0, 0
        chosen = Match.objects.all() if match is None else Match.objects.filter(pk=match)
        for each in chosen.select_related("table").order_by("pk").iterator(chunk_size=100):
            matches += 1
            read += each.version
            differences = checking.differences(each)
            if differences:
                wrong += 1
                self.stdout.write(f"match {each.pk} ({each}): {', '.join(differences)}")
        summary = f"{matches} matches, {read} journal entries"
        if differ := schema.differences():
            raise CommandError(f"{summary}: the database {' and '.join(differ)}")
        if wrong:
            raise CommandError(f"{summary}: {wrong} differ from their journal")
        nameless = JournalEntry.objects.filter(event=NamesRemoved.name, match__in=chosen)
        number = nameless.values("match").distinct().count()
        removed = f"; names and notes were removed from {number} of them" if number else ""
        self.stdout.write(f"{summary}: all as their journals say{removed}")
        if match is not None and hash is not None:
            self.stdout.write(_compared(match, hash.strip().lower()))


def _compared(match_id: int, shown: str) -> str:
    """Find an earlier hash in a match's intact hash chain; say which entry has it."""
    if len(shown) < SHOWN:
        raise CommandError(f"Give at least {SHOWN} digits of the hash.")
    entries = list(chain.read(match_id))
    for entry in entries:
        if (entry.hash or "").startswith(shown):
            return (
                f"Match {match_id} is the same up to entry {entry.row.seq} as when this hash was shown. "
                f"It now has {len(entries)} entries."
            )
    raise CommandError(
        f"No entry of match {match_id} has this hash. Either the hash was shown for another match, or entries were "
        "written anew since."
    )
