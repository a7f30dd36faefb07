"""Add hits to every match: `python -m tests.bench.lengthen 1000000`.

Plays one match through the desk and copies its entries to the others, because a million hits through the desk take half
an hour. Only the length of the journal matters here.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import sys

import django

django.setup()

from django.db import connection

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Hit
from clocks.journal import chain
from clocks.models import JournalEntry, Match
from tests.bench.play import new_id

COPIED = ("seq", "at", "by", "device_id", "event", "data", "command", "command_id", "claimed_at", "credit_ms")
COPIED += ("user_name", "user_role")


def lengthen(hits: int) -> int:
    """Play one match and copy its hits to all others; return the total number of hits."""
    first, *others = Match.objects.order_by("pk")
    each, begins = hits // (len(others) + 1), first.version
    seat = Seat.LEFT
    for number in range(each):
        hit = Hit(turn_number=number)
        device_id = (first.left_device_id, first.right_device_id)[seat.index]
        answer = desk.submit_and_wait(desk.Request(first.pk, hit, seat, command_id=new_id(), device_id=device_id))
        if not answer.ok:
            raise RuntimeError(f"a hit was refused: {answer.words}")
        seat = seat.other
    table, columns = JournalEntry._meta.db_table, ", ".join(f'"{name}"' for name in COPIED)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} (match_id, {columns}) SELECT others.id, {columns}"
            f" FROM {table} JOIN {Match._meta.db_table} others ON others.id <> {table}.match_id"
            f" WHERE {table}.match_id = %s AND seq > %s ORDER BY seq, others.id",
            [first.pk, begins],
        )
    first.refresh_from_db()
    Match.objects.filter(version=begins).update(
        version=first.version, status=first.status, flag_at=first.flag_at, state=first.state
    )
    chain.complete()
    return each * (len(others) + 1)


if __name__ == "__main__":
    print(lengthen(int(sys.argv[1])))
