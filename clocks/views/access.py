"""Looking something up is the permission check: a view gets a tournament only if its user may do what the view does."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from clocks.engine.closed_sets import Status
from clocks.host.zone import is_zone, local_zone
from clocks.models import CASUAL, Table, Tournament
from clocks.people import audit
from clocks.people.roles import Action, tournaments_of

View = Callable[Concatenate[HttpRequest, Tournament, ...], HttpResponse]


def to(action: Action) -> Callable[[View], Callable[..., HttpResponse]]:
    """Look the tournament up among those in which the user may do `action`.

    Signed out: to the sign-in. Not there, or not for this user: 404.
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
    """Keep a page's address secret: requests for its files and links do not carry it, so no log has it."""

    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "strict-origin"  # without the origin a form of the page would be refused
        return response

    return kept


def zone_of(tournament: Tournament) -> ZoneInfo:
    """Return the time zone in which the pages of a tournament say times: its own, else that of this machine."""
    return ZoneInfo(tournament.time_zone if is_zone(tournament.time_zone) else local_zone())


def signed_in(request: HttpRequest) -> User:
    """Return the user of a request that was let in: a real one, not the anonymous one."""
    assert isinstance(request.user, User)
    return request.user


def others_in_the_hall(request: HttpRequest, tournament: Tournament) -> list[Tournament]:
    """Return the other tournaments that are played now and that the user directs, by name; never casual matches."""
    going_on = Table.objects.filter(tournament=OuterRef("pk"), current__isnull=False).exclude(
        current__status=Status.OVER
    )
    directed = tournaments_of(request.user, Action.HALL).filter(Exists(going_on))
    return list(directed.exclude(pk=tournament.pk).exclude(slug=CASUAL).order_by("name", "pk"))
