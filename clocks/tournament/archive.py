"""Putting a tournament away when it is over, bringing it back, and deleting it with all that was kept of it."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from clocks import desk
from clocks.engine.closed_sets import Status
from clocks.engine.refusals import Refused, Why
from clocks.host.server_time import now_ms
from clocks.journal import entries, tournament_log
from clocks.journal.names import called
from clocks.models import CASUAL, InstallationEntry, Match, Pairing, Tournament


def put_away(tournament: Tournament, user: User) -> None:
    """Make a tournament read-only from now on. Raises Refused while a clock of it runs."""
    _must_rest(tournament)
    with transaction.atomic():
        Tournament.objects.filter(pk=tournament.pk).update(archived_at=timezone.now())
        tournament_log.write(tournament, user, "archived")


def bring_back(tournament: Tournament, user: User) -> None:
    """Let a tournament be directed again."""
    with transaction.atomic():
        Tournament.objects.filter(pk=tournament.pk).update(archived_at=None)
        tournament_log.write(tournament, user, "brought_back")


def delete(tournament: Tournament, user: User) -> None:
    """Delete a tournament and all that is kept of it; an entry in the log of the installation says so.

    Raises Refused while a clock of it runs, and for the tournament of the casual matches, which is everybody's.
    """
    with transaction.atomic():
        matches = list(Match.objects.select_for_update().filter(table__tournament=tournament).order_by("pk"))
        _must_rest(tournament)
        tournament.tables.update(current=None)
        ids = [match.pk for match in matches]
        entries.delete(ids)
        Pairing.objects.filter(round__tournament=tournament).delete()
        Match.objects.filter(pk__in=ids).delete()
        summary = {"name": tournament.name, "slug": tournament.slug, "matches": len(ids)}
        tournament.delete()
        InstallationEntry.objects.create(
            at=now_ms(), user=user, user_name=called(user), event="tournament_deleted", data=summary
        )
    desk.forget()


def _must_rest(tournament: Tournament) -> None:
    if tournament.slug == CASUAL:
        raise Refused(Why.BAD_VALUE, "The matches that belong to no tournament can be neither archived nor deleted.")
    if Match.objects.filter(table__tournament=tournament, status=Status.RUNNING).exists():
        raise Refused(Why.BAD_VALUE, "A clock is running. Stop it first.")
