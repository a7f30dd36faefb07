"""Enter, correct and withdraw results, with their consequences for later rounds.

The desk stores a result and its consequences in one transaction.
"""

from collections.abc import Callable, Sequence
from functools import partial

from django.contrib.auth.models import User

from clocks import desk
from clocks.desk import Request
from clocks.desk.pairings import outcome, replaced_seats
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Reason
from clocks.engine.commands import Command, Propose, ReleaseSeat, Stop
from clocks.engine.proposals import EndMatch, Reopen, SetScore
from clocks.engine.refusals import Refused, Why
from clocks.models import Bye, Match, Pairing, Place
from clocks.tournament import consequences, without_clock
from clocks.tournament.consequences import ByeConsequence, Consequence, Found
from clocks.tournament.players import correction, respell_drawn
from clocks.tournament.without_clock import Score


class Unseen(Exception):
    """The director has not been shown these consequences; nothing was changed."""

    def __init__(self, found: Found) -> None:
        super().__init__()
        self.found = found


def enter(pairing: Pairing, winner: str, score: Score, user: User, reason: str = "", seen: str | None = None) -> Found:
    """Enter or correct a result; return its consequences in later rounds.

    `seen` is the fingerprint of the consequences shown. Raises Unseen if there are others, unless `seen` is None, or
    Refused; then nothing has changed.
    """
    decided = outcome(pairing)
    turns = decided is not None and decided.winner != pairing.setup["names"][Seat(winner).index]
    found = _shown(consequences.of_result(pairing) if turns else [], seen)
    if pairing.match_id is None:
        tournament = pairing.round.tournament
        store = partial(without_clock.enter, tournament, pairing, winner, score, user, reason)
        return _carry_out(pairing, found, user, reason, store)
    left, right = score
    if left is None or right is None:
        raise Refused(Why.BAD_VALUE, "Enter the points of both players.")
    by_points = pairing.setup["length"] in score
    terms = SetScore((left, right), None) if by_points else EndMatch(Seat(winner), reason)
    return _carry_out(pairing, found, user, reason, first=_by(user, pairing.match_id, Propose(terms, reason)))


def take_back(pairing: Pairing, user: User, reason: str, seen: str | None = None) -> Found:
    """Withdraw the result of a match played without a clock; later places wait again.

    Raises as `enter` does, but checks `seen` only if play has begun in a later match.
    """
    found = consequences.of_reopening(pairing)
    if any(isinstance(each, Consequence) and each.state != "waits" for each in found):
        _shown(found, seen)
    store = partial(without_clock.take_back, pairing.round.tournament, pairing, user, reason)
    return _carry_out(pairing, found, user, reason, store)


def reopen(match: Match, pairing: Pairing | None, user: User, reason: str, seen: str | None = None) -> Found:
    """Reopen a match or game; places in later rounds wait again.

    `pairing` is the match's pairing if the match is over, else None. Raises as `enter` does.
    """
    found = _shown(consequences.of_reopening(pairing) if pairing else [], seen)
    return _carry_out(pairing, found, user, reason, first=_by(user, match.pk, Propose(Reopen(reason))))


def beside_reopening(match_id: int, user: User) -> tuple[Callable[[], None] | None, list[Request]]:
    """Changes to store with a reopening, if any, and requests to submit after it.

    For reopenings that come over a socket: nobody is shown the consequences first.
    """
    of_it = Pairing.objects.filter(match=match_id).select_related("round__tournament", "table", "match")
    pairing = of_it.first()
    found = consequences.of_reopening(pairing) if pairing else []
    if not found:
        return None, []
    stored: list[bool] = []

    def hold() -> None:
        _release(pairing, found)
        _hold(found)
        stored.append(True)

    return hold, _stops(found, user, partial(_reject_alone, stored))


def _shown(found: Found, seen: str | None) -> Found:
    if found and seen is not None and seen != consequences.seen(found):
        raise Unseen(found)
    return found


def _by(user: User, match_id: int, command: Command) -> Request:
    return Request(match_id, command, Official.DIRECTOR, user_id=user.pk)


def _carry_out(
    pairing: Pairing | None,
    found: Found,
    user: User,
    reason: str,
    store: Callable[[], object] | None = None,
    first: Request | None = None,
) -> Found:
    """Store a result with its consequences, in one transaction.

    The result is stored by `store`, or by the request `first`. Where play has begun, the clocks are stopped. The seat
    of a replaced player is freed, unless both players share its phone. If the result is rejected, nothing else is done.
    """
    changing = [each for each in found if each.changes]
    drawn = [each for each in changing if isinstance(each, Consequence)]
    exchanges = [request for each in drawn if each.held is None for request in _exchange(each, user, reason)]
    stored: list[bool] = []
    after_the_first = partial(_reject_alone, stored)
    stops = _stops(changing, user, None if first is None else after_the_first)

    def beside() -> None:
        """Store the result, and change places, byes and pairings that have no match yet."""
        _release(pairing, found)
        _hold(changing)
        if store is not None:
            store()
        _replace(changing)
        stored.append(True)

    if first is None:
        replies = desk.submit_all_and_wait([*exchanges, *stops], beside)
    else:
        first.alongside = beside
        for request in exchanges:
            request.beforehand = after_the_first
        replies = desk.submit_all_and_wait([first, *exchanges, *stops])
    refused = [reply for reply in replies if not reply.ok]
    if refused and (not stored or replies.index(refused[0]) < len(replies) - len(stops)):
        raise refused[0].refusal()  # a rejected stop only means that no clock was running
    return found


def _stops(found: Found, user: User, beforehand: Callable[[], object] | None) -> list[Request]:
    """Requests that stop the clocks where play has begun."""
    played = [each.pairing.match_id for each in found if isinstance(each, Consequence) and each.stops]
    requests = [_by(user, match_id, Stop(Reason.DIRECTOR)) for match_id in played if match_id]
    for request in requests:
        request.beforehand = beforehand
    return requests


def _reject_alone(stored: Sequence[bool]) -> None:
    """Raise Refused unless the result was stored."""
    if not stored:
        raise Refused(Why.STALE, "The result was refused, so nothing was changed.")


def _release(pairing: Pairing | None, found: Found) -> None:
    """Detach places and byes that stay; the match changes them no more.

    Where both players are drawn in the same round, their places still wait for a reopened match.
    """
    blocked = any(isinstance(each, Consequence) and each.after and each.state == "over" for each in found)
    for each in found:
        if each.changes or (each.held is not None and not blocked):
            continue
        if isinstance(each, ByeConsequence):
            Bye.objects.filter(pk=each.bye.pk, source=pairing).update(source=None)
        else:
            Place.objects.filter(pairing=each.pairing, source=pairing, filled=True).delete()


def _hold(found: Found) -> None:
    """Make places and byes of later rounds wait for the reopened match."""
    for each in found:
        if each.held is None or not each.changes:
            continue
        source = {"source": each.held.source, "takes": each.held.takes, "words": each.held.words}
        if isinstance(each, ByeConsequence):
            Bye.objects.filter(pk=each.bye.pk).update(**source)
        else:
            there = {"pairing": each.pairing, "seat": each.held.seat}
            Place.objects.get_or_create(**there, defaults={**source, "filled": True})


def _replace(found: Found) -> None:
    """Replace the names in byes, and in pairings that have no match yet."""
    for each in found:
        if each.held is not None or each.after is None:
            continue
        if isinstance(each, ByeConsequence):
            Bye.objects.filter(pk=each.bye.pk).update(name=each.after)
        elif each.pairing.match_id is None:
            respell_drawn(each.pairing, each.after)


def _exchange(each: Consequence, user: User, reason: str) -> list[Request]:
    """Requests that change the players of a match and free their seats."""
    match = each.pairing.match
    if match is None or each.after is None:
        return []
    freed = [_by(user, match.pk, ReleaseSeat(seat, reason)) for seat in replaced_seats(match, each.after)]
    return [*freed, correction(match, each.after, user, reason)]
