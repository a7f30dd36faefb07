"""Rate limits for password attempts, counted before the check.

Guessing must be slow, but must not lock out anybody else. A limit per name would lock out its owner; a limit per
address would not stop an attacker who has many, and would lock out a hall that shares one. Hence, per 15 minutes:

- A browser in which the user has signed in before has its own limit for that name. Nobody else can use it up, so
  others' guesses never lock the user out there.
- Other browsers share a limit per network (`client_key`): 8 attempts per name (compared by `look_alike`), 40 over all
  names. Guessing a director's name locks out new browsers of that network only.
- All networks together have 400, against distributed guessing. An attacker could use that up on purpose, so the first
  two attempts of each network are exempt, up to 2,000 in all: a director on a new computer still gets in. Two hashing
  slots can process more than 2,000.

The link that `make directorlink` prints has no limit. A correct password is not counted, but does not reset a count
either: the owner of a look-alike name could otherwise reset another user's.

Hashing is slow on purpose. A process hashes two passwords at a time; others wait a moment and are then rejected as
busy, uncounted. A known browser waits longer.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from clocks.host.ratelimit import client_key
from clocks.models import FailedSignIn
from clocks.people.look_alike import skeleton

WINDOW = timedelta(minutes=15)
MOST = 8  # attempts per name and network, or per name and known browser
MOST_OF_NETWORK = 40
MOST_OF_ALL = 400
ALWAYS = 2  # attempts per network exempt from MOST_OF_ALL
MOST_AT_ALL = 2_000

HASHES = 2
WAIT_S, WAIT_KNOWN_S = 1.0, 8.0

_hashes = threading.BoundedSemaphore(HASHES)
_BROWSER = "browser "


class TooManyTries(Exception):
    """A limit on attempts is reached."""


class Busy(Exception):
    """All hashing slots are taken; the attempt does not count."""


def count(name: str, address: str, browser: str = "") -> FailedSignIn:
    """Count an attempt as failed, until `forget`.

    `browser` is the id of a known browser, else "". Raises TooManyTries, without counting, if a limit is reached.
    """
    account, where = skeleton(name), f"{_BROWSER}{browser}" if browser else client_key(address)
    _must_be_allowed(account, where, among=0)  # before any write, so that a flood of attempts cannot slow the clocks
    FailedSignIn.objects.filter(at__lte=timezone.now() - WINDOW).delete()
    tried = FailedSignIn.objects.create(account=account, address=where)
    try:
        _must_be_allowed(account, where, among=1)  # again, because a parallel attempt may have been counted since
    except TooManyTries:
        forget(tried)
        raise
    return tried


def forget(tried: FailedSignIn) -> None:
    """Discount an attempt: its password was correct, or was not checked."""
    FailedSignIn.objects.filter(pk=tried.pk).delete()


def _must_be_allowed(account: str, where: str, among: int) -> None:
    """Check all limits. Raises TooManyTries.

    `among` is 1 if this attempt is already counted, else 0.
    """
    tried = FailedSignIn.objects.filter(at__gt=timezone.now() - WINDOW)
    here = tried.filter(address=where)
    if _more(here.filter(account=account), MOST, among):
        raise TooManyTries
    if where.startswith(_BROWSER):
        return
    strangers = tried.exclude(address__startswith=_BROWSER)
    if _more(here, MOST_OF_NETWORK, among) or _more(strangers, MOST_AT_ALL, among):
        raise TooManyTries
    if _more(strangers, MOST_OF_ALL, among) and _more(here, ALWAYS, among):
        raise TooManyTries


def _more(tried: "QuerySet[FailedSignIn]", most: int, among: int) -> bool:
    return tried.count() - among >= most


@contextmanager
def hashing(known: bool) -> Iterator[None]:
    """Hold a hashing slot. Raises Busy if none becomes free in time."""
    if not _hashes.acquire(timeout=WAIT_KNOWN_S if known else WAIT_S):
        raise Busy
    try:
        yield
    finally:
        _hashes.release()
