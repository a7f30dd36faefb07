"""Test harness of a match: run commands, collect events."""

from typing import Any

from clocks.engine import commands as c
from clocks.engine.codec import encode
from clocks.engine.commands import parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import Event
from clocks.engine.match import Match
from clocks.engine.setup import Setup


class Board:
    """A match under test; `setup` takes the keys of a replay setup.

    The director confirms the setup unless `confirmed` is False.
    """

    def __init__(self, rules: str = "us-2013", length: int = 7, confirmed: bool = True, **setup: Any) -> None:
        names = setup.pop("names", ["Ann", "Bob"])
        self.setup = Setup.parse({"rules": rules, "length": length, "names": names, **setup})
        self.match = Match.begin(self.setup)
        self.events: list[Event] = []
        if confirmed:
            self.does(0, "director", "confirm")

    def does(self, at: int, by: str, do: str, **arguments: Any) -> dict[str, Any]:
        """Run a command that must be accepted; return the match's look."""
        outcome = perform(self.match, parse_command({"do": do, **arguments}), by, at)
        assert outcome.refusal is None, outcome.refusal
        return self._take(outcome.match, outcome.events, at)

    def refuses(self, at: int, by: str, do: str, **arguments: Any) -> str:
        """Run a command, which must be rejected and change nothing; return the code."""
        looked = perform(self.match, c.Look(), "server", at)
        outcome = perform(self.match, parse_command({"do": do, **arguments}), by, at)
        assert outcome.refusal is not None, f"{do} by {by} was accepted"
        assert outcome.match == looked.match
        assert outcome.events == looked.events
        self._take(outcome.match, outcome.events, at)
        return outcome.refusal.code

    def look(self, at: int) -> dict[str, Any]:
        """Look of the match at `at`, after expiring any flag due."""
        outcome = perform(self.match, c.Look(), "server", at)
        return self._take(outcome.match, outcome.events, at)

    def flag(self) -> dict[str, Any]:
        """Look of the match at the moment when the running clock's flag falls."""
        assert self.match.flag_at is not None
        return self.look(self.match.flag_at)

    def expires(self) -> dict[str, Any]:
        """Let the running clock's flag fall; the director agrees. Return the look."""
        self.flag()
        return self.does(self.match.at, "director", "agree")

    def consequence(self) -> dict[str, Any]:
        """Proposed consequence of the fallen flag."""
        proposal = self.match.look(self.match.at)["proposal"]
        consequence: dict[str, Any] = proposal["consequence"]
        return consequence

    def _take(self, match: Match, events: tuple[Event, ...], at: int) -> dict[str, Any]:
        self.match = match
        self.events.extend(events)
        shown: dict[str, Any] = encode(match.look(at))
        return shown


def running(at: int = 0, **setup: Any) -> Board:
    """Match in which Ann (left) rolled lower and started Bob's (right) clock at `at`."""
    board = Board(**setup)
    board.does(at, "left", "hit")
    return board


def shown(look: dict[str, Any], *fields: str) -> dict[str, Any]:
    """Selected fields of a look."""
    return {field: look[field] for field in fields}


def unified(length: int = 9, **setup: Any) -> Board:
    """Match under the Unified rules of 2001; Ann rolled lower, Bob's turn began at 0."""
    return running(rules="unified-2001", length=length, **setup)
