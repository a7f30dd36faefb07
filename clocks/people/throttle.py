"""How often a password may be tried, counted before it is looked at, so that forty tries at once count as forty.

Whoever guesses is to be slowed down, and nobody may shut anybody else out by guessing. A count by the name alone would
do just that; a count by the address alone stops nobody who has many, and stops a hall that shares one. Hence, within a
quarter of an hour:

- A browser where somebody has signed in before has a count of its own for that name: nobody else can use it up, so
  the right password lets a director in there at once, whatever happens anywhere else.
- Any other browser shares a count with its network (`client_key`): 8 tries of a name (compared by `look_alike`), and
  40 of all names. Guessing a director's name from a network shuts it out for new browsers of that network only:
  from any other network, a phone's own for example, the right password works at once.
- All of them together have 400, so that many networks do not add up to many guesses. That could be used up on purpose,
  so the first two tries of a network do not depend on it: a director on a new computer waits for nobody, and anywhere
  for a quarter of an hour at most where the network itself is left alone. Only 2,000 tries, from a thousand networks or
  more, end that too; they are fewer than the hashes that two at a time can do, so that there is always room for one.

One way has no count at all: the link that `make directorlink` prints for whoever has the computer. A right password is
never counted. It clears nothing either, or the owner of a name that looks like another could clear what was tried of
that one.

Hashing a password is slow on purpose. Two are hashed at a time in a process; more wait a moment, and are then asked to
try again, uncounted. A known browser waits longer than the rest.
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
MOST = 8  # tries of a name by a network, or by a browser that is known
MOST_OF_NETWORK = 40
MOST_OF_ALL = 400
ALWAYS = 2  # tries of a network that do not depend on what others do, up to
MOST_AT_ALL = 2_000

HASHES = 2
WAIT_S, WAIT_KNOWN_S = 1.0, 8.0

_hashes = threading.BoundedSemaphore(HASHES)
_BROWSER = "browser "


class TooManyTries(Exception):
    """Says that a password may not be tried now."""


class Busy(Exception):
    """Says that other passwords are being looked at; nothing was counted."""


def count(name: str, address: str, browser: str = "") -> FailedSignIn:
    """Count a try of a name as a wrong one, until `forget`; `browser` is the number of one that is known.

    Raises TooManyTries, and counts nothing, where it may not be made.
    """
    account, where = skeleton(name), f"{_BROWSER}{browser}" if browser else client_key(address)
    _must_be_allowed(account, where, among=0)  # first without writing: a flood of tries must not slow the clocks
    FailedSignIn.objects.filter(at__lte=timezone.now() - WINDOW).delete()
    tried = FailedSignIn.objects.create(account=account, address=where)
    try:
        _must_be_allowed(account, where, among=1)  # again: of those who came at once, each sees all before it
    except TooManyTries:
        forget(tried)
        raise
    return tried


def forget(tried: FailedSignIn) -> None:
    """Take a try off the count: its password was right, or was not looked at."""
    FailedSignIn.objects.filter(pk=tried.pk).delete()


def _must_be_allowed(account: str, where: str, among: int) -> None:
    """Raise TooManyTries where there are more than are allowed, `among` which this one is (1) or to which it comes."""
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
    """Hold one of the places in which a password is hashed. Raises Busy where none is free in time."""
    if not _hashes.acquire(timeout=WAIT_KNOWN_S if known else WAIT_S):
        raise Busy
    try:
        yield
    finally:
        _hashes.release()
