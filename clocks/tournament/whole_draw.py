"""The draw of a round as a program sends it: all of it at once and never half of it; the same again changes nothing.

A match that nobody has begun and that is not in it goes; one that has begun stays, and has to be in it.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.journal.tournament_events import MatchAdded, RoundDrawn
from clocks.models import Pairing, Round
from clocks.tournament import draw, draw_columns
from clocks.tournament.draw import DrawLine
from clocks.tournament.draw_plan import Act, PlannedLine, Tables, begun
from clocks.tournament.draw_store import Besides, carry_out, tried
from clocks.tournament.players import Players, spelt
from clocks.wording.language import said


class Sent(NamedTuple):
    """A line as a program sends it: what it calls the match, its cells by column, and its options."""

    external_id: str
    cells: Mapping[str, str]
    options: Mapping[str, Any]


class Stored(NamedTuple):
    """A whole draw as it is now: what became of each line, its pairing (None: a bye), and which matches went."""

    planned: list[PlannedLine]
    pairings: list[Pairing | None]
    removed: list[str]

    @property
    def good(self) -> bool:
        """Tell whether no line is wrong; else nothing is stored."""
        return all(each.act != Act.BAD for each in self.planned)


def replace(
    round_: Round, sent: Sequence[Sent], user: User, *, give_way: bool = False, dry_run: bool = False
) -> Stored:
    """Let a round have exactly this draw, and say what became of each line; a dry run changes nothing.

    Two at once are stored in turn. A wrong line (`Stored.good`) changes nothing either. Raises Refused where a
    match that has begun is not in it, and where the round keeps being changed by others.
    """
    return tried(partial(_replace, round_, sent, user, give_way, dry_run))


def _replace(round_: Round, sent: Sequence[Sent], user: User, give_way: bool, dry_run: bool) -> Stored:
    tables = Tables(round_, give_way)
    there = There(tables.of_round)
    lines = [there.found(line, each) for line, each in zip(_lines(round_, sent), sent, strict=True)]
    kept = {pairing.pk for pairing in map(there.at, tables.plan(lines)) if pairing is not None}
    gone = [pairing for pairing in tables.of_round if pairing.pk not in kept]
    _must_not_have_begun(gone)
    planned = tables.without(gone, byes=False).plan(lines)
    stored = Stored(planned, [there.at(each) for each in planned], [str(pairing) for pairing in gone])
    if dry_run or not stored.good:
        return stored
    called = {each.line.number: one.external_id for each, one in zip(planned, sent, strict=True)}
    lines_kept = zip(planned, stored.pairings, strict=True)
    stay = {each.line.number: pairing for each, pairing in lines_kept if pairing is not None}
    change = _change(round_, stored)
    write = partial(tournament_log.write, round_.tournament, user, change) if change else None
    made = iter(carry_out(tables, planned, user.pk, Besides(gone, called, stay, whole=True, write=write)))
    return stored._replace(pairings=[next(made) if each.makes else there.at(each) for each in planned])


def add(round_: Round, sent: Sent, user: User) -> tuple[PlannedLine, Pairing | None]:
    """Add a match to a round's draw; a line that is not possible (`bad`) changes nothing."""
    return tried(partial(_add, round_, sent, user))


def _add(round_: Round, sent: Sent, user: User) -> tuple[PlannedLine, Pairing | None]:
    tables = Tables(round_)
    if sent.external_id and any(pairing.external_id == sent.external_id for pairing in tables.of_round):
        words = Words("The round already has a match “%(id)s”.", id=sent.external_id, name="external_id")
        raise Refused(Why.BAD_VALUE, words)
    (line,) = _lines(round_, [sent])
    (planned,) = tables.plan([line])
    if planned.act == Act.BAD or planned.instead_of:
        replaced = ", ".join(map(str, planned.instead_of))
        if planned.instead_of:
            words = Words("Table %(table)s is drawn for %(matches)s.", table=line.table, matches=replaced)
            raise Refused(Why.BAD_VALUE, words)
        return planned, None
    if not planned.makes:
        return planned, There(tables.of_round).at(planned)
    assert planned.line.setup is not None
    added = MatchAdded(" – ".join(planned.line.setup.names), planned.line.table, round_.number)
    write = partial(tournament_log.write, round_.tournament, user, added)
    (pairing,) = carry_out(tables, [planned], user.pk, Besides(called={line.number: sent.external_id}, write=write))
    return planned, pairing


def _lines(round_: Round, sent: Sequence[Sent]) -> list[DrawLine]:
    """Return the lines with their settings, each fault in its line."""
    spelling = Players(round_.tournament).written
    lines = [_line(number, each, round_, spelling) for number, each in enumerate(sent)]
    seen: dict[str, int] = {}
    for number, each in enumerate(sent):
        if each.external_id and seen.setdefault(each.external_id, number) != number:
            words = _("The external_id %(id)s is already in line %(number)s.")
            lines[number] = lines[number].but(words % {"id": each.external_id, "number": seen[each.external_id]})
    return list(draw.without_doubles(lines))


def _line(number: int, sent: Sent, round_: Round, spelling: Mapping[str, str]) -> DrawLine:
    cells = dict.fromkeys(draw_columns.NAMES, "") | dict(sent.cells)
    format_ = cells["format"] or round_.format
    cells |= {"format": format_} | {seat: spelt(cells[seat], format_, spelling) for seat in ("left", "right")}
    line = draw.refuse_hidden_names(DrawLine(number, cells, None))
    if line.bye or line.faults:
        return line
    try:
        setting = draw.setting(round_, cells)
        setting["options"] = setting["options"] | dict(sent.options)
        return line._replace(setup=Setup.parse(setting))
    except Refused as refused:
        return line.but(said(refused.words))


class There:
    """The lines that a round has, found by what a program calls them and by who plays where."""

    def __init__(self, pairings: Sequence[Pairing]) -> None:
        self._at = {(pairing.table_id, *pairing.setup["names"]): pairing for pairing in reversed(pairings)}
        self._begun: dict[str | tuple[str, ...], list[Pairing]] = {}
        for pairing in filter(begun, pairings):
            for key in (pairing.external_id, tuple(pairing.setup["names"])):
                self._begun.setdefault(key, []).append(pairing)

    def at(self, planned: PlannedLine) -> Pairing | None:
        """Return the pairing that a line keeps."""
        if planned.act != Act.KEEP or planned.table is None or planned.line.setup is None:
            return None
        return self._at.get((planned.table.pk, *planned.line.setup.names))

    def found(self, line: DrawLine, sent: Sent) -> DrawLine:
        """Return the line of a match that has begun at the table where it is played, wherever it was drawn."""
        if line.setup is None:
            return line
        named = list(line.setup.names)
        called = self._begun.get(sent.external_id, []) if sent.external_id else []
        for pairing in sorted({*called, *self._begun.get(tuple(named), [])}, key=lambda each: each.pk):
            names = pairing.setup["names"]
            if names == named or names[0] == named[0] or names[1] == named[1]:
                # A name may have been corrected here since the program drew it.
                cells = {**line.cells, "left": names[0], "right": names[1]}
                return line._replace(cells=cells, setup=Setup.from_dict(pairing.setup)).at(pairing.table.name)
            words = _("%(id)s is %(match)s, which has begun and cannot be drawn again.")
            return line.but(words % {"id": sent.external_id, "match": pairing})
        return line


def _must_not_have_begun(gone: Sequence[Pairing]) -> None:
    played = [str(pairing) for pairing in gone if begun(pairing)]
    if played:
        words = Words("%(matches)s has begun and must stay in the draw.", matches=", ".join(played))
        raise Refused(Why.STALE, words)


def _change(round_: Round, stored: Stored) -> RoundDrawn | None:
    """Log entry of a draw; None if it changes no match."""
    made = sum(each.makes for each in stored.planned)
    kept = sum(each.act == Act.KEEP for each in stored.planned)
    gone = len(stored.removed)
    return RoundDrawn(round_.number, made, kept, gone) if made or gone else None
