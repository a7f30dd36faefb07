"""Permission checks of pages: tournaments are looked up by user and action."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from clocks.engine.closed_sets import Status
from clocks.host.zone import is_zone, local_zone
from clocks.models import CASUAL, Membership, Table, Tournament
from clocks.people import audit
from clocks.people.roles import Action, roles_that_may, tournaments_of

BESIDE_DAYS = 3
MOST_BESIDE = 4  # a console has a socket for each, and `live/admission.py` limits those of a director
View = Callable[Concatenate[HttpRequest, Tournament, ...], HttpResponse]


def to(action: Action) -> Callable[[View], Callable[..., HttpResponse]]:
    """Decorator: pass the tournament to a view if the user may do `action` there.

    Redirects signed-out users to the sign-in page. Raises Http404 if the tournament is unknown to the user.
    """

    def decorated(view: View) -> Callable[..., HttpResponse]:
        @wraps(view)
        @never_cache
        @login_required
        def found(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            tournament = tournaments_of(request.user, action).filter(slug=slug).first()
            if tournament is None:
                audit.refused(request.user.pk, action, slug)
                raise Http404("there is no such tournament for this user")
            with timezone.override(zone_of(tournament)):
                return view(request, tournament, *args, **kwargs)

        return found

    return decorated


def secret_address(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: keep a page's address out of Referer headers, and thus out of logs."""

    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "strict-origin"  # the CSRF check of the page's form needs the origin
        return response

    return kept


def zone_of(tournament: Tournament) -> ZoneInfo:
    """Time zone of a tournament's pages: its own, else that of this machine."""
    return ZoneInfo(tournament.time_zone if is_zone(tournament.time_zone) else local_zone())


def signed_in(request: HttpRequest) -> User:
    """The request's user, in views that require sign-in; never AnonymousUser."""
    assert isinstance(request.user, User)
    return request.user


def events_beside(user: User, tournament: Tournament) -> list[Tournament]:
    """Other events in play that need this user as director or helper, by name.

    None unless the user is a member of this one too: a superuser does not get the events of strangers. A match that
    nobody has ended for days keeps no event in play.
    """
    mine = Membership.objects.filter(user=user, role__in=roles_that_may(Action.RULE))
    if not mine.filter(tournament=tournament).exists():
        return []
    recent = timezone.now() - timedelta(days=BESIDE_DAYS)
    going_on = _in_play().filter(current__created_at__gte=recent)
    found = Tournament.objects.filter(
        Exists(mine.filter(tournament=OuterRef("pk"))), Exists(going_on), archived_at=None
    )
    return list(found.exclude(pk=tournament.pk).exclude(slug=CASUAL).order_by("name", "pk")[:MOST_BESIDE])


def others_in_the_hall(request: HttpRequest, tournament: Tournament) -> list[Tournament]:
    """Other tournaments in play that the user directs, by name.

    Casual matches are omitted.
    """
    directed = tournaments_of(request.user, Action.HALL).filter(Exists(_in_play()))
    return list(directed.exclude(pk=tournament.pk).exclude(slug=CASUAL).order_by("name", "pk"))


def _in_play() -> "QuerySet[Table]":
    """Subquery: tables of the outer query's tournament with a match that is not over."""
    played = Table.objects.filter(tournament=OuterRef("pk"), current__isnull=False)
    return played.exclude(current__status=Status.OVER)
