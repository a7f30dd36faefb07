"""Remove names and notes from journals: the only changes to entries' data."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson
from django.db import connection
from django.db.models.fields.json import KeyTransform

from clocks.engine.commands import Hit
from clocks.engine.events import ClockHit
from clocks.host import slices
from clocks.journal import chain
from clocks.journal.entries import overwrite_what_goes, without_names
from clocks.journal.rows import TABLE
from clocks.models import JournalEntry, Match

_ENTRY = f"UPDATE {TABLE} SET data = %s, command = %s, seals = %s WHERE id = %s"
_SETUP = f"UPDATE {Match._meta.db_table} SET setup = %s WHERE id = %s AND version = %s"
_USER = f"UPDATE {TABLE} SET user_name = '', seals = %s WHERE id = %s"


class Removal(NamedTuple):
    """Planned removal from a match's journal: the new setup and the changed entries.

    `version` is the match's version when it was read.
    """

    version: int
    entries: Sequence[tuple[str | None, str | None, str | None, int]]
    setup: str | None


def plan_removal(match_id: int, names: tuple[str, str]) -> Removal:
    """Prepare `remove_names`, so that presses do not wait while the journal is read."""
    match = Match.objects.only("version", "setup").get(pk=match_id)
    changed = []
    written = JournalEntry.objects.filter(match_id=match_id).annotate(do=KeyTransform("do", "command"))
    presses = {"event": ClockHit.name, "do": Hit.do}  # skipped: thousands of entries without names or notes
    for entry in written.exclude(**presses).only("data", "command", "seals"):
        before = {"data": entry.data, "command": entry.command}
        after = without_names(before, names)
        if after != before:
            seals = chain.without_salts(entry.seals, before, after)
            changed.append((_json(after["data"]), _json(after["command"]), _json(seals), entry.pk))
    return Removal(match.version, changed, _json(without_names(match.setup, names)))


def remove_names(match_id: int, names: tuple[str, str], planned: Removal) -> None:
    """Replace the players' names and remove all notes in a match's journal.

    Runs in the transaction that appends the entry recording it. Plans again if the match has changed since.
    """
    overwrite_what_goes()
    with connection.cursor() as cursor:
        cursor.execute(_SETUP, [planned.setup, match_id, planned.version])
        if cursor.rowcount == 0:
            planned = plan_removal(match_id, names)
            cursor.execute(_SETUP, [planned.setup, match_id, planned.version])
        cursor.executemany(_ENTRY, planned.entries)


def forget_user(user_id: int) -> None:
    """Remove a user's name from all entries."""
    changed = []
    for entry in JournalEntry.objects.filter(user=user_id).exclude(user_name="").only("user_name", "seals"):
        seals = chain.without_salts(entry.seals, {chain.USER_NAME: entry.user_name}, {chain.USER_NAME: ""})
        changed.append((_json(seals), entry.pk))
    slices.update_in_slices(_USER, changed)


def _json(value: Any) -> str | None:
    """JSON text for a nullable column."""
    return None if value is None else orjson.dumps(value).decode()
