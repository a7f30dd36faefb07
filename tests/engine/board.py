"""A match under test: asks for things as the people at the table would, and keeps every event."""

from typing import Any

from clocks.engine import commands as c
from clocks.engine.codec import encode
from clocks.engine.commands import parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.events import Event
from clocks.engine.match import Match
from clocks.engine.setup import Setup


class Board:
    """Holds a match; `setup` are the keys of a replay setup. Confirmed by the director unless told otherwise."""

    def __init__(self, rules: str = "us-2013", length: int = 7, confirmed: bool = True, **setup: Any) -> None:
        names = setup.pop("names", ["Ann", "Bob"])
        self.setup = Setup.parse({"rules": rules, "length": length, "names": names, **setup})
        self.match = Match.begin(self.setup)
        self.events: list[Event] = []
        if confirmed:
            self.does(0, "director", "confirm")

    def does(self, at: int, by: str, do: str, **arguments: Any) -> dict[str, Any]:
        """Return what the match shows after a command that must be accepted."""
        outcome = perform(self.match, parse_command({"do": do, **arguments}), by, at)
        assert outcome.refusal is None, outcome.refusal
        return self._take(outcome.match, outcome.events, at)

    def refuses(self, at: int, by: str, do: str, **arguments: Any) -> str:
        """Return the code of a command that must be refused, having checked that it changed nothing."""
        looked = perform(self.match, c.Look(), "server", at)
        outcome = perform(self.match, parse_command({"do": do, **arguments}), by, at)
        assert outcome.refusal is not None, f"{do} by {by} was accepted"
        assert outcome.match == looked.match
        assert outcome.events == looked.events
        self._take(outcome.match, outcome.events, at)
        return outcome.refusal.code

    def look(self, at: int) -> dict[str, Any]:
        """Return what the match shows at an instant, a due flag having fallen."""
        outcome = perform(self.match, c.Look(), "server", at)
        return self._take(outcome.match, outcome.events, at)

    def flag(self) -> dict[str, Any]:
        """Return what the match shows at the instant at which the running clock's flag falls."""
        assert self.match.flag_at is not None
        return self.look(self.match.flag_at)

    def expires(self) -> dict[str, Any]:
        """Let the running clock's flag fall, have the director agree to what follows, and return what is shown."""
        self.flag()
        return self.does(self.match.at, "director", "agree")

    def consequence(self) -> dict[str, Any]:
        """Return what the fallen flag means, as everybody sees it before it is agreed."""
        proposal = self.match.look(self.match.at)["proposal"]
        consequence: dict[str, Any] = proposal["consequence"]
        return consequence

    def _take(self, match: Match, events: tuple[Event, ...], at: int) -> dict[str, Any]:
        self.match = match
        self.events.extend(events)
        shown: dict[str, Any] = encode(match.look(at))
        return shown


def running(at: int = 0, **setup: Any) -> Board:
    """Return a board on which Ann (left) rolled lower and started Bob's (right) clock at `at`."""
    board = Board(**setup)
    board.does(at, "left", "hit")
    return board


def shown(look: dict[str, Any], *fields: str) -> dict[str, Any]:
    """Return some fields of what a match shows."""
    return {field: look[field] for field in fields}


def unified(length: int = 9, **setup: Any) -> Board:
    """Return a board under the Unified rules of 2001, on which Ann rolled lower at 0 and Bob (right) is on turn."""
    return running(rules="unified-2001", length=length, **setup)
