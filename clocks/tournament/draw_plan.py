"""What each line of a draw will do at the tables, said before anything is stored (`draw_store.py`)."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import StrEnum
from itertools import count, islice
from typing import NamedTuple

from django.utils.translation import gettext as _

from clocks.desk.pairings import open_pairings, outcome
from clocks.engine.closed_sets import Status
from clocks.models import Match, Pairing, Round, Table
from clocks.tournament import draw, places
from clocks.tournament.draw_seen import Seen
from clocks.tournament.places import Reference
from clocks.tournament.players import plain, team
from clocks.tournament.tables import by_name, table_order

_UNREAD = ("current__state", "current__tenure", "current__late")  # large, and of no interest to a draw
_UNREAD_OF_LINES = ("match__state", "match__tenure", "match__late")


class Source(NamedTuple):
    """A match that is not decided, and whether its winner or its loser is meant."""

    pairing: Pairing
    takes: str
    words: str


class Act(StrEnum):
    """What a line of a draw does."""

    START = "start"
    WAIT = "wait"
    ASK = "ask"  # a match with a clock on request
    KEEP = "keep"
    BYE = "bye"
    BAD = "bad"  # nothing: it is not possible


class PlannedLine(NamedTuple):
    """A line of a draw and what it does.

    `words` say so; `instead_of` are the pairings of the same round that it replaces, `aside` the match that gives way
    because nobody has begun it; `sources` are the lines whose winner or loser takes a seat, by the seat.
    """

    line: draw.DrawLine
    act: Act
    words: str
    table: Table | None = None
    instead_of: tuple[Pairing, ...] = ()
    aside: Match | None = None
    sources: Mapping[str, Source] = {}

    @property
    def stores(self) -> bool:
        """Tell whether anything is stored for the line."""
        return self.makes or self.act == Act.BYE

    @property
    def makes(self) -> bool:
        """Tell whether the line creates a pairing."""
        return self.act in (Act.START, Act.WAIT, Act.ASK)


def begun(pairing: Pairing) -> bool:
    """Tell whether a pairing has a clock that somebody has begun to use, or a result."""
    return bool(pairing.winner) or (pairing.match is not None and pairing.match.status != Status.SETUP)


def plan(round_: Round, lines: Iterable[draw.DrawLine], give_way: bool = False) -> list[PlannedLine]:
    """Say what each line of a draw will do at its table. Changes nothing.

    A line that names no table is given one. With `give_way` a match of another round that nobody has begun leaves the
    table to the new one.
    """
    return Tables(round_, give_way).plan(lines)


def fingerprint(planned: Sequence[PlannedLine]) -> str:
    """Return a short text that differs whenever anything in a plan differs."""
    lines_as_json = [
        (each.line.number, each.line.table, each.act, each.words, each.line.setup and each.line.setup.to_dict())
        for each in planned
    ]
    return hashlib.sha256(json.dumps(lines_as_json).encode()).hexdigest()


class Tables:
    """What is at the tables of a tournament now, as a draw of one round needs it."""

    def __init__(self, round_: Round, give_way: bool = False) -> None:
        self.round = round_
        self.give_way = give_way
        self.seen = Seen.now(round_)  # read first: whatever changes from here on is noticed
        tables = round_.tournament.tables.select_related("current__pairing__round").defer(*_UNREAD)
        self.tables = by_name(tables)
        self.of_round = list(round_.pairings.select_related("match", "table").defer(*_UNREAD_OF_LINES).order_by("pk"))
        self.byes = list(round_.byes.all())
        self.resting = {plain(bye.name) for bye in self.byes}
        self.aside: set[int | None] = set()  # matches that leave their tables before the draw is stored
        self.at_table = _by_table(self.of_round)
        earlier = open_pairings([table.pk for table in tables]).filter(
            round__number__lt=round_.number, round__policy=Round.Policy.REQUIRED
        )
        self.ahead = {pairing.table_id: pairing for pairing in earlier}

    def without(self, gone: Collection[Pairing], byes: bool = True) -> "Tables":
        """Return the same as it is once these lines, which nobody has begun, are taken back.

        Without `byes` nobody rests but those who wait for another match.
        """
        left = copy(self)
        away = {pairing.pk for pairing in gone}
        left.of_round = [pairing for pairing in self.of_round if pairing.pk not in away]
        left.at_table = _by_table(left.of_round)
        left.resting = {plain(bye.name) for bye in self.byes if byes or bye.source_id is not None}
        left.aside = {pairing.match_id for pairing in gone if pairing.match_id}
        return left

    def plan(self, lines: Iterable[draw.DrawLine]) -> list[PlannedLine]:
        """Say what each line will do."""
        found = [self.resolved(line) for line in lines]
        sources = {line.number: each for line, each in found}
        lines = self.with_tables([line for line, _sources in found])
        planned = [self.planned(line, sources[line.number]) for line in lines]
        gone = {pairing.pk for each in planned for pairing in each.instead_of}
        kept = {each.line.number for each in planned if each.act == Act.KEEP}
        elsewhere = {
            plain(name): pairing
            for pairing in self.of_round
            if pairing.pk not in gone
            for seat in pairing.setup["names"]
            for name in team(seat, pairing.setup["format"])
        }
        return [each if each.line.number in kept else _unless_drawn(each, elsewhere) for each in planned]

    def current(self, table: Table) -> Match | None:
        """Return the match at a table."""
        return None if table.current_id in self.aside else table.current

    def resolved(self, line: draw.DrawLine) -> tuple[draw.DrawLine, dict[str, Source]]:
        """Return a line with the players known by now in place of those whom it names by a table."""
        sources = {}
        for seat, reference in line.references.items():
            pairing = self._source(reference)
            if pairing is None:
                words = _("No match of an earlier round is drawn at table %(table)s.")
                line = line.but(words % {"table": reference.table})
                continue
            decided = outcome(pairing)
            words = places.words(reference.takes, pairing.table.name, pairing.round.number)
            line = line.named(seat, getattr(decided, reference.takes) if decided else words)
            if not decided:
                sources[seat] = Source(pairing, reference.takes, words)
        return line, sources

    def _source(self, reference: Reference) -> Pairing | None:
        """Return the match at a table in the round that is named, else in the latest before this one."""
        there = self.tables.get(reference.table.casefold())
        earlier = Pairing.objects.filter(table=there, round__number__lt=self.round.number)
        if reference.number is not None:
            earlier = earlier.filter(round__number=reference.number)
        wanted = list(earlier.select_related("round", "table", "match").order_by("-round__number", "pk"))
        of_latest = [pairing for pairing in wanted if pairing.round_id == wanted[0].round_id]
        # Of a match that was moved to a table which had finished, and the one before it there, the open one is meant.
        return min(of_latest, key=lambda pairing: outcome(pairing) is not None, default=None)

    def with_tables(self, lines: list[draw.DrawLine]) -> list[draw.DrawLine]:
        """Give a table to each match that names none: the one where it is drawn already, else the next in order.

        Free tables come first, then those that still play, then new ones by number. A table that keeps a match of this
        round is left out.
        """
        players = {name.casefold() for line in lines if line.setup for name in line.setup.names}
        drawn = {_names(pairing): pairing.table_id for pairing in self.of_round}
        kept = {pairing.table_id for pairing in self.of_round if begun(pairing) or players.isdisjoint(_names(pairing))}
        taken = {line.table.casefold() for line in lines if line.table}
        named = {table.pk: name for name, table in self.tables.items()}
        mine = {}
        for line in lines:
            if not line.table and line.setup:
                table = named.get(drawn.get(tuple(map(str.casefold, line.setup.names)), 0), "")
                if table and table not in taken:
                    mine[line.number] = self.tables[table].name
                    taken.add(table)
        asking = sum(not (line.table or line.bye or line.number in mine) for line in lines)
        # In table order, so that neighbours in the draw are neighbours in the hall: the round after meets by tables.
        rest = iter(sorted(islice(self._in_order(taken, kept), asking), key=table_order))
        return [line if line.table or line.bye else line.at(mine.get(line.number) or next(rest)) for line in lines]

    def _in_order(self, taken: Collection[str], kept: Collection[int]) -> Iterator[str]:
        """Yield the names of the tables that a draw can still use, endlessly."""
        usable = [table for name, table in self.tables.items() if name not in taken and table.pk not in kept]
        usable.sort(key=lambda table: (self._plays(table), table_order(table.name)))
        yield from (table.name for table in usable)
        yield from (name for name in map(str, count(1)) if name not in taken and name not in self.tables)

    def _plays(self, table: Table) -> bool:
        """Tell whether a new match would wait at a table, for one of another round."""
        present, _aside = self._present(table, [pairing for pairing in self.at_table[table.pk] if not begun(pairing)])
        return present is not None

    def planned(self, line: draw.DrawLine, sources: Mapping[str, Source]) -> PlannedLine:
        """Say what a line does; one whose players are not all known waits for them."""
        planned = self._once_known(line)
        if planned.makes and sources:
            words = _("Begins when both players are known.")
            return planned._replace(act=Act.WAIT, words=words, sources=sources)
        return planned._replace(sources=sources)

    def _once_known(self, line: draw.DrawLine) -> PlannedLine:
        """Say what a line does once its players are known."""
        if line.faults:
            return PlannedLine(line, Act.BAD, " ".join(line.faults))
        if line.bye:
            if plain(line.player) in self.resting:
                return PlannedLine(line, Act.KEEP, _("Already has a bye."))
            return PlannedLine(line, Act.BYE, _("A bye, so there is no match."))
        assert line.setup is not None
        on_request = self.round.policy == Round.Policy.ON_REQUEST
        table = self.tables.get(line.table.casefold())
        if table is None:
            words = (
                _("New table. A player at the table can ask for a clock.")
                if on_request
                else _("New table. Ready to play.")
            )
            return PlannedLine(line, Act.ASK if on_request else Act.START, words)
        here = self.at_table[table.pk]
        for pairing in here:
            if pairing.setup == line.setup.to_dict():
                return PlannedLine(line, Act.KEEP, _("Already drawn. Left as it is."), table)
            if begun(pairing) and pairing.setup["names"] == list(line.setup.names):
                return PlannedLine(line, Act.KEEP, _("Already begun. Left as it is."), table)
        replaced = tuple(pairing for pairing in here if not begun(pairing))
        first = [_("Replaces %(matches)s.") % {"matches": ", ".join(map(str, replaced))}] if replaced else []
        present, aside = self._present(table, replaced)
        if aside is not None:
            first.append(_("Replaces %(match)s, which has not begun.") % {"match": _named(aside)})
        if on_request:
            words = _("A player at the table can ask for a clock.")
            if present and self.current(table):
                words = _("A player at the table can ask for a clock once %(match)s is over.") % {"match": present}
            return PlannedLine(line, Act.ASK, " ".join([*first, words]), table, replaced, aside)
        if present is not None:
            words = _("Waits until %(match)s is over.") % {"match": present}
            return PlannedLine(line, Act.WAIT, " ".join([*first, words]), table, replaced, aside)
        return PlannedLine(line, Act.START, " ".join([*first, _("Ready to play.")]), table, replaced, aside)

    def _present(self, table: Table, replaced: Sequence[Pairing]) -> tuple[str | None, Match | None]:
        """Return what a new match at a table waits for, and the match that it sets aside."""
        match, aside = self.current(table), None
        if match is not None and match.pk in [pairing.match_id for pairing in replaced]:
            match = None
        if match is not None and match.status == Status.SETUP and self.give_way:
            match, aside = None, match
        if match is not None and match.status != Status.OVER:
            return _named(match), aside
        ahead = self.ahead.get(table.pk)
        return (f"{ahead} ({ahead.round})" if ahead else None), aside


def _by_table(pairings: Iterable[Pairing]) -> dict[int, list[Pairing]]:
    """Return lines of a draw by their tables."""
    found: dict[int, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        found[pairing.table_id].append(pairing)
    return found


def _names(pairing: Pairing) -> tuple[str, ...]:
    """Return who plays, whatever the case of their names."""
    return tuple(map(str.casefold, pairing.setup["names"]))


def _named(match: Match) -> str:
    """Return a match with its round."""
    pairing = getattr(match, "pairing", None)
    return f"{match} ({pairing.round})" if pairing else str(match)


def _unless_drawn(planned: PlannedLine, elsewhere: dict[str, Pairing]) -> PlannedLine:
    """Refuse a line with a player whom this round already has at another table."""
    if not planned.stores:
        return planned
    line = planned.line
    for name in line.players:
        if plain(name) in elsewhere:
            words = _("%(name)s is already drawn in this round, at table %(table)s.")
            line = line.but(words % {"name": name, "table": elsewhere[plain(name)].table.name})
    return PlannedLine(line, Act.BAD, " ".join(line.faults)) if line.faults else planned
