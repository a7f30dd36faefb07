"""Make N boards in the database of the environment and print, as JSON, each table's code and its phones' cookies.

Run as a process of its own: `python -m tests.bench.make 50`, the options of the setting as JSON after it if there are
any. Everything goes through the product's own code.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import json
import sys

import django

django.setup()

from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Confirm, TakeSeat
from clocks.engine.setup import Setup
from clocks.models import Tournament
from clocks.people import devices
from clocks.tournament import tables
from tests import prepared
from tests.bench.product import SLUG

SETUP = {"rules": "us-2013", "format": "singles", "length": 25, "score": [0, 0], "names": ["Ann", "Bob"]}


TOGETHER = 100  # boards that are stored at once: a commit for each would take minutes for ten thousand


def make_boards(number: int, options: dict[str, object]) -> list[dict[str, object]]:
    """Make tables and their matches; two phones of each take the seats and confirm the setting."""
    sizes = [min(TOGETHER, number - begin) for begin in range(0, number, TOGETHER)]
    return [board for size in sizes for board in _make_together(size, options)]


def _make_together(number: int, options: dict[str, object]) -> list[dict[str, object]]:
    with transaction.atomic():
        hall, _ = Tournament.objects.get_or_create(slug=SLUG, defaults={"name": "Bench"})
        made = [tables.add_table(hall) for _ in range(number)]
        matches = [desk.make_match(table, Setup.parse({**SETUP, "options": options})) for table in made]
        phones = [(match.pk, seat, *devices.join_device({})) for match in matches for seat in Seat]
    for asked in (
        [
            desk.Request(match, TakeSeat(device.pk, (seat,)), Official.SERVER, device_id=device.pk)
            for match, seat, device, _token in phones
        ],
        [desk.Request(match, Confirm(), seat, device_id=device.pk) for match, seat, device, _token in phones],
    ):
        refused = [reply for reply in desk.submit_all_and_wait(asked) if not reply.ok]
        if refused:
            raise RuntimeError(f"{len(refused)} of {len(asked)} were refused: {refused[0]}")
    cookies = [f"{settings.DEVICE_COOKIE_NAME}={token}" for _match, _seat, _device, token in phones]
    return [{"code": table.code, "cookies": cookies[2 * at : 2 * at + 2]} for at, table in enumerate(made)]


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    prepared.static_files(settings.DATA_DIR)
    prepared.forget()
    options = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    print(json.dumps(make_boards(int(sys.argv[1]), options)))
