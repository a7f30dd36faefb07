"""Sentences of a match's story, as a spectator would tell it."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clocks.engine.clock import Seat
from clocks.engine.closed_sets import ConsequenceKind, Party, Reason, WonBy
from clocks.engine.match import Halt
from clocks.wording.amounts import MINUTE_MS, SECOND_MS, clock, in_words, points
from clocks.wording.events import party_name

AT_ONCE_MS = 5_000  # quicker decisions are described as made “at once”
LONG_MS = 10 * MINUTE_MS  # from this length on, durations are rounded to minutes

STOPS = {
    Reason.DICE: gettext_lazy("The dice had fallen down: %(name)s stopped the clocks for %(time)s."),
    Reason.BREAK: gettext_lazy("%(name)s took a break. It lasted %(time)s."),
    Reason.CONTEST: gettext_lazy("%(name)s contested a play. The clocks stood still for %(time)s."),
    Reason.DICE_PICKED_UP: gettext_lazy(
        "The dice were picked up too soon. %(name)s moved with the clocks stopped, for %(time)s."
    ),
    Reason.DICE_CONTESTED: gettext_lazy(
        "%(name)s and the opponent disagreed about picked-up dice. The clocks stood still for %(time)s."
    ),
    Reason.SCORE: gettext_lazy("%(name)s checked the score and the cube. The clocks stood still for %(time)s."),
    Reason.CONCESSION: gettext_lazy("%(name)s stopped the clocks to offer a concession. Play went on after %(time)s."),
    Reason.DIRECTOR: gettext_lazy("%(name)s called the director. The clocks stood still for %(time)s."),
    Reason.OUTAGE: gettext_lazy("The server was down. Play went on after %(time)s, and nobody lost time."),
}
WINS = {
    WonBy.SINGLE: gettext_lazy("%(winner)s won a single game: %(points)s."),
    WonBy.GAMMON: gettext_lazy("%(winner)s won a gammon: %(points)s."),
    WonBy.BACKGAMMON: gettext_lazy("%(winner)s won a backgammon: %(points)s."),
}
FLAGS = {
    ConsequenceKind.LOSE_MATCH: gettext_lazy("%(name)s’s time ran out, and %(opponent)s won the match."),
    ConsequenceKind.PENALTY: gettext_lazy("%(name)s’s time ran out: %(points)s for %(opponent)s, and play went on."),
    ConsequenceKind.GRACE: gettext_lazy("%(name)s’s time ran out, and the rules granted one grace period."),
    ConsequenceKind.NEXT_CONTROL: gettext_lazy("%(name)s’s time ran out, and the second control began."),
    ConsequenceKind.OVERTIME: gettext_lazy("%(name)s’s time ran out, and overtime began."),
}


class Teller:
    """Builder of sentences with the players' names."""

    def __init__(self, names: tuple[str, str]) -> None:
        self.names = names

    def name(self, by: Party) -> str:
        """Name of a player or official."""
        return party_name(self.names, by)

    def won_match(self, winner: Seat, score: tuple[int, int]) -> str:
        """Describe the result of a finished match: the first sentence of its story."""
        values = {"winner": self.name(winner), "loser": self.name(winner.other), "score": _score(winner, score)}
        return _("%(winner)s beat %(loser)s %(score)s.") % values

    def longest(self, seat: Seat, ms: int, game: int) -> str:
        """Describe the longest turn of the match."""
        values = {"name": self.name(seat), "time": rounded(ms), "game": game}
        return _("Nobody thought longer than %(name)s in game %(game)s: %(time)s.") % values

    def time_left(self, reserves_ms: tuple[int, int]) -> str:
        """Describe the time left on both clocks at the end."""
        left, right = map(on_the_clock, reserves_ms)
        values = {"left": self.names[0], "right": self.names[1], "left_time": left, "right_time": right}
        return _("At the end %(left)s had %(left_time)s left and %(right)s %(right_time)s.") % values

    def reserves(self, before_ms: tuple[int, int], after_ms: tuple[int, int]) -> str:
        """Text alternative to a game's chart of reserves."""
        times = map(on_the_clock, (*before_ms, *after_ms))
        values = dict(zip(("left_from", "right_from", "left_to", "right_to"), times, strict=True))
        words = _(
            "Reserves: %(left)s from %(left_from)s to %(left_to)s, %(right)s from %(right_from)s to %(right_to)s."
        )
        return words % {"left": self.names[0], "right": self.names[1], **values}

    def began(self, seat: Seat) -> str:
        """Describe the opening roll of a game, which `seat` won."""
        return _("%(name)s won the opening roll.") % {"name": self.name(seat)}

    def doubled(self, seat: Seat, value: int, ms: int) -> str:
        """Describe a double and how long the player thought."""
        words = _("%(name)s turned the cube to %(value)s after %(time)s.")
        if ms < AT_ONCE_MS:
            words = _("%(name)s turned the cube to %(value)s at once.")
        return words % {"name": self.name(seat), "value": value, "time": rounded(ms)}

    def took(self, seat: Seat, ms: int) -> str:
        """Describe a take and how long the player thought."""
        words = _("%(name)s took at once.") if ms < AT_ONCE_MS else _("%(name)s thought for %(time)s and took.")
        return words % {"name": self.name(seat), "time": rounded(ms)}

    def thought(self, seat: Seat, ms: int, left_ms: int) -> str:
        """Describe a long think and the reserve that it left."""
        values = {"name": self.name(seat), "time": rounded(ms), "left": on_the_clock(left_ms)}
        return _("%(name)s thought for %(time)s; that left %(left)s on the clock.") % values

    def stopped(self, halt: Halt, ms: int | None) -> str:
        """Describe a stop and its length; `ms` is None if the clocks have not run since."""
        values = {"name": self.name(halt.by), "time": "" if ms is None else rounded(ms)}
        if ms is None:
            return _("%(name)s stopped the clocks, and they have not run since.") % values
        if halt.hall is not None:
            return _("The director stopped the whole hall for %(time)s.") % values
        words = gettext_lazy("%(name)s stopped the clocks for %(time)s.")
        if isinstance(halt.by, Seat) or halt.reason is Reason.OUTAGE:
            words = STOPS.get(halt.reason, words)
        return str(words) % values

    def flagged(self, seat: Seat) -> str:
        """Describe a flag whose consequence is not settled."""
        return _("%(name)s’s time ran out.") % {"name": self.name(seat)}

    def expired(self, seat: Seat, kind: ConsequenceKind, won: int) -> str:
        """Describe a flag and its consequence."""
        values = {"name": self.name(seat), "opponent": self.name(seat.other), "points": points(won)}
        return str(FLAGS[kind]) % values

    def passed(self, seat: Seat, ms: int, won: int) -> str:
        """Describe a pass, which ends the game."""
        words = _("%(loser)s thought for %(time)s and passed: %(points)s for %(winner)s.")
        if ms < AT_ONCE_MS:
            words = _("%(loser)s passed at once: %(points)s for %(winner)s.")
        values = {"loser": self.name(seat), "winner": self.name(seat.other), "points": points(won)}
        return words % {**values, "time": rounded(ms)}

    def won_game(self, winner: Seat, how: WonBy | None, won: int) -> str:
        """Describe the end of a game; `how` is None if `won` fits no kind of win."""
        words = gettext_lazy("%(winner)s won the game: %(points)s.") if how is None else WINS[how]
        return str(words) % {"winner": self.name(winner), "points": points(won)}

    def given_match(self, winner: Seat) -> str:
        """Describe the end of a match by a ruling or by agreement."""
        return _("The match was given to %(winner)s.") % {"winner": self.name(winner)}

    def given_time(self, seat: Seat, by_ms: int) -> str:
        """Describe time added to or taken from a clock."""
        words = _("%(name)s got %(time)s more.") if by_ms > 0 else _("%(name)s lost %(time)s by a ruling.")
        return words % {"name": self.name(seat), "time": rounded(abs(by_ms))}

    def forfeited(self, seat: Seat) -> str:
        """Describe the penalty for dice taken too soon."""
        return _("%(name)s took the dice too soon and forfeited the delay of a turn.") % {"name": self.name(seat)}


def score_set(score: tuple[int, int]) -> str:
    """Describe a corrected score."""
    return _("The score was corrected to %(left)s–%(right)s.") % {"left": score[0], "right": score[1]}


def cube_set(value: int) -> str:
    """Describe a corrected cube."""
    return _("The cube was set to %(value)s.") % {"value": value}


def press_undone() -> str:
    """Describe a press taken back."""
    return _("The last press was taken back.")


def end_undone() -> str:
    """Describe an end taken back."""
    return _("The end was taken back, and play went on.")


def games(number: int) -> str:
    """Number of games: `3 games`."""
    return ngettext("%(number)s game", "%(number)s games", number) % {"number": number}


def turns(number: int) -> str:
    """Number of turns: `24 turns`."""
    return ngettext("%(number)s turn", "%(number)s turns", number) % {"number": number}


def on_the_clock(ms: int) -> str:
    """Reserve in whole seconds, rounded up as on the phones."""
    return clock(ms + -ms % SECOND_MS)


def rounded(ms: int) -> str:
    """Duration in words, rounded to seconds, or to minutes from ten minutes on."""
    unit = MINUTE_MS if ms >= LONG_MS else SECOND_MS
    return in_words((ms + unit // 2) // unit * unit)


def _score(winner: Seat, score: tuple[int, int]) -> str:
    """Score with the winner's points first."""
    return f"{score[winner.index]}–{score[winner.other.index]}"
