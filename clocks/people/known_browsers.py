"""Browsers in which somebody has signed in before, recognised by a signed cookie.

The cookie grants no access.
"""

import secrets
from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse

from clocks.people.tokens import COOKIE_AGE_S

MOST_USERS = 8  # maximum users per browser; the latest are kept
_SALT = "browsers in which somebody has signed in"


class KnownBrowser(NamedTuple):
    """A browser's random id, and the primary keys of users who have signed in there."""

    id: str
    users: tuple[int, ...]


def read(cookies: Mapping[str, str]) -> KnownBrowser | None:
    """Decode the known-browser cookie; None if missing, expired or forged."""
    try:
        said = signing.loads(cookies.get(settings.KNOWN_COOKIE_NAME, ""), salt=_SALT, max_age=COOKIE_AGE_S)
    except signing.BadSignature:
        return None
    return KnownBrowser(said["id"], tuple(said["users"]))


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Add this user to the browser's cookie."""
    before = read(request.COOKIES) or KnownBrowser(secrets.token_hex(16), ())
    users = [user.pk, *(key for key in before.users if key != user.pk)][:MOST_USERS]
    response.set_cookie(
        settings.KNOWN_COOKIE_NAME,
        signing.dumps({"id": before.id, "users": users}, salt=_SALT),
        max_age=COOKIE_AGE_S,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
