"""Store a draw: plan without a lock, then write in one short transaction.

A long write transaction in SQLite delays all presses. A draw is therefore planned without a lock and then written in
plain SQL, all or nothing, if the fingerprint of its inputs is unchanged; otherwise it is planned again. Listing the
players and starting the matches follow in batches. If the server stops before they are done, the remaining pairings
wait at their tables until somebody starts or saves the round or sends the same draw again.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from clocks import desk
from clocks.desk.pairings import set_aside
from clocks.engine.closed_sets import Official
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.journal.tournament_events import LogEvent
from clocks.models import Bye, Pairing, Place, Round
from clocks.tournament import places
from clocks.tournament.draw_fingerprint import Fingerprint
from clocks.tournament.draw_plan import Act, PlannedLine, Tables
from clocks.tournament.players import add_new_players, name_key, names_of
from clocks.tournament.tables import NewTables

TRIES = 4
BUSY = Words("Somebody else is changing this too. Try again in a moment.")

_PAIRINGS, _PLACES, _BYES = (model._meta.db_table for model in (Pairing, Place, Bye))
_ADD_PAIRING = (
    f"INSERT INTO {_PAIRINGS} (round_id, setup, external_id, position, table_id, winner)"
    " VALUES (%s, %s, %s, %s, %s, '')"
)
_ADDED = f"SELECT table_id, id FROM {_PAIRINGS} WHERE round_id = %s AND match_id IS NULL AND winner = '' ORDER BY id"
_SET_EXTERNAL_ID = f"UPDATE {_PAIRINGS} SET external_id = %s WHERE id = %s"
_REMOVE_PAIRINGS = f"DELETE FROM {_PAIRINGS} WHERE id IN ({{}})"
_REMOVE_PLACES = f"DELETE FROM {_PLACES} WHERE pairing_id IN ({{}})"
_ADD_PLACE = (
    f"INSERT INTO {_PLACES} (pairing_id, seat, source_id, takes, words, filled) VALUES (%s, %s, %s, %s, %s, %s)"
)
_ADD_BYE = (
    f"INSERT INTO {_BYES} (round_id, position, name, source_id, takes, words, filled)"
    " VALUES (%s, %s, %s, %s, %s, %s, %s)"
)
_REMOVE_BYE = f"DELETE FROM {_BYES} WHERE id = %s"

T = TypeVar("T")


class Changed(Exception):
    """The inputs of a plan have changed: plan again."""


class Plan(NamedTuple):
    """Planned changes to a round's draw.

    `removed` are pairings that no line replaces; `external_ids` and `positions` (in the bracket) are keyed by line
    number; `event` goes to the tournament log. With `whole`, byes that are not in the draw are removed too, unless they
    depend on a match. `moved_from` is the id of the previous table of a single match.
    """

    lines: Sequence[PlannedLine]
    removed: Sequence[Pairing] = ()
    external_ids: Mapping[int, str] = {}
    positions: Mapping[int, int] = {}
    whole: bool = False
    moved_from: int | None = None
    event: LogEvent | None = None

    @property
    def possible(self) -> bool:
        """True if every line is valid."""
        return all(each.act != Act.BAD for each in self.lines)


class Drawn(NamedTuple):
    """Stored draw: its plan, and the pairing of each line (None: bye, or not stored)."""

    plan: Plan
    pairings: Sequence[Pairing | None]


def retry_if_changed(work: Callable[[], T]) -> T:
    """Call `work`, retrying on Changed; raise Refused after TRIES attempts."""
    for _try in range(TRIES):
        try:
            return work()
        except Changed:
            continue
    raise Refused(Why.STALE, BUSY)


def store(
    round_: Round,
    plan: Callable[[Tables], Plan],
    user: User | None,
    *,
    give_way: bool = False,
    dry_run: bool = False,
) -> Drawn:
    """Plan a draw, store it, and start the matches with free tables.

    An invalid plan or a dry run stores nothing. With `give_way`, matches of other rounds that have not begun give up
    their tables. Raises Refused(Why.STALE) if others keep changing the round.
    """
    drawn = store_without_start(round_, plan, user, give_way=give_way, dry_run=dry_run)
    if drawn.plan.possible and not dry_run:
        start(drawn, user)
    return drawn


def store_without_start(
    round_: Round,
    plan: Callable[[Tables], Plan],
    user: User | None,
    *,
    taken: Collection[str] = (),
    give_way: bool = False,
    dry_run: bool = False,
) -> Drawn:
    """Store a draw like `store`, but leave starting its matches to `start`.

    Lines without a table get none of the tables in `taken` (casefolded names).
    """

    def plan_and_store() -> Drawn:
        tables = Tables(round_, give_way, taken, user)
        planned = plan(tables)
        if dry_run or not planned.possible:
            return Drawn(planned, [each.keeps for each in planned.lines])
        return _store(tables, planned, user)

    return retry_if_changed(plan_and_store)


def start(drawn: Drawn, user: User | None) -> None:
    """Start the matches of a stored draw that have free tables."""
    touched = {pairing.table_id for pairing in (*drawn.pairings, *drawn.plan.removed) if pairing is not None}
    desk.start_pairings(touched, by=Official.DIRECTOR, user_id=user.pk if user else None)


def _store(tables: Tables, plan: Plan, user: User | None) -> Drawn:
    round_ = tables.round
    rows = _Rows(tables, plan)
    if rows:
        try:
            with transaction.atomic():
                rows.store()
                if plan.event is not None:
                    tournament_log.write(round_.tournament, user, plan.event)
        except IntegrityError:  # somebody has just added or removed a table
            raise Changed from None
        for pairing in rows.pairings:
            pairing.pk = rows.ids[pairing.table_id]
    matches = [each.line.setup.to_dict() for each in plan.lines if each.line.setup and each.act != Act.BYE]
    byes = [{"names": [each.line.player], "format": round_.format} for each in plan.lines if each.act == Act.BYE]
    add_new_players(round_.tournament, names_of([*matches, *byes]))
    made = iter(rows.pairings)
    return Drawn(plan, [next(made) if each.makes else each.keeps for each in plan.lines])


class _Rows:
    """Rows of a draw, prepared before anything is locked."""

    def __init__(self, tables: Tables, plan: Plan) -> None:
        self.tables, self.plan = tables, plan
        self.round = tables.round
        self.ids: dict[int, int] = {}  # of the stored pairings, by table id
        self.made = [each for each in plan.lines if each.makes]
        self.new_tables = NewTables(
            self.round.tournament, [each.line.table for each in self.made if each.table is None]
        )
        self.pairings = [
            Pairing(
                round=self.round,
                table=each.table,
                setup=each.line.setup.to_dict() if each.line.setup else {},
                external_id=plan.external_ids.get(each.line.number, ""),
                position=self._position(each),
            )
            for each in self.made
        ]
        self.rows = [(self.round.pk, json.dumps(line.setup), line.external_id, line.position) for line in self.pairings]
        self.replaced = [*(pairing for each in self.made for pairing in each.instead_of), *plan.removed]
        self.removed_ids = {pairing.pk for pairing in self.replaced}
        aside = [pairing.match_id for pairing in self.replaced] + [each.aside.pk for each in self.made if each.aside]
        self.aside = [match_id for match_id in aside if match_id]
        ids = [
            (plan.external_ids.get(each.line.number, each.keeps.external_id), each.keeps)
            for each in plan.lines
            if each.keeps
        ]
        self.external_ids = [(id_, pairing.pk) for id_, pairing in ids if id_ != pairing.external_id]
        self.sources = {source.pairing.pk for each in plan.lines for source in each.sources.values()}
        by_name = {name: table.pk for name, table in tables.tables.items()}
        self.removed_before = places.Waiting.of_removed(self.round, by_name)
        self._plan_byes([each for each in plan.lines if each.act == Act.BYE])

    def _position(self, planned: PlannedLine) -> int | None:
        """Position in the bracket, from the plan or else from the replaced pairing."""
        given = self.plan.positions.get(planned.line.number)
        replaced = [pairing.position for pairing in planned.instead_of if pairing.position is not None]
        return next(iter(replaced), None) if given is None else given

    def _plan_byes(self, planned: Sequence[PlannedLine]) -> None:
        """Find the byes to add, and the stored byes to remove."""
        drawn = {name_key(name) for each in self.made if each.line.setup for name in each.line.setup.names}
        unchanged = {each.line.player for each in planned if not each.sources}
        kept = [bye for bye in self.tables.byes if name_key(bye.name) not in drawn]
        if self.plan.whole:
            kept = [bye for bye in kept if bye.source_id is not None or bye.name in unchanged]
        kept_ids = {bye.pk for bye in kept}
        self.byes_removed = [(bye.pk,) for bye in self.tables.byes if bye.pk not in kept_ids]
        known = {bye.name for bye in kept if bye.source_id is None}
        self.byes: list[tuple[Any, ...]] = []
        for each in planned:
            source = next(iter(each.sources.values()), None)
            row = (self.round.pk, self._position(each), each.line.player)
            if source is not None:
                self.byes.append((*row, source.pairing.pk, source.takes, source.words, False))
            elif each.line.player not in known:
                self.byes.append((*row, None, "", "", True))

    def __bool__(self) -> bool:
        return bool(self.made or self.replaced or self.external_ids or self.byes or self.byes_removed)

    def store(self) -> None:
        """Write the rows in the caller's transaction. Raises Changed if inputs changed."""
        if connection.features.has_select_for_update:
            Round.objects.select_for_update().get(pk=self.round.pk)
        set_aside(self.aside)  # first, because on PostgreSQL it locks these matches
        if self.tables.fingerprint != Fingerprint.of(self.round) or self._is_decided():
            raise Changed
        if self.new_tables.rows:
            named = self.new_tables.store()
            for pairing, each in zip(self.pairings, self.made, strict=True):
                if each.table is None:
                    pairing.table_id = named[each.line.table]
        with connection.cursor() as cursor:
            waiting = self._remove(cursor)
            # Clear them first: two pairings may exchange their ids, which are unique.
            for ids in ([("", key) for _id, key in self.external_ids], self.external_ids):
                cursor.executemany(_SET_EXTERNAL_ID, ids)
            tables = [pairing.table_id for pairing in self.pairings]
            cursor.executemany(_ADD_PAIRING, [(*row, at) for row, at in zip(self.rows, tables, strict=True)])
            cursor.execute(_ADDED, [self.round.pk])
            added = dict(cursor.fetchall())
            self.ids = {table_id: added[table_id] for table_id in tables}
            cursor.executemany(_ADD_PLACE, self._places())
            cursor.executemany(_REMOVE_BYE, self.byes_removed)
            cursor.executemany(_ADD_BYE, self.byes)
        waiting.wait_for(self.ids)
        self.removed_before.wait_for(self.ids)
        if self.plan.moved_from is not None and self.pairings:
            waiting.wait_for({self.plan.moved_from: self.ids[self.pairings[0].table_id]})

    def _remove(self, cursor: Any) -> places.Waiting:
        """Delete replaced and removed pairings; return the dependent places and byes."""
        waiting = places.Waiting.of(self.replaced)
        if self.removed_ids:
            removed = ", ".join(map(str, self.removed_ids))
            cursor.execute(_REMOVE_PLACES.format(removed))
            waiting.disconnect()
            cursor.execute(_REMOVE_PAIRINGS.format(removed))
        return waiting

    def _is_decided(self) -> bool:
        """True if a match that a line waits for has been decided meanwhile."""
        return bool(self.sources) and Pairing.objects.filter(Pairing.decided(), pk__in=self.sources).exists()

    def _places(self) -> list[tuple[Any, ...]]:
        return [
            (self.ids[pairing.table_id], seat, source.pairing.pk, source.takes, source.words, False)
            for pairing, each in zip(self.pairings, self.made, strict=True)
            for seat, source in each.sources.items()
        ]


def take_back(pairing: Pairing, user_id: int | None) -> None:
    """Delete a pairing that has not begun, and start the next one at its table."""
    with transaction.atomic():
        pairing.delete()
        aside = [pairing.match_id] if pairing.match_id else []
        desk.start_pairings([pairing.table_id], by=Official.DIRECTOR, user_id=user_id, instead_of=aside)
