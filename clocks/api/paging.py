"""Cursor pagination and conditional requests."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag

from clocks.feed.problems import Problem

USUAL, MOST = 100, 500

Item = TypeVar("Item")


@dataclass(frozen=True)  # not a tuple: Ninja reads one as (status, response)
class Page(Generic[Item]):
    """Items of a page, and the cursor of the next one; None on the last."""

    items: list[Item]
    next: str | None


def place(cursor: str) -> tuple[int, ...]:
    """Parse a cursor: the key of the previous page's last item.

    Raises Problem (422) if it is invalid.
    """
    parts = cursor.split("-") if cursor else []
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts) or len(parts) > 2:
        words = "This cursor does not belong to this list. Take `next` of the page before, or leave it out."
        raise Problem(422, words, errors=[("cursor", words)])
    return tuple(map(int, parts))


def page(items: Iterable[Item], key: Callable[[Item], tuple[int, ...]], cursor: str, limit: int) -> Page[Item]:
    """Page of at most `limit` items after `cursor`, from items sorted by `key`."""
    after = place(cursor)
    rest = (item for item in items if not after or key(item) > after)
    found = list(islice(rest, limit + 1))
    return Page(found[:limit], "-".join(map(str, key(found[limit - 1]))) if len(found) > limit else None)


def unless_known(request: HttpRequest, response: HttpResponse, *parts: Any) -> HttpResponse | None:
    """Set the ETag of a response that depends on `parts` alone.

    Returns a 304 if the caller already has it, else None.
    """
    etag = quote_etag(hashlib.sha256(repr(parts).encode()).hexdigest()[:32])
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    known = get_conditional_response(request, etag=etag)
    if known is None:
        return None
    known["ETag"], known["Cache-Control"] = etag, response["Cache-Control"]
    return known if known.status_code == 304 else None
