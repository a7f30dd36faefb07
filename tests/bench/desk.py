"""CPU time per hit in the desk's thread, without sockets.

    python -m tests.bench.desk [--batch 20] [--batches 1500]

The first place to see the cost of a change to the engine, journal or database: its figures vary by only a few per cent,
even on a busy machine.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import argparse
import os
import random
import tempfile
import time
from dataclasses import dataclass
from statistics import mean, quantiles

from tests.bench.server import data_home

FOLDER = tempfile.TemporaryDirectory(prefix="bench-", dir=data_home())
os.environ |= {"DATA_DIR": FOLDER.name, "DJANGO_SETTINGS_MODULE": "config.settings"}

import django

django.setup()

from django.core.management import call_command

from clocks.desk import changes
from clocks.desk.batch import Desk
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Hit
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.journal.stored import StoredMatch
from clocks.live.updates import Update, update_of
from clocks.models import Match
from tests.bench.make import make_boards
from tests.bench.play import new_id

BOARDS = 50


@dataclass
class Turn:
    """A board whose seats hit alternately."""

    board: StoredMatch
    seat: Seat = Seat.LEFT
    number: int = 0

    def hit(self) -> Request:
        """Next hit, as submitted by the phone of the seat whose turn it is."""
        now, seat, number = now_ms(), self.seat, self.number
        self.seat, self.number = seat.other, number + 1
        device = self.board.devices[seat.index]
        hit = Hit(turn_number=number)
        return Request(self.board.id, hit, seat, now, new_id(), device, claimed_at=now, answered=must_be_ok)


def must_be_ok(answer: Reply) -> None:
    """Abort the run if a hit was rejected."""
    if not answer.ok:
        raise RuntimeError(f"a hit was refused: {answer.words}")


def main() -> None:
    """Settle batches of hits; print the CPU time per hit (µs)."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.desk", description=__doc__)
    parser.add_argument("--batch", type=int, default=20, help="hits a batch, of 50 boards (20)")
    parser.add_argument("--batches", type=int, default=1500, help="batches (1500)")
    chosen = parser.parse_args()
    call_command("migrate", verbosity=0)
    make_boards(BOARDS, {})
    turns = [Turn(board) for board in stored.matches(Match.objects.values_list("pk", flat=True)).values()]
    changes.listen(lambda changed: encoded.extend(update_of(change, now_ms()) for change in changed))  # as for sockets
    desk, costs, encoded = Desk(), list[float](), list[Update]()
    for _ in range(chosen.batches):
        batch = [turn.hit() for turn in random.sample(turns, chosen.batch)]
        begin = time.process_time()
        desk.settle(batch)
        encoded.clear()
        costs.append((time.process_time() - begin) / chosen.batch * 1e6)
    tenths = quantiles(costs, n=10)
    print(
        f"CPU of a hit, batches of {chosen.batch}: least tenth {tenths[0]:.0f} µs, median {tenths[4]:.0f} µs, ", end=""
    )
    print(f"mean {mean(costs):.0f} µs")


if __name__ == "__main__":
    main()
    FOLDER.cleanup()
