"""What a server process does when it starts and before it ends."""

import gc
import logging
import sys

from django.conf import settings
from django.db import connection
from twisted.internet import defer, reactor, task, threads

from clocks.live import broadcast, parting
from clocks.live.flag_watch import watch
from clocks.tournament import forgetting

GOODBYE_S = 0.3  # for the last frames to leave

# A full pass of the garbage collector stops everything for 0.2 s with 2,000 phones, so it is rare. A socket that ends
# leaves nothing for it; what Django leaves of a page (a request and its user, a form and its fields) is young when it
# ends, and young objects are looked through as often as ever.
SOME_OBJECTS, YOUNG_PASSES, NEVER = 5_000, 20, 1_000_000_000
FULL_PASS_S = 600.0
FORGET_S = 24 * 3600.0

TURN_S = 0.001  # how long a thread may keep the event loop or the desk waiting; Python's own limit is 5 ms

logger = logging.getLogger(__name__)


def startup() -> None:
    """Deal with an outage, then watch the flags; exchange updates with other processes. Call in the running event loop.

    A server that cannot do this ends: it would look healthy, and no flag would fall.
    """
    sys.setswitchinterval(TURN_S)
    gc.collect()
    gc.freeze()
    gc.set_threshold(SOME_OBJECTS, YOUNG_PASSES, NEVER)
    task.LoopingCall(gc.collect).start(FULL_PASS_S, now=False)
    try:
        broadcast.listen()
        watch.start()
        if settings.KEEP_DAYS:
            task.LoopingCall(threads.deferToThread, _forget_expired).start(FORGET_S)
    except Exception:
        logger.exception("the server cannot begin its work")
        reactor.stop()  # type: ignore[misc]


def _forget_expired() -> None:
    """Forget, at the start and each day, whatever KEEP_DAYS says."""
    try:
        forgotten = forgetting.forget_expired()
        if forgotten:
            logger.info("names were removed from %d matches, as KEEP_DAYS says", forgotten)
    except Exception:
        logger.exception("what KEEP_DAYS says could not be forgotten; it is tried again tomorrow")
    finally:
        connection.close()


def shutdown() -> "defer.Deferred[None]":
    """Tell every socket to come back in a moment, and wait until that has been sent."""
    parting.send_away()
    return task.deferLater(reactor, GOODBYE_S)
