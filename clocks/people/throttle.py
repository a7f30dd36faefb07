"""How often a password may be tried: by name and address together.

Never by the address alone, because a whole hall shares one; never by the name alone, or anybody could lock anybody out.
"""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from clocks.models import FailedSignIn

MOST = 8
WINDOW = timedelta(minutes=15)


def too_many(account: str, address: str) -> bool:
    """Tell whether this name was tried in vain so often from this address that it has to wait."""
    return _of(account, address).filter(at__gt=timezone.now() - WINDOW).count() >= MOST


def failed(account: str, address: str) -> None:
    """Count a wrong password; forget those that no longer count."""
    FailedSignIn.objects.filter(at__lte=timezone.now() - WINDOW).delete()
    FailedSignIn.objects.create(account=_key(account), address=address)


def succeeded(account: str, address: str) -> None:
    """Forget the wrong passwords before the right one."""
    _of(account, address).delete()


def _of(account: str, address: str) -> "QuerySet[FailedSignIn]":
    return FailedSignIn.objects.filter(account=_key(account), address=address)


def _key(account: str) -> str:
    return account.strip().casefold()[:150]
