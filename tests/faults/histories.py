"""Check what clients sent and saw against one order: linearizability of a match.

Knossos and Porcupine search for an order of the operations that explains all answers. Here the answers carry it: each
acknowledgement and each snapshot has a version, and the journal numbers its entries. So the checker only has to show
that this one order explains everything, in time linear in the history (as Elle does where versions are known):

- each acknowledged command is in the journal once, at or before the version of its answer, and numbers have no gap;
- real time is kept across clients and processes: a command sent after an acknowledgement comes after that command;
- versions never go back on a connection, and a new one begins with everything acknowledged before it opened;
- all clients saw the same match at the same version.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple


class Sent(NamedTuple):
    """Command as first sent, and its acknowledgement, if any.

    Times are in seconds of one clock.
    """

    id: str
    sent_at: float
    acked_at: float | None = None
    version: int = 0


class Saw(NamedTuple):
    """Snapshot that a client received on a numbered connection, with its content."""

    connection: int
    opened_at: float
    version: int
    shown: tuple[object, ...]


@dataclass
class History:
    """All that the clients of one match sent and saw; `saw` has one list per client."""

    match: int
    sent: list[Sent] = field(default_factory=list)
    saw: list[list[Saw]] = field(default_factory=list)


class Entry(NamedTuple):
    """Entry of the match's journal."""

    seq: int
    command_id: str | None


def faults(history: History, journal: Sequence[Entry]) -> list[str]:
    """Everything in a history that no order explains; empty if it is linearizable."""
    found = [*_of_the_journal(journal)]
    place = {entry.command_id: entry.seq for entry in journal if entry.command_id}
    found += _of_answers(history, journal, place)
    found += _of_real_time(history, place)
    found += _of_snapshots(history, place, journal[-1].seq if journal else 0)
    return [f"match {history.match}: {fault}" for fault in found]


def _of_the_journal(journal: Sequence[Entry]) -> Iterator[str]:
    for one, other in pairwise(journal):
        if other.seq != one.seq + 1:
            yield f"entry {one.seq} is followed by {other.seq}"


def _of_answers(history: History, journal: Sequence[Entry], place: dict[str, int]) -> Iterator[str]:
    times = Counter(entry.command_id for entry in journal)
    for one in history.sent:
        if one.acked_at is not None and times[one.id] != 1:
            yield f"{one.id} was acknowledged and is in the journal {times[one.id]} times"
        elif one.acked_at is not None and place[one.id] > one.version:
            yield f"{one.id} was acknowledged with version {one.version} and is entry {place[one.id]}"


def _of_real_time(history: History, place: dict[str, int]) -> Iterator[str]:
    """Commands that come after one that was sent only when they were acknowledged."""
    stored = sorted((one for one in history.sent if one.id in place), key=lambda one: place[one.id], reverse=True)
    first: Sent | None = None  # of the later entries, the one that was acknowledged first
    for one in stored:
        if first is not None and first.acked_at is not None and first.acked_at < one.sent_at:
            yield f"{first.id} was acknowledged before {one.id} was sent, and comes after it"
        if one.acked_at is not None and (first is None or first.acked_at is None or one.acked_at < first.acked_at):
            first = one


def _of_snapshots(history: History, place: dict[str, int], last: int) -> Iterator[str]:
    acknowledged = [(one.acked_at, place[one.id]) for one in history.sent if one.acked_at and one.id in place]
    shown: dict[int, tuple[object, ...]] = {}
    for number, client in enumerate(history.saw):
        for one, other in pairwise(client):
            if one.connection == other.connection and other.version < one.version:
                yield f"client {number} saw version {other.version} after {one.version}"
        known = {saw.opened_at: _known(acknowledged, saw.opened_at) for saw in client}
        for saw in client:
            if saw.version > last:
                yield f"client {number} saw version {saw.version} of {last}"
            if shown.setdefault(saw.version, saw.shown) != saw.shown:
                yield f"client {number} saw {saw.shown} at version {saw.version}, and another {shown[saw.version]}"
            if saw.version < known[saw.opened_at]:
                after = known[saw.opened_at]
                yield f"client {number} saw version {saw.version} on a connection opened after {after} was acknowledged"


def _known(acknowledged: Sequence[tuple[float, int]], at: float) -> int:
    """Highest entry that was acknowledged before this time."""
    return max((seq for acked_at, seq in acknowledged if acked_at < at), default=0)
