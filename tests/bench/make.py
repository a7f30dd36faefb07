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

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm
from clocks.engine.setup import Setup
from clocks.models import Tournament
from clocks.people import devices
from clocks.tournament import tables
from tests.bench.product import SLUG

SETUP = {"rules": "us-2013", "format": "singles", "length": 25, "score": [0, 0], "names": ["Ann", "Bob"]}


def make_board(options: dict[str, object]) -> dict[str, object]:
    """Make a table and its match; two phones take the seats and confirm the setting."""
    hall, _ = Tournament.objects.get_or_create(slug=SLUG, defaults={"name": "Bench"})
    table = tables.add_table(hall)
    match = desk.make_match(table, Setup.parse({**SETUP, "options": options}))
    cookies = []
    for seat in Seat:
        device, token = devices.join_device({})
        desk.claim_seat(match.pk, [seat], device)
        desk.submit_and_wait(desk.Request(match.pk, Confirm(), seat, device_id=device.pk))
        cookies.append(f"{settings.DEVICE_COOKIE_NAME}={token}")
    return {"code": table.code, "cookies": cookies}


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        call_command("collectstatic", verbosity=0, interactive=False)
    options = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    print(json.dumps([make_board(options) for _ in range(int(sys.argv[1]))]))
