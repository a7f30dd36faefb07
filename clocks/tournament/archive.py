"""Archive, restore or delete a tournament."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from clocks import desk
from clocks.engine.closed_sets import Status
from clocks.engine.refusals import Refused, Why
from clocks.host.server_time import now_ms
from clocks.host.slices import SLICE, delete_in_slices, in_slices
from clocks.journal import entries, tournament_log
from clocks.journal.names import called
from clocks.journal.tournament_events import Archived, BroughtBack
from clocks.models import (
    CASUAL,
    ApiAnswer,
    Bye,
    Delivery,
    InstallationEntry,
    Match,
    Pairing,
    Place,
    Tournament,
)


def archive(tournament: Tournament, user: User) -> None:
    """Make a tournament read-only.

    Raises Refused while a clock is running, and for the tournament that holds casual matches.
    """
    _reject_running(tournament)
    with transaction.atomic():
        Tournament.objects.filter(pk=tournament.pk).update(archived_at=timezone.now())
        tournament_log.write(tournament, user, Archived())


def undecided(tournament: Tournament) -> int:
    """Number of drawn matches without a result."""
    return Pairing.objects.filter(round__tournament=tournament).exclude(Pairing.decided()).count()


def unarchive(tournament: Tournament, user: User) -> None:
    """Make an archived tournament writable again."""
    with transaction.atomic():
        Tournament.objects.filter(pk=tournament.pk).update(archived_at=None)
        tournament_log.write(tournament, user, BroughtBack())


def delete(tournament: Tournament, user: User) -> None:
    """Delete a tournament with all its data, and record this in the installation log.

    Archives it first, then deletes in batches; if the server stops meanwhile, call it again. Raises Refused while a
    clock is running, and for the tournament that holds casual matches.
    """
    if tournament.archived_at is None:
        archive(tournament, user)
    _reject_running(tournament)
    matches = Match.objects.filter(table__tournament=tournament)
    ids = list(matches.order_by("pk").values_list("pk", flat=True))
    summary = {"name": tournament.name, "slug": tournament.slug, "matches": len(ids)}
    delete_in_slices(Delivery.objects.filter(webhook__tournament=tournament))
    delete_in_slices(tournament.feed_events.all())
    entries.delete_in_slices(ids)
    tournament.tables.update(current=None)
    delete_in_slices(Place.objects.filter(pairing__round__tournament=tournament))
    delete_in_slices(Bye.objects.filter(round__tournament=tournament))
    delete_in_slices(Pairing.objects.filter(round__tournament=tournament))
    in_slices(ids, _delete_matches)
    delete_in_slices(tournament.phone_messages.all(), SLICE)
    delete_in_slices(tournament.tables.all(), SLICE)
    delete_in_slices(tournament.players.all())
    delete_in_slices(tournament.entrants.all())
    delete_in_slices(tournament.hall_entries.all())
    delete_in_slices(ApiAnswer.objects.filter(token__tournament=tournament), SLICE)
    with transaction.atomic():
        _reject_running(tournament)
        tournament.delete()
        InstallationEntry.objects.create(
            at=now_ms(), user=user, user_name=called(user), event="tournament_deleted", data=summary
        )
    desk.forget()


def _delete_matches(ids: Sequence[int]) -> None:
    entries.delete(ids)  # those written since `entries.delete_in_slices`
    Match.objects.filter(pk__in=ids).delete()


def _reject_running(tournament: Tournament) -> None:
    if tournament.slug == CASUAL:
        raise Refused(Why.BAD_VALUE, "The matches that belong to no tournament can be neither archived nor deleted.")
    if Match.objects.filter(table__tournament=tournament, status=Status.RUNNING).exists():
        raise Refused(Why.BAD_VALUE, "A clock is running. Stop it first.")
