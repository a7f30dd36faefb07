"""The draw of a round as a program sends it: all of it at once and never half of it; the same again changes nothing.

A match that nobody has begun and that is not in it goes; one that has begun stays, and has to be in it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from clocks import desk
from clocks.engine.closed_sets import Official
from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.models import Pairing, Round
from clocks.tournament import draw, draw_columns, draw_plan, places
from clocks.tournament.draw import DrawLine
from clocks.tournament.draw_plan import Act, PlannedLine, begun
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
    match that has begun is not in it.
    """
    with transaction.atomic():
        Round.objects.select_for_update().get(pk=round_.pk)
        there = list(round_.pairings.select_related("match", "table").order_by("pk"))
        lines = [_where_it_is(line, each, there) for line, each in zip(_lines(round_, sent), sent, strict=True)]
        kept = _kept(draw_plan.plan(round_, lines, give_way), there)
        gone = [pairing for pairing in there if pairing.pk not in kept]
        _must_not_have_begun(gone)
        freed = [pairing.table_id for pairing in gone]
        waiting = places.Leads.of(gone)
        Pairing.objects.filter(pk__in=[pairing.pk for pairing in gone]).delete()
        desk.start_pairings((), instead_of=[pairing.match_id for pairing in gone if pairing.match_id])
        round_.byes.filter(source=None).delete()  # those of this draw are stored with it
        planned = draw_plan.plan(round_, lines, give_way)
        stored = Stored(planned, [None] * len(planned), [str(pairing) for pairing in gone])
        if stored.good:
            made = iter(draw_plan.carry_out(round_, planned, user.pk))
            stored = stored._replace(pairings=[next(made) if each.makes else _at(each, there) for each in planned])
            for pairing in stored.pairings:
                if pairing is not None:
                    waiting.lead_from(pairing, pairing.table_id)
            _call(round_, stored, sent)
            desk.start_pairings(freed, by=Official.DIRECTOR, user_id=user.pk)
            _write(round_, stored, user)
        if dry_run or not stored.good:
            transaction.set_rollback(True)
    return stored


def add(round_: Round, sent: Sent, user: User) -> tuple[PlannedLine, Pairing | None]:
    """Add a match to a round's draw; a line that is not possible (`bad`) changes nothing."""
    with transaction.atomic():
        Round.objects.select_for_update().get(pk=round_.pk)
        if sent.external_id and round_.pairings.filter(external_id=sent.external_id).exists():
            words = Words("The round already has a match “%(id)s”.", id=sent.external_id, name="external_id")
            raise Refused(Why.BAD_VALUE, words)
        (line,) = _lines(round_, [sent])
        (planned,) = draw_plan.plan(round_, [line])
        if planned.act == Act.BAD or planned.instead_of:
            replaced = ", ".join(map(str, planned.instead_of))
            if planned.instead_of:
                words = Words("Table %(table)s is drawn for %(matches)s.", table=line.table, matches=replaced)
                raise Refused(Why.BAD_VALUE, words)
            return planned, None
        if not planned.makes:
            return planned, _at(planned, list(round_.pairings.select_related("match", "table")))
        (pairing,) = draw_plan.carry_out(round_, [planned], user.pk)
        Pairing.objects.filter(pk=pairing.pk).update(external_id=sent.external_id)
        data = {"match": str(pairing), "table": pairing.table.name, "round": round_.number}
        tournament_log.write(round_.tournament, user, "match_added", **data)
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


def _where_it_is(line: DrawLine, sent: Sent, there: Sequence[Pairing]) -> DrawLine:
    """Return the line of a match that has begun at the table where it is played, wherever it was drawn."""
    for pairing in there:
        if not begun(pairing) or line.setup is None:
            continue
        names, named = pairing.setup["names"], list(line.setup.names)
        called_so = bool(sent.external_id) and pairing.external_id == sent.external_id
        if names == named or (called_so and (names[0] == named[0] or names[1] == named[1])):
            # A name may have been corrected here since the program drew it.
            cells = {**line.cells, "left": names[0], "right": names[1]}
            return line._replace(cells=cells, setup=Setup.from_dict(pairing.setup)).at(pairing.table.name)
        if called_so:
            words = _("%(id)s is %(match)s, which has begun and cannot be drawn again.")
            return line.but(words % {"id": sent.external_id, "match": pairing})
    return line


def _kept(planned: Sequence[PlannedLine], there: Sequence[Pairing]) -> set[int]:
    found = (_at(each, there) for each in planned if each.act == Act.KEEP)
    return {pairing.pk for pairing in found if pairing is not None}


def _at(planned: PlannedLine, there: Sequence[Pairing]) -> Pairing | None:
    """Return the pairing that a line keeps."""
    if planned.act != Act.KEEP or planned.table is None or planned.line.setup is None:
        return None
    names = list(planned.line.setup.names)
    return next(
        (each for each in there if each.table_id == planned.table.pk and each.setup["names"] == names),
        None,
    )


def _must_not_have_begun(gone: Sequence[Pairing]) -> None:
    played = [str(pairing) for pairing in gone if begun(pairing)]
    if played:
        words = Words("%(matches)s has begun and must stay in the draw.", matches=", ".join(played))
        raise Refused(Why.STALE, words)


def _call(round_: Round, stored: Stored, sent: Sequence[Sent]) -> None:
    """Give each pairing the id by which the program knows it."""
    round_.pairings.update(external_id="")
    for pairing, each in zip(stored.pairings, sent, strict=True):
        if pairing is not None:
            pairing.external_id = each.external_id
    known = [pairing for pairing in stored.pairings if pairing is not None]
    Pairing.objects.bulk_update(known, ["external_id"])


def _write(round_: Round, stored: Stored, user: User) -> None:
    """Write down what changed; the same draw sent again is not an event."""
    made = sum(each.makes for each in stored.planned)
    if made or stored.removed:
        counts = {
            "made": made,
            "kept": sum(each.act == Act.KEEP for each in stored.planned),
            "gone": len(stored.removed),
        }
        tournament_log.write(round_.tournament, user, "round_drawn", round=round_.number, **counts)
