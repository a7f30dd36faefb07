"""The desk: the one way in for every change.

One writer thread a process takes all that waits into one transaction: matches locked in key order, commands decided in
the order of arrival, entries and matches written with `executemany`. Only after the commit are senders answered and
everybody told, so whatever was acknowledged is on the disk.

batch.py      Desk: what the writer thread does with a batch
handler.py    what one request leads to
matches.py    new matches: their first journal entry, their table
pairings.py   pairings that become matches
outage.py     when no process was alive, and what is done then
writer.py     the thread
"""

import threading
from collections.abc import Callable, Sequence
from functools import partial

from django.db import connection

from clocks.desk.batch import Desk
from clocks.desk.matches import make_match, use_clock
from clocks.desk.pairings import start_pairings
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Party
from clocks.engine.commands import Command, TakeSeat
from clocks.engine.refusals import Refused
from clocks.host.server_time import now_ms
from clocks.models import Device

__all__ = [
    "claim_seat",
    "forget",
    "make_match",
    "start_pairings",
    "submit",
    "submit_all_and_wait",
    "submit_and_wait",
    "use_clock",
    "wake",
    "watch_flags",
]

WAIT_S = 30.0

_desk = Desk()
forget = _desk.forget
wake = _desk.writer.put


def watch_flags(told: Callable[[int], None]) -> None:
    """Have `told` called, in the writer's thread, with the earliest flag_at of each commit."""
    _desk.told_of_flag = told


def submit(
    match_id: int,
    command: Command,
    by: Party,
    at: int,
    *,
    command_id: str | None = None,
    device_id: int | None = None,
    user_id: int | None = None,
    claimed_at: int | None = None,
    credit_ms: int = 0,
    answered: Callable[[Reply], None] | None = None,
    alongside: Callable[[], None] | None = None,
    may_end: bool = True,
) -> None:
    """Ask for a change; returns at once. `answered` is called in the event loop's thread, after the commit."""
    who = (command_id, device_id, user_id)
    network = (claimed_at, credit_ms)
    _desk.writer.put(
        Request(match_id, command, by, at, *who, *network, answered, on_loop=True, alongside=alongside, may_end=may_end)
    )


def submit_and_wait(
    match_id: int,
    command: Command,
    by: Party,
    at: int | None = None,
    *,
    command_id: str | None = None,
    device_id: int | None = None,
    user_id: int | None = None,
) -> Reply:
    """Ask for a change and return the answer: for pages and management commands, outside of any transaction."""
    request = Request(match_id, command, by, now_ms() if at is None else at, command_id, device_id, user_id)
    return submit_all_and_wait([request])[0]


def submit_all_and_wait(requests: Sequence[Request]) -> list[Reply]:
    """Ask for changes, all in one transaction, and return their answers in order: outside of any transaction."""
    if connection.in_atomic_block:
        raise RuntimeError("the desk commits by itself: do not wait for it inside a transaction")
    answers: dict[int, Reply] = {}
    done = threading.Event()

    def answered(number: int, answer: Reply) -> None:
        answers[number] = answer
        if len(answers) == len(requests):
            done.set()

    for number, request in enumerate(requests):
        request.answered = partial(answered, number)
    _desk.writer.put(*requests)
    if requests and not done.wait(WAIT_S):
        raise TimeoutError(f"the desk did not answer within {WAIT_S:.0f} s")
    return [answers[number] for number in range(len(requests))]


def claim_seat(match_id: int, seats: Sequence[Seat], device: Device) -> Reply:
    """Let a device hold exactly these seats of a match.

    A seat whose phone was heard within the last 10 s is not taken from it: Refused("no-seat") says so in words.
    Whoever is replaced is told (4409).
    """
    command = TakeSeat(device.pk, tuple(Seat(seat) for seat in seats))
    answer = submit_and_wait(match_id, command, Official.SERVER, device_id=device.pk)
    if not answer.ok:
        raise Refused(answer.code, answer.words)
    return answer
