"""Clock arithmetic of a turn: worked examples."""

import json
from pathlib import Path

import pytest

from clocks.engine.clock import Clock, Kind, Seat, TimeControl

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "clock.json").read_text())


def clock(kind: Kind, delay_ms: int, reserve_ms: int, precredit: bool = False) -> Clock:
    return Clock(TimeControl(kind, delay_ms), (reserve_ms, reserve_ms), precredit=precredit)


def test_simple_delay_a_move_in_25_s_costs_13_s() -> None:
    running = clock(Kind.SIMPLE, 12_000, 22 * 60_000).start(Seat.LEFT, 0)
    assert running.hit(25_000).reserve_ms == (21 * 60_000 + 47_000, 22 * 60_000)


def test_strict_bronstein_of_5_s_on_10_s_flags_in_the_second_turn() -> None:
    first = clock(Kind.BRONSTEIN, 5_000, 10_000).start(Seat.LEFT, 0)
    second = first.hit(8_000).hit(8_000)
    assert second.reserve_ms == (7_000, 10_000)
    assert second.flag_at == 15_000


def test_precredited_bronstein_of_5_s_on_10_s_flags_in_the_fourth_turn() -> None:
    running = clock(Kind.BRONSTEIN, 5_000, 10_000, precredit=True).start(Seat.LEFT, 0)
    at, shown = 0, []
    for _ in range(3):
        at += 8_000
        running = running.hit(at).hit(at)
        shown.append(running.reserve_ms[0])
    assert shown == [12_000, 9_000, 6_000]
    assert running.flag_at == at + 6_000


def test_a_stop_after_5_s_leaves_7_s_of_delay() -> None:
    running = clock(Kind.SIMPLE, 12_000, 60_000).start(Seat.LEFT, 0).stop(5_000).resume(65_000)
    assert running.delays(65_000) == (7_000, 12_000)
    assert running.reserves(65_000) == (60_000, 60_000)


@pytest.mark.parametrize(
    ("kind", "used", "shown", "delay", "after"),
    [
        (Kind.NONE, 5_000, 55_000, 0, 55_000),
        (Kind.NONE, 20_000, 40_000, 0, 40_000),
        (Kind.SIMPLE, 5_000, 60_000, 7_000, 60_000),
        (Kind.SIMPLE, 20_000, 52_000, 0, 52_000),
        (Kind.BRONSTEIN, 5_000, 55_000, 7_000, 60_000),
        (Kind.BRONSTEIN, 20_000, 40_000, 0, 52_000),
    ],
)
def test_each_kind_shows_and_charges_as_in_the_table(kind: Kind, used: int, shown: int, delay: int, after: int) -> None:
    running = clock(kind, 0 if kind is Kind.NONE else 12_000, 60_000).start(Seat.LEFT, 0)
    assert running.reserves(used) == (shown, 60_000)
    assert running.delays(used)[0] == delay
    assert running.hit(used).reserve_ms == (after, 60_000)


@pytest.mark.parametrize(("kind", "flag_at"), [(Kind.NONE, 60_000), (Kind.SIMPLE, 72_000), (Kind.BRONSTEIN, 60_000)])
def test_each_kind_flags_at_exactly_zero(kind: Kind, flag_at: int) -> None:
    running = clock(kind, 0 if kind is Kind.NONE else 12_000, 60_000).start(Seat.RIGHT, 0)
    assert running.flag_at == flag_at
    assert running.reserves(flag_at - 1)[1] == 1
    assert running.reserves(flag_at)[1] == 0
    assert running.reserves(flag_at + 5_000)[1] == 0


def test_a_credit_is_charged_to_nobody() -> None:
    hit = clock(Kind.SIMPLE, 12_000, 60_000).start(Seat.LEFT, 0).hit(30_000, credit_ms=200)
    assert hit.reserve_ms == (60_000 - 17_800, 60_000)
    assert hit.reserves(30_000) == hit.reserve_ms
    assert hit.delays(30_000) == (12_000, 12_000)


def test_a_credit_never_makes_a_turn_negative() -> None:
    hit = clock(Kind.NONE, 0, 60_000).start(Seat.LEFT, 0).hit(100, credit_ms=250)
    assert hit.reserve_ms == (60_000, 60_000)


@pytest.mark.parametrize("vector", VECTORS["clocks"], ids=lambda vector: vector["name"])
def test_the_golden_numbers_shared_with_the_browser(vector: dict) -> None:
    shown = vector["snapshot"]
    given = Clock(
        TimeControl(Kind(shown["kind"]), shown["turn_delay_ms"]),
        tuple(shown["turn_reserve_ms"]),
        None if shown["turn"] is None else Seat(shown["turn"]),
        shown["used_ms"],
        shown["since"],
    )
    assert list(given.reserves(vector["now"])) == vector["reserve_ms"]
    assert list(given.delays(vector["now"])) == vector["delay_ms"]
    assert (given.flag_at if shown["limits"] else None) == vector["flag_at"]
