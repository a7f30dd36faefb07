"""Tournament log: changes to the tournament as a whole and to its people.

Only this module adds entries. Changes to a single match are in the journal of the match.
"""

import logging

from django.contrib.auth.models import User

from clocks.host.server_time import now_ms
from clocks.journal import names
from clocks.journal.tournament_events import LogEvent, ResumedAll, StoppedAll
from clocks.models import HallEntry, Tournament

audit = logging.getLogger("clocks.audit")


def write(tournament: Tournament, user: User | None, event: LogEvent) -> HallEntry:
    """Append an entry with the current time.

    `user` is None if a management command or the server acted.
    """
    audit.info("user %s: %s in tournament %s", user.pk if user else None, event.name, tournament.pk)
    who = names.named_in(tournament.pk, user) if user else names.Named("", "")
    return HallEntry.objects.create(
        tournament=tournament,
        user=user,
        user_name=who.name,
        user_role=who.role,
        event=event.name,
        at=now_ms(),
        data=event.to_data(),
    )


def stops_in_force(tournament: Tournament) -> list[HallEntry]:
    """Stops of the whole hall since it was last resumed, oldest first."""
    log = tournament.hall_entries.order_by("pk")
    resumed = log.filter(event=ResumedAll.name).values_list("pk", flat=True).last()
    return list(log.filter(event=StoppedAll.name, pk__gt=resumed or 0))
