"""Draw rounds of several events in one step: all or none, at different tables."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max

from clocks.engine.refusals import Refused, Why
from clocks.models import Round, Section
from clocks.tournament import draw_plan, draw_store, drawing, sections
from clocks.tournament.draw import DrawLine
from clocks.tournament.draw_store import BUSY, Drawn


class Planned(NamedTuple):
    """A round to draw, saved or not, with its section and its checked lines."""

    round: Round
    section: Section
    lines: Sequence[DrawLine]


def reject_faults(lines: Sequence[DrawLine]) -> None:
    """Raise Refused with the faults of the first faulty line, if any."""
    draw_plan.reject_bad(
        draw_plan.PlannedLine(line, draw_plan.Act.BAD, " ".join(line.faults)) for line in lines if line.faults
    )


def store(planned: Sequence[Planned], user: User) -> None:
    """Draw these rounds; raise Refused and draw none if one of them is invalid.

    Each draw is a transaction of its own, because a single one would hold the write lock for too long. No match starts
    before all draws are stored. If one fails, those before it are removed.
    """
    for each in planned:
        reject_faults(each.lines)
    stored: list[Drawn] = []
    taken: set[str] = set()
    with ExitStack() as undo:
        for each in planned:
            undo.callback(_put(each))
            plan = partial(drawing.plan_whole, each.lines)
            drawn = draw_store.store_without_start(each.round, plan, user, taken=taken)
            draw_plan.reject_bad(drawn.plan.lines)
            undo.callback(take_back, each.round, user)
            stored.append(drawn)
            taken |= {line.line.table.casefold() for line in drawn.plan.lines if line.makes}
        undo.pop_all()
    for drawn in stored:
        draw_store.start(drawn, user)


def take_back(round_: Round, user: User) -> None:
    """Remove the draw of a round. Raises Refused(Why.STALE) if a match has begun."""
    drawing.take_back(round_, user)
    round_.byes.all().delete()  # including byes for winners or losers, which `drawing.take_back` keeps


def _put(each: Planned) -> Callable[[], object]:
    """Save a round in its section; return a callback that undoes it."""
    if each.round.pk is None:
        try:
            with transaction.atomic():
                last = each.round.tournament.rounds.aggregate(last=Max("number"))["last"]
                each.round.number = (last or 0) + 1
                sections.put(each.round, each.section)
        except IntegrityError:
            raise Refused(Why.STALE, BUSY) from None
        return each.round.delete
    before = Round.objects.get(pk=each.round.pk)
    sections.put(each.round, each.section)
    return before.save
