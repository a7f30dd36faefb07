"""A scripted cheat gains at most its budget against an honest phone.

The cheat takes the other seat while that phone is silent, delays its answers to pings, forges the times of its presses,
resends them, presses out of turn, proposes terms in its own favour and agrees to them, and sometimes goes silent. Time
is injected, and all matches share the desk. The suite plays 60 matches, `make check-attacks` a thousand.
"""

import os
import random
from collections.abc import Iterable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction

from clocks import desk
from clocks.desk import Reply, Request
from clocks.desk.matches import create_match
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Command, Confirm, Hit, ReleaseSeat, TakeSeat, parse_command
from clocks.engine.lag import GAME_CREDIT_MS, PRESS_CREDIT_MS
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal import entries
from clocks.lag.late_presses import LATE_MS
from clocks.lag.signs import Signs
from clocks.models import JournalEntry, Match, Table
from clocks.seats import devices, presence
from clocks.tournament import codes, tables

pytestmark = pytest.mark.django_db(transaction=True)

MATCHES = int(os.environ.get("CHEATS", "60"))
ROUNDS = 8  # turns per player
RESERVE_MS = 3_600_000
LAG_MS = 250
PING_MS = 5_000
NETWORK_MS = 40  # round-trip time of the honest phone

SETTING = {
    "rules": "custom",
    "length": 5,
    "names": ["Cheat", "Ann"],
    "options": {"reserve_ms": RESERVE_MS, "delay_ms": 0, "lag_credit_ms": LAG_MS},
}
LEFT, RIGHT = Seat.LEFT, Seat.RIGHT
FOR_ITSELF = {"do": "propose", "what": "game", "winner": "left", "points": 5}
NO = parse_command({"do": "decline", "note": "The board says otherwise."})
ANSWERS = [parse_command({"do": do}) for do in ("agree", "take", "pass", "resume", "double")]


class Cheat:
    """The cheat at one table, in the left seat.

    `at` is the time at the table; `took_ms` is the total real length of each seat's turns.
    """

    def __init__(self, number: int, match_id: int, own: int, honest: int, at: int) -> None:
        self.dice = random.Random(number)
        self.match_id, self.own, self.honest, self.at = match_id, own, honest, at
        self.took_ms = {LEFT: 0, RIGHT: 0}
        self.signs = Signs(at - PING_MS)
        self.pinged_at = at
        self.answered_since = False
        self.sent: Request | None = None
        self.ids = 0

    def asks(self, command: Command, by: str, device: int | None, **more: int | None) -> Request:
        self.ids += 1
        return Request(self.match_id, command, by, self.at, f"{self.match_id}-{self.ids}", device, **more)

    def think(self, seat: Seat) -> None:
        """Spend a turn; meanwhile the cheat answers pings or stays silent."""
        thinks_ms = self.dice.randint(500, 20_000)
        self.at += thinks_ms
        self.took_ms[seat] += thinks_ms
        presence.saw(self.match_id, RIGHT.index, self.at)
        self.is_silent = seat is LEFT and self.dice.random() < 0.3
        while self.pinged_at + PING_MS <= self.at:
            self.pinged_at += PING_MS
            if not self.is_silent:
                self.signs.answered(self.pinged_at)

    def hits(self) -> Request:
        """The cheat's press, with a random claimed time, often much too early."""
        claimed_ms = self.dice.choice([LAG_MS, LAG_MS, LAG_MS, -500, 900, 4_000, 15_000, 3_600_000])
        claimed_at = self.at - claimed_ms
        held_back_ms = self.dice.randint(LAG_MS, 2_000)  # the cheat can also delay its answers to WebSocket pings
        heard_at = self.signs.last_before(claimed_at) or None
        network = {"claimed_at": claimed_at, "credit_ms": min(claimed_ms, held_back_ms), "heard_at": heard_at}
        self.answered_since = heard_at is not None and heard_at - claimed_at >= LATE_MS
        self.sent = self.asks(Hit(), LEFT, self.own, **network)
        return self.sent

    def again(self) -> Request:
        """The last press with the same id but an earlier claimed time."""
        assert self.sent is not None and self.sent.claimed_at is not None
        sent = self.sent
        return Request(
            sent.match_id,
            sent.command,
            LEFT,
            self.at,
            sent.command_id,
            self.own,
            claimed_at=sent.claimed_at - 9_000,
            credit_ms=LAG_MS,
        )

    def mischief(self) -> list[Request]:
        """Commands in both seats' names to settle the match, and a press out of turn."""
        by = self.dice.choice([LEFT, RIGHT])
        out_of_turn = self.asks(Hit(), RIGHT, self.own, claimed_at=self.at - 60_000, credit_ms=LAG_MS)
        settles = [self.asks(command, RIGHT, self.own) for command in self.dice.sample(ANSWERS, 3)]
        settles.append(self.asks(parse_command({"do": "agree"}), LEFT, self.own))
        return [self.asks(parse_command(FOR_ITSELF), by, self.own), *settles, out_of_turn]

    def honest_hit(self) -> Request:
        """The honest phone's press, which claims its true delay."""
        claimed_at = self.at - NETWORK_MS // 2
        return self.asks(Hit(), RIGHT, self.honest, claimed_at=claimed_at, credit_ms=NETWORK_MS // 2)


def settle(requests: Iterable[Request]) -> list[Reply]:
    """Submit requests in one transaction; return the replies."""
    asked = list(requests)
    return desk.submit_all_and_wait(asked)


def boards() -> list[Cheat]:
    """Cheats at their tables; both seats are taken, and it is the cheat's turn."""
    phones = [devices.join_device({})[0].pk for _ in range(2)]
    setup, at = Setup.parse(SETTING), now_ms()
    with transaction.atomic():
        hall = tables.casual_tournament()
        names = [f"T{number}" for number in range(MATCHES)]
        made = Table.objects.bulk_create(Table(tournament=hall, name=name, code=codes.unused_code()) for name in names)
        matches = [create_match(table, setup, entries.Asker(Official.SERVER), at) for table in made]
        entries.append([row for _, row in matches])
    cheats = [Cheat(number, match.pk, *phones, at) for number, (match, _) in enumerate(matches)]
    for command, by in (
        (TakeSeat(phones[0], (LEFT,)), "server"),
        (TakeSeat(phones[1], (RIGHT,)), "server"),
        (Confirm(), "director"),
        (Hit(), RIGHT),
    ):
        assert all(reply.ok for reply in settle(cheat.asks(command, by, None) for cheat in cheats))
    return cheats


def test_a_cheat_gains_at_most_its_budget_and_never_settles_alone() -> None:
    cheats = boards()
    for number in range(ROUNDS):
        for cheat in cheats:
            cheat.think(LEFT)
        assert all(reply.ok for reply in settle(cheat.hits() for cheat in cheats))
        seen = {match_id: board.late for match_id, board in desk._desk._matches.items()}
        for cheat in cheats:
            late = seen[cheat.match_id]
            assert late is None or late.at != cheat.at or not cheat.answered_since
        replies = settle(cheat.again() for cheat in cheats)
        assert all(reply.ok and reply.again for reply in replies)
        for cheat in cheats:
            cheat.think(RIGHT)
        if number % 4 == 3:
            wronged = cheats[number % 2 :: 2]  # their honest phone is offline, and the cheat takes its seat
            for cheat in wronged:
                presence._seen[cheat.match_id] = [cheat.at, cheat.at - presence.SILENT_MS]
            both = settle(cheat.asks(TakeSeat(cheat.own, (LEFT, RIGHT)), "server", cheat.own) for cheat in wronged)
            assert all(reply.ok for reply in both)
            settled = settle(request for cheat in wronged for request in cheat.mischief()[:5])
            codes_ = {reply.code for reply in settled if not reply.ok}
            assert codes_ == {"no-seat", "not-yours-to-settle"}
            settle(cheat.asks(NO, "director", None) for cheat in wronged)
            settle(cheat.asks(parse_command({"do": "resume"}), "director", None) for cheat in wronged)
            given_back = (cheat.asks(ReleaseSeat(RIGHT), "director", None) for cheat in wronged)
            assert all(reply.ok for reply in settle(given_back))
        else:
            out_of_turn = settle(cheat.mischief()[-1] for cheat in cheats)
            assert {(reply.ok, reply.code) for reply in out_of_turn} == {(False, "no-seat")}
        assert all(reply.ok for reply in settle(cheat.honest_hit() for cheat in cheats))
    check(cheats)


def check(cheats: list[Cheat]) -> None:
    """Check gains against budget and lag counters, and that nothing was settled."""
    states = dict(Match.objects.values_list("pk", "state"))
    budget, most = GAME_CREDIT_MS + PRESS_CREDIT_MS * ROUNDS, 0
    for cheat in cheats:
        match = MatchState.from_dict(states[cheat.match_id])
        assert (match.status, match.score, match.winner, match.game) == ("running", (0, 0), None, 1)
        gained = [cheat.took_ms[seat] - (RESERVE_MS - match.clock.reserves(match.at)[seat.index]) for seat in Seat]
        wire = match.wire(match.at)
        assert gained == list(wire["lag_used_ms"])
        assert (gained[0] <= budget, gained[1]) == (True, ROUNDS * (NETWORK_MS // 2))
        assert (wire["lag_presses"][0] <= ROUNDS, wire["game_presses"][0]) == (True, ROUNDS)
        most = max(most, gained[0])
    assert most == budget < ROUNDS * LAG_MS
    decided = JournalEntry.objects.filter(event__in=("agreed", "took", "game_ended", "match_ended"))
    assert decided.count() == 0
    printed = StringIO()
    call_command("verify", stdout=printed)
    assert printed.getvalue().endswith(": all as their journals say\n")
