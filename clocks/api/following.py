"""Follow a tournament by polling: live boards, and events since a number."""

from collections.abc import Callable
from functools import wraps
from threading import Lock
from time import monotonic
from typing import Annotated, Any, NamedTuple

import orjson
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from ninja import Query
from ninja.decorators import decorate_view

from clocks.api import gate, shapes
from clocks.api.paging import MOST, USUAL, place, unless_known
from clocks.api.reading import WRONG, answers, router
from clocks.feed import encoding
from clocks.feed.recorder import with_what_they_name
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.live import protocol
from clocks.live.screens import for_screens
from clocks.models import FeedEvent, Tournament
from clocks.seats import presence

__all__ = ["router"]

LARGEST = (1 << 31) - 1
Since = Annotated[int, Query(ge=0, le=LARGEST, description="The number of the last event you have.")]
Most = Annotated[int, Query(ge=1, le=MOST, description="Page size.")]


KEPT_S = 1.0  # seconds; encoding 300 boards takes 0.1 s of CPU time


class _Kept(NamedTuple):
    """Cached public response; `at` is its monotonic time in seconds."""

    at: float
    body: bytes
    headers: dict[str, str]


_kept: dict[str, _Kept] = {}  # by slug
_reading = Lock()
forget = _kept.clear


def once_a_second(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: cache the public response of each tournament for a second."""

    def answer(request: HttpRequest, *args: Any, slug: str, **named: Any) -> HttpResponse:
        if "Authorization" in request.headers:
            return view(request, *args, slug=slug, **named)
        with _reading:
            found = _kept.get(slug)
            if found is None or monotonic() - found.at >= KEPT_S:
                _kept.pop(slug, None)
                made = view(request, *args, slug=slug, **named)
                if made.status_code == 200:
                    _kept[slug] = _Kept(monotonic(), made.content, dict(made.items()))
                return made
        again = HttpResponse(found.body, headers=found.headers)
        return get_conditional_response(request, etag=again["ETag"], response=again) or again

    return wraps(view)(answer)


@router.get("/tournaments/{slug:slug}/live.json", response=answers(shapes.LiveShape), auth=gate.TokenOrNobody())
@decorate_view(once_a_second)
def live(request: HttpRequest, response: HttpResponse, slug: str) -> Any:
    """Read the live boards. Responses may be cached for a second.

    Unauthenticated callers get the public view.
    """
    tournament, full = gate.follower(request, slug)
    number = _last(tournament)
    known = unless_known(request, response, full, number, tournament.name, stored.versions_of_tournament(tournament.pk))
    response["Cache-Control"] = f"{'private' if full else 'public'}, max-age=1"
    if not full:
        response["Access-Control-Allow-Origin"] = "*"
    if known is not None:
        return known
    boards = stored.matches_of_tournament(tournament.pk)
    presence.ask([board.id for board in boards])
    now = now_ms()
    matches = [_board(board, now, full) for board in boards]
    return {
        "tournament": tournament.slug,
        "name": tournament.name,
        "now": now,
        "number": number,
        "matches": matches,
    }


def _last(tournament: Tournament) -> int:
    return FeedEvent.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0


def _board(board: stored.StoredMatch, now: int, full: bool) -> dict[str, Any]:
    """Snapshot in wire format; the public view gets the hall screens' version."""
    frame = protocol.snapshot(board, now, presence.seen_at(board.id))
    if not full:
        frame = protocol.without_times(frame) if board.match.rules.hides_times else frame
    text = protocol.encode(frame)
    plain: dict[str, Any] = orjson.loads(text if full else for_screens(text, board.code))
    return plain


@router.get(
    "/tournaments/{slug:slug}/events",
    response={200: shapes.EventsShape, **WRONG},
    exclude_unset=True,
    auth=gate.TokenOrNobody(),
)
def list_events(
    request: HttpRequest, response: HttpResponse, slug: str, since: Since = 0, cursor: str = "", limit: Most = USUAL
) -> Any:
    """List feed events after a given number, for clients that poll."""
    tournament, full = gate.follower(request, slug)
    after = place(cursor[:32])
    number = max(since, after[0] if after else 0)
    response["Cache-Control"] = "no-store"
    later = FeedEvent.objects.filter(tournament=tournament, number__gt=min(number, LARGEST)).order_by("number")
    events = with_what_they_name(later[: limit + 1])
    items = [encoding.as_json(event) for event in events[:limit]]
    if not full:
        response["Access-Control-Allow-Origin"] = "*"
        parts = [encoding.public_part(event, each) for event, each in zip(events, items, strict=False)]
        items = [part for part in parts if part is not None]
    more = len(events) > limit
    return {"items": items, "next": str(events[limit - 1].number) if more else None}
