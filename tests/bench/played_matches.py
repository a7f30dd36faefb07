"""Create played matches: `python -m tests.bench.played_matches 10000 100`.

The engine plays each match, with random thinking times. The journals are written in bulk, because 1,000,000 turns
through the desk would take much longer.
"""

# ruff: noqa: E402 (models can be imported only after the set-up)
import random
import sys
from collections.abc import Iterator

import django

django.setup()

from django.core.management import call_command
from django.db import transaction

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Command, Confirm, Hit, Propose
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match as MatchState
from clocks.engine.proposals import EndMatch
from clocks.engine.setup import Setup
from clocks.models import JournalEntry, Match, Tournament
from clocks.tournament import tables
from tests.bench.product import SLUG

SETUP = {"rules": "us-2013", "format": "singles", "length": 9, "score": [0, 0], "names": ["Ann", "Bob"]}
TYPICAL_MS, SPREAD = 12_000, 0.8  # log-normal turn length: median, and sigma of the logarithm
TOGETHER = 200


def make(number: int, turns: int) -> None:
    """Create `number` matches of up to `turns` turns each, at one table."""
    call_command("migrate", verbosity=0)
    tournament = Tournament.objects.create(slug=SLUG, name="Bench")
    table, chance = tables.add_table(tournament, "1"), random.Random(1)
    with transaction.atomic():
        first = desk.make_match(table, Setup.parse(SETUP))
    first.refresh_from_db()
    for begin in range(1, number, TOGETHER):
        more = [_copy(first) for _ in range(begin, min(number, begin + TOGETHER))]
        Match.objects.bulk_create(more)
    setup = JournalEntry.objects.filter(match=first).values("at", "by", "event", "data").get()
    for keys in _parts(list(Match.objects.order_by("pk").values_list("pk", flat=True))):
        _write(keys, first.pk, setup, turns, chance)
    Match.objects.update(status="over", version=turns + 4)


def _copy(match: Match) -> Match:
    return Match(table=match.table, setup=match.setup, status=match.status, state=match.state, version=match.version)


def _parts(keys: list[int]) -> Iterator[list[int]]:
    for begin in range(0, len(keys), TOGETHER):
        yield keys[begin : begin + TOGETHER]


def _write(keys: list[int], first: int, setup: dict[str, object], turns: int, chance: random.Random) -> None:
    """Write the journals of several matches in one transaction."""
    rows = [JournalEntry(match_id=key, seq=1, **setup) for key in keys if key != first]
    for key in keys:
        rows += _play(key, turns, chance)
    with transaction.atomic():
        JournalEntry.objects.bulk_create(rows, batch_size=2_000)


def _play(key: int, turns: int, chance: random.Random) -> Iterator[JournalEntry]:
    """Yield a match's entries after its setup; a fallen flag ends it."""
    state, at, seat = MatchState.begin(Setup.parse(SETUP)), 1_000_000, Seat.LEFT
    seq = 1
    asked: list[tuple[str, Command]] = [("director", Confirm()), ("left", Hit())]
    asked += [("", Hit()) for _ in range(turns)]
    asked.append(("director", Propose(EndMatch(Seat.LEFT))))
    for by, command in asked:
        at += round(TYPICAL_MS * chance.lognormvariate(0, SPREAD))
        party = Official.DIRECTOR if by == "director" else state.turn or seat
        outcome = perform(state, command, party, at)
        for index, event in enumerate(outcome.events):
            seq += 1
            yield JournalEntry(
                match_id=key,
                seq=seq,
                at=event.at,
                by=str(party),
                event=event.name,
                data=event.to_dict(),
                command=command.to_dict() if not index else None,
            )
        state = outcome.match
        if outcome.refusal is not None:
            return


if __name__ == "__main__":
    make(int(sys.argv[1]), int(sys.argv[2]))
