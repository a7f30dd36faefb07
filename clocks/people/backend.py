"""Authentication backend: Django's password check, behind the throttle."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from clocks.people import audit, known_browsers, throttle

TOO_MANY, BUSY = "too-many-tries", "busy"


class ThrottledBackend(ModelBackend):
    """Throttled password check, for the director's pages and Django's admin."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """Return the user, or None if name or password is wrong.

        Raises ValidationError with code `too-many-tries` or `busy` if the password may not be tried now.
        """
        if username is None or password is None:
            return None
        address = "" if request is None else str(request.META["REMOTE_ADDR"])
        browser = _known(request, username)
        try:
            tried = throttle.count(username, address, browser)
        except throttle.TooManyTries:
            audit.kept_waiting(username, address)
            raise ValidationError(
                _(
                    "There have been too many wrong passwords. Wait a quarter of an hour, use a browser in which you "
                    "have signed in before, or sign in with a link from the computer that runs the clock."
                ),
                TOO_MANY,
            ) from None
        try:
            with throttle.hashing(known=bool(browser)):
                user = super().authenticate(request, username, password, **kwargs)
        except throttle.Busy:
            throttle.forget(tried)
            words = _("Many people are signing in at this moment. Try again in a few seconds.")
            raise ValidationError(words, BUSY) from None
        if user is not None:
            throttle.forget(tried)
        return user


def _known(request: HttpRequest | None, name: str) -> str:
    """Id of the requesting browser if this user has signed in with it before, else ""."""
    browser = None if request is None else known_browsers.read(request.COOKIES)
    if browser is None:
        return ""
    # Compare exact names: an owner of a look-alike name could otherwise guess afresh in each of their own browsers.
    return browser.id if User.objects.filter(pk__in=browser.users, username=name).exists() else ""
