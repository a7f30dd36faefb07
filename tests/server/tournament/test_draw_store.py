"""Storing a draw: planned again after a change, all or nothing."""

from collections.abc import Callable

import pytest

from clocks.engine.refusals import Refused, Why
from clocks.journal.tournament_events import DrawImported
from clocks.models import Bye, Pairing, Round
from clocks.tournament import draw, draw_store
from clocks.tournament.draw_plan import Tables
from clocks.tournament.draw_store import Plan
from tests.server.hall import summer_open

pytestmark = pytest.mark.django_db(transaction=True)


def planner(round_: Round, text: str, before: Callable[[int], object] = lambda _number: None) -> Callable[..., Plan]:
    """Planner of a draw; calls `before` with the number of earlier plans."""
    plans: list[Tables] = []

    def plan(tables: Tables) -> Plan:
        before(len(plans))
        plans.append(tables)
        return Plan(tables.plan(draw.parse(text, round_).lines), event=DrawImported(round_.number))

    return plan


def drawn_names(round_: Round) -> list[list[str]]:
    """Names of each pairing of a round."""
    return [pairing.setup["names"] for pairing in round_.pairings.order_by("pk")]


def log_of(round_: Round) -> list[str]:
    """Names of the entries in the tournament's log."""
    return list(round_.tournament.hall_entries.order_by("pk").values_list("event", flat=True))


def test_a_draw_is_planned_again_if_its_round_has_changed() -> None:
    round_ = summer_open()
    seen: list[int] = []

    def change_once(number: int) -> None:
        seen.append(number)
        if number == 0:
            Bye.objects.create(round=round_, name="Eva")

    drawn = draw_store.store(round_, planner(round_, "1,Ann,Bob", change_once), None)
    assert seen == [0, 1]
    assert [pairing.setup["names"] for pairing in drawn.pairings if pairing] == drawn_names(round_) == [["Ann", "Bob"]]
    assert log_of(round_) == ["draw_imported"]


def test_a_draw_gives_up_if_its_round_keeps_changing() -> None:
    round_ = summer_open()
    seen: list[int] = []

    def change(number: int) -> None:
        seen.append(number)
        Bye.objects.create(round=round_, name=f"Eva {number}")

    with pytest.raises(Refused) as refused:
        draw_store.store(round_, planner(round_, "1,Ann,Bob", change), None)
    assert refused.value.code == Why.STALE
    assert seen == list(range(draw_store.TRIES))
    assert (drawn_names(round_), log_of(round_)) == ([], [])


def test_one_impossible_line_stores_nothing_of_a_draw() -> None:
    round_ = summer_open()
    drawn = draw_store.store(round_, planner(round_, "table,left,right\n1,Ann,Bob\n2,Ann,Chi"), None)
    assert not drawn.plan.possible
    assert (list(drawn.pairings), drawn_names(round_), log_of(round_)) == ([None, None], [], [])


def test_a_dry_run_returns_the_plan_and_stores_nothing() -> None:
    round_ = summer_open()
    drawn = draw_store.store(round_, planner(round_, "1,Ann,Bob"), None, dry_run=True)
    assert [line.act for line in drawn.plan.lines] == ["start"]
    assert (drawn_names(round_), log_of(round_)) == ([], [])


def test_a_draw_that_changes_nothing_is_not_logged() -> None:
    round_ = summer_open()
    draw_store.store(round_, planner(round_, "1,Ann,Bob"), None)
    again = draw_store.store(round_, planner(round_, "1,Ann,Bob"), None)
    assert [pairing.pk for pairing in again.pairings if pairing] == [Pairing.objects.get().pk]
    assert log_of(round_) == ["draw_imported"]
