"""The book of a tournament: what was done to it as a whole and to its people. The only writer of HallEntry.

What is done to a single match stands in that match's journal.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from clocks.models import HallEntry, Tournament
from clocks.timebase import now_ms


class Line(NamedTuple):
    """An entry for people: when, who, what and why."""

    when: datetime
    who: str
    what: str
    why: str


def write(tournament: Tournament, user: User, event: str, **data: Any) -> HallEntry:
    """Add an entry of this moment."""
    return HallEntry.objects.create(tournament=tournament, user=user, event=event, at=now_ms(), data=data)


def stops_in_force(tournament: Tournament) -> list[HallEntry]:
    """Return the stops of the whole hall that were made since it was last resumed, the first one first."""
    resumed = tournament.hall_entries.filter(event="resumed_all").order_by("-pk").values_list("pk", flat=True).first()
    return list(tournament.hall_entries.filter(event="stopped_all", pk__gt=resumed or 0).order_by("pk"))


def lines(tournament: Tournament) -> Iterator[Line]:
    """Yield what was done, the newest first."""
    for entry in tournament.hall_entries.select_related("user").order_by("-pk"):
        when = datetime.fromtimestamp(entry.at / 1000, UTC)
        yield Line(when, entry.user.get_username(), _told(entry.event, entry.data), entry.data.get("reason", ""))


def _told(event: str, data: dict[str, Any]) -> str:
    match event:
        case "stopped_all":
            return "Stopped all clocks"
        case "resumed_all":
            return "Let the clocks go on that were stopped together"
        case "message_sent":
            to = f"tables {', '.join(data['tables'])}" if data["tables"] else "all tables"
            return f"Message to {to}, for {data['minutes']} min: “{data['text']}”"
        case "message_withdrawn":
            return f"Withdrew the message “{data['text']}”"
        case "tournament_made":
            return "Made the tournament"
        case "invited":
            return f"Made an invitation as {data['role']}, good until {data['until']} UTC"
        case "invite_revoked":
            return f"Revoked an invitation as {data['role']}"
        case "joined":
            return f"Joined as {data['role']}, invited by {data['by']}"
        case "role_changed":
            return f"Made {data['of']} {data['after']} (was {data['before']})"
        case "removed":
            return f"Removed {data['of']} ({data['role']})"
    return event.replace("_", " ")
