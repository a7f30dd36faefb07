"""Cursor pagination and conditional requests."""

import hashlib
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag

from clocks.feed.problems import Problem

USUAL, MOST = 100, 500

Item = TypeVar("Item")


def place(cursor: str) -> tuple[int, ...]:
    """Parse a cursor: the key of the previous page's last item.

    Raises Problem (422) if it is invalid.
    """
    parts = cursor.split("-") if cursor else []
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts) or len(parts) > 2:
        words = "This cursor does not belong to this list. Take `next` of the page before, or leave it out."
        raise Problem(422, words, errors=[("cursor", words)])
    return tuple(map(int, parts))


def page(items: Iterable[Item], key: Callable[[Item], tuple[int, ...]], cursor: str, limit: int) -> dict[str, Any]:
    """Cut a page out of items sorted by key; `next` is None on the last page."""
    after = place(cursor)
    rest = (item for item in items if not after or key(item) > after)
    found = list(islice(rest, limit + 1))
    more = len(found) > limit
    return {"items": found[:limit], "next": "-".join(map(str, key(found[limit - 1]))) if more else None}


def unless_known(request: HttpRequest, response: HttpResponse, *parts: Any) -> HttpResponse | None:
    """Set the ETag of a response that depends on `parts` alone.

    Returns a 304 if the caller has it already.
    """
    etag = quote_etag(hashlib.sha256(repr(parts).encode()).hexdigest()[:32])
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    known = get_conditional_response(request, etag=etag)
    if known is None:
        return None
    known["ETag"], known["Cache-Control"] = etag, response["Cache-Control"]
    return known if known.status_code == 304 else None
