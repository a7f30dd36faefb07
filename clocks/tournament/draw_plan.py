"""Plan a draw: the action for each line. Stores nothing (see `draw_store.py`)."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from clocks.desk.pairings import open_pairings, outcome
from clocks.engine.closed_sets import Status
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.host.garbage import without_cycles
from clocks.journal.begun import note_breaks
from clocks.models import Match, Pairing, Round, Table
from clocks.tournament import draw, places
from clocks.tournament.draw_fingerprint import Fingerprint
from clocks.tournament.places import Reference
from clocks.tournament.players import name_key, team
from clocks.tournament.tables import by_name, new_names, table_order
from clocks.tournament.tables_beside import TablesBeside

_UNREAD = ("current__state", "current__tenure", "current__late")  # large columns that planning does not need
_UNREAD_OF_PAIRINGS = ("match__state", "match__tenure", "match__late")


class Source(NamedTuple):
    """An undecided match whose winner or loser (`takes`) takes a seat."""

    pairing: Pairing
    takes: str
    words: str


class Act(StrEnum):
    """Action for a line of a draw."""

    START = "start"
    WAIT = "wait"
    ASK = "ask"  # the match gets a clock on request
    KEEP = "keep"  # the match is already drawn
    BYE = "bye"
    BAD = "bad"  # invalid line


class PlannedLine(NamedTuple):
    """A line of a draw with its action; `words` explains it to the director.

    `instead_of` are the pairings of the same round that it replaces; `keeps` is the pairing that it leaves unchanged.
    `aside` is a match that has not begun and gives up the table. `sources` are undecided matches, by the seat that
    their winner or loser takes.
    """

    line: draw.DrawLine
    act: Act
    words: str
    table: Table | None = None
    instead_of: tuple[Pairing, ...] = ()
    aside: Match | None = None
    sources: Mapping[str, Source] = {}
    keeps: Pairing | None = None

    @property
    def stores(self) -> bool:
        """True if the line stores anything."""
        return self.makes or self.act == Act.BYE

    @property
    def makes(self) -> bool:
        """True if the line creates a pairing."""
        return self.act in (Act.START, Act.WAIT, Act.ASK)


def has_begun(pairing: Pairing) -> bool:
    """True if the match of a pairing has begun, or the pairing has a result."""
    return bool(pairing.winner) or (pairing.match is not None and pairing.match.has_begun)


def preview_hash(planned: Sequence[PlannedLine]) -> str:
    """Hash of a plan's preview."""
    lines_as_json = [
        (each.line.number, each.line.table, each.act, each.words, each.line.setup and each.line.setup.to_dict())
        for each in planned
    ]
    return hashlib.sha256(json.dumps(lines_as_json).encode()).hexdigest()


def reject_bad(planned: Iterable[PlannedLine]) -> None:
    """Raise Refused with the first line that cannot be drawn, if any."""
    for line in planned:
        if line.act == Act.BAD:
            raise Refused(Why.BAD_VALUE, Words("%(names)s: %(words)s", names=line.line.names, words=line.words))


class Tables:
    """Tables of a tournament, with the stored pairings and byes of the round to draw.

    A line without a table gets one that is not in `taken` (casefolded names). New tables avoid the table names of the
    user's other tournaments in progress. With `give_way`, matches of other rounds that have not begun give up their
    tables.
    """

    def __init__(
        self, round_: Round, give_way: bool = False, taken: Collection[str] = (), user: User | None = None
    ) -> None:
        self.round = round_
        self.give_way = give_way
        self.beside = TablesBeside(user, round_.tournament)
        self.taken = frozenset(taken)
        self.fingerprint = Fingerprint.of(round_)  # read first, to detect any later change
        tables = without_cycles(
            round_.tournament.tables.select_related("current__pairing__round").defer(*_UNREAD), "current"
        )
        without_cycles([table.current for table in tables if table.current], "pairing")
        self.tables = by_name(tables)
        self.pairings = without_cycles(
            round_.pairings.select_related("match", "table").defer(*_UNREAD_OF_PAIRINGS).order_by("pk"), "match"
        )
        known = [table.current for table in tables] + [pairing.match for pairing in self.pairings]
        note_breaks(filter(None, known), Match.objects.filter(table__tournament_id=round_.tournament_id))
        self.byes = list(round_.byes.all())
        self.with_bye = {name_key(bye.name) for bye in self.byes}
        self.removed_matches: set[int | None] = set()
        self.at_table = _by_table(self.pairings)
        waiting = list(open_pairings([table.pk for table in tables]).exclude(round=round_))
        self.ahead = {
            pairing.table_id: pairing
            for pairing in waiting
            if pairing.round.number < round_.number and pairing.round.policy == Round.Policy.REQUIRED
        }
        self.of_others = {pairing.table_id for pairing in waiting if self._of_another_event(pairing.round)}
        self.of_others |= {table.pk for table in tables if table.current and self._plays_another_event(table.current)}

    def without(self, removed: Collection[Pairing], byes: bool = True) -> "Tables":
        """Copy without these pairings, none of which has begun.

        If `byes` is False, only byes that wait for another match are kept.
        """
        left = copy(self)
        removed_ids = {pairing.pk for pairing in removed}
        left.pairings = [pairing for pairing in self.pairings if pairing.pk not in removed_ids]
        left.at_table = _by_table(left.pairings)
        left.with_bye = {name_key(bye.name) for bye in self.byes if byes or bye.source_id is not None}
        left.removed_matches = {pairing.match_id for pairing in removed if pairing.match_id}
        return left

    def plan(self, lines: Iterable[draw.DrawLine]) -> list[PlannedLine]:
        """Plan the lines of a draw."""
        found = [self._resolve(line) for line in lines]
        sources = {line.number: each for line, each in found}
        lines = self._assign_tables([line for line, _sources in found])
        planned = [self._plan_line(line, sources[line.number]) for line in lines]
        replaced = {pairing.pk for each in planned for pairing in each.instead_of}
        elsewhere = {
            name_key(name): pairing
            for pairing in self.pairings
            if pairing.pk not in replaced
            for seat in pairing.setup["names"]
            for name in team(seat, pairing.setup["format"])
        }
        return [_reject_players_drawn_elsewhere(each, elsewhere) for each in planned]

    def _of_another_event(self, round_: Round) -> bool:
        """True if a round belongs to a different event from the round to draw."""
        return None not in (self.round.section_id, round_.section_id) and self.round.section_id != round_.section_id

    def _plays_another_event(self, match: Match) -> bool:
        pairing = getattr(match, "pairing", None)
        gives_way = self.give_way and not match.has_begun
        return (
            pairing is not None
            and match.status != Status.OVER
            and not gives_way
            and self._of_another_event(pairing.round)
        )

    def _current(self, table: Table) -> Match | None:
        """Match at a table, or None if the table is free or its match will be removed."""
        return None if table.current_id in self.removed_matches else table.current

    def _resolve(self, line: draw.DrawLine) -> tuple[draw.DrawLine, dict[str, Source]]:
        """Replace references to decided matches with names; return the others by seat."""
        sources = {}
        for seat, reference in line.references.items():
            pairing = self._source(reference)
            if pairing is None:
                words = _("No match of an earlier round is drawn at table %(table)s.")
                line = line.with_fault(words % {"table": reference.table})
                continue
            decided = outcome(pairing)
            words = places.words(reference.takes, pairing.table.name, pairing.round)
            line = line.with_name(seat, getattr(decided, reference.takes) if decided else words)
            if not decided:
                sources[seat] = Source(pairing, reference.takes, words)
        return line, sources

    def _source(self, reference: Reference) -> Pairing | None:
        """Pairing at the referenced table, of the given or else the latest earlier round."""
        there = self.tables.get(reference.table.casefold())
        earlier = Pairing.objects.filter(table=there, round__number__lt=self.round.number)
        if reference.number is not None:
            earlier = earlier.filter(round__number=reference.number)
        found = earlier.select_related("round", "table", "match").order_by("-round__number", "pk")
        wanted = [each for each in found if reference.round in ("", each.round.name.casefold())]
        of_latest = [pairing for pairing in wanted if pairing.round_id == wanted[0].round_id]
        # If a match was moved to a table that had finished another one, pick the undecided match.
        return min(of_latest, key=lambda pairing: outcome(pairing) is not None, default=None)

    def _assign_tables(self, lines: list[draw.DrawLine]) -> list[draw.DrawLine]:
        """Assign tables to lines without one: the same pairing's table, else the next.

        Free tables come first, then tables in use, then new ones by number. Skips tables that keep a match of this
        round, and those that another event uses.
        """
        players = {name.casefold() for line in lines if line.setup for name in line.setup.names}
        drawn = {_names(pairing): pairing.table_id for pairing in self.pairings}
        kept = {
            pairing.table_id for pairing in self.pairings if has_begun(pairing) or players.isdisjoint(_names(pairing))
        }
        taken = {*self.taken, *(line.table.casefold() for line in lines if line.table)}
        named = {table.pk: name for name, table in self.tables.items()}
        own = {}
        for line in lines:
            if not line.table and line.setup:
                table = named.get(drawn.get(tuple(map(str.casefold, line.setup.names)), 0), "")
                if table and table not in taken:
                    own[line.number] = self.tables[table].name
                    taken.add(table)
        asking = sum(not (line.table or line.is_bye or line.number in own) for line in lines)
        # In table order, because the next round of a knockout pairs neighbouring tables.
        rest = iter(sorted(islice(self._in_order(taken, kept), asking), key=table_order))
        return [
            line if line.table or line.is_bye else line.at_table(own.get(line.number) or next(rest)) for line in lines
        ]

    def _in_order(self, taken: Collection[str], kept: Collection[int]) -> Iterator[str]:
        """Yield names of usable tables, then of new ones, without end."""
        held = {*kept, *self.of_others}
        usable = [table for name, table in self.tables.items() if name not in taken and table.pk not in held]
        usable.sort(key=lambda table: (self._is_busy(table), table_order(table.name)))
        yield from (table.name for table in usable)
        yield from new_names(self.round.tournament, {*taken, *self.tables, *self.beside.names})

    def _is_busy(self, table: Table) -> bool:
        """True if a new match would wait for a match of another round."""
        present, _aside = self._blocking(
            table, [pairing for pairing in self.at_table[table.pk] if not has_begun(pairing)]
        )
        return present is not None

    def _plan_line(self, line: draw.DrawLine, sources: Mapping[str, Source]) -> PlannedLine:
        """Plan a line; its match waits until both players are known."""
        planned = self._plan_known(line)
        if planned.makes and sources:
            words = _("Begins when both players are known.")
            return planned._replace(act=Act.WAIT, words=words, sources=sources)
        return planned._replace(sources=sources)

    def _plan_known(self, line: draw.DrawLine) -> PlannedLine:
        """Plan a line as if its players were known."""
        if line.faults:
            return PlannedLine(line, Act.BAD, " ".join(line.faults))
        if line.is_bye:
            if name_key(line.player) in self.with_bye:
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
                return PlannedLine(line, Act.KEEP, _("Already drawn. Left as it is."), table, keeps=pairing)
            if has_begun(pairing) and pairing.setup["names"] == list(line.setup.names):
                return PlannedLine(line, Act.KEEP, _("Already begun. Left as it is."), table, keeps=pairing)
        replaced = tuple(pairing for pairing in here if not has_begun(pairing))
        first = [_("Replaces %(matches)s.") % {"matches": ", ".join(map(str, replaced))}] if replaced else []
        present, aside = self._blocking(table, replaced)
        if aside is not None:
            first.append(_("Replaces %(match)s, which has not begun.") % {"match": _named(aside)})
        if on_request:
            words = _("A player at the table can ask for a clock.")
            if present and self._current(table):
                words = _("A player at the table can ask for a clock once %(match)s is over.") % {"match": present}
            return PlannedLine(line, Act.ASK, " ".join([*first, words]), table, replaced, aside)
        if present is not None:
            words = _("Waits until %(match)s is over.") % {"match": present}
            return PlannedLine(line, Act.WAIT, " ".join([*first, words]), table, replaced, aside)
        return PlannedLine(line, Act.START, " ".join([*first, _("Ready to play.")]), table, replaced, aside)

    def _blocking(self, table: Table, replaced: Sequence[Pairing]) -> tuple[str | None, Match | None]:
        """Description of the match that a new one must wait for, and the match set aside."""
        match, aside = self._current(table), None
        if match is not None and match.pk in [pairing.match_id for pairing in replaced]:
            match = None
        if match is not None and not match.has_begun and self.give_way:
            match, aside = None, match
        if match is not None and match.status != Status.OVER:
            return _named(match), aside
        ahead = self.ahead.get(table.pk)
        return (f"{ahead} ({ahead.round})" if ahead else None), aside


def _by_table(pairings: Iterable[Pairing]) -> dict[int, list[Pairing]]:
    found: dict[int, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        found[pairing.table_id].append(pairing)
    return found


def _names(pairing: Pairing) -> tuple[str, ...]:
    return tuple(map(str.casefold, pairing.setup["names"]))


def _named(match: Match) -> str:
    """Description of a match with its round."""
    pairing = getattr(match, "pairing", None)
    return f"{match} ({pairing.round})" if pairing else str(match)


def _reject_players_drawn_elsewhere(planned: PlannedLine, elsewhere: dict[str, Pairing]) -> PlannedLine:
    """Mark a new line as bad if one of its players is already drawn in this round."""
    if not planned.stores:
        return planned
    line = planned.line
    for name in line.players:
        if name_key(name) in elsewhere:
            words = _("%(name)s is already drawn in this round, at table %(table)s.")
            line = line.with_fault(words % {"name": name, "table": elsewhere[name_key(name)].table.name})
    return PlannedLine(line, Act.BAD, " ".join(line.faults)) if line.faults else planned
