"""Error pages: what happened, what to do, and a way back."""

from typing import Any, NamedTuple

from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class UnknownCode(Http404):
    """No table has this code; `retired` if it is a table's former code."""

    def __init__(self, code: str, retired: bool) -> None:
        self.code, self.retired = code, retired
        super().__init__(f"no table has the code {code!r}")


class TooManyCodes(Http404):
    """Rate limit: too many wrong codes from this address."""


class PutAway(Http404):
    """The table's tournament is archived."""

    def __init__(self, tournament: str) -> None:
        self.tournament = tournament
        super().__init__(f"{tournament!r} is in the archive")


class WayOn(NamedTuple):
    """A link on an error page: text and path."""

    words: Any
    path: str


HOME = WayOn(gettext_lazy("Enter a code"), "/")


def problem(request: HttpRequest, status: int, title: str, words: str, *ways: WayOn, code: str = "") -> HttpResponse:
    """Render an error page with a status, advice and links."""
    context = {"title": title, "words": words, "ways": ways or (HOME,), "wrong_code": code}
    return render(request, "clocks/problem.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a malformed request, or one whose Host is not in ALLOWED_HOSTS."""
    if isinstance(exception, DisallowedHost):
        words = _(
            "This clock does not recognise the name in your browser’s address bar. Use the address that it "
            "printed when it was started, or add this one to ALLOWED_HOSTS and restart it."
        )
        return problem(request, 400, _("Wrong address"), words)
    words = _("Your browser sent something that this clock does not understand. Go back and try again.")
    return problem(request, 400, _("That did not work"), words)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request without permission."""
    words = _("This page is for the director of this tournament. Sign in with a director’s link.")
    return problem(request, 403, _("For directors only"), words, WayOn(_("Director’s sign-in"), "/director/"), HOME)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unknown path or code, too many codes, or an archived tournament."""
    if isinstance(exception, UnknownCode) and exception.retired:
        words = _(
            "The director has given this table a new code, and the old card no longer works. Scan the new "
            "card on the table, or ask the director. Seats and clocks have not changed."
        )
        return problem(request, 404, _("This code is out of date"), words, code=exception.code[:24])
    if isinstance(exception, UnknownCode):
        words = _(
            "A code has six characters: digits from 2 to 9 and capital letters, never 0, 1, B, I, L, O, S or Z. "
            "Compare it with the one that you were given, or scan the QR code again."
        )
        return problem(request, 404, _("No table has this code"), words, code=exception.code[:24])
    if isinstance(exception, TooManyCodes):
        words = _(
            "Wrong codes were tried from your network again and again. Wait a minute, then open this page again. "
            "Phones that have a seat are not held up."
        )
        waits = problem(request, 429, _("Too many wrong codes"), words)
        waits["Retry-After"] = "60"
        return waits
    if isinstance(exception, PutAway):
        words = _("%(tournament)s is in the archive, so nothing is played at its tables any more.")
        return problem(request, 404, _("This tournament is over"), words % {"tournament": exception.tournament})
    ways = (WayOn(_("Director’s page"), "/director/"), HOME) if request.user.is_authenticated else ()
    words = _("There is no page at this address. Check that it is complete.")
    return problem(request, 404, _("Page not found"), words, *ways)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without a valid CSRF token: no cookies, or an old page."""
    words = _(
        "The page may have been open for too long, or your browser does not accept cookies from this "
        "address. Allow cookies, go back, reload the page and try again."
    )
    return problem(request, 403, _("Please try that again"), words, WayOn(_("Back to this page"), request.path), HOME)
