"""Permission checks for pages: tournaments are looked up by user and action."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Exists
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from clocks.host.zone import is_zone, local_zone
from clocks.models import CASUAL, Tournament
from clocks.people import audit
from clocks.people.roles import Action, roles_that_may, tournaments_of
from clocks.tournament import tables_beside
from clocks.tournament.tables_beside import in_play

View = Callable[Concatenate[HttpRequest, Tournament, ...], HttpResponse]


def to(action: Action) -> Callable[[View], Callable[..., HttpResponse]]:
    """Decorator: pass the tournament to a view if the user may do `action` there.

    Redirects signed-out users to the sign-in page. Raises Http404 if there is no such tournament or the user lacks
    permission.
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
    """Decorator: keep a page's path out of Referer headers, and thus out of logs."""

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
    """Other events in progress where this user may make rulings, sorted by name."""
    return list(tables_beside.events_beside(user, tournament, roles_that_may(Action.RULE)).order_by("name", "pk"))


def others_in_the_hall(request: HttpRequest, tournament: Tournament) -> list[Tournament]:
    """Other tournaments in progress that this user directs, sorted by name.

    Casual matches are omitted.
    """
    directed = tournaments_of(request.user, Action.HALL).filter(Exists(in_play()))
    return list(directed.exclude(pk=tournament.pk).exclude(slug=CASUAL).order_by("name", "pk"))
