"""Storing a planned draw: prepared first, then written in one short transaction if it still holds, then begun.

Whoever writes to SQLite keeps all presses waiting. So a draw is planned without a lock. Its tables and lines are stored
together, all of them or none, by plain statements, if what was planned upon is unchanged (`draw_seen.py`). Its players
are listed and its matches begun afterwards, some at a time: what a server that ends has left waits at its table until
the round is started or saved, or the same draw is sent again.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from clocks import desk
from clocks.desk.pairings import set_aside
from clocks.engine.closed_sets import Official, Status
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.models import Bye, Pairing, Place, Round
from clocks.tournament import draw, places
from clocks.tournament.draw_plan import Act, PlannedLine, Tables, begun
from clocks.tournament.draw_seen import Seen
from clocks.tournament.players import enlist, names_of, plain
from clocks.tournament.tables import NewTables

TRIES = 4
BUSY = Words("Somebody else is changing this too. Try again in a moment.")

_PAIRINGS, _PLACES, _BYES = (model._meta.db_table for model in (Pairing, Place, Bye))
_DRAW = f"INSERT INTO {_PAIRINGS} (round_id, setup, external_id, table_id, winner) VALUES (%s, %s, %s, %s, '')"
_DRAWN = f"SELECT table_id, id FROM {_PAIRINGS} WHERE round_id = %s AND match_id IS NULL AND winner = '' ORDER BY id"
_CALL = f"UPDATE {_PAIRINGS} SET external_id = %s WHERE id = %s"
_TAKE_BACK = f"DELETE FROM {_PAIRINGS} WHERE id IN ({{}})"
_WAIT = f"INSERT INTO {_PLACES} (pairing_id, seat, source_id, takes, words, filled) VALUES (%s, %s, %s, %s, %s, %s)"
_REST = f"INSERT INTO {_BYES} (round_id, name, source_id, takes, words, filled) VALUES (%s, %s, %s, %s, %s, %s)"
_REST_NO_MORE = f"DELETE FROM {_BYES} WHERE id = %s"

T = TypeVar("T")


class Changed(Exception):
    """What a draw was planned upon is no longer so: plan again."""


class Besides(NamedTuple):
    """What is stored with a draw beside its lines.

    `gone` are lines that are taken back though no line replaces them, `called` the external ids by the number of the
    line, `kept` the lines that stay, under the number of the line that keeps them; with `whole` byes that are not in
    the draw are taken back too. `moved` is the table at which the only line was before. `write` adds to the log.
    """

    gone: Sequence[Pairing] = ()
    called: Mapping[int, str] = {}
    kept: Mapping[int, Pairing] = {}
    whole: bool = False
    moved: int | None = None
    write: Callable[[], object] | None = None


NOTHING = Besides()


def tried(work: Callable[[], T]) -> T:
    """Plan and store, again where something has changed meanwhile; after some tries raise Refused(Why.STALE)."""
    for _try in range(TRIES):
        try:
            return work()
        except Changed:
            continue
    raise Refused(Why.STALE, BUSY)


def carry_out(
    tables: Tables, planned: Sequence[PlannedLine], user_id: int | None, besides: Besides = NOTHING
) -> list[Pairing]:
    """Store a plan and begin the matches whose table is free; return the new pairings.

    Raises Changed, and stores nothing, where the round is no longer as it was planned upon.
    """
    round_, made = tables.round, [each for each in planned if each.makes]
    changes = _Changes(tables, planned, made, besides)
    if changes:
        try:
            with transaction.atomic():
                pairings = changes.store()
        except IntegrityError:  # somebody has just made one of the tables, or removed one
            raise Changed from None
    else:
        pairings = []
    settings = [each.line.setup.to_dict() for each in planned if each.line.setup and each.act != Act.BYE]
    resting = [{"names": [each.line.player], "format": round_.format} for each in planned if each.act == Act.BYE]
    enlist(round_.tournament, names_of([*settings, *resting]))
    there = {pairing.table_id for pairing in (*pairings, *besides.gone, *besides.kept.values())}
    desk.start_pairings(there, by=Official.DIRECTOR, user_id=user_id)
    return pairings


class _Changes:
    """The rows of a draw, made ready before anything is locked."""

    def __init__(
        self, tables: Tables, planned: Sequence[PlannedLine], made: Sequence[PlannedLine], besides: Besides
    ) -> None:
        self.tables, self.made, self.besides = tables, made, besides
        self.round = tables.round
        self.new_tables = NewTables(self.round.tournament, [each.line.table for each in made if each.table is None])
        self.pairings = [
            Pairing(
                round=self.round,
                table=each.table,
                setup=each.line.setup.to_dict() if each.line.setup else {},
                external_id=besides.called.get(each.line.number, ""),
            )
            for each in made
        ]
        self.replaced = [*(pairing for each in made for pairing in each.instead_of), *besides.gone]
        aside = [pairing.match_id for pairing in self.replaced] + [each.aside.pk for each in made if each.aside]
        self.aside = [match_id for match_id in aside if match_id]
        self.gone = {pairing.pk for pairing in self.replaced}
        self.rows = [(self.round.pk, json.dumps(line.setup), line.external_id) for line in self.pairings]
        called = [
            (besides.called.get(number, pairing.external_id), pairing) for number, pairing in besides.kept.items()
        ]
        self.recalled = [(id_, pairing.pk) for id_, pairing in called if id_ != pairing.external_id]
        self.sources = {source.pairing.pk for each in planned for source in each.sources.values()}
        self._plan_byes([each for each in planned if each.act == Act.BYE])

    def _plan_byes(self, planned: Sequence[PlannedLine]) -> None:
        """Find the byes that are new, and those that go: whoever is drawn now has none."""
        drawn = {plain(name) for each in self.made if each.line.setup for name in each.line.setup.names}
        unchanged = {each.line.player for each in planned if not each.sources}
        there = [bye for bye in self.tables.byes if plain(bye.name) not in drawn]
        if self.besides.whole:
            there = [bye for bye in there if bye.source_id is not None or bye.name in unchanged]
        stay = {bye.pk for bye in there}
        self.byes_gone = [(bye.pk,) for bye in self.tables.byes if bye.pk not in stay]
        known = {bye.name for bye in there if bye.source_id is None}
        self.byes: list[tuple[Any, ...]] = []
        for each in planned:
            source = next(iter(each.sources.values()), None)
            if source is not None:
                waits = (source.pairing.pk, source.takes, source.words, False)
                self.byes.append((self.round.pk, each.line.player, *waits))
            elif each.line.player not in known:
                self.byes.append((self.round.pk, each.line.player, None, "", "", True))

    def __bool__(self) -> bool:
        return bool(self.made or self.replaced or self.recalled or self.byes or self.byes_gone)

    def store(self) -> list[Pairing]:
        """Write it all, in the caller's transaction; raise Changed where it no longer holds."""
        Round.objects.select_for_update().get(pk=self.round.pk)
        set_aside(self.aside)  # first: on PostgreSQL these matches are locked from here on
        if self.tables.seen != Seen.now(self.round) or self._is_decided():
            raise Changed
        pairings = self.pairings
        if self.new_tables.rows:
            named = self.new_tables.store()
            for pairing, each in zip(pairings, self.made, strict=True):
                if each.table is None:
                    pairing.table_id = named[each.line.table]
        with connection.cursor() as cursor:
            waiting = self._take_back(cursor)
            for ids in ([("", key) for _id, key in self.recalled], self.recalled):  # two may exchange theirs
                cursor.executemany(_CALL, ids)
            tables = [pairing.table_id for pairing in pairings]
            cursor.executemany(_DRAW, [(*row, at) for row, at in zip(self.rows, tables, strict=True)])
            if pairings:
                cursor.execute(_DRAWN, [self.round.pk])
                drawn = dict(cursor.fetchall())
                for pairing in pairings:
                    pairing.pk = drawn[pairing.table_id]
            cursor.executemany(_WAIT, self._places(pairings))
            cursor.executemany(_REST_NO_MORE, self.byes_gone)
            cursor.executemany(_REST, self.byes)
        waiting.lead_from({pairing.table_id: pairing.pk for pairing in pairings})
        if self.besides.moved is not None and pairings:
            waiting.lead_from({self.besides.moved: pairings[0].pk})
        if self.besides.write is not None:
            self.besides.write()
        return pairings

    def _take_back(self, cursor: Any) -> places.Leads:
        """Delete the lines that are replaced or gone; return what waited for them."""
        waiting = places.Leads.of(self.replaced)
        if self.gone:
            for_others = Place.objects.filter(pairing__round=self.round).values_list("pk", "pairing_id")
            own = [key for key, pairing_id in for_others if pairing_id in self.gone]
            Place.objects.filter(pk__in=own).delete()
            waiting.lead_nowhere()
            cursor.execute(_TAKE_BACK.format(", ".join(map(str, self.gone))))
        return waiting

    def _is_decided(self) -> bool:
        """Tell whether a match whose winner or loser a line waits for has been decided meanwhile."""
        over = Q(match__status=Status.OVER) | ~Q(winner="")
        return bool(self.sources) and Pairing.objects.filter(over, pk__in=self.sources).exists()

    def _places(self, pairings: Sequence[Pairing]) -> list[tuple[Any, ...]]:
        return [
            (pairing.pk, seat, source.pairing.pk, source.takes, source.words, False)
            for pairing, each in zip(pairings, self.made, strict=True)
            for seat, source in each.sources.items()
        ]


def take_back(pairing: Pairing, user_id: int | None) -> None:
    """Delete a pairing that nobody has begun; the next one that waits for its table begins."""
    with transaction.atomic():
        pairing.delete()
        aside = [pairing.match_id] if pairing.match_id else []
        desk.start_pairings([pairing.table_id], by=Official.DIRECTOR, user_id=user_id, instead_of=aside)


def change(round_: Round, old: Pairing | None, line: draw.DrawLine, user_id: int | None) -> PlannedLine:
    """Store one pairing, in place of `old` (which nobody has begun) if that is given; say what became of it.

    A line that is not possible (`bad`) changes nothing. Raises Refused(Why.STALE) where `old` has begun meanwhile.
    """
    if old is not None and line.setup and (old.table.name, old.setup) == (line.table, line.setup.to_dict()):
        return PlannedLine(line, Act.KEEP, _("Nothing has changed."), old.table)
    return tried(partial(_change, round_, old, line, user_id))


def _change(round_: Round, old: Pairing | None, line: draw.DrawLine, user_id: int | None) -> PlannedLine:
    tables = Tables(round_)
    gone = [pairing for pairing in tables.of_round if old is not None and pairing.pk == old.pk]
    if old is not None and (not gone or begun(gone[0])):
        raise Refused(Why.STALE, BUSY)
    (planned,) = tables.without(gone).plan([line])
    if planned.act != Act.BAD:
        called = {line.number: old.external_id} if old is not None else {}
        moved = old.table_id if old is not None else None
        carry_out(tables, [planned], user_id, Besides(gone, called, moved=moved))
    return planned
