"""The desk: the only code that changes matches, by group commit.

One writer thread per process takes all waiting requests into one transaction: it locks the matches in key order,
decides the requests in order of arrival, and writes entries and matches with `executemany`. Replies and updates follow
the commit, so every acknowledged change is on disk. The desk knows nothing about sockets.

requests.py        requests and replies
writer.py          the writer thread and its queue
batch.py           Desk: one transaction per batch
soon.py            transactions that poll for SQLite's write lock
boards.py          cache of stored matches
answers.py         idempotency: first replies by command id
handler.py         decision of one request
hand_over.py       commands kept by an offline phone
projection.py      current state and seats of matches, stored beside the journals
changes.py         publishes changes to listeners
matches.py         new matches
pairings.py        pairings that become matches
outage.py          heartbeat, and stops after an outage
agreed_time.py     clock shared by all processes
quarantine.py      isolates requests that keep failing
storage_faults.py  recognises exceptions of the connection or the disk
audit.py           audit log of rulings
figures.py         metrics
watched.py         OpenTelemetry and Sentry
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue

from django.db import connection, transaction
from django.db.models import Q

from clocks.desk import pairings
from clocks.desk.batch import Desk
from clocks.desk.matches import create_match, make_match, use_clock
from clocks.desk.pairings import start_pairings, undecide
from clocks.desk.requests import NewMatch, Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import TakeSeat
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal import entries
from clocks.models import Device, Match, Table
from clocks.seats import presence

__all__ = [
    "Reply",
    "Request",
    "busy_s",
    "claim_seat",
    "decide",
    "finish_exchanges",
    "forget",
    "make_at_new_table",
    "make_match",
    "start_pairings",
    "submit",
    "submit_all_and_wait",
    "submit_and_wait",
    "undecide",
    "use_clock",
    "wake",
]

WAIT_S = 30.0
SILENT = f"the desk did not answer within {WAIT_S:.0f} s"

_desk = Desk()
forget = _desk.forget
wake = _desk.writer.enqueue
busy_s = _desk.writer.busy_s


def submit(request: Request) -> None:
    """Queue a request and return at once."""
    _desk.writer.enqueue(request)


def submit_and_wait(request: Request) -> Reply:
    """Submit a request and return the reply.

    For pages and management commands, outside any transaction.
    """
    return submit_all_and_wait([request])[0]


def submit_all_and_wait(requests: Sequence[Request], beforehand: Callable[[], object] | None = None) -> list[Reply]:
    """Submit requests in one batch, and return their replies in order.

    For callers outside any transaction. `beforehand` is called once, first in their transaction, or in its own if there
    are no requests. Raises TimeoutError after WAIT_S seconds; the requests stay queued and may still be carried out.
    """
    if beforehand is not None and not requests:
        with transaction.atomic():
            beforehand()
        return []
    if connection.in_atomic_block:
        raise RuntimeError("the desk commits by itself: do not wait for it inside a transaction")
    presence.ask({request.match_id for request in requests})
    answers: SimpleQueue[tuple[int, Reply]] = SimpleQueue()
    for number, request in enumerate(requests):
        request.answered = partial(_put, answers, number)
        request.beforehand = beforehand or request.beforehand
    _desk.writer.enqueue(*requests)
    until = time.monotonic() + WAIT_S
    try:
        replies = dict(answers.get(timeout=max(0.0, until - time.monotonic())) for _request in requests)
    except Empty:
        raise TimeoutError(SILENT) from None
    return [replies[number] for number in range(len(requests))]


def _put(answers: "SimpleQueue[tuple[int, Reply]]", number: int, reply: Reply) -> None:
    answers.put((number, reply))


def make_at_new_table(table: Table, setup: Setup) -> None:
    """Store a new table and a match at it, in a desk transaction.

    So presses do not wait for a lock held by a page. Call it outside any transaction. Raises IntegrityError if another
    table has this code, and TimeoutError as `submit_all_and_wait` does.
    """

    def make() -> tuple[Match, entries.Row]:
        table.pk = None
        table.save(force_insert=True)
        return create_match(table, setup, entries.Asker(Official.SERVER), now_ms())

    answers: SimpleQueue[Exception | None] = SimpleQueue()
    _desk.writer.enqueue(NewMatch(make, answers.put))
    try:
        error = answers.get(timeout=WAIT_S)
    except Empty:
        raise TimeoutError(SILENT) from None
    if error is not None:
        raise error


def decide(pairing_id: int) -> None:
    """Advance the players of a match played without a clock; start ready matches.

    In matches that have already begun, the players are replaced after the commit.
    """
    pairings.decide(pairing_id)
    requests = pairings.with_other_players(Q(source=pairing_id))
    if requests:
        transaction.on_commit(lambda: _desk.writer.enqueue(*requests))


def finish_exchanges() -> None:
    """Finish replacing players where the server stopped halfway."""
    requests = pairings.cut_short()
    if requests:
        _desk.writer.enqueue(*requests)


def claim_seat(match_id: int, seats: Sequence[Seat], device: Device) -> Reply:
    """Give a phone exactly these seats of a match.

    Raises Refused(Why.NO_SEAT) if another phone in one of these seats is, or may be, online. The sockets of replaced
    phones are closed with 4409.
    """
    command = TakeSeat(device.pk, tuple(Seat(seat) for seat in seats))
    answer = submit_and_wait(Request(match_id, command, Official.SERVER, device_id=device.pk))
    if not answer.ok:
        raise answer.refusal()
    return answer
