"""Tables of a tournament: create, find, replace codes, move matches.

A move or a new code is a command in the journal of the table's match; the desk updates the table in the same
transaction. The new code of an empty table is recorded in the tournament's log.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, islice

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Status
from clocks.engine.commands import Command, Move, ReleaseSeat, ReplaceCode
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.journal.tenure import Tenure
from clocks.journal.tournament_events import CodeReplaced
from clocks.models import CASUAL, Device, Match, Pairing, RetiredCode, Table, Tournament
from clocks.tournament import codes

Alongside = Callable[[], None]

MOST_NAMES = 10_000  # in a list such as 1-9999

_ADD = f"INSERT INTO {Table._meta.db_table} (tournament_id, name, code) VALUES (%s, %s, %s)"
_NAMED = f"SELECT name, id FROM {Table._meta.db_table} WHERE tournament_id = %s"


def prepare(match_id: int, command: Command) -> tuple[Command, Alongside | None]:
    """Add server data to a command; return it and a callback for related changes."""
    if isinstance(command, ReleaseSeat):
        return command, partial(_retire_token, match_id, command.seat)
    if not isinstance(command, Move | ReplaceCode):
        return command, None
    table = Table.objects.select_related("tournament").get(matches=match_id)
    if isinstance(command, Move):
        there = table_named(table.tournament.tables.all(), command.after)
        to = command.after if there is None else there.name
        return replace(command, before=table.name, after=to), partial(_move, match_id, table.pk, to)
    new = codes.unused_code()
    return replace(command, before=table.code, after=new), partial(_replace_code, match_id, table.code, new)


def _retire_token(match_id: int, seat: Seat) -> None:
    """Revoke the token of a phone released from a seat, unless it keeps the other."""
    match = Match.objects.get(pk=match_id)
    held = (match.left_device_id, match.right_device_id)
    phone = held[seat.index]
    keeps = Tenure.from_dict(match.tenure).borrowed(seat) and held == (phone, phone)
    if phone is not None and not keeps:
        Device.objects.filter(pk=phone).update(token_hash=f"retired {phone}", old_token_hash="")


def _move(match_id: int, from_id: int, to: str) -> None:
    """Move a match to table `to`, created if needed. Raises Refused if it is taken."""
    match, table = _here(match_id)
    if table.pk != from_id:
        raise Refused(Why.STALE, Words("The match has already been moved to table %(table)s.", table=table.name))
    target = table_named(table.tournament.tables.all(), to) or add_table(table.tournament, to)
    if target == table:
        raise Refused(Why.BAD_VALUE, Words("The match is already at table %(table)s.", table=to))
    target = Table.objects.select_for_update(of=("self",)).select_related("current").get(pk=target.pk)
    if target.current is not None and target.current.status != Status.OVER:
        words = Words("Table %(table)s is taken: %(match)s is not over.", table=to, match=target.current)
        raise Refused(Why.BAD_VALUE, words)
    Table.objects.filter(pk=table.pk).update(current=None)
    Table.objects.filter(pk=target.pk).update(current=match)
    Match.objects.filter(pk=match_id).update(table=target)
    Pairing.objects.filter(match=match).update(table=target)


def _replace_code(match_id: int, old: str, new: str) -> None:
    """Give the table of a match a new code; the old one is never used again."""
    _, table = _here(match_id)
    if table.code != old:
        words = Words("Table %(table)s already has a new code: %(code)s.", table=table.name, code=table.code)
        raise Refused(Why.STALE, words)
    _retire(table, new)


def replace_code_of_empty(table: Table, user: User, reason: str) -> None:
    """Give an empty table a new code, for example if its card was lost or copied."""
    with transaction.atomic():
        table = Table.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=table.pk)
        if table.current_id is not None:
            raise Refused(Why.STALE, Words("Another match is played at table %(table)s now.", table=table.name))
        new = codes.unused_code()
        tournament_log.write(table.tournament, user, CodeReplaced(table.name, new, reason))
        _retire(table, new)


def _retire(table: Table, new: str) -> None:
    """Store a new code in the caller's transaction; the old one is never used again."""
    RetiredCode.objects.create(code=table.code, table=table)
    Table.objects.filter(pk=table.pk).update(code=new)


def _here(match_id: int) -> tuple[Match, Table]:
    """Lock a match's table; return both. Raises Refused if another match is there."""
    match = Match.objects.get(pk=match_id)
    table = Table.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=match.table_id)
    if table.current_id != match_id:
        raise Refused(Why.STALE, Words("Another match is played at table %(table)s now.", table=table.name))
    return match, table


def add_table(tournament: Tournament, name: str = "") -> Table:
    """Add a table, named after its code by default."""
    return _with_free_code(tournament, name, transaction.atomic(Table.save))


class NewTables:
    """New tables to be stored together, with codes chosen in advance."""

    def __init__(self, tournament: Tournament, names: Sequence[str]) -> None:
        self.tournament = tournament
        self.rows = [(tournament.pk, *each) for each in zip(names, codes.unused_codes(len(names)), strict=True)]

    def store(self) -> dict[str, int]:
        """Store them in the caller's transaction; return all table ids by name.

        Raises IntegrityError if a name or code is taken.
        """
        with connection.cursor() as cursor:
            cursor.executemany(_ADD, self.rows)
            cursor.execute(_NAMED, [self.tournament.pk])
            return dict(cursor.fetchall())


def add_tables(tournament: Tournament, names: Sequence[str]) -> None:
    """Add tables, all or none. Raises IntegrityError if a name is taken."""
    for _ in range(5):
        new = NewTables(tournament, names)
        try:
            with transaction.atomic():
                new.store()
        except IntegrityError:
            if tables_named(tournament.tables.all(), names):
                raise
        else:
            return
    raise RuntimeError("no free codes found in five tries")


def _with_free_code(tournament: Tournament, name: str, store: Callable[[Table], None]) -> Table:
    """Create a table with `store`; try another code if one has just been taken.

    Raises IntegrityError if the name is taken.
    """
    for _ in range(5):
        code = codes.unused_code()
        table = Table(tournament=tournament, name=name or code, code=code)
        try:
            store(table)
        except IntegrityError:
            if name and table_named(tournament.tables.all(), name) is not None:
                raise
        else:
            return table
    raise RuntimeError("no free code found in five tries")


def by_name(tables: Iterable[Table]) -> dict[str, Table]:
    """Tables of one tournament by casefolded name."""
    return {table.name.casefold(): table for table in tables}


def tables_named(tables: QuerySet[Table], names: Iterable[str]) -> dict[str, Table]:
    """Tables of one tournament by given name, ignoring case; omits unknown names."""
    keys = {name.casefold(): key for name, key in tables.values_list("name", "pk")}
    found = {name: keys[name.casefold()] for name in names if name.casefold() in keys}
    known = tables.in_bulk(set(found.values()))
    return {name: known[key] for name, key in found.items() if key in known}


def table_named(tables: QuerySet[Table], name: str) -> Table | None:
    """Table of one tournament by name, ignoring case, or None."""
    return tables_named(tables, [name]).get(name)


def start_casual(setup: Setup) -> Table:
    """Start a casual match at a new table. Call outside any transaction."""
    return _with_free_code(casual_tournament(), "", partial(desk.make_at_new_table, setup=setup))


def casual_tournament() -> Tournament:
    """Tournament that holds casual matches, created on first use."""
    return Tournament.objects.get_or_create(slug=CASUAL, defaults={"name": "Casual matches"})[0]


def tournament(slug: str) -> int | None:
    """Id of the tournament with this slug, or None."""
    return Tournament.objects.filter(slug=slug).values_list("pk", flat=True).first()


def is_archived(tournament_id: int) -> bool:
    """True if a tournament is archived."""
    return Tournament.objects.filter(pk=tournament_id).exclude(archived_at=None).exists()


def is_of_tournament(match_id: int, tournament_id: int) -> bool:
    """True if a match belongs to a tournament."""
    return Match.objects.filter(pk=match_id, table__tournament_id=tournament_id).exists()


def next_name(tournament: Tournament, taken: Collection[str]) -> str:
    """Suggested name of a new table: the prefix and the next number.

    `taken` are casefolded names to skip.
    """
    prefix = tournament.table_prefix
    names = [name for name in tournament.tables.values_list("name", flat=True) if name.startswith(prefix)]
    numbers = [int(number) for name in names if (number := name[len(prefix) :]).isdecimal()]
    return next(new_names(tournament, taken, max(numbers, default=0) + 1))


def new_names(tournament: Tournament, taken: Collection[str], first: int = 1) -> Iterator[str]:
    """Yield names of new tables, endlessly; `taken` are casefolded names to skip."""
    names = (f"{tournament.table_prefix}{number}" for number in count(first))
    return (name for name in names if name.casefold() not in taken)


def table_names(text: str) -> list[str]:
    """Expand `1-3, B1-B2, Final` to 1, 2, 3, B1, B2, Final; each name once.

    Ends after MOST_NAMES, because anybody who may watch can ask for cards.
    """
    names: dict[str, str] = {}
    for each in islice(_expanded(text), MOST_NAMES):
        names.setdefault(each.casefold(), each)
    return list(names.values())


def _expanded(text: str) -> Iterator[str]:
    for part in re.split(r"[,;\n]", text):
        name = " ".join(part.split())
        numbers = re.fullmatch(r"([^\W\d_]{0,4})(\d{1,4}) ?[-–—] ?(?:\1)?(\d{1,4})", name)
        prefix, first, last = (numbers[1], int(numbers[2]), int(numbers[3])) if numbers else ("", 1, 0)
        yield from (f"{prefix}{number}" for number in range(first, last + 1))
        if name and first > last:
            yield name


def as_ranges(names: Iterable[str]) -> str:
    """Shorten 1, 2, 3, B1, B2 to `1–3, B1, B2`; `table_names` expands it."""
    runs: list[list[str]] = []
    for name in sorted(names, key=table_order):
        prefix, number = _parts(name)
        follows = number and runs and _parts(runs[-1][-1]) == (prefix, str(int(number) - 1))
        runs[-1].append(name) if follows else runs.append([name])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def table_order(name: str) -> tuple[int, str, int]:
    """Sort key for tables: 1, 2, 10, then B1, B2, B10, Final."""
    prefix, number = _parts(name.casefold())
    return (int(number) if number and not prefix else 1_000_000, prefix, int(number or 0))


def _parts(name: str) -> tuple[str, str]:
    """Name of a table as prefix and number."""
    found = re.fullmatch(r"(.*?)(\d{0,9})", name, re.DOTALL)
    return (found[1], found[2]) if found else (name, "")
