"""Check what a match's clients sent and saw for linearizability.

Knossos and Porcupine search for an order of operations that explains all answers. Here no search is needed: each
acknowledgement and each snapshot carries a version, and the journal numbers its entries. So this checks only whether
that one order explains everything (as Elle does if versions are known):

- each acknowledged command is in the journal once, at or before the version of its answer, and numbers have no gap;
- real time is preserved across clients and processes: a command sent after an acknowledgement comes after that command;
- versions never decrease for a client, and a new connection begins with everything acknowledged before it opened;
- at each version every client saw the state that results from folding the journal up to there;
- each acknowledged version reaches every connected client within `within_s`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import NamedTuple

SHOWN = ("status", "turn", "turn_number", "hits")  # snapshot fields changed only by events
WITHIN_S = 10.0  # a page detects a silent server within 8.5 s, and connects to another


class Sent(NamedTuple):
    """Command as first sent, and its acknowledgement, if any.

    Times are seconds on one shared clock.
    """

    id: str
    sent_at: float
    acked_at: float | None = None
    version: int = 0


class Saw(NamedTuple):
    """Snapshot received by a client, with its numbered connection and time."""

    connection: int
    opened_at: float
    version: int
    shown: tuple[object, ...]
    at: float


@dataclass
class History:
    """Everything that a match's clients sent and saw.

    `saw` has a list per client, and `closed` the closing time of each of its connections.
    """

    match: int
    sent: list[Sent] = field(default_factory=list)
    saw: list[list[Saw]] = field(default_factory=list)
    closed: list[dict[int, float]] = field(default_factory=list)


class Entry(NamedTuple):
    """Journal entry, and the state after it if the journal is whole up to there."""

    seq: int
    command_id: str | None
    shown: tuple[object, ...] | None = None


def faults(history: History, journal: Sequence[Entry], within_s: float = WITHIN_S) -> list[str]:
    """Reasons why the history is not linearizable in the journal's order, if any."""
    found = [*_of_the_journal(journal)]
    place = {entry.command_id: entry.seq for entry in journal if entry.command_id}
    found += _of_answers(history, journal, place)
    found += _of_real_time(history, place)
    found += _of_snapshots(history, place, journal)
    found += _of_announcements(history, place, within_s)
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
    """Commands acknowledged before another was sent, but stored after it."""
    stored = sorted((one for one in history.sent if one.id in place), key=lambda one: place[one.id], reverse=True)
    first: Sent | None = None  # among later entries, the first to be acknowledged
    for one in stored:
        if first is not None and first.acked_at is not None and first.acked_at < one.sent_at:
            yield f"{first.id} was acknowledged before {one.id} was sent, and comes after it"
        if one.acked_at is not None and (first is None or first.acked_at is None or one.acked_at < first.acked_at):
            first = one


def _of_snapshots(history: History, place: dict[str, int], journal: Sequence[Entry]) -> Iterator[str]:
    acknowledged = _acknowledged(history, place)
    last = max((entry.seq for entry in journal), default=0)
    shown = {entry.seq: entry.shown for entry in journal if entry.shown is not None}
    for number, client in enumerate(history.saw):
        for one, other in pairwise(client):
            if other.version < one.version:
                yield f"client {number} saw version {other.version} after {one.version}"
        known = {saw.opened_at: _known(acknowledged, saw.opened_at) for saw in client}
        for saw in client:
            if saw.version > last:
                yield f"client {number} saw version {saw.version} of {last}"
            if shown.setdefault(saw.version, saw.shown) != saw.shown:
                yield f"client {number} saw {saw.shown} at version {saw.version}, which is {shown[saw.version]}"
            if saw.version < known[saw.opened_at]:
                after = known[saw.opened_at]
                yield f"client {number} saw version {saw.version} on a connection opened after {after} was acknowledged"


def _of_announcements(history: History, place: dict[str, int], within_s: float) -> Iterator[str]:
    """Acknowledged versions that a connected client did not see in time."""
    for number, (client, closed) in enumerate(zip(history.saw, history.closed, strict=True)):
        for connection, snapshots in groupby(client, key=lambda saw: saw.connection):
            seen = list(snapshots)
            for acked_at, version in _acknowledged(history, place):
                until = max(acked_at, seen[0].at) + within_s
                if until < closed.get(connection, 0.0) and not any(
                    saw.version >= version and saw.at <= until for saw in seen
                ):
                    yield f"client {number} had not seen version {version} {within_s:g} s after it was acknowledged"


def _acknowledged(history: History, place: dict[str, int]) -> list[tuple[float, int]]:
    """Time of each acknowledgement, and the entry number of its command."""
    return [(one.acked_at, place[one.id]) for one in history.sent if one.acked_at is not None and one.id in place]


def _known(acknowledged: Sequence[tuple[float, int]], at: float) -> int:
    """Highest entry number acknowledged before this time."""
    return max((seq for acked_at, seq in acknowledged if acked_at < at), default=0)
