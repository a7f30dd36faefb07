"""Ways to draw a round: import, whole draw, single match.

Each passes a plan to `draw_store.store`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from clocks.engine.refusals import Refused, Why
from clocks.engine.setup import Setup
from clocks.engine.words import Words, counted
from clocks.journal.tournament_events import DrawImported, MatchAdded, RoundDrawn
from clocks.models import Pairing, Round, Section
from clocks.tournament import draw as draw_lines
from clocks.tournament import drawn_details
from clocks.tournament.draw import DrawLine
from clocks.tournament.draw_plan import Act, PlannedLine, Tables, has_begun, preview_hash
from clocks.tournament.draw_store import BUSY, Drawn, Plan, store
from clocks.tournament.players import Players


class Sent(NamedTuple):
    """Line of a draw sent through the API: external id, cells by column, and options."""

    external_id: str
    cells: Mapping[str, str]
    options: Mapping[str, Any]


# --- pages ---------------------------------------------------------------------------------------------------------


def import_lines(round_: Round, lines: Sequence[DrawLine], preview: str, user: User, *, give_way: bool = False) -> int:
    """Import a draw as previewed; return the number of new matches.

    `preview` is the `preview_hash` that the director saw. Raises Refused(Why.STALE) if the plan has changed since then.
    """

    def plan(tables: Tables) -> Plan:
        planned = tables.plan(lines)
        if preview_hash(planned) != preview:
            raise Refused(Why.STALE)
        return Plan(planned, positions=_in_bracket(tables, lines), event=DrawImported(round_.number))

    planned = store(round_, plan, user, give_way=give_way).plan.lines
    drawn_details.keep(round_.tournament, drawn_details.of_lines(lines))
    return sum(each.makes for each in planned)


def change(round_: Round, old: Pairing | None, line: DrawLine, user: User) -> PlannedLine:
    """Draw a single match. It replaces `old`, if given, which must not have begun.

    An invalid line (`Act.BAD`) changes nothing. Raises Refused(Why.STALE) if `old` has begun or been removed meanwhile.
    """
    if old is not None and line.setup and (old.table.name, old.setup) == (line.table, line.setup.to_dict()):
        return PlannedLine(line, Act.KEEP, _("Nothing has changed."), old.table)

    def plan(tables: Tables) -> Plan:
        removed = [pairing for pairing in tables.pairings if old is not None and pairing.pk == old.pk]
        if old is not None and (not removed or has_begun(removed[0])):
            raise Refused(Why.STALE, BUSY)
        planned = tables.without(removed).plan([line])
        if old is None or not planned[0].makes:
            return Plan(planned, removed)
        places = {} if old.position is None else {line.number: old.position}
        return Plan(planned, removed, {line.number: old.external_id}, places, moved_from=old.table_id)

    (planned,) = store(round_, plan, user).plan.lines
    return planned


def draw(round_: Round, pairs: Sequence[tuple[str, str | None]], user: User) -> Sequence[PlannedLine]:
    """Draw a round that has no draw yet; a player without an opponent has a bye.

    Stores all lines or none. Raises Refused(Why.STALE) if the round has a draw.
    """
    return store(round_, partial(plan_whole, lines_of(round_, pairs)), user).plan.lines


def lines_of(round_: Round, pairs: Sequence[tuple[str, str | None]]) -> list[DrawLine]:
    """Turn pairs into checked lines of a draw, each with its own faults."""
    cells = [{"left": left, "right": "bye" if right is None else right} for left, right in pairs]
    checked = [draw_lines.check_line(number, each, round_, {}) for number, each in enumerate(cells, 1)]
    return list(draw_lines.mark_duplicates(checked))


def plan_whole(lines: Sequence[DrawLine], tables: Tables) -> Plan:
    """Plan the whole draw of a round that has none yet.

    Raises Refused(Why.STALE) if the round has a draw.
    """
    round_ = tables.round
    if tables.pairings or tables.byes:
        raise _drawn(round_)
    planned = tables.plan(lines)
    made = sum(each.makes for each in planned)
    positions = _in_bracket(tables, [each.line for each in planned])
    return Plan(planned, positions=positions, event=RoundDrawn(round_.number, made, 0, 0))


def reject_drawn(round_: Round) -> None:
    """Raise Refused(Why.STALE) if a round has a draw."""
    if round_.pairings.exists() or round_.byes.exists():
        raise _drawn(round_)


def _drawn(round_: Round) -> Refused:
    return Refused(Why.STALE, Words("%(round)s has a draw already.", round=str(round_)))


def take_back(round_: Round, user: User) -> int:
    """Remove a round's matches and byes; return the number of matches.

    Byes for the winner or loser of a match stay. Raises Refused(Why.STALE) if one of the matches has begun.
    """

    def plan(tables: Tables) -> Plan:
        _reject_begun(tables.pairings)
        return Plan((), tables.pairings, whole=True, event=RoundDrawn(round_.number, 0, 0, len(tables.pairings)))

    return len(store(round_, plan, user).plan.removed)


def _in_bracket(tables: Tables, lines: Sequence[DrawLine]) -> dict[int, int]:
    """Bracket positions by line number if this draws a whole knockout round, else {}."""
    section = tables.round.section
    if section is None or section.method != Section.Method.KNOCKOUT or tables.pairings or tables.byes:
        return {}
    return {line.number: place for place, line in enumerate(lines)}


# --- API -----------------------------------------------------------------------------------------------------------


def replace(round_: Round, sent: Sequence[Sent], user: User, *, give_way: bool = False, dry_run: bool = False) -> Drawn:
    """Replace the draw of a round; the same draw sent again changes nothing.

    Removes matches that the new draw does not contain. Those that have begun stay, and the new draw must contain them:
    otherwise raises Refused(Why.STALE). An invalid line or a dry run stores nothing.
    """

    def plan(tables: Tables) -> Plan:
        running = _Begun(tables.pairings)
        lines = [running.locate(line, each) for line, each in zip(_lines(round_, sent), sent, strict=True)]
        kept = {each.keeps.pk for each in tables.plan(lines) if each.keeps}
        removed = [pairing for pairing in tables.pairings if pairing.pk not in kept]
        _reject_begun(removed)
        planned = tables.without(removed, byes=False).plan(lines)
        external_ids = {each.line.number: one.external_id for each, one in zip(planned, sent, strict=True)}
        made = sum(each.makes for each in planned)
        unchanged = sum(each.act == Act.KEEP for each in planned)
        event = RoundDrawn(round_.number, made, unchanged, len(removed)) if made or removed else None
        return Plan(planned, removed, external_ids, whole=True, event=event)

    return store(round_, plan, user, give_way=give_way, dry_run=dry_run)


def add(round_: Round, sent: Sent, user: User) -> tuple[PlannedLine, Pairing | None]:
    """Add a match to a round's draw; its pairing is None if the line is invalid.

    Raises Refused if the external id or the table is taken.
    """

    def plan(tables: Tables) -> Plan:
        if sent.external_id and any(pairing.external_id == sent.external_id for pairing in tables.pairings):
            words = Words("The round already has a match “%(id)s”.", id=sent.external_id, name="external_id")
            raise Refused(Why.BAD_VALUE, words)
        (line,) = _lines(round_, [sent])
        (planned,) = tables.plan([line])
        if planned.instead_of:
            replaced = ", ".join(map(str, planned.instead_of))
            words = Words("Table %(table)s is drawn for %(matches)s.", table=line.table, matches=replaced)
            raise Refused(Why.BAD_VALUE, words)
        if planned.act == Act.BYE:  # a bye is not a match
            return Plan([planned._replace(act=Act.BAD)])
        setup = planned.line.setup
        if not planned.makes or setup is None:
            return Plan([planned])
        event = MatchAdded(" – ".join(setup.names), planned.line.table, round_.number)
        return Plan([planned], external_ids={line.number: sent.external_id}, event=event)

    drawn = store(round_, plan, user)
    return drawn.plan.lines[0], drawn.pairings[0]


def _lines(round_: Round, sent: Sequence[Sent]) -> list[DrawLine]:
    """Check the lines sent; each result has its own faults."""
    spelling = Players(round_.tournament).written
    lines = [
        draw_lines.check_line(number, each.cells, round_, spelling, each.options) for number, each in enumerate(sent)
    ]
    seen: dict[str, int] = {}
    for number, each in enumerate(sent):
        if each.external_id and seen.setdefault(each.external_id, number) != number:
            words = _("The external_id %(id)s is already in line %(number)s.")
            lines[number] = lines[number].with_fault(words % {"id": each.external_id, "number": seen[each.external_id]})
    return list(draw_lines.mark_duplicates(lines))


class _Begun:
    """Matches of a round that have begun, by external id and by players."""

    def __init__(self, pairings: Sequence[Pairing]) -> None:
        self._found: dict[str | tuple[str, ...], list[Pairing]] = {}
        for pairing in filter(has_begun, pairings):
            for key in (pairing.external_id, tuple(pairing.setup["names"])):
                self._found.setdefault(key, []).append(pairing)

    def locate(self, line: DrawLine, sent: Sent) -> DrawLine:
        """Copy of a line, moved to the table of its match if that has begun."""
        if line.setup is None:
            return line
        named = list(line.setup.names)
        same_id = self._found.get(sent.external_id, []) if sent.external_id else []
        for pairing in sorted({*same_id, *self._found.get(tuple(named), [])}, key=lambda each: each.pk):
            names = pairing.setup["names"]
            if names == named or names[0] == named[0] or names[1] == named[1]:
                # A director may have corrected a name since the program drew the match.
                cells = {**line.cells, "left": names[0], "right": names[1]}
                return line._replace(cells=cells, setup=Setup.from_dict(pairing.setup)).at_table(pairing.table.name)
            words = _("%(id)s is %(match)s, which has begun and cannot be drawn again.")
            return line.with_fault(words % {"id": sent.external_id, "match": pairing})
        return line


def _reject_begun(removed: Sequence[Pairing]) -> None:
    played = [str(pairing) for pairing in removed if has_begun(pairing)]
    if played:
        words = counted(
            "%(matches)s has begun and must stay in the draw.",
            "%(matches)s have begun and must stay in the draw.",
            len(played),
            matches=", ".join(played),
        )
        raise Refused(Why.STALE, words)
