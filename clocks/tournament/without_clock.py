"""Results of matches played without a clock: validate, enter, correct, withdraw."""

from collections.abc import Sequence
from copy import copy

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from clocks import desk
from clocks.desk import pairings
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.journal import tournament_log
from clocks.journal.tournament_events import LoggedResult, ResultCorrected, ResultEntered, ResultWithdrawn
from clocks.models import Pairing, Tournament
from clocks.tournament.stamps import stamp

Score = Sequence[int | None]

CHANGED = Words("Somebody has changed this result meanwhile. Check it again.")


def reject_impossible_score(length: int, winner: str, score: Score) -> None:
    """Reject an impossible final score; [None, None] means unknown."""
    if list(score) == [None, None]:
        return
    left, right = score
    if left is None or right is None:
        raise Refused(Why.BAD_VALUE, Words("Enter the points of both players, or of neither.", name="score"))
    won, lost = (left, right) if winner == "left" else (right, left)
    if won != length or lost >= length:
        words = Words(
            "In a match to %(length)s the winner has %(length)s and the other player fewer.",
            length=length,
            name="score",
        )
        raise Refused(Why.BAD_VALUE, words)


def enter(tournament: Tournament, pairing: Pairing, winner: str, score: Score, user: User, reason: str = "") -> None:
    """Enter the result of a match played without a clock, or correct it with a reason.

    Raises Refused if a player is not known yet, the score is impossible, a correction has no reason, or somebody has
    asked for a clock or changed the result meanwhile.
    """
    if pairing.places.filter(filled=False).exists():
        raise Refused(Why.BAD_VALUE, "The players of this match are not known yet.")
    reject_impossible_score(pairing.setup["length"], winner, score)
    corrected = copy(pairing)
    corrected.winner, corrected.score = winner, None if score[0] is None else list(score)
    before, after = result_of(pairing), result_of(corrected)
    if after is None or before == after:
        return
    if before and not reason:
        raise Refused(Why.BAD_VALUE, Words("There is a result already. Say why it is corrected.", name="reason"))
    fields = {"winner": winner, "score": corrected.score, "entered_by": user, "entered_at": timezone.now()}
    with transaction.atomic():
        as_read = Pairing.objects.filter(pk=pairing.pk, match=None, winner=pairing.winner)
        if not as_read.update(**fields):
            if Pairing.objects.filter(pk=pairing.pk, match=None).exists():
                raise Refused(Why.STALE, CHANGED)
            raise Refused(Why.STALE, "Somebody has just asked for a clock there, so the match is played with it.")
        if before:
            correction = ResultCorrected(str(pairing), before, after, reason, pairing.pk)
            tournament_log.write(tournament, user, correction)
            pairings.decide(pairing.pk)  # `corrections` changes the players of later matches
        else:
            tournament_log.write(tournament, user, ResultEntered(str(pairing), after, pairing.pk))
            desk.decide(pairing.pk)


def take_back(tournament: Tournament, pairing: Pairing, user: User, reason: str) -> None:
    """Withdraw a result; dependent places wait again. Raises Refused if there is none."""
    none = {"winner": "", "score": None, "entered_by": None, "entered_at": None}
    before = result_of(pairing)
    with transaction.atomic():
        withdrawn = Pairing.objects.filter(pk=pairing.pk, match=None).exclude(winner="").update(**none)
        if before is None or not withdrawn:
            raise Refused(Why.STALE, "There is no result to take back.")
        tournament_log.write(tournament, user, ResultWithdrawn(str(pairing), before, reason, pairing.pk))
        desk.undecide(pairing.pk)


def stamp_of_players(pairing: Pairing) -> str:
    """Hash of a match and its players, to store a result only for those shown."""
    return stamp(pairing.pk, pairing.setup["names"])


def reject_other_players(pairing: Pairing, shown: str) -> None:
    """Reject a result if the players' hash is not in `shown`, unless that is empty."""
    if shown and stamp_of_players(pairing) not in shown.split():
        raise Refused(Why.STALE, CHANGED)


def result_of(pairing: Pairing) -> LoggedResult | None:
    """Result entered for a pairing without a clock, or None."""
    if not pairing.winner:
        return None
    names = dict(zip(("left", "right"), pairing.setup["names"], strict=True))
    return {"winner": names[pairing.winner], "score": pairing.score}
