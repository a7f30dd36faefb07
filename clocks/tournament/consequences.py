"""What a result has led to: the lines of later rounds that were drawn with it, and what a correction makes of them."""

from typing import NamedTuple

from django.contrib.auth.models import User

from clocks.desk.pairings import outcome
from clocks.engine.closed_sets import Status
from clocks.models import Pairing
from clocks.tournament.draw_plan import begun
from clocks.tournament.players import correct, plain, respell_drawn

Names = tuple[str, str]


class Consequence(NamedTuple):
    """A line of a later round with a player of a match, and who plays there once its result is corrected.

    `after` is None where the line stays as it is drawn: both players are in that round, as in a Swiss.
    """

    pairing: Pairing
    after: Names | None

    @property
    def state(self) -> str:
        """Return how far the line is: waits, plays or over."""
        match = self.pairing.match
        if self.pairing.winner or (match is not None and match.status == Status.OVER):
            return "over"
        return "plays" if begun(self.pairing) else "waits"

    @property
    def changes(self) -> bool:
        """Tell whether the correction changes the line: nobody has begun to play there."""
        return self.after is not None and self.state == "waits"


def seen(found: list[Consequence]) -> str:
    """Return a short text that differs where a director has been shown something else than there is now."""
    return " ".join(f"{each.pairing.pk}-{each.state}" for each in found)


def of_result(pairing: Pairing) -> list[Consequence]:
    """Return the lines of later rounds in which a player of a decided match is drawn; a correction exchanges the two.

    In a knockout whoever won is in one round and whoever lost in another, or nowhere: there the other one takes the
    place. A round in which both are drawn stays as it is.
    """
    decided = outcome(pairing)
    if decided is None:
        return []
    exchanged = {plain(decided.winner): decided.loser, plain(decided.loser): decided.winner}
    later = Pairing.objects.filter(
        round__tournament=pairing.round.tournament_id, round__number__gt=pairing.round.number
    ).select_related("round__tournament", "table", "match")
    lines = [
        each
        for each in later.order_by("round__number", "pk")
        if exchanged.keys() & {plain(name) for name in each.setup["names"]}
    ]
    there: dict[int, set[str]] = {}
    for each in lines:
        there.setdefault(each.round_id, set()).update(map(plain, each.setup["names"]))
    found = []
    for each in lines:
        both = exchanged.keys() <= there[each.round_id]
        left, right = (exchanged.get(plain(name), name) for name in each.setup["names"])
        found.append(Consequence(each, None if both else (left, right)))
    return found


def carry_out(found: list[Consequence], user: User, reason: str) -> int:
    """Let the other player take the place wherever nobody has begun to play; return in how many lines."""
    changing = [each for each in found if each.changes]
    for each in changing:
        assert each.after is not None
        if each.pairing.match is not None:
            correct(each.pairing.match, each.after, user, reason)
        else:
            respell_drawn(each.pairing, each.after)
    return len(changing)
