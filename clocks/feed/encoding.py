"""An event as it is sent: all of it to a token; to everybody what the hall's screen shows."""

from typing import Any, NamedTuple

import orjson

from clocks.engine.clock import Seat
from clocks.engine.setup import Setup
from clocks.models import FeedEvent, Match, Pairing

TO_SOME_TABLES = ("message", "message-withdrawn")  # unless they are to all tables, they are for those phones alone


class Encoded(NamedTuple):
    """An event, encoded: for a token, and for everybody (empty: nothing)."""

    number: int
    kind: str
    full: str
    public: str


def encoded_event(event: FeedEvent) -> Encoded:
    """Return an event as both get it."""
    full = as_json(event)
    public = public_part(event, full)
    encoded = "" if public is None else orjson.dumps(public).decode()
    return Encoded(event.number, event.kind, orjson.dumps(full).decode(), encoded)


def as_json(event: FeedEvent) -> dict[str, Any]:
    """Return an event with all that is known; names are those of now."""
    data = {key: value for key, value in event.data.items() if key not in ("pairing", "to_all")}
    base = {"number": event.number, "at": event.at, "kind": event.kind, "tournament": event.tournament.slug}
    if event.match is not None:
        return {**base, **_match(event.match), **data}
    if "pairing" in event.data:
        return {**base, **_result(event.data["pairing"]), **data}
    log = event.log_entry.data if event.log_entry is not None else {}
    return {**base, "text": log.get("text", ""), "tables": log.get("tables", []), **data}


def public_part(event: FeedEvent, full: dict[str, Any]) -> dict[str, Any] | None:
    """Return what everybody may be told of an event; None where it is not for everybody."""
    if event.kind in TO_SOME_TABLES:
        return full if event.data.get("to_all") else None
    if event.match is not None and Setup.parse(event.match.setup).in_force.hides_times:
        return {**full, "reserve_ms": None}
    return full


def _match(match: Match) -> dict[str, Any]:
    pairing = getattr(match, "pairing", None)
    return {
        "match": match.pk,
        "external_id": pairing.external_id if pairing is not None else "",
        "table": match.table.name,
        "round": match.round.number if match.round is not None else None,
        "names": match.setup["names"],
        "length": match.setup["length"],
    }


def _result(pairing_id: int) -> dict[str, Any]:
    """Return a result without a clock as it is now."""
    pairing = Pairing.objects.select_related("table", "round").filter(pk=pairing_id).first()
    if pairing is None:
        return {"match": None}
    return {
        "match": None,
        "pairing": pairing.pk,
        "external_id": pairing.external_id,
        "table": pairing.table.name,
        "round": pairing.round.number,
        "names": pairing.setup["names"],
        "length": pairing.setup["length"],
        "winner": Seat(pairing.winner) if pairing.winner else None,
        "score": pairing.score,
    }
