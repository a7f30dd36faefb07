"""Public hall screen: a tournament's boards, brackets and standings."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clocks.host.version import version
from clocks.models import CASUAL, Tournament
from clocks.tournament import events, public
from clocks.tournament.events import Event
from clocks.tournament.rounds import board_name
from clocks.views import bracket_drawing
from clocks.views.access import zone_of
from clocks.views.bracket_svg import svg
from clocks.views.event_standings import places_of_all
from clocks.views.public import parts

MOST = 8  # matches in the first round of a part of a bracket, so that it can be read from afar


@never_cache
@require_safe
def hall_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page; the boards arrive on its socket.

    Casual matches have no hall screen.
    """
    tournament = get_object_or_404(Tournament.objects.exclude(slug=CASUAL), slug=slug)
    others = public.tournaments().exclude(pk=tournament.pk)
    return render(
        request,
        "clocks/hall/page.html",
        {"tournament": tournament, "version": version(), "zone": zone_of(tournament).key, "others": others},
    )


class _Round(NamedTuple):
    """A round: key on the boards, name, colour, and start in server ms or ""."""

    key: str
    name: str
    colour: str
    starts_ms: int | str


@never_cache
@require_safe
def hall_events(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve brackets, standings, places, colours and start times to the page's script."""
    tournament = get_object_or_404(Tournament.objects.exclude(slug=CASUAL).filter(archived_at=None), slug=slug)
    played = events.of_tournament(tournament)
    rounds = _rounds(tournament)
    colours = tuple(event.section.colour if event.section else "" for event in played)
    stamp = (parts.stamp_of(played), colours, tuple(rounds))
    part = parts.rendered(
        tournament,
        "hall",
        stamp,
        lambda: {"events": [_shown(event) for event in played], "places": _places(played), "rounds": rounds},
    )
    return parts.alone(request, part)


def _places(played: Sequence[Event]) -> list[tuple[Event, list[tuple[str, list[str]]]]]:
    """Places in knockouts of a tournament with several events, by event.

    The standings show those of the other events, and the brackets show who is still in.
    """
    if len(played) < 2:
        return []
    found = [
        (event, [(place, names) for place, names, still in shared if not still])
        for event, shared in places_of_all(played, undrawn=False).events
        if event.is_knockout
    ]
    return [each for each in found if each[1]]


def _rounds(tournament: Tournament) -> list[_Round]:
    found = tournament.rounds.select_related("section").order_by("number")
    return [
        _Round(
            board_name(each),
            str(each),
            each.section.colour if each.section else "",
            int(each.starts_at.timestamp() * 1000) if each.starts_at else "",
        )
        for each in found
    ]


def _shown(event: Event) -> dict[str, Any]:
    """Template context of an event: undecided parts of its bracket, or standings.

    The last part of a bracket is always included.
    """
    if not event.is_knockout:
        return {"event": event, "lines": event.standings}
    drawn = bracket_drawing.parts(event, MOST)
    open_ = [each for each in drawn[:-1] if not all(box.decided for box in each.boxes)]
    return {"event": event, "brackets": [svg(each, event.name) for each in (*open_, *drawn[-1:])]}
