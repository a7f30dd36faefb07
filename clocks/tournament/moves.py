"""Move a drawn match to another table: in its journal, or else in the draw."""

from collections.abc import Callable
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import Move
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.host.server_time import now_ms
from clocks.journal import tournament_log
from clocks.journal.tournament_events import MatchMoved
from clocks.models import Pairing, Table
from clocks.tournament.draw_store import BUSY
from clocks.tournament.tables import Alongside, add_table, prepare, table_named


def move(pairing: Pairing, to: str, user: User, command_id: str | None = None) -> None:
    """Move a match to table `to`, created if needed; no-op if it is already there.

    Raises Refused if the match is over or the table is taken. Call outside any transaction.
    """
    before = pairing.table.name
    if before.casefold() == to.casefold():
        return
    if pairing.winner or (pairing.match is not None and pairing.match.status == Status.OVER):
        raise Refused(Why.MATCH_OVER, Words("%(match)s is over.", match=pairing))
    write = partial(tournament_log.write, pairing.round.tournament, user, MatchMoved(str(pairing), before, to))
    if pairing.match_id is None:
        _redraw(pairing, to, user)
        write()
        return
    command, alongside = prepare(pairing.match_id, Move("", to))
    asked = Request(
        pairing.match_id,
        command,
        Official.DIRECTOR,
        now_ms(),
        command_id,
        user_id=user.pk,
        alongside=partial(_both, alongside, write),
    )
    answer = desk.submit_and_wait(asked)
    if not answer.ok:
        raise answer.refusal()


def _both(first: Alongside | None, then: Callable[[], object]) -> None:
    if first is not None:
        first()
    then()


def _redraw(pairing: Pairing, to: str, user: User) -> None:
    """Move a match that waits for its table; start it if the new table is free."""
    with transaction.atomic():
        tournament = pairing.round.tournament
        table = table_named(tournament.tables.all(), to) or add_table(tournament, to)
        table = Table.objects.select_for_update().get(pk=table.pk)
        drawn = table.pairings.filter(Pairing.waiting(), round=pairing.round_id).exclude(pk=pairing.pk).first()
        if drawn is not None:
            raise Refused(Why.BAD_VALUE, Words("Table %(table)s is drawn for %(matches)s.", table=to, matches=drawn))
        if not Pairing.objects.filter(Pairing.waiting(), pk=pairing.pk).update(table=table):
            raise Refused(Why.STALE, BUSY)
        desk.start_pairings([table.pk], by=Official.DIRECTOR, user_id=user.pk)
