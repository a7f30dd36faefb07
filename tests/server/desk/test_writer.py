"""The writer is busy from the start of a batch, and pauses after a larger one."""

from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from clocks.desk import writer
from clocks.desk.writer import Writer

WAIT_S = 10


def test_it_is_busy_from_the_beginning_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, busy_s = [100.0], SimpleQueue[float]()
    monkeypatch.setattr(writer, "time", SimpleNamespace(monotonic=lambda: now_s[0]))

    def settle(items: list[int]) -> None:
        now_s[0] += 5.0
        busy_s.put(made.busy_s())

    made = Writer(settle)
    assert made.busy_s() == 0.0
    for number in range(2):
        made.enqueue(number)
        assert busy_s.get(timeout=WAIT_S) == 5.0


def test_it_rests_after_more_than_two_items(monkeypatch: pytest.MonkeyPatch) -> None:
    told, heard = SimpleQueue[object](), list[object]()
    monkeypatch.setattr(writer, "rest", lambda began_s, most_s: told.put(("rest", most_s)))
    made = Writer[int](told.put)
    for batch in ([1, 2], [3, 4, 5]):
        made.enqueue(*batch)
        heard.append(told.get(timeout=WAIT_S))
    assert [*heard, told.get(timeout=WAIT_S)] == [[1, 2], [3, 4, 5], ("rest", writer.LONGEST_REST_S)]
