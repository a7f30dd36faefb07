"""History checker: accepts possible histories and rejects impossible ones."""

import pytest

from tests.faults.histories import Entry, History, Saw, Sent, faults

LEFT, RIGHT = ("left",), ("right",)
JOURNAL = [
    Entry(1, None, LEFT),
    Entry(2, "a", RIGHT),
    Entry(3, "b", RIGHT),
    Entry(4, None, LEFT),
    Entry(5, "c", RIGHT),
]
SENT = [Sent("a", 1.0, 1.2, 2), Sent("b", 1.3, 1.5, 4), Sent("c", 2.0, 2.2, 5), Sent("lost", 2.1)]
SAW = [
    [Saw(0, 0.5, 1, LEFT, 0.7), Saw(0, 0.5, 2, RIGHT, 1.1), Saw(1, 1.6, 4, LEFT, 1.7), Saw(1, 1.6, 5, RIGHT, 2.2)],
    [Saw(0, 0.6, 2, RIGHT, 1.2), Saw(0, 0.6, 2, RIGHT, 1.3), Saw(0, 0.6, 5, RIGHT, 2.1)],
]
CLOSED = [{0: 1.5, 1: 9.0}, {0: 9.0, 1: 9.0}]


def history(sent: dict[int, Sent] | None = None, saw: Saw | None = None) -> History:
    """A good history with some commands replaced, plus `saw` for the second client."""
    changed = [(sent or {}).get(number, one) for number, one in enumerate(SENT)]
    return History(7, changed, [SAW[0], [*SAW[1], *([saw] if saw else [])]], CLOSED)


def test_a_good_history_has_no_fault() -> None:
    assert faults(history(), JOURNAL) == []


@pytest.mark.parametrize(
    ("bad", "journal", "fault"),
    [
        (history(), JOURNAL[:-1], "c was acknowledged and is in the journal 0 times"),
        (history(), [*JOURNAL, Entry(6, "c")], "c was acknowledged and is in the journal 2 times"),
        (history(), [*JOURNAL[:2], *JOURNAL[3:]], "entry 2 is followed by 4"),
        (history(), [*JOURNAL, Entry(5, None)], "entry 5 is followed by 5"),
        (history({1: Sent("b", 1.3, 1.5, 2)}), JOURNAL, "b was acknowledged with version 2 and is entry 3"),
        (
            history({0: Sent("a", 1.6, 1.7, 2)}),
            JOURNAL,
            "b was acknowledged before a was sent, and comes after it",
        ),
        (history(saw=Saw(0, 0.6, 4, LEFT, 3.0)), JOURNAL, "client 1 saw version 4 after 5"),
        (history(saw=Saw(1, 1.9, 4, LEFT, 3.0)), JOURNAL, "client 1 saw version 4 after 5"),
        (history(saw=Saw(0, 0.6, 6, LEFT, 3.0)), JOURNAL, "client 1 saw version 6 of 5"),
        (history(saw=Saw(1, 3.0, 5, LEFT, 3.1)), JOURNAL, "client 1 saw ('left',) at version 5, which is ('right',)"),
        (
            history(),
            [*JOURNAL[:4], JOURNAL[4]._replace(shown=LEFT)],
            "client 0 saw ('right',) at version 5, which is ('left',)",
        ),
        (
            history(saw=Saw(1, 3.0, 4, LEFT, 3.1)),
            JOURNAL,
            "client 1 saw version 4 on a connection opened after 5 was acknowledged",
        ),
    ],
)
def test_each_kind_of_fault_is_found(bad: History, journal: list[Entry], fault: str) -> None:
    assert f"match 7: {fault}" in faults(bad, journal)


@pytest.mark.parametrize(
    ("closed", "found"),
    [
        (4.6, ["match 7: client 1 had not seen version 5 2 s after it was acknowledged"]),
        (4.1, []),  # it was not connected for long enough
    ],
)
def test_a_connected_client_misses_an_announcement(closed: float, found: list[str]) -> None:
    missed = History(7, SENT, [SAW[0], [*SAW[1][:-1], Saw(0, 0.6, 4, LEFT, 1.9)]], [CLOSED[0], {0: closed}])
    assert faults(missed, JOURNAL, within_s=2) == found


def test_an_announcement_comes_late() -> None:
    late = History(7, SENT, [SAW[0], [*SAW[1][:-1], SAW[1][-1]._replace(at=4.3)]], CLOSED)
    assert "match 7: client 1 had not seen version 5 2 s after it was acknowledged" in faults(late, JOURNAL, within_s=2)
