"""Create N boards and print their codes and cookies as JSON.

Run in its own process, `python -m tests.bench.make 50 '{}' bench`, with time control options as JSON and the
tournament's slug. `next_round` starts another match at each table, with the same phones. Everything goes through the
product's own code.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import json
import sys
from collections.abc import Sequence

import django

django.setup()

from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Confirm, Propose, TakeSeat
from clocks.engine.proposals import EndMatch
from clocks.engine.setup import Setup
from clocks.models import Match, Table, Tournament
from clocks.seats import devices
from clocks.tournament import tables
from tests import prepared
from tests.bench.product import SLUG

SETUP = {"rules": "us-2013", "format": "singles", "length": 25, "score": [0, 0], "names": ["Ann", "Bob"]}


TOGETHER = 100  # boards per transaction: one commit each would take minutes for ten thousand boards


def make_boards(number: int, options: dict[str, object], slug: str = SLUG) -> list[dict[str, object]]:
    """Create tables and matches; two phones per match take their seats and confirm."""
    sizes = [min(TOGETHER, number - begin) for begin in range(0, number, TOGETHER)]
    return [board for size in sizes for board in _make_together(size, options, slug)]


def _make_together(number: int, options: dict[str, object], slug: str) -> list[dict[str, object]]:
    with transaction.atomic():
        hall, _ = Tournament.objects.get_or_create(slug=slug, defaults={"name": "Bench"})
        made = [tables.add_table(hall) for _ in range(number)]
        matches = [desk.make_match(table, Setup.parse({**SETUP, "options": options})) for table in made]
        phones = [devices.join_device({}) for _match in matches for _seat in Seat]
    pairs = [(phones[at][0].pk, phones[at + 1][0].pk) for at in range(0, len(phones), 2)]
    _sit_down([(match.pk, pair) for match, pair in zip(matches, pairs, strict=True)])
    cookies = [f"{settings.DEVICE_COOKIE_NAME}={token}" for _device, token in phones]
    return [{"code": table.code, "cookies": cookies[2 * at : 2 * at + 2]} for at, table in enumerate(made)]


def next_round() -> int:
    """End the match at each table and seat its phones at a new one; return the number."""
    played = list(Match.objects.filter(pk__in=Table.objects.filter(tournament__slug=SLUG).values("current")))
    for begin in range(0, len(played), TOGETHER):
        together = played[begin : begin + TOGETHER]
        _ask([desk.Request(match.pk, Propose(EndMatch(Seat.LEFT)), Official.DIRECTOR) for match in together])
        with transaction.atomic():
            matches = [desk.make_match(match.table, Setup.parse(match.setup)) for match in together]
        phones = [(match.left_device_id, match.right_device_id) for match in together]
        _sit_down([(match.pk, pair) for match, pair in zip(matches, phones, strict=True)])
    return len(played)


def _sit_down(at_boards: Sequence[tuple[int, tuple[int, int]]]) -> None:
    """Seat two phones, left first, at each of these matches, and confirm the setup."""
    phones = [(match, seat, device) for match, pair in at_boards for seat, device in zip(Seat, pair, strict=True)]
    taken = [(match, TakeSeat(device, (seat,)), Official.SERVER, device) for match, seat, device in phones]
    confirmed = [(match, Confirm(), seat, device) for match, seat, device in phones]
    for asked in (taken, confirmed):
        _ask([desk.Request(match, command, by, device_id=device) for match, command, by, device in asked])


def _ask(asked: Sequence[desk.Request]) -> None:
    refused = [reply for reply in desk.submit_all_and_wait(asked) if not reply.ok]
    if refused:
        raise RuntimeError(f"{len(refused)} of {len(asked)} were refused: {refused[0]}")


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    prepared.static_files(settings.DATA_DIR)
    prepared.forget()
    number, options, slug = sys.argv[1:]
    print(json.dumps(make_boards(int(number), json.loads(options), slug)))
