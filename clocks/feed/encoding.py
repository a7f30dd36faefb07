"""Encode events: in full for token holders, reduced for the public."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import orjson

from clocks.engine.clock import Seat
from clocks.engine.setup import Setup
from clocks.models import FeedEvent, Match, Pairing

TO_SOME_TABLES = ("message", "message-withdrawn")  # public only if sent to all tables


class Wanted(NamedTuple):
    """A reader's filter: full or public data, and the kinds to include (empty: all)."""

    full: bool
    only: frozenset[str] = frozenset()


class Encoded(NamedTuple):
    """An event as SSE frames: in full, and the public version (empty: not public)."""

    number: int
    kind: str
    full: bytes
    public: bytes


def encoded_event(event: FeedEvent) -> Encoded:
    """Encode both versions of an event."""
    full = as_json(event)
    public = public_part(event, full)
    return Encoded(event.number, event.kind, _framed(event, full), b"" if public is None else _framed(event, public))


def _framed(event: FeedEvent, data: dict[str, Any]) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (event.number, event.kind.encode(), orjson.dumps(data))


def in_one(events: Iterable[Encoded], wanted: Wanted) -> bytes:
    """Concatenate the frames that match a reader's filter."""
    told = (each for each in events if not wanted.only or each.kind in wanted.only)
    return b"".join(each.full if wanted.full else each.public for each in told)


def as_json(event: FeedEvent) -> dict[str, Any]:
    """Full event as JSON data, with current names."""
    data = {key: value for key, value in event.data.items() if key not in ("pairing", "to_all")}
    base = {"number": event.number, "at": event.at, "kind": event.kind, "tournament": event.tournament.slug}
    if event.match is not None:
        return {**base, **_match(event.match), **data}
    if "pairing" in event.data:
        return {**base, **_result(event.data["pairing"]), **data}
    log = event.log_entry.data if event.log_entry is not None else {}
    return {**base, "text": log.get("text", ""), "tables": log.get("tables", []), **data}


def public_part(event: FeedEvent, full: dict[str, Any]) -> dict[str, Any] | None:
    """Public version of an event; None if it is not public."""
    if event.kind in TO_SOME_TABLES:
        return full if event.data.get("to_all") else None
    if event.match is not None and Setup.from_dict(event.match.setup).in_force.hides_times:
        return {**full, "reserve_ms": None}
    return full


def _match(match: Match) -> dict[str, Any]:
    pairing = getattr(match, "pairing", None)
    return {
        "match": match.pk,
        "external_id": pairing.external_id if pairing is not None else "",
        "table": match.table.name,
        "round": match.round.number if match.round is not None else None,
        "stage": match.round.stage if match.round is not None else "",
        "names": match.setup["names"],
        "length": match.setup["length"],
    }


def _result(pairing_id: int) -> dict[str, Any]:
    """Current result of a match played without a clock."""
    pairing = Pairing.objects.select_related("table", "round__section").filter(pk=pairing_id).first()
    if pairing is None:
        return {"match": None}
    return {
        "match": None,
        "pairing": pairing.pk,
        "external_id": pairing.external_id,
        "table": pairing.table.name,
        "round": pairing.round.number,
        "stage": pairing.round.stage,
        "names": pairing.setup["names"],
        "length": pairing.setup["length"],
        "winner": Seat(pairing.winner) if pairing.winner else None,
        "score": pairing.score,
    }
