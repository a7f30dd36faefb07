"""An event told in words, in the terms of the rule books and with the players' names. Knows only the engine."""

from clocks.engine import events as e
from clocks.engine import proposals as p
from clocks.engine.clock import Seat
from clocks.engine.match import Match

STOPS = {
    "concession": "to offer a concession",
    "break": "for an authorized break",
    "dice": "to retrieve fallen dice",
    "contest": "to contest an action",
    "dice-picked-up": "to move with the clocks stopped: the dice were picked up in error",
    "score": "to verify score or cube",
    "director": "for the director",
    "other": "",
    "outage": "as of the last sign of life before the server went away; nobody is charged",
}


def clock(ms: int) -> str:
    """Return a reserve as `21:47.3`: minutes, seconds, tenths where there are any."""
    sign, tenths = ("−" if ms < 0 else ""), abs(ms) // 100
    minutes, rest = divmod(tenths, 600)
    text = f"{minutes // 60}:{minutes % 60:02}:{rest // 10:02}" if minutes >= 60 else f"{minutes}:{rest // 10:02}"
    return f"{sign}{text}.{rest % 10}" if rest % 10 else sign + text


def delay(ms: int) -> str:
    """Return a delay or the length of a turn in seconds: `12 s`, `8.4 s`."""
    return f"{ms / 1000:.1f}".removesuffix(".0") + " s"


def told(match: Match, event: e.Event) -> str:
    """Return what `event` did to `match`, as one sentence without a full stop."""
    names = match.setup.names

    def name(by: str) -> str:
        return names[Seat(by).index] if by in ("left", "right") else f"The {by}"

    match event:
        case e.Confirmed():
            return f"{' and '.join(name(seat) for seat in event.seats)} confirmed the setting"
        case e.ClockHit():
            return _hit(match, event, name(event.seat))
        case e.Doubled():
            return f"{name(event.seat)} doubled to {2 * match.cube.value}{_after(match, event.at)}"
        case e.Took():
            return f"{name(event.seat)} took{_after(match, event.at)}"
        case e.Stopped():
            return f"{name(event.by)} stopped both clocks {STOPS.get(event.reason, 'to propose something')}".rstrip()
        case e.StoppedAll():
            return "The director stopped all clocks of the hall"
        case e.Resumed():
            fresh = " with a full delay" if event.fresh or event.turn_of is not match.turn else ""
            return f"{name(event.turn_of)}’s clock went on{fresh}"
        case e.Proposed():
            return f"{name(event.by)} proposed: {terms_told(match, event.by, event.terms)}"
        case e.Agreed():
            return f"{name(event.by)} agreed" + ("" if event.settled else "; the other side’s word is still due")
        case e.Declined():
            said = {"withdrawn": "withdrew it", "ended": "declined", "standing": "declined; the director is called"}
            return f"{name(event.by)} {said[event.left]}"
        case e.GameEnded():
            how = {"pass": " by a pass", "game": ""}.get(event.how, f" ({event.how})")
            return f"{name(event.winner)} won the game{how}: {_points(event.points)}"
        case e.MatchEnded():
            return f"The director ended the match: {name(event.winner)} won"
        case e.DelayForfeited():
            return f"{name(event.seat)} forfeits the delay of the next checker play"
        case e.ForfeitDropped():
            return f"The forfeit of {name(event.seat)} is dropped"
        case e.HitUndone():
            return (
                f"{name(event.by)} took the last hit back" if event.by == "director" else "The last hit was taken back"
            )
        case e.ScoreSet():
            return f"Score set to {event.score[0]}–{event.score[1]}"
        case e.CubeSet():
            return f"Cube set to {event.value}, {'in the middle' if event.owner is None else name(event.owner)}"
        case e.TimeGiven():
            return f"{name(event.seat)}’s time changed by {'+' if event.by_ms > 0 else ''}{clock(event.by_ms)}"
        case e.FlagFell():
            return f"{name(event.seat)}’s time is up; the rules prescribe: {_consequence(match, event)}"
        case e.ExpiryApplied():
            return f"What follows from the flag of {name(event.seat)}: {_consequence(match, event)}"
        case e.DirectorCalled():
            return f"{name(event.by)} called the director"
        case e.CallAnswered():
            return "The director is coming"
        case e.SeatTaken():
            seats = " and ".join(name(seat) for seat in event.seats)
            return f"Phone {event.device} took the seat of {seats}"
        case e.SeatReleased():
            return f"The director released the seat of {name(event.seat)} from its phone"
        case e.Moved():
            return f"The director moved the match from table {event.before} to table {event.after}"
        case e.CodeReplaced():
            return f"The director gave the table a new code: {event.after} instead of {event.before}"
    return event.name.replace("_", " ")


def terms_told(match: Match, by: str, terms: p.Terms) -> str:
    """Return what is proposed."""
    names = match.setup.names

    def name(seat: Seat) -> str:
        return names[seat.index]

    match terms:
        case p.GameResult():
            return f"{name(terms.winner)} won the game, {_points(terms.points)}"
        case p.Offer():
            verb = "claims" if terms.winner == by else "concedes"
            return f"{verb} a {terms.outcome}{' game' if terms.outcome == 'single' else ''}"
        case p.DicePenalty():
            return f"{name(terms.against)} took the dice too soon"
        case p.DropForfeit():
            return f"drop the forfeit of {name(terms.seat)}"
        case p.UndoHit():
            return "take back the last hit"
        case p.SetScore():
            return f"score {terms.score[0]}–{terms.score[1]}"
        case p.SetCube():
            return f"cube {terms.value}, {'in the middle' if terms.owner is None else name(terms.owner)}"
        case p.GiveTime():
            return f"{name(terms.seat)}’s time {'+' if terms.by_ms > 0 else ''}{clock(terms.by_ms)}"
        case p.EndMatch():
            return f"{name(terms.winner)} wins the match"
        case p.Expiry():
            return f"the flag of {name(terms.seat)}"


def _hit(match: Match, event: e.ClockHit, name: str) -> str:
    if match.turn is None:
        return f"{name} started {match.setup.names[event.seat.other.index]}’s clock"
    return f"{name} hit{_after(match, event.at)}"


def _after(match: Match, at: int) -> str:
    """Return how long the turn took that ends here."""
    return f" after {delay(match.clock.used(at))}"


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def _consequence(match: Match, event: e.FlagFell | e.ExpiryApplied) -> str:
    opponent = match.setup.names[event.seat.other.index]
    consequence = event.consequence
    left, right = (clock(ms) for ms in consequence.reserve_ms)
    clocks = f"clocks {left} and {right}"
    frozen = ", cube frozen" if consequence.cube_frozen and not match.cube.frozen else ""
    kinds = {
        "lose-match": f"{opponent} wins the match",
        "penalty": f"{_points(consequence.points)} to {opponent}, {clocks}{frozen}",
        "grace": f"one grace, {clocks}",
        "next-control": f"the second control, {clocks}",
        "overtime": f"overtime and a warning, {clocks}",
    }
    return kinds[consequence.kind]
