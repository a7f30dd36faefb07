"""Play a match without a database, for the steps of its record."""

from typing import Any

from clocks.engine.closed_sets import PARTIES, Official
from clocks.engine.commands import Expire, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.record.look_back import Step

SETUP: dict[str, Any] = {"rules": "us-2013", "length": 3, "names": ["Ann", "Bob"]}


class Game:
    """A match played by commands; `steps` is the input for a record."""

    def __init__(self, **setup: Any) -> None:
        self.match = Match.begin(Setup.parse({**SETUP, **setup}))
        self.steps: list[Step] = []
        self.at = 1_000_000
        self.do("director", do="confirm")

    def do(self, by: str, wait_ms: int = 0, **given: Any) -> "Game":
        """Perform a command, which must be accepted, after a pause."""
        self.at += wait_ms
        outcome = perform(self.match, parse_command(given), PARTIES[by], self.at)
        assert outcome.refusal is None, outcome.refusal
        self._take(outcome.events)
        return self

    def flag(self, wait_ms: int) -> "Game":
        """Expire the flag that is due after a pause."""
        self.at += wait_ms
        self._take(perform(self.match, Expire(), Official.SERVER, self.at).events)
        return self

    def _take(self, events: Any) -> None:
        for event in events:
            before, self.match = self.match, evolve(self.match, event)
            self.steps.append(Step(before, self.match, event))

    def hits(self, *waits_ms: int) -> "Game":
        """After each pause, press for the seat whose turn it is (left between games)."""
        for wait_ms in waits_ms:
            self.do(str(self.match.turn or "left"), wait_ms, do="hit")
        return self
