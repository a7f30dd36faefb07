"""The desk: the one way in for every change.

One writer thread a process takes all that waits into one transaction: matches locked in key order, commands decided in
the order of arrival, entries and matches written with `executemany`. Only after the commit are senders answered and
listeners told, so whatever was acknowledged is on the disk. The desk knows no socket.

requests.py   what is handed in, and what becomes of it
audit.py      what the log says of rulings
figures.py    what is counted for whoever watches the server
watched.py    what OpenTelemetry and Sentry are told, where the settings name them
batch.py      Desk: what the writer thread does with a batch
boards.py     the boards that it has at hand
answers.py    the first replies to command ids
projection.py state and seats of matches, written beside their journals
storage_faults.py  which exceptions are about the connection or the disk
quarantine.py whose requests keep failing
handler.py    what one request leads to
hand_over.py  what a phone that had no network hands over
matches.py    new matches: their first journal entry, their table
pairings.py   pairings that become matches
outage.py     when no process was alive, and what is done then
agreed_time.py  the time that all processes agree on
changes.py    what changed, for whoever listens
writer.py     the thread
"""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue

from django.db import connection, transaction

from clocks.desk.batch import Desk
from clocks.desk.matches import create_match, make_match, use_clock
from clocks.desk.pairings import decide, start_pairings, undecide
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
    """Ask for a change; returns at once."""
    _desk.writer.enqueue(request)


def submit_and_wait(request: Request) -> Reply:
    """Ask for a change and return the reply: for pages and management commands, outside of any transaction."""
    return submit_all_and_wait([request])[0]


def submit_all_and_wait(requests: Sequence[Request], beforehand: Callable[[], object] | None = None) -> list[Reply]:
    """Ask for changes, all in one transaction, and return their answers in order: outside of any transaction.

    `beforehand` is called first in that transaction, or in one of its own where there is nothing to ask for. Raises
    TimeoutError after WAIT_S seconds: the changes still wait and may be made later.
    """
    if beforehand is not None and not requests:
        with transaction.atomic():
            beforehand()
        return []
    if connection.in_atomic_block:
        raise RuntimeError("the desk commits by itself: do not wait for it inside a transaction")
    presence.ask({request.match_id for request in requests})
    answers: dict[int, Reply] = {}
    done = threading.Event()

    def answered(number: int, answer: Reply) -> None:
        answers[number] = answer
        if len(answers) == len(requests):
            done.set()

    for number, request in enumerate(requests):
        request.answered = partial(answered, number)
        request.beforehand = beforehand or request.beforehand
    _desk.writer.enqueue(*requests)
    if requests and not done.wait(WAIT_S):
        raise TimeoutError(SILENT)
    return [answers[number] for number in range(len(requests))]


def make_at_new_table(table: Table, setup: Setup) -> None:
    """Store a table and a match at it, in one transaction with the presses that come in meanwhile.

    For pages, outside of any transaction. A page that wrote by itself would hold the database's lock, for which presses
    would wait. Raises IntegrityError where another table has this code, TimeoutError as `submit_all_and_wait` does.
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


def claim_seat(match_id: int, seats: Sequence[Seat], device: Device) -> Reply:
    """Let a device hold exactly these seats of a match.

    A seat whose phone was heard within the last 10 s is not taken from it: Refused(Why.NO_SEAT) says so in words.
    Whoever is replaced is told (4409).
    """
    command = TakeSeat(device.pk, tuple(Seat(seat) for seat in seats))
    answer = submit_and_wait(Request(match_id, command, Official.SERVER, device_id=device.pk))
    if not answer.ok:
        raise answer.refusal()
    return answer
