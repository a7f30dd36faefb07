"""What a result has led to: the lines of later rounds that were drawn with it, and what a correction makes of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User

from clocks.desk.pairings import outcome
from clocks.engine.closed_sets import Status
from clocks.models import Bye, Match, Pairing, Place
from clocks.tournament.draw_plan import begun
from clocks.tournament.players import Players, correct, plain, respell_drawn

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

    @property
    def seen(self) -> str:
        """Return a short text that differs where there is something else to show."""
        return f"{self.pairing.pk}-{self.state}"


class RestingConsequence(NamedTuple):
    """A bye in a later round of a player of a match, and who has it once its result is corrected (else None)."""

    bye: Bye
    after: str | None

    @property
    def changes(self) -> bool:
        """Tell whether the correction gives the bye to the other player."""
        return self.after is not None

    @property
    def seen(self) -> str:
        """Return a short text that differs where there is something else to show."""
        return f"bye-{self.bye.pk}"


Found = Sequence[Consequence | RestingConsequence]


def seen(found: Found) -> str:
    """Return a short text that differs where a director has been shown something else than there is now."""
    return " ".join(each.seen for each in found)


def of_result(pairing: Pairing) -> Found:
    """Return the lines of later rounds in which a player of a decided match is drawn; a correction exchanges the two.

    In a knockout whoever won is in one round and whoever lost in another, or nowhere: there the other one takes the
    place, or the bye. A round in which both are drawn stays as it is, and so does one without a player who withdrew.
    """
    decided = outcome(pairing)
    if decided is None:
        return []
    return _exchanged(pairing, {plain(decided.winner): decided.loser, plain(decided.loser): decided.winner})


def _exchanged(pairing: Pairing, exchanged: Mapping[str, str]) -> Found:
    """Return what later rounds have drawn with these players (by their plain names), each to become another one."""
    tournament = pairing.round.tournament
    after_it = {"round__tournament": tournament, "round__number__gt": pairing.round.number}
    lines = [
        each
        for each in Pairing.objects.filter(**after_it).select_related("round__tournament", "table", "match")
        if exchanged.keys() & {plain(name) for name in each.setup["names"]}
    ]
    byes = [
        each
        for each in Bye.objects.filter(**after_it).select_related("round__tournament")
        if plain(each.name) in exchanged
    ]
    there: dict[int, set[str]] = {}
    for line in lines:
        there.setdefault(line.round_id, set()).update(map(plain, line.setup["names"]))
    for bye in byes:
        there.setdefault(bye.round_id, set()).add(plain(bye.name))
    listed = Players(tournament)

    def stays(round_id: int, names: Sequence[str]) -> bool:
        """Tell whether whoever would come is in that round already, or plays in no further one."""
        coming = [exchanged[plain(name)] for name in names if plain(name) in exchanged]
        return any(
            plain(name) in there[round_id] or listed.has_withdrawn(name, pairing.setup["format"]) for name in coming
        )

    found: list[Consequence | RestingConsequence] = []
    for line in lines:
        names = line.setup["names"]
        left, right = (exchanged.get(plain(name), name) for name in names)
        found.append(Consequence(line, None if stays(line.round_id, names) else (left, right)))
    for bye in byes:
        other = None if stays(bye.round_id, [bye.name]) else exchanged[plain(bye.name)]
        found.append(RestingConsequence(bye, other))
    return sorted(found, key=_in_order)


def _in_order(each: Consequence | RestingConsequence) -> tuple[int, bool, int]:
    """Return what consequences are sorted by: round by round, those who rest last."""
    row = each.bye if isinstance(each, RestingConsequence) else each.pairing
    return row.round.number, isinstance(each, RestingConsequence), row.pk


def carry_out(found: Found, user: User, reason: str) -> int:
    """Let the other player take the place wherever nobody has begun to play; return in how many lines."""
    changing = [each for each in found if each.changes]
    for each in changing:
        assert each.after is not None
        if isinstance(each, RestingConsequence):
            Bye.objects.filter(pk=each.bye.pk).update(name=each.after)
        elif each.pairing.match is not None:
            correct(each.pairing.match, each.after, user, reason)
        else:
            respell_drawn(each.pairing, each.after)
    return len(changing)


def follow_names(played: Match | Pairing, before: Sequence[str], after: Sequence[str], user: User, reason: str) -> None:
    """Let the places and byes that a match has filled say who really played it, wherever nobody has begun."""
    became = dict(zip(before, after, strict=True))
    of_it = {"source__match" if isinstance(played, Match) else "source": played, "filled": True}
    for place in Place.objects.filter(**of_it).select_related("pairing__match"):
        left, right = (became.get(name, name) for name in place.pairing.setup["names"])
        there = place.pairing
        if begun(there) or [left, right] == there.setup["names"]:
            continue
        if there.match is not None:
            correct(there.match, (left, right), user, reason)
        else:
            respell_drawn(there, (left, right))
    for bye in Bye.objects.filter(**of_it, name__in=became):
        Bye.objects.filter(pk=bye.pk).update(name=became[bye.name])
