"""A busy API client does not slow a match on the real server."""

import json
import threading
import urllib.request
from typing import Any

from tests.server.daphne import House

LINES, LOOPS, EACH = 1_000, 2, 4
BETWEEN_S = 0.1  # between presses, below the rate limit of a socket

MAKE = """
import json
from django.contrib.auth.models import User
from clocks.models import Membership, Round, Tournament
from clocks.people import api_tokens
open_ = Tournament.objects.create(slug="open", name="Open")
owner = User.objects.create_user("owner")
Membership.objects.create(tournament=open_, user=owner, role="owner")
Round.objects.create(tournament=open_, number=1)
print(json.dumps(api_tokens.make(open_, owner, "Draws", "director", None)))
"""


def test_dry_runs_of_1000_lines_keep_no_press_waiting(house: House) -> None:
    made, token = house.new_match(), house.python(MAKE)
    house.start()
    drawn = [{"left": f"Left {n}", "right": f"Right {n}", "table": str(n)} for n in range(LINES)]
    request = urllib.request.Request(
        f"http://127.0.0.1:{house.port}/api/v1/tournaments/open/rounds/1/pairings?dry_run=1",
        json.dumps({"pairings": drawn}).encode(),
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        method="PUT",
    )
    tried: list[int] = []

    def loop() -> None:
        for _ in range(EACH):
            with urllib.request.urlopen(request, timeout=120) as answer:
                tried.append(len(json.load(answer)["lines"]))

    phones = [house.phone(made, seat) for seat in ("left", "right")]
    for number, phone in enumerate(phones):
        assert phone.do("confirm", f"confirm-{number}")["t"] == "ack"
    loops = [threading.Thread(target=loop) for _ in range(LOOPS)]
    for thread in loops:
        thread.start()
    answers: list[dict[str, Any]] = []
    while running := [thread for thread in loops if thread.is_alive()]:
        running[0].join(BETWEEN_S)
        seat = len(answers) % 2
        phones[seat].see(v=answers[-1]["v"]) if answers else None
        answers.append(phones[seat].do("hit", f"hit-{len(answers)}", turn_number=phones[seat].snapshot["turn_number"]))
    assert tried == [LINES] * LOOPS * EACH
    assert {answer["t"] for answer in answers} == {"ack"}, "a press was refused: the clocks stopped"
    assert len(answers) >= len(tried), "presses waited for the dry runs"
