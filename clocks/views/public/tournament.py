"""Public pages of a tournament: now playing, standings, results, a player's own."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Concatenate
from urllib.parse import quote, unquote

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clocks.host.server_time import now_ms
from clocks.host.version import version
from clocks.models import Tournament
from clocks.record import next_match
from clocks.tournament import events, public
from clocks.tournament.players import name_key
from clocks.views.access import zone_of
from clocks.views.event_standings import of_all
from clocks.views.page import FORM
from clocks.views.public import parts

COOKIE, COOKIE_AGE_S = "me", 14 * 24 * 60 * 60
LONGEST = 80  # characters of a name

View = Callable[Concatenate[HttpRequest, Tournament, ...], HttpResponse]


def public_page(view: View) -> Callable[..., HttpResponse]:
    """Decorator: pass a public tournament to a view. Raises Http404 for any other."""

    @wraps(view)
    @never_cache
    def found(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
        tournament = get_object_or_404(public.tournaments(), slug=slug)
        with timezone.override(zone_of(tournament)):
            return view(request, tournament, *args, **kwargs)

    return found


@require_safe
@public_page
def now_playing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the matches being played.

    On all these pages, `?part` sends the changing part alone.
    """
    boards = public.playing(tournament)
    part = render_to_string("clocks/public/now-part.html", {"boards": boards})
    return _page(request, tournament, "now", part, called=_name_of(request))


@require_safe
@public_page
def standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show brackets, tables and places."""
    played = events.of_tournament(tournament)
    undrawn = events.has_undrawn(tournament)
    stamp = (parts.stamp_of(played), undrawn)
    part = parts.rendered(tournament, "standings", stamp, partial(of_all, played, undrawn))
    return _page(request, tournament, "standings", part)


@require_safe
@public_page
def results(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the draws and results by event, the latest round first."""
    played = events.of_tournament(tournament)
    latest_first = {"events": [(each, each.rounds[::-1]) for each in played]}
    part = parts.rendered(tournament, "results", parts.stamp_of(played), lambda: latest_first)
    return _page(request, tournament, "results", part)


@require_http_methods(FORM)
@public_page
def me(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a player's next table and results; the name is kept in a cookie.

    The name is posted, to keep it out of logs.
    """
    played = events.of_tournament(tournament)
    known = public.names(tournament, played)
    if request.method == "POST":
        return _chosen(request, tournament, known)
    called = known.get(name_key(_name_of(request)), "")
    if not called:
        return _page(request, tournament, "me", "", known=known)
    own = public.own(played, called)
    seat = next((each.seat for each in own if not each.game.winner), own[-1].seat if own else called)
    says = next_match.where_next(tournament, seat, now_ms())
    part = render_to_string("clocks/public/me-part.html", {"says": says, "own": own})
    return _page(request, tournament, "me", part, called=called, known=known)


def _chosen(request: HttpRequest, tournament: Tournament, known: dict[str, str]) -> HttpResponse:
    """Store the name typed or tapped; ask again unless it fits exactly one player."""
    typed = request.POST.get("name", "")[:LONGEST]
    found = public.search(known, typed)
    if "name" not in request.POST or len(found) == 1:
        response = redirect("public-me", tournament.slug)
        _keep(request, response, tournament, found[0] if found else "")
        return response
    more = {"known": known, "typed": typed, "found": found, "unknown": not found}
    return _page(request, tournament, "me", "", 200 if found else 404, **more)


def _page(
    request: HttpRequest, tournament: Tournament, here: str, part: str, status: int = 200, **more: Any
) -> HttpResponse:
    """Render a page around its changing part, or send that part alone."""
    if "part" in request.GET:
        return parts.alone(request, part)
    context = {"tournament": tournament, "here": here, "part": part, "version": version(), **more}
    return render(request, f"clocks/public/{here}.html", context, status=status)


def _name_of(request: HttpRequest) -> str:
    return unquote(request.COOKIES.get(COOKIE, ""))[:LONGEST]


def _keep(request: HttpRequest, response: HttpResponse, tournament: Tournament, name: str) -> None:
    """Keep the chosen name in a cookie for these pages; "" forgets it."""
    path = reverse("public", args=[tournament.slug])
    if not name:
        response.delete_cookie(COOKIE, path=path)
        return
    response.set_cookie(
        COOKIE,
        quote(name),
        max_age=COOKIE_AGE_S,
        path=path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
