"""Append, read and delete journal entries.

Entry 1 of a match is its setup, all others are events. The state of a match is the fold of its journal.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import orjson
from django.db import connection
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Fate, Official, Party
from clocks.engine.commands import Command
from clocks.engine.events import (
    BESIDE_THE_RULES,
    Agreed,
    AgreementWithdrawn,
    ClockHit,
    Declined,
    Event,
    FlagFell,
    HandedOver,
    Proposed,
    SeatGranted,
    SeatReleased,
    SeatTaken,
    event_from_dict,
)
from clocks.engine.evolve.fold import fold
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.host import slices
from clocks.journal import chain, names
from clocks.journal.earlier_resumes import EarlierResumes
from clocks.journal.rows import TABLE
from clocks.journal.rows import Row as Row
from clocks.models import JournalEntry, Membership
from clocks.models import Match as StoredRow

SETUP = "setup"
Marks = Mapping[str, bool | int]
NO_MARKS: Marks = {}
NEW_MATCHES: Mapping[int, str] = {}  # head hashes of new matches: they have no entries
MOST_EVENTS = 50  # upper bound on the events of one command
OVERLAP = 1_000  # entries read again: on PostgreSQL an entry may become visible after one with a higher id
SEATING = (SeatTaken.name, SeatReleased.name, SeatGranted.name)  # events that change who holds a seat
_BESIDE_THE_RULES = tuple(event.name for event in BESIDE_THE_RULES)


class Asker(NamedTuple):
    """Requester: the party, and its phone or account."""

    by: Party
    device_id: int | None = None
    user_id: int | None = None


class Asked(Protocol):
    """Fields of a request that the journal stores with its events."""

    by: Party
    command: Command
    command_id: str | None
    device_id: int | None
    user_id: int | None
    claimed_at: int | None
    credit_ms: int
    heard_at: int | None


def setup_row(match_id: int, setup: Setup, at: int, asker: Asker) -> Row:
    """First entry of a match: its setup, and who created it or asked for its clock."""
    data = _text(setup.to_dict())
    return Row(match_id, 1, at, *asker, SETUP, data, None, None, None, 0, None)


def event_rows(
    match_id: int, version: int, events: Iterable[Event], asked: Asked, marks: Marks = NO_MARKS
) -> list[Row]:
    """Return the entries of `events`, which follow entry `version`.

    The first event of the command carries the command and its `marks`: `alone` if it was entered on an offline phone,
    `arrived_at` if a press on such a phone was backdated, `flags` false if such a phone was silent. A fallen flag is
    entered by the server.
    """
    rows = []
    for seq, event in enumerate(events, version + 1):
        data = orjson.dumps(event).decode()
        if isinstance(event, FlagFell):
            rows.append(
                Row(match_id, seq, event.at, Official.SERVER, None, None, event.name, data, None, None, None, 0, None)
            )
            continue
        first = not rows or rows[-1].event == FlagFell.name
        rows.append(
            Row(
                match_id,
                seq,
                event.at,
                asked.by,
                asked.device_id,
                asked.user_id,
                event.name,
                data,
                _text({**asked.command.to_dict(), **marks}) if first else None,
                asked.command_id if first else None,
                asked.claimed_at if first else None,
                asked.credit_ms if first else 0,
                asked.heard_at if first else None,
            )
        )
    return rows


def append(rows: Sequence[Row], heads: Mapping[int, str] = NEW_MATCHES) -> dict[int, str]:
    """Append entries in the caller's transaction. Only the desk calls this.

    `heads` are the head hashes of the chains by match; returns the new ones.
    """
    if any(row.user_id is not None for row in rows):
        rows = _with_names(rows)
    return chain.insert(rows, heads)


def _with_names(rows: Sequence[Row]) -> list[Row]:
    """Add the current names and roles of users to entries."""
    asked = [row for row in rows if row.user_id is not None]
    named = names.named_at({row.match_id for row in asked}, {row.user_id for row in asked if row.user_id is not None})
    nobody = names.Named("", "")
    return [
        row if row.user_id is None else row._replace(user_name=who.name, user_role=who.role)
        for row in rows
        for who in [named.get((row.match_id, row.user_id or 0), nobody)]
    ]


class FirstAnswer(NamedTuple):
    """First reply to a command, as recorded in the journal.

    `v` is the version after the command; `code` is why the rest of a hand-over was rejected, or "".
    """

    v: int
    credit_ms: int
    code: str = ""


def first_answers(asked: Sequence[tuple[int, str]]) -> dict[tuple[int, str], FirstAnswer]:
    """First replies to these commands, if in the journal, by (match, command id)."""
    if not asked:
        return {}
    pairs = ", ".join(["(%s, %s)"] * len(asked))
    with connection.cursor() as cursor:
        cursor.execute(
            # A join, because for `(match_id, command_id) IN (VALUES ...)` SQLite scans the whole table.
            f"SELECT entry.match_id, entry.command_id, entry.seq, entry.credit_ms, entry.event"
            f" FROM (VALUES {pairs}) AS asked"
            f" JOIN {TABLE} AS entry ON entry.match_id = asked.column1 AND entry.command_id = asked.column2",
            [value for pair in asked for value in pair],
        )
        found = cursor.fetchall()
    return {
        (match_id, command_id): FirstAnswer(
            _last_seq_of(match_id, seq), credit_ms, _ended_with(match_id, seq) if event == HandedOver.name else ""
        )
        for match_id, command_id, seq, credit_ms, event in found
    }


def device_of(match_id: int, seq: int) -> int:
    """Id of the phone that requested an entry; 0 if none."""
    return JournalEntry.objects.values_list("device_id", flat=True).get(match_id=match_id, seq=seq) or 0


def _ended_with(match_id: int, seq: int) -> str:
    """Code with which the rest of a hand-over was rejected, or ""."""
    data: dict[str, Any] = JournalEntry.objects.values_list("data", flat=True).get(match_id=match_id, seq=seq)
    code: str = data["code"]
    return code


def _last_seq_of(match_id: int, first_seq: int) -> int:
    """Seq of the last entry of the command whose first entry is `first_seq`."""
    last = first_seq
    later = JournalEntry.objects.filter(match_id=match_id, seq__gt=first_seq).order_by("seq")
    for seq, event, command in later.values_list("seq", "event", "command")[:MOST_EVENTS]:
        if event == FlagFell.name or command is not None:
            break
        last = seq
    return last


def versions_since(entry_id: int) -> tuple[dict[int, tuple[int, int]], int]:
    """Version and time (ms) by match with entries after this id, and the newest id."""
    with connection.cursor() as cursor:
        columns = "match_id, MAX(seq), MAX(at), MAX(id)"
        cursor.execute(f"SELECT {columns} FROM {TABLE} WHERE id > %s GROUP BY match_id", [entry_id])
        found = cursor.fetchall()
    newest = max((newest for *_, newest in found), default=entry_id)
    return {match_id: (seq, at) for match_id, seq, at, _ in found}, newest


def newest_entry() -> int:
    """Return the id of the newest entry of all matches; 0 if there is none."""
    return JournalEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0


def but_hits() -> QuerySet[JournalEntry]:
    """All entries except hits, which are the vast majority; uses a partial index."""
    return JournalEntry.objects.exclude(event=ClockHit.name)


def first_hits(match_ids: Collection[int]) -> dict[int, int]:
    """Time of each match's first press, in ms; matches without one are omitted."""
    hits = JournalEntry.objects.filter(match=OuterRef("pk"), event=ClockHit.name).order_by("seq").values("at")
    begun = StoredRow.objects.filter(pk__in=match_ids).annotate(begun=Subquery(hits[:1])).exclude(begun=None)
    return dict(begun.values_list("pk", "begun"))


def seats_by_helpers(match_id: int) -> set[Seat]:
    """Seats whose phone a helper changed or confirmed after the first press."""
    first = JournalEntry.objects.filter(match_id=match_id, event=ClockHit.name).order_by("seq").values("seq")[:1]
    dealt = but_hits().filter(match_id=match_id, seq__gt=Subquery(first), event__in=SEATING)
    of_helpers = dealt.filter(by=Official.DIRECTOR, user_role=Membership.Role.HELPER)
    return {
        Seat(seat) for data in of_helpers.values_list("data", flat=True) for seat in data.get("seats") or [data["seat"]]
    }


def last_proposals(match_ids: Collection[int]) -> dict[int, int]:
    """Number of the latest proposal, by match; matches without one are omitted."""
    made = Q(event__in=(Proposed.name, FlagFell.name, AgreementWithdrawn.name))
    stands = Q(event=Agreed.name, data__settled=False) | Q(event=Declined.name, data__left=Fate.STANDING)
    counted = but_hits().filter(made | stands, match__in=match_ids).values("match").annotate(number=Count("pk"))
    return dict(counted.values_list("match", "number"))


def refold(match_id: int) -> tuple[int, Match]:
    """Fold the journal of a match; return its version and state."""
    entries = JournalEntry.objects.filter(match_id=match_id).order_by("seq")
    rows = entries.values_list("seq", "event", "data")
    (first_seq, _, setup), *later = rows
    seqs = [first_seq, *(seq for seq, _, _ in later)]
    if seqs != list(range(1, len(seqs) + 1)):
        raise ValueError("its journal has gaps")
    return seqs[-1], fold(Setup.from_dict(setup), (event_from_dict(event, data) for _, event, data in later))


def replay_lines(match_id: int) -> Iterator[dict[str, Any]]:
    """Yield a match as lines for `manage.py replay`.

    The setup, then each accepted command. A fallen flag is a `look` at its deadline; administrative events are omitted.
    A resume that an earlier version decided by other rules carries its event as `recorded`.
    """
    earlier = EarlierResumes()
    for entry in JournalEntry.objects.filter(match_id=match_id).order_by("seq").iterator():
        if entry.event == SETUP:
            yield {"setup": entry.data, "hash": chain.head(match_id)}  # for readers of the export; a replay ignores it
        elif entry.event == FlagFell.name:
            yield {"at": entry.at, "do": "look"}
        elif entry.event not in _BESIDE_THE_RULES:
            recorded = {"recorded": entry.data} if earlier.has(entry.event, entry.by, entry.data) else {}
            if entry.command is not None:
                yield {"at": entry.at, "by": entry.by, **entry.command, **recorded}


def _text(value: object) -> str:
    return orjson.dumps(value).decode()


def delete(match_ids: Collection[int]) -> None:
    """Delete the journals of these matches, in the caller's transaction."""
    overwrite_what_goes()
    JournalEntry.objects.filter(match__in=match_ids).delete()


def delete_in_slices(match_ids: Sequence[int]) -> None:
    """Delete the journals of these matches in slices; call it before `delete`."""
    overwrite_what_goes()
    for begin in range(0, len(match_ids), slices.ROWS):  # there may be a million entries
        some = match_ids[begin : begin + slices.ROWS]
        slices.delete_in_slices(JournalEntry.objects.filter(match__in=some))


def overwrite_what_goes() -> None:
    """Make SQLite overwrite deleted and replaced content with zeros from now on."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def names_of_user(user_id: int) -> set[str]:
    """Return all names of a user in the journals, past and present."""
    return set(JournalEntry.objects.filter(user=user_id).values_list("user_name", flat=True).distinct())


def notes(value: Any) -> Iterator[str]:
    """Yield the notes in JSON, at any depth."""
    if isinstance(value, dict):
        if isinstance(value.get("note"), str):
            yield value["note"]
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from notes(each)


def without_names(value: Any, names: tuple[str, str]) -> Any:
    """JSON with replaced players' names and empty notes, at any depth."""
    return chain.replaced(value, "", lambda path, text: "" if path.endswith("/note") else names[int(path[-1])])
