"""Audit log of sign-ins, sign-outs, failures and denied permissions.

The desk logs rulings with the same logger. The log never contains a password, link or token, nor a user name as typed,
because people type passwords into the wrong field.
"""

import logging
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

logger = logging.getLogger("clocks.audit")


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Log a sign-in by password or link."""
    logger.info("user %s signed in from %s", user.pk, _address(request))


@receiver(user_logged_out)
def signed_out(request: HttpRequest, user: User | None, **kwargs: Any) -> None:
    """Log a sign-out."""
    if user is not None:
        logger.info("user %s signed out at %s", user.pk, _address(request))


@receiver(user_login_failed)
def mistaken(credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any) -> None:
    """Log a wrong name or password."""
    logger.warning("%s: a wrong password from %s", _whom(str(credentials.get("username", ""))), _address(request))


def kept_waiting(name: str, address: str) -> None:
    """Log that the throttle rejected a password without checking it."""
    logger.warning("%s: too many wrong passwords from %s", _whom(name), address)


def refused(user_id: int | None, what: str, where: str) -> None:
    """Log a signed-in user's request that their role does not permit."""
    logger.warning("user %s may not %s in %s", user_id, what, where)


def _whom(name: str) -> str:
    key = User.objects.filter(username=name).values_list("pk", flat=True).first()
    return "an unknown name" if key is None else f"user {key}"


def _address(request: HttpRequest | None) -> str:
    return "no address" if request is None else str(request.META.get("REMOTE_ADDR", ""))
