"""Cost of one failing request for its batch: `python -m tests.bench.failing`.

Measures only the desk, with a database on the measured disk. The failing request names a nonexistent user, so the
database rejects it at commit.
"""

import argparse
import logging
import time
from collections.abc import Sequence
from statistics import median

from tests.bench.desk import FOLDER, Turn, make_boards

# isort: split
from django.core.management import call_command

from clocks.desk.batch import Desk
from clocks.desk.quarantine import AT_ONCE
from clocks.desk.requests import Request
from clocks.engine.commands import Call
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.models import Match

NOBODY = 1 << 40
TIMES = 15


def failing(turn: Turn) -> Request:
    """Request that the database rejects at commit."""
    return Request(turn.board.id, Call(f"{now_ms()}"), turn.seat, now_ms(), user_id=NOBODY)


def took_ms(desk: Desk, requests: Sequence[Request]) -> float:
    """Milliseconds that the desk takes to settle a batch."""
    begin = time.perf_counter()
    desk.settle(requests)
    return (time.perf_counter() - begin) * 1000


def main() -> None:
    """Settle batches with and without a failing request; print the medians."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.failing", description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=500, help="hits a batch (500)")
    chosen = parser.parse_args()
    logging.disable()
    call_command("migrate", verbosity=0)
    make_boards(chosen.batch + 1, {})
    bad, *turns = (Turn(board) for board in stored.matches(Match.objects.values_list("pk", flat=True)).values())
    found: dict[str, list[float]] = {"clean": [], "first": [], "later": [], "refused": []}
    for _ in range(TIMES):
        desk = Desk()
        desk.settle([turn.hit() for turn in turns])  # load the boards into the cache
        found["clean"].append(took_ms(desk, [turn.hit() for turn in turns]))
        for number in range(AT_ONCE + 1):
            kind = "first" if number == 0 else "refused" if number == AT_ONCE else "later"
            hits = [turn.hit() for turn in turns]
            middle = len(hits) // 2
            found[kind].append(took_ms(desk, [*hits[:middle], failing(bad), *hits[middle:]]))
    words = {
        "clean": "none fails",
        "first": "one fails for the first time, and is found by halving",
        "later": "one fails again, and is stored apart",
        "refused": "one is refused, because its asker's requests keep failing",
    }
    for kind, times in found.items():
        print(f"{chosen.batch} hits of which {words[kind]}: median {median(times):.1f} ms, most {max(times):.1f} ms")


if __name__ == "__main__":
    main()
    FOLDER.cleanup()
