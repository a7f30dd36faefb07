"""Desk counters for metrics."""

import pytest

from clocks.desk import batch
from clocks.desk import figures as desk_figures
from clocks.desk.figures import SIZES, TIMES_S, Figures, Spread
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Expire, Hit, Stop


def test_a_histogram_counts_each_size_in_its_bucket() -> None:
    spread = Spread((1, 5))
    for size in (0.5, 1, 2):
        spread.add(size)
    spread.add(6, times=2)
    assert (spread.counts, spread.total) == ([2, 1, 2], 15.5)


@pytest.mark.parametrize("bounds", [TIMES_S, SIZES])
def test_the_bounds_of_a_histogram_ascend(bounds: tuple[float, ...]) -> None:
    assert list(bounds) == sorted(set(bounds))


def test_presses_credited_and_held_up_are_counted() -> None:
    figures = Figures()
    late = Request(1, Hit(), Seat.LEFT, claimed_at=1, heard_at=1)
    prompt = Request(1, Hit(), Seat.LEFT)
    replies = [Reply(True, 1, credit_ms=40), Reply(False, 1, "stale"), Reply(True, 2), Reply(True, 3)]
    figures.settled([late, late, prompt, prompt], replies, 0.002)
    assert (figures.credit_ms, figures.credited, figures.late) == (40, 1, 1)
    assert (dict(figures.accepted), dict(figures.refused)) == ({"hit": 3}, {"stale": 1})
    assert (sum(figures.batches.counts), figures.batches.total, figures.commits_s.total) == (1, 4, 0.002)


def test_delays_of_flags_and_outage_stops_do_not_count_as_command_delays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk_figures, "now_ms", lambda: 1_500)
    figures = Figures()
    of_server = [Request(1, command, Official.SERVER, 1_000) for command in (Stop("outage"), Expire())]
    of_others = [Request(1, Stop("dice"), Seat.LEFT, 1_000), Request(1, Hit(), Seat.RIGHT, 1_250)]
    figures.settled([*of_server, *of_others], [Reply(True, 1)] * 4, 0.0)
    assert (sum(figures.announced_s.counts), figures.announced_s.total) == (2, 0.75)


def test_a_batch_is_timed_from_its_beginning_to_its_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = Figures()
    monkeypatch.setattr(batch, "figures", figures)
    clock = iter([100.0, 100.25])
    monkeypatch.setattr(batch, "perf_counter", lambda: next(clock))
    made = batch.Batch([], began_s=batch.perf_counter())
    batch.Desk()._tell(made, [], [], [])
    assert (sum(figures.commits_s.counts), figures.commits_s.total) == (1, 0.25)
