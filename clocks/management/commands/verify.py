"""`manage.py verify`: compare what is stored beside each journal with the journal."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clocks.engine.events import NamesRemoved
from clocks.host.checks import PROCESSES
from clocks.journal import entries, late_presses
from clocks.models import JournalEntry, Match


class Command(BaseCommand):
    """Replay every journal and compare it with the stored state; exit status 1 if any differs."""

    help = "Replay the journal of every match and compare the result with the match as stored."
    requires_system_checks = [PROCESSES]

    def handle(self, *args: Any, **options: Any) -> None:
        matches, read, wrong = 0, 0, 0
        for match in Match.objects.order_by("pk").iterator(chunk_size=100):
            matches += 1
            read += match.version
            differences = _differences(match)
            if differences:
                wrong += 1
                self.stdout.write(f"match {match.pk} ({match}): {differences}")
        summary = f"{matches} matches, {read} journal entries"
        if wrong:
            raise CommandError(f"{summary}: {wrong} differ from their journal")
        nameless = JournalEntry.objects.filter(event=NamesRemoved.name).values("match").distinct().count()
        removed = f"; names and notes were removed from {nameless} of them" if nameless else ""
        self.stdout.write(f"{summary}: all as their journals say{removed}")


def _differences(match: Match) -> str:
    """Return in words how a match differs from its journal, "" where it does not."""
    try:
        version, state = entries.refold(match.pk)
        late = late_presses.by_journal(match.pk)
    except Exception as error:
        return f"its journal cannot be folded ({error})"
    stored = {
        "version": match.version,
        "status": match.status,
        "flag_at": match.flag_at,
        "setup": match.setup,
        "state": match.state,
        "late": match.late,
    }
    folded = {
        "version": version,
        "status": state.status,
        "flag_at": state.flag_at,
        "setup": state.setup.to_dict(),
        "state": _as_far_as_stored(state.to_dict(), match.state),
        "late": None if late is None else late._asdict(),
    }
    names = [name for name in stored if stored[name] != folded[name]]
    return ", ".join(f"{name} is stored as {stored[name]}, its journal says {folded[name]}" for name in names)


def _as_far_as_stored(folded: Any, stored: Any) -> Any:
    """Return a folded state without the fields unknown to the earlier version that stored the other one."""
    if isinstance(folded, dict) and isinstance(stored, dict):
        return {name: _as_far_as_stored(value, stored[name]) for name, value in folded.items() if name in stored}
    return folded
