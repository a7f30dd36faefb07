"""What a director does with a table: a new code for it, its match to another one.

Each is a command that the match's journal keeps; what it changes beside the match is done by the desk in the same
transaction. Where no match is at a table, the book of the tournament keeps it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction

from clocks.engine.closed_sets import Status
from clocks.engine.commands import Command, Move, ReplaceCode
from clocks.engine.refusals import Refused
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.models import Match, Pairing, RetiredCode, Table
from clocks.people import devices

Alongside = Callable[[], None]


def prepared(match_id: int, command: Command) -> tuple[Command, Alongside | None]:
    """Return a director's command with what only the server knows filled in, and what it changes beside the match."""
    if not isinstance(command, Move | ReplaceCode):
        return command, None
    table = Table.objects.select_related("tournament").get(matches=match_id)
    if isinstance(command, Move):
        there = devices.table_named(table.tournament.tables.all(), command.after)
        to = command.after if there is None else there.name
        return replace(command, before=table.name, after=to), partial(_move, match_id, table.pk, to)
    new = devices.unused_code()
    return replace(command, before=table.code, after=new), partial(_replace_code, match_id, table.code, new)


def _move(match_id: int, from_id: int, to: str) -> None:
    """Let the table named `to`, made if there is none, play a match from now on. Refused while it plays another."""
    match, table = _here(match_id)
    if table.pk != from_id:
        raise Refused("stale", Words("The match has already been moved to table %(table)s.", table=table.name))
    target = devices.table_named(table.tournament.tables.all(), to) or devices.add_table(table.tournament, to)
    if target == table:
        raise Refused("bad-value", Words("The match is already at table %(table)s.", table=to))
    target = Table.objects.select_for_update().select_related("current").get(pk=target.pk)
    if target.current is not None and target.current.status != Status.OVER:
        words = Words("Table %(table)s is taken: %(match)s is not over.", table=to, match=target.current)
        raise Refused("bad-value", words)
    Table.objects.filter(pk=table.pk).update(current=None)
    Table.objects.filter(pk=target.pk).update(current=match)
    Match.objects.filter(pk=match_id).update(table=target)
    Pairing.objects.filter(match=match).update(table=target)


def _replace_code(match_id: int, old: str, new: str) -> None:
    """Give the table of a match a new code; the old one is never used again."""
    _, table = _here(match_id)
    if table.code != old:
        words = Words("Table %(table)s already has a new code: %(code)s.", table=table.name, code=table.code)
        raise Refused("stale", words)
    _retire(table, new)


def replace_code_of_empty(table: Table, user: User, reason: str) -> None:
    """Give a table at which there is no match a new code: a card that was lost or copied counts no more."""
    with transaction.atomic():
        table = Table.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=table.pk)
        if table.current_id is not None:
            raise Refused("stale", Words("Another match is played at table %(table)s now.", table=table.name))
        new = devices.unused_code()
        tournament_log.write(table.tournament, user, "code_replaced", table=table.name, after=new, reason=reason)
        _retire(table, new)


def _retire(table: Table, new: str) -> None:
    """Store a new code of a table, in the caller's transaction; nobody gets the old one again."""
    RetiredCode.objects.create(code=table.code, table=table)
    Table.objects.filter(pk=table.pk).update(code=new)


def _here(match_id: int) -> tuple[Match, Table]:
    """Return a match and its table, locked; Refused where the table plays another match now."""
    match = Match.objects.get(pk=match_id)
    table = Table.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=match.table_id)
    if table.current_id != match_id:
        raise Refused("stale", Words("Another match is played at table %(table)s now.", table=table.name))
    return match, table
