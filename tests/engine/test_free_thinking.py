"""Free time per player: at most one delay between the opponent's presses.

Presses may also be credited for network delay. Random commands from both players and the director run under every rule
set: 200 sequences each in the suite, 10,000 in `make check-attacks`.
"""

import os
import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import PARTIES, Official, Swap
from clocks.engine.commands import Command, Look, Press, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import Agreed, ClockHit, Doubled, Event, Resumed, Took
from clocks.engine.match import Match
from clocks.engine.proposals import Offer
from clocks.engine.setup import Setup
from clocks.lag.credit import allowed_ms

SEQUENCES = int(os.environ.get("SEQUENCES", "200"))
COMMANDS = 40
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "us-2007": [{}, {"bronstein": "precredited"}],
    "michigan-2002": [{}, {"second_control": "bronstein"}, {"second_control": "bronstein", "bronstein": "precredited"}],
    "modern": [{}, {"overtime_ms": 90_000}],
    "custom": [{}, {"kind": "none"}, {"kind": "bronstein"}, {"kind": "bronstein", "bronstein": "precredited"}],
}
REASONS = ["other", "other", "dice", "contest", "dice-picked-up", "dice-picked-up", "break", "score", "director"]
STEPS = [0, 0, 45, 45, 700, 5_000, 11_900, 15_000, 40_000]


class Account:
    """A seat's running time since its delay was last renewed, and its reserve then."""

    def __init__(self, match: Match, seat: Seat) -> None:
        self.seat = seat
        self.begins(match, 0)

    def begins(self, match: Match, at: int) -> None:
        self.ran_ms, self.reserve_ms = 0, left(match, self.seat, at)

    def check(self, match: Match, at: int) -> None:
        """Check that only elapsed time was charged, minus at most one delay and credit."""
        charged_ms = max(0, self.ran_ms - match.clock.control.delay_ms)
        most = max(0, self.reserve_ms + match.lag_credit_ms - charged_ms)
        assert max(0, self.reserve_ms - self.ran_ms) <= left(match, self.seat, at) <= most


def left(match: Match, seat: Seat, at: int) -> int:
    """Reserve of a seat if the current turn ended at `at`."""
    return match.clock.after_turn(match.clock.used(at))[seat.index]


def agreed_to(before: Match, events: Iterable[Event], after: Match, by: str, seat: Seat) -> bool:
    """True if a command renews the delay of `seat`.

    The opponent's press or agreement, a director's command, a new game and a second control renew it.
    """
    if by not in tuple(Seat) or before.turn is None or after.turn is None:
        return bool(events)
    asks = before.proposal
    if asks is not None and asks.by != by and isinstance(asks.terms, Offer):
        return bool(events)  # an answer to the other player's offer, which starts a clock (Michigan 3.6)
    if before.clock.precredit and not after.clock.precredit:
        return True  # the second control starts, which adds the delay to both clocks
    return any(
        (isinstance(event, ClockHit | Doubled | Took) and event.seat is not seat)
        or (isinstance(event, Resumed) and event.swap is Swap.NEW and event.by is seat.other)
        or isinstance(event, Agreed)
        for event in events
    )


def asked(chance: random.Random, match: Match) -> tuple[dict[str, Any], str]:
    """A random command, usually legal, and who gives it."""
    seat = chance.choice(list(Seat))
    turn = match.turn or seat
    by = "director" if chance.random() < 0.04 else seat
    if match.status == "setup":
        return {"do": "confirm"}, "director"
    if match.status == "ready":
        return {"do": "stop", "reason": "break"} if chance.random() < 0.1 else {"do": "hit"}, seat
    if match.proposal is not None and chance.random() < 0.8:
        return {"do": chance.choice(["agree", "decline", "decline", "withdraw"])}, by
    if match.status == "stopped":
        drawn = chance.random()
        if drawn < 0.1:
            return {"do": "stop", "reason": chance.choice(REASONS)}, seat
        if drawn < 0.8:
            whose = {"turn_of": chance.choice(list(Seat))} if chance.random() < 0.8 else {}
            fresh = {"fresh_delay": True} if chance.random() < 0.2 else {}
            return {"do": "hit"} if match.owed_hit else {"do": "resume", **whose, **fresh}, by
    elif chance.random() < 0.9:
        do = chance.choice(["hit", "hit", "hit", "stop", "stop", "stop", "double", "take", "pass"])
        more = {"reason": chance.choice(REASONS)} if do == "stop" else {}
        return {"do": do, **more}, by if do == "stop" else turn
    terms: list[dict[str, Any]] = [
        {"what": "undo"},
        {"what": "resume", "turn_of": seat.other, "fresh_delay": chance.random() < 0.5},
        {"what": "dice-penalty", "against": seat.other},
        {"what": "offer", "winner": seat.other, "outcome": "single"},
        {"what": "cube", "value": 2, "owner": seat},
        {"what": "time", "seat": seat, "by_ms": 5_000},
        {"what": "score", "score": [0, 1]},
        {"what": "reopen"},
    ]
    return {"do": "propose", **chance.choice(terms)}, by


def credited(command: Command, match: Match, by: str, measured_ms: int) -> Command:
    """A press with the credit that the desk grants for this network delay."""
    if not isinstance(command, Press):
        return command
    return replace(command, credit_ms=allowed_ms(match, PARTIES[by], measured_ms))


def play(chance: random.Random, setup: Setup) -> None:
    """Play a random sequence and check both accounts after each command."""
    match = Match.begin(setup)
    accounts = {seat: Account(match, seat) for seat in Seat}
    at, told = 0, []
    for _ in range(COMMANDS):
        if match.status == "over":
            return
        last_at, at = at, at + chance.choice(STEPS)
        if match.turn is not None and match.status == "running":
            accounts[match.turn].ran_ms += min(at, match.flag_at or at) - last_at
        match = perform(match, Look(), Official.SERVER, at).match
        command, by = asked(chance, match)
        told.append((at, by, command))
        given = credited(parse_command(command), match, by, chance.choice([0, 90, 250]))
        outcome = perform(match, given, PARTIES[by], at)
        before, match = match, outcome.match
        for seat, account in accounts.items():
            if agreed_to(before, outcome.events, match, by, seat):
                account.begins(match, at)
            try:
                account.check(match, at)
            except AssertionError:
                pytest.fail(f"{seat} of {setup.rules} {setup.options}: {told}")


@pytest.mark.parametrize("rules", RULESETS)
def test_no_player_alone_gets_more_than_one_delay_between_two_presses(rules: str) -> None:
    chance = random.Random(f"free {rules}")
    settings = OPTIONS.get(rules, [{}])
    for number in range(SEQUENCES):
        options = {**settings[number % len(settings)], "reserve_ms": chance.choice([30_000, 400_000])}
        director = {"director": chance.random() < 0.5}
        play(chance, Setup.parse({"rules": rules, "length": 5, "options": options, **director}))
