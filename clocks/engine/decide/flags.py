"""Flag policies, which `books/published.py` refers to by name."""

from clocks.engine.clock import Seat, with_seat
from clocks.engine.closed_sets import ConsequenceKind, Deciding, FlagPolicy, Reset
from clocks.engine.match import Match
from clocks.engine.proposals import Consequence


def consequence(match: Match, seat: Seat, at: int) -> Consequence:
    """Consequence, under the rule set, if the flag of `seat` falls at `at`."""
    policy = match.rules.flag
    if policy == FlagPolicy.PENALTY:
        return _penalty(match, seat, at)
    if policy == FlagPolicy.NEXT_CONTROL and match.control == 1:
        return _next_control(match, seat, at)
    if policy == FlagPolicy.OVERTIME and "overtime_ms" in match.setup.option and match.offences[seat.index] == 0:
        return _overtime(match, seat, at)
    return Consequence(ConsequenceKind.LOSE_MATCH, 0, match.clock.reserves(at), match.cube.frozen)


def _penalty(match: Match, seat: Seat, at: int) -> Consequence:
    """Penalty points (Unified and ABA, 5.1).

    More for a player's first offence in the match than for later ones.
    """
    rules, reserves = match.rules, match.clock.reserves(at)
    expired_alone = with_seat(reserves, seat, rules.reset_ms)
    if rules.deciding == Deciding.GRACE and match.deciding and not match.graced[seat.index]:
        return Consequence(ConsequenceKind.GRACE, 0, expired_alone, match.cube.frozen)
    points = rules.first_points if match.offences[seat.index] == 0 else rules.repeat_points
    needed = match.needs(seat.other) - points
    if needed <= 0:
        return Consequence(ConsequenceKind.PENALTY, points, reserves, match.cube.frozen)
    reset = {
        Reset.EXPIRED: expired_alone,
        Reset.ADD: with_seat(expired_alone, seat.other, reserves[seat.other.index] + rules.reset_ms),
        Reset.SET: (rules.reset_ms, rules.reset_ms),
    }[rules.reset]
    return Consequence(ConsequenceKind.PENALTY, points, reset, match.cube.frozen or needed == 1)


def _next_control(match: Match, seat: Seat, at: int) -> Consequence:
    """Second control (Michigan, 5.1).

    Both players get `second_reserve_ms` (three minutes); the opponent also keeps the time left.
    """
    fresh = match.rules.second_reserve_ms
    left_over = match.clock.reserves(at)[seat.other.index]
    reserves = with_seat(with_seat((0, 0), seat, fresh), seat.other, fresh + left_over)
    return Consequence(ConsequenceKind.NEXT_CONTROL, 0, reserves, match.cube.frozen)


def _overtime(match: Match, seat: Seat, at: int) -> Consequence:
    """Overtime, once, at a player's first flag."""
    overtime = match.setup.option["overtime_ms"]
    assert isinstance(overtime, int)
    reserves = with_seat(match.clock.reserves(at), seat, overtime)
    return Consequence(ConsequenceKind.OVERTIME, 0, reserves, match.cube.frozen)
