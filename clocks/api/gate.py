"""Token authentication, rate limits, and tournament lookup by permission."""

from typing import Any

from django.http import Http404, HttpRequest
from django.utils import translation
from ninja.security import HttpBearer
from pydantic import TypeAdapter, ValidationError

from clocks.api.problems import unknown_token
from clocks.feed.problems import Problem
from clocks.host.ratelimit import RateLimiter
from clocks.models import ApiToken, Tournament
from clocks.people import api_tokens, audit
from clocks.people.roles import Action, tournaments_of

AT_ONCE, PER_S = 120, 10.0  # rate limit per token: burst, requests per second
LIMITS = RateLimiter(AT_ONCE, PER_S)
_TRUTH = TypeAdapter(bool)  # parses `dry_run` as Ninja does for the operation


class Token(HttpBearer):
    """`Authorization: Bearer …` with a token from the tournament's People page."""

    openapi_description = "A token that an owner made on the tournament's People page."

    def __call__(self, request: HttpRequest) -> Any:
        """Return the token of a request. Raises Problem (401) without a valid one."""
        translation.activate("en")  # programs get English whatever their Accept-Language
        return super().__call__(request) or self._refuse()

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """Look up the token, and count the request against its rate limit."""
        found = api_tokens.find(token)
        if found is not None and not LIMITS.take(found.pk):
            words = (
                f"This token may ask {PER_S:.0f} times a second, and {AT_ONCE} times at once. Ask again in a second."
            )
            raise Problem(429, words, headers={"Retry-After": "1"})
        if found is not None and not self.is_dry(request):
            api_tokens.note_use(found)
        return found

    def is_dry(self, request: HttpRequest) -> bool:
        """True if this request must not write, not even the time of its token's use."""
        return False

    @staticmethod
    def _refuse() -> None:
        raise unknown_token()


class TokenOfDraw(Token):
    """Token for an operation with `dry_run`; a dry run takes no write lock."""

    openapi_name = "Token"

    def is_dry(self, request: HttpRequest) -> bool:
        """True if `dry_run` is set. An invalid value is False here and rejected later."""
        try:
            return _TRUTH.validate_python(request.GET.get("dry_run", False))
        except ValidationError:
            return False


class TokenOrNobody(Token):
    """Optional token. Unauthenticated callers get the public view."""

    openapi_name = "Token"

    def __call__(self, request: HttpRequest) -> Any:
        """Return the request's token, or NOBODY without an Authorization header."""
        if "Authorization" in request.headers:
            return super().__call__(request)
        translation.activate("en")
        return NOBODY


NOBODY = "nobody"


def follower(request: HttpRequest, slug: str) -> tuple[Tournament, bool]:
    """Look up a tournament to follow; True if the caller may see all of it.

    False if the caller may see only the public view. Raises Problem or Http404.
    """
    if request.auth != NOBODY:  # type: ignore[attr-defined]  # ninja's own
        return tournament(request, slug, Action.WATCH), True
    found = Tournament.objects.filter(slug=slug, public_feed=True).first()
    if found is None:
        raise unknown_token()
    return found, False


def token_of(request: HttpRequest) -> ApiToken:
    """Return the token of an authenticated request."""
    found: ApiToken = request.auth  # type: ignore[attr-defined]  # ninja's own
    return found


def tournament(request: HttpRequest, slug: str, action: Action) -> Tournament:
    """Look up a tournament in which the token may take this action.

    Raises Http404 if it is unknown to this token, and Problem (403) if the token's role or the tournament's archiving
    forbids the action.
    """
    user = token_of(request).user
    found = tournaments_of(user, action).filter(slug=slug).first()
    if found is not None:
        return found
    audit.refused(user.pk, action, slug)
    if tournaments_of(user, Action.WATCH).filter(slug=slug).exists():
        raise Problem(403, "The role of this token does not allow that. An owner can make one with another role.")
    raise Http404


def tournaments(request: HttpRequest) -> Any:
    """Tournaments that the token may see."""
    return tournaments_of(token_of(request).user, Action.WATCH)
