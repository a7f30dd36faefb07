"""Integrity checks: stored match against journal, journal against hash chain."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import orjson
from django.contrib.auth.models import User
from django.db import models
from django.db.migrations.recorder import MigrationRecorder

from clocks.engine.events import NamesRemoved, event_from_dict
from clocks.engine.evolve.fold import fold
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.journal import beside, chain
from clocks.journal.chain import Entry
from clocks.journal.entries import SEATING, SETUP
from clocks.journal.names import former
from clocks.journal.tenure import IN_FULL, Devices, Tenure, reseated
from clocks.lag import late_presses
from clocks.models import Match, Pairing


def differences(match: Match) -> list[str]:
    """Describe how a match differs from its journal, and where the hash chain breaks."""
    entries = list(chain.read(match.pk))
    try:
        folded = _folded(match, entries)
    except Exception as error:
        return [f"its journal cannot be folded ({error})", *_broken(entries)]
    stored = {
        "version": match.version,
        "status": match.status,
        "flag_at": match.flag_at,
        "setup": match.setup,
        "state": match.state,
        "late": match.late,
        "seats": [match.left_device_id, match.right_device_id],
        "tenure": match.tenure,
        "round": match.round_id,
        "table": match.table.name,
        "entered by players": match.by_players is not None,
        "struck out": match.struck_out,
    }
    differ = [name for name in stored if stored[name] != folded[name]]
    says = {"round": "the draw", "entered by players": "the log", "struck out": "the log"}
    words = [
        f"{name} is stored as {stored[name]}, {says.get(name, 'its journal')} says {folded[name]}" for name in differ
    ]
    return words + _broken(entries)


def _folded(match: Match, entries: Sequence[Entry]) -> dict[str, Any]:
    """Fold the journal of a match. Raises if it has gaps or is invalid."""
    if [entry.row.seq for entry in entries] != list(range(1, len(entries) + 1)):
        raise ValueError("its journal has gaps")
    if not entries or entries[0].row.event != SETUP:
        raise ValueError("its journal does not begin with the setup")
    setup, *later = (orjson.loads(entry.row.data) for entry in entries)
    events = [event_from_dict(entry.row.event, data) for entry, data in zip(entries[1:], later, strict=True)]
    state = fold(Setup.from_dict(setup), events)
    late = late_presses.by_journal(match.pk)
    seats: Devices = (None, None)
    tenure, seated_at = IN_FULL, 0
    for event in events:
        if event.name in SEATING:
            seats, tenure = reseated(seats, tenure, event)
            seated_at = event.at
    if seats[0] == seats[1] and match.tenure == Tenure(between=seats[0]).to_dict() and seated_at < _tenure_since():
        tenure = replace(tenure, between=seats[0])  # set by the migration, not by an entry
    drawn = Pairing.objects.filter(match=match).select_related("table").first()
    return {
        "version": len(entries),
        "status": state.status,
        "flag_at": state.flag_at,
        "setup": state.setup.to_dict(),
        "state": _expected(state.to_dict(), match.state, entries[-1].row.at),
        "late": None if late is None else late._asdict(),
        "seats": list(seats),
        "tenure": tenure.to_dict(),
        "round": match.round_id if drawn is None else drawn.round_id,
        "table": beside.table(match, events, drawn),
        "entered by players": beside.entered_by_players(match, entries[0].row),
        "struck out": beside.struck_out(match),
    }


def _tenure_since() -> float:
    """Time of the migration that introduced tenure, in ms; 0 if it was not applied.

    Before it, a phone with both seats answered for both players; the journal does not record that.
    """
    step = MigrationRecorder.Migration.objects.filter(app="clocks", name="0009_seats_by_what_right").first()
    return 0.0 if step is None else step.applied.timestamp() * 1000


def _expected(folded: dict[str, Any], stored: dict[str, Any], at: int) -> Any:
    """Return the folded state as it should be stored.

    A state written before the last migration may be from an earlier version, which lacked some fields. In a later
    state, a field may be missing only if its default is the folded value.
    """
    steps = MigrationRecorder.Migration.objects.filter(app="clocks")
    migrated = steps.aggregate(last=models.Max("applied"))["last"]
    if migrated is not None and at > migrated.timestamp() * 1000 and _read(stored) != folded:
        return folded
    return _as_far_as_stored(folded, stored)


def _read(stored: dict[str, Any]) -> dict[str, Any] | None:
    """Return a stored state with defaults for missing fields; None if unreadable."""
    try:
        return MatchState.from_dict(stored).to_dict()
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _as_far_as_stored(folded: Any, stored: Any) -> Any:
    """Return a folded state without fields unknown to the version of `stored`."""
    if isinstance(folded, dict) and isinstance(stored, dict):
        return {name: _as_far_as_stored(value, stored[name]) for name, value in folded.items() if name in stored}
    return folded


def _broken(entries: Sequence[Entry]) -> list[str]:
    """Describe where the hash chain breaks."""
    chained = max((entry.row.seq for entry in entries if entry.hash is not None), default=0)
    unchained = [entry.row.seq for entry in entries if entry.row.seq > chained]
    wrong = {entry.row.seq: entry for entry in [*chain.breaks(entries[:chained]), *_wrongly_forgotten(entries)]}
    words = [
        f"its chain breaks at entry {seq} ({entry.row.event}), which is not what was written then"
        for seq, entry in sorted(wrong.items())
    ]
    if unchained:
        words.append(
            f"entries {unchained[0]} to {unchained[-1]} have no hash; if a process of an earlier version wrote them, "
            "`upgrade` chains them"
        )
    return words


def _wrongly_forgotten(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries whose seals wrongly mark a text as removed.

    No entry removed it, or the text still exists.
    """
    names: list[str] | None = None  # names after the last removal
    for entry in sorted(entries, key=lambda each: -each.row.seq):
        for path, text in _forgotten(entry):
            if path == chain.USER_NAME:
                kept = text != "" or not _is_former(entry.row.user_id)
            else:
                kept = names is None or text != ("" if path.endswith("/note") else names[int(path[-1])])
            if kept:
                yield entry
                break
        if names is None and entry.row.event == NamesRemoved.name:
            names = orjson.loads(entry.row.data)["names"]


def _forgotten(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the path of each removed text of an entry, and its replacement."""
    gone = {path for path, seal in entry.seals.items() if "sha256" in seal}
    if gone:
        yield from ((path, text) for path, text in chain.texts_of(entry.row).items() if path in gone)


def _is_former(user_id: int | None) -> bool:
    return user_id is not None and User.objects.filter(pk=user_id, username=former(user_id)).exists()
