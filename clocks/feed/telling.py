"""An event as it is told: all of it to a token; to everybody what the hall's screen shows."""

from typing import Any, NamedTuple

import orjson

from clocks.engine.clock import Seat
from clocks.engine.setup import Setup
from clocks.models import FeedEvent, Match, Pairing

TOLD_TO_SOME = ("message", "message-withdrawn")  # where they are not to all tables, they are the phones' alone


class Told(NamedTuple):
    """An event, encoded: for a token, and for everybody (empty: nothing)."""

    number: int
    kind: str
    full: str
    public: str


def told(event: FeedEvent) -> Told:
    """Return an event as it is told."""
    full = as_json(event)
    public = public_part(event, full)
    encoded = "" if public is None else orjson.dumps(public).decode()
    return Told(event.number, event.kind, orjson.dumps(full).decode(), encoded)


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
    if event.kind in TOLD_TO_SOME:
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
