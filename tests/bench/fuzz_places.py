"""Create the fuzzer's matches: `python -m tests.bench.fuzz_places 30 10`.

One tournament has boards with two phones, boards with one phone, a director and a helper. Another, to which these have
no access, has the matches that must stay untouched.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import json
import sys

import django

django.setup()

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Confirm
from clocks.engine.setup import Setup
from clocks.models import Membership, Tournament
from clocks.seats import devices
from clocks.tournament import tables
from tests import prepared
from tests.bench.make import SETUP

FUZZED, UNTOUCHED = "fuzzed", "untouched"


def board(tournament: Tournament, phones: list[tuple[Seat, ...]]) -> dict[str, object]:
    """Create a confirmed match, with one new phone per group of seats."""
    table = tables.add_table(tournament)
    match = desk.make_match(table, Setup.parse(SETUP))
    cookies = []
    for seats in phones:
        device, token = devices.join_device({})
        desk.claim_seat(match.pk, seats, device)
        cookies.append(f"{settings.DEVICE_COOKIE_NAME}={token}")
    desk.submit_and_wait(desk.Request(match.pk, Confirm(), Official.DIRECTOR))
    return {"match": match.pk, "code": table.code, "cookies": cookies}


def session(tournament: Tournament, role: str) -> str:
    """Create a user with this role; return the session cookie."""
    user = User.objects.create_user(role)
    Membership.objects.create(tournament=tournament, user=user, role=role)
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    prepared.static_files(settings.DATA_DIR)
    prepared.forget()
    fuzzed, untouched = (Tournament.objects.create(slug=slug, name=slug) for slug in (FUZZED, UNTOUCHED))
    two, one = [(Seat.LEFT,), (Seat.RIGHT,)], [tuple(Seat)]
    pairs, shared = map(int, sys.argv[1:3])
    made = {
        "boards": [board(fuzzed, two) for _ in range(pairs)] + [board(fuzzed, one) for _ in range(shared)],
        "consoles": [session(fuzzed, role) for role in ("director", "helper")],
        "untouched": [board(untouched, two) for _ in range(2)],
    }
    print(json.dumps(made))
