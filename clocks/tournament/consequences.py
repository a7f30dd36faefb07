"""Effects of correcting a result on pairings and byes of later rounds."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from django.contrib.auth.models import User

from clocks import desk
from clocks.desk.pairings import outcome
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Reason, Status
from clocks.engine.commands import ReleaseSeat, Stop
from clocks.models import Bye, Match, Pairing, Place
from clocks.tournament.draw_plan import has_begun
from clocks.tournament.players import Players, correct, correction, name_key, respell_drawn, submit

Names = tuple[str, str]


class Consequence(NamedTuple):
    """Later pairing of a player of the match, and its players after the correction.

    `after` is None if the pairing stays, because both players are in that round, as in a Swiss.
    """

    pairing: Pairing
    after: Names | None

    @property
    def state(self) -> str:
        """State of the later pairing: waits, plays or over."""
        match = self.pairing.match
        if self.pairing.winner or (match is not None and match.status == Status.OVER):
            return "over"
        return "plays" if has_begun(self.pairing) else "waits"

    @property
    def changes(self) -> bool:
        """True if the correction changes the pairing, which must not be over."""
        return self.after is not None and self.state != "over"

    @property
    def seen(self) -> str:
        """The consequence as shown to the director, in a form to compare."""
        return f"{self.pairing.pk}-{self.state}"


class ByeConsequence(NamedTuple):
    """Later bye of a player of the match, and its new holder (None: unchanged)."""

    bye: Bye
    after: str | None

    @property
    def changes(self) -> bool:
        """True if the other player gets the bye."""
        return self.after is not None

    @property
    def seen(self) -> str:
        """The consequence as shown to the director, in a form to compare."""
        return f"bye-{self.bye.pk}"


Found = Sequence[Consequence | ByeConsequence]


def seen(found: Found) -> str:
    """Fingerprint of all consequences shown, to detect later changes."""
    return " ".join(each.seen for each in found)


def of_result(pairing: Pairing) -> Found:
    """Later pairings and byes of the players of a decided match.

    A correction of the winner swaps the two players.

    In a knockout, the other player takes the place or the bye. A round in which both are drawn stays as it is, and so
    does a place for a player who has withdrawn. If one of these matches is over, all stay as they are.
    """
    decided = outcome(pairing)
    if decided is None:
        return []
    return _exchanged(pairing, {name_key(decided.winner): decided.loser, name_key(decided.loser): decided.winner})


def _exchanged(pairing: Pairing, exchanged: Mapping[str, str]) -> Found:
    """Later pairings and byes of these players, each mapped to the replacement."""
    tournament = pairing.round.tournament
    after_it = {"round__tournament": tournament, "round__number__gt": pairing.round.number}
    lines = [
        each
        for each in Pairing.objects.filter(**after_it).select_related("round__tournament", "table", "match")
        if exchanged.keys() & {name_key(name) for name in each.setup["names"]}
    ]
    byes = [
        each
        for each in Bye.objects.filter(**after_it).select_related("round__tournament")
        if name_key(each.name) in exchanged
    ]
    there: dict[int, set[str]] = {}
    for line in lines:
        there.setdefault(line.round_id, set()).update(map(name_key, line.setup["names"]))
    for bye in byes:
        there.setdefault(bye.round_id, set()).add(name_key(bye.name))
    listed = Players(tournament)

    def stays(round_id: int, names: Sequence[str]) -> bool:
        """True if the replacement is already in that round or has withdrawn."""
        coming = [exchanged[name_key(name)] for name in names if name_key(name) in exchanged]
        return any(
            name_key(name) in there[round_id] or listed.has_withdrawn(name, pairing.setup["format"]) for name in coming
        )

    found: list[Consequence | ByeConsequence] = []
    for line in lines:
        names = line.setup["names"]
        left, right = (exchanged.get(name_key(name), name) for name in names)
        found.append(Consequence(line, None if stays(line.round_id, names) else (left, right)))
    for bye in byes:
        other = None if stays(bye.round_id, [bye.name]) else exchanged[name_key(bye.name)]
        found.append(ByeConsequence(bye, other))
    if any(isinstance(each, Consequence) and each.after and each.state == "over" for each in found):
        # Its players stay, so all others stay too; otherwise a player could have two places or none.
        found = [each if getattr(each, "state", "") == "over" else each._replace(after=None) for each in found]
    return sorted(found, key=_in_order)


def _in_order(each: Consequence | ByeConsequence) -> tuple[int, bool, int]:
    """Sort key: by round, byes last."""
    row = each.bye if isinstance(each, ByeConsequence) else each.pairing
    return row.round.number, isinstance(each, ByeConsequence), row.pk


def carry_out(found: Found, user: User, reason: str) -> list[Consequence]:
    """Replace the player in byes and in pairings that are not over.

    Where play has begun, the clocks are stopped first. The seat of a player who is replaced is freed, unless its phone
    lies between both players. Returns the changed pairings where play had begun. Raises Refused for impossible names.
    """
    byes = [each for each in found if isinstance(each, ByeConsequence) and each.changes]
    drawn = [each for each in found if isinstance(each, Consequence) and each.changes]
    played = [each for each in drawn if each.state == "plays"]
    by = partial(Request, by=Official.DIRECTOR, user_id=user.pk)
    ids = [each.pairing.match_id for each in played if each.pairing.match_id is not None]
    desk.submit_all_and_wait([by(match_id, Stop(Reason.DIRECTOR)) for match_id in ids])  # refused if no clock runs
    requests = []
    for each in drawn:
        match = each.pairing.match
        if match is not None and each.after is not None:
            requests += [by(match.pk, ReleaseSeat(seat, reason)) for seat in _replaced_seats(match, each.after)]
            requests.append(correction(match, each.after, user, reason))

    def beforehand() -> None:
        """Change byes, and pairings without a clock, in the same transaction."""
        for bye in byes:
            Bye.objects.filter(pk=bye.bye.pk).update(name=bye.after)
        for each in drawn:
            if each.pairing.match is None and each.after is not None:
                respell_drawn(each.pairing, each.after)

    submit(requests, beforehand)
    return played


def _replaced_seats(match: Match, names: Names) -> list[Seat]:
    """Seats with a phone of their own whose player changes."""
    devices = (match.left_device_id, match.right_device_id)
    if devices[0] == devices[1]:
        return []
    changed = zip(Seat, devices, match.setup["names"], names, strict=True)
    return [seat for seat, device, before, after in changed if device is not None and before != after]


def follow_names(played: Match | Pairing, before: Sequence[str], after: Sequence[str], user: User, reason: str) -> None:
    """Correct names in places and byes filled by a match, unless play has begun there."""
    became = dict(zip(before, after, strict=True))
    of_it = {"source__match" if isinstance(played, Match) else "source": played, "filled": True}
    for place in Place.objects.filter(**of_it).select_related("pairing__match"):
        left, right = (became.get(name, name) for name in place.pairing.setup["names"])
        there = place.pairing
        if has_begun(there) or [left, right] == there.setup["names"]:
            continue
        if there.match is not None:
            correct(there.match, (left, right), user, reason)
        else:
            respell_drawn(there, (left, right))
    for bye in Bye.objects.filter(**of_it, name__in=became):
        Bye.objects.filter(pk=bye.pk).update(name=became[bye.name])
