"""Placeholders in a draw for the winner or loser of another match."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext, gettext_noop, override

from clocks.engine.setup import LONGEST_NAME
from clocks.models import Bye, Pairing, Place, Round
from clocks.wording.language import unmarked

TEMPLATES = {
    "winner": gettext_noop("winner of table %(table)s, round %(number)s"),
    "loser": gettext_noop("loser of table %(table)s, round %(number)s"),
}
OF_NAMED_ROUND = {
    "winner": gettext_noop("winner of table %(table)s (%(round)s)"),
    "loser": gettext_noop("loser of table %(table)s (%(round)s)"),
}
WITHOUT_ROUND = {
    "winner": gettext_noop("winner of table %(table)s"),
    "loser": gettext_noop("loser of table %(table)s"),
}


_PLACES, _BYES = Place._meta.db_table, Bye._meta.db_table
_WAITING = (
    f"SELECT waiting.id, source.id, source.table_id FROM {{}} AS waiting"
    f" JOIN {Pairing._meta.db_table} AS source ON source.id = waiting.source_id WHERE source.round_id IN ({{}})"
    " ORDER BY waiting.id"
)


class Reference(NamedTuple):
    """Reference to the winner or loser (`takes`) at a table.

    A round may be given by its number or its casefolded name.
    """

    takes: str
    table: str
    number: int | None = None
    round: str = ""


def words(takes: str, table: str, round_: Round) -> str:
    """Placeholder for a player who is not known yet.

    It names the round if the name fits, otherwise gives its number.
    """
    named = unmarked(gettext(OF_NAMED_ROUND[takes])) % {"table": table, "round": round_.name}
    if round_.name and len(named) <= LONGEST_NAME:
        return named
    return unmarked(gettext(TEMPLATES[takes])) % {"table": table, "number": round_.number}


def read(name: str) -> Reference | None:
    """Parse a placeholder in any supported language; None for a player's name."""
    name = name.strip()
    if _any().fullmatch(name) is None:  # fast path: a page may read a thousand names, nearly all of them players'
        return None
    for takes, pattern in _patterns():
        found = pattern.fullmatch(name)
        if found:
            parts = found.groupdict()
            number = parts.get("number")
            return Reference(takes, found["table"], int(number) if number else None, parts.get("round", "").casefold())
    return None


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Pairs (takes, pattern) for placeholders in each language, with a round first."""
    found = []
    for templates in (TEMPLATES, OF_NAMED_ROUND, WITHOUT_ROUND):
        for code, _name in settings.LANGUAGES:
            with override(code):
                for takes, template in templates.items():
                    said = re.escape(unmarked(gettext(template)))
                    said = said.replace(re.escape("%(table)s"), r"(?P<table>.{1,20}?)")
                    said = said.replace(re.escape("%(round)s"), r"(?P<round>.{1,60})")
                    said = said.replace(re.escape("%(number)s"), r"(?P<number>\d{1,3})").replace(r"\ ", r"\s+")
                    found.append((takes, re.compile(said, re.IGNORECASE)))
    return found


@cache
def _any() -> re.Pattern[str]:
    """One pattern that matches any of `_patterns()`."""
    every = dict.fromkeys(re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern) for _takes, pattern in _patterns())
    return re.compile("|".join(every), re.IGNORECASE)


class Waiting(NamedTuple):
    """Ids of places and byes that wait for pairings, keyed by the pairings' table id."""

    places: dict[int, list[int]]
    byes: dict[int, list[int]]

    @classmethod
    def of(cls, lines: Collection[Pairing]) -> "Waiting":
        """Places and byes that wait for these pairings, which are about to be deleted.

        Uses plain SQL, because the write lock is held.
        """
        found = cls(defaultdict(list), defaultdict(list))
        gone, rounds = {line.pk for line in lines}, {line.round_id for line in lines}
        if gone:
            with connection.cursor() as cursor:
                for table, by_table in ((_PLACES, found.places), (_BYES, found.byes)):
                    cursor.execute(_WAITING.format(table, ", ".join(map(str, rounds))))
                    for key, source_id, table_id in cursor.fetchall():
                        if source_id in gone:
                            by_table[table_id].append(key)
        return found

    @classmethod
    def of_removed(cls, round_: Round, tables: Mapping[str, int]) -> "Waiting":
        """Places and byes of later rounds whose pairing in this round was removed.

        Their words still name its table; `tables` are table ids by casefolded name.
        """
        found = cls(defaultdict(list), defaultdict(list))
        for model, of, by_table in ((Place, "pairing__round", found.places), (Bye, "round", found.byes)):
            later = {f"{of}__tournament": round_.tournament_id, f"{of}__number__gt": round_.number}
            lost = model._default_manager.filter(source=None, filled=False, **later).order_by("pk")
            for key, words_ in lost.values_list("pk", "words"):
                reference = read(words_)
                table = tables.get(reference.table.casefold()) if reference else None
                if reference and table and _names(reference, round_):
                    by_table[table].append(key)
        return found

    def wait_for(self, lines: Mapping[int, int]) -> None:
        """Make them wait for other pairings, whose ids are in `lines` by table id."""
        for table, by_table in ((_PLACES, self.places), (_BYES, self.byes)):
            _store_sources(table, [(lines[at], key) for at, keys in by_table.items() if at in lines for key in keys])

    def disconnect(self) -> None:
        """Clear their sources, so that the pairings they wait for can be deleted."""
        for table, by_table in ((_PLACES, self.places), (_BYES, self.byes)):
            _store_sources(table, [(None, key) for keys in by_table.values() for key in keys])


def _names(reference: Reference, round_: Round) -> bool:
    """True if a reference names this round, by number or by name."""
    return reference.number == round_.number or reference.round == (round_.name.casefold() or None)


def _store_sources(table: str, sources: Sequence[tuple[int | None, int]]) -> None:
    """Store the source of each of these (source, id) pairs."""
    if sources:
        with connection.cursor() as cursor:
            cursor.executemany(f"UPDATE {table} SET source_id = %s WHERE id = %s", sources)
