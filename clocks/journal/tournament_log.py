"""The log of a tournament: what was done to it as a whole and to its people. The only writer of HallEntry.

What is done to a single match is in that match's journal.
"""

import logging
from typing import Any

from django.contrib.auth.models import User

from clocks.host.server_time import now_ms
from clocks.journal import names
from clocks.models import HallEntry, Tournament

audit = logging.getLogger("clocks.audit")


def write(tournament: Tournament, user: User | None, event: str, **data: Any) -> HallEntry:
    """Add an entry of this moment; without a user it was a command or the server by itself."""
    audit.info("user %s: %s in tournament %s", user.pk if user else None, event, tournament.pk)
    who = names.named_in(tournament.pk, user) if user else names.Named("", "")
    return HallEntry.objects.create(
        tournament=tournament, user=user, user_name=who.name, user_role=who.role, event=event, at=now_ms(), data=data
    )


def stops_in_force(tournament: Tournament) -> list[HallEntry]:
    """Return the stops of the whole hall that were made since it was last resumed, the first one first."""
    resumed = tournament.hall_entries.filter(event="resumed_all").order_by("-pk").values_list("pk", flat=True).first()
    return list(tournament.hall_entries.filter(event="stopped_all", pk__gt=resumed or 0).order_by("pk"))
