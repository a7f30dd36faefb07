"""Cache of the changing parts of public pages, shared by all readers."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from clocks.models import Tournament
from clocks.tournament.events import Event

MOST_KEPT = 48  # rendered parts: a few tournaments in a few languages

Key = tuple[int, str, str | None]

_kept: OrderedDict[Key, tuple[Hashable, SafeString]] = OrderedDict()


def stamp_of(played: Sequence[Event]) -> Hashable:
    """Everything that is shown of these events; equal stamps give equal parts."""
    return tuple(
        (
            event.name,
            event.method,
            tuple(event.tie_breaks),
            event.final,
            tuple(name for name in event.players.values() if event.has_withdrawn(name)),
            event.section and (event.section.losers_of_id, event.section.losers_rounds, event.section.feeds_id),
            tuple((str(round_), tuple(games)) for round_, games in event.rounds),
        )
        for event in played
    )


def rendered(tournament: Tournament, here: str, stamp: Hashable, context: Callable[[], dict[str, Any]]) -> SafeString:
    """Cached part of a page, rendered again if its stamp has changed.

    The stamp must cover all that is shown, so that no removed name stays.
    """
    key = (tournament.pk, here, get_language())
    kept = _kept.pop(key, None)
    if kept is None or kept[0] != stamp:
        kept = (stamp, render_to_string(f"clocks/public/{here}-part.html", {"tournament": tournament, **context()}))
    _kept[key] = kept
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return kept[1]


def alone(request: HttpRequest, part: str) -> HttpResponse:
    """Answer with a part alone, or with 304 if the reader has it."""
    etag = f'"{hashlib.blake2b(part.encode(), digest_size=12).hexdigest()}"'
    response = get_conditional_response(request, etag=etag, response=HttpResponse(part))
    assert response is not None
    response["ETag"] = etag
    return response
