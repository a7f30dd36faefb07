"""What a director does beside the rules: it changes nothing of the match, and the record holds it."""

from collections.abc import Sequence

from clocks.engine import commands as c
from clocks.engine import events as e
from clocks.engine.match import Match
from clocks.engine.refusals import Refused

BesideTheRules = c.TakeSeat | c.ReleaseSeat | c.Move | c.ReplaceCode


def decide_beside(match: Match, command: BesideTheRules, by: str, at: int) -> Sequence[e.Event]:
    """Return the one event of it. A phone sits down by the server; all else is the director's."""
    if isinstance(command, c.TakeSeat):
        return (e.SeatTaken(at, command.device, command.seats),)
    if by != "director":
        raise Refused("not-director")
    match command:
        case c.ReleaseSeat():
            return (e.SeatReleased(at, command.seat, command.note),)
        case c.Move():
            if match.status == "over":
                raise Refused("match-over")
            return (e.Moved(at, command.before, command.after, command.note),)
        case c.ReplaceCode():
            return (e.CodeReplaced(at, command.before, command.after, command.note),)
