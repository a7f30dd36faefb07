"""Results of a round from the players' slips: all its matches on one page."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from clocks import desk
from clocks.desk.pairings import outcome
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import Confirm, Propose
from clocks.engine.proposals import EndMatch, SetScore
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.models import Pairing, Round, Tournament
from clocks.people.roles import Action
from clocks.tournament import consequences, corrections, without_clock
from clocks.tournament.consequences import Found
from clocks.tournament.corrections import Unseen
from clocks.tournament.tables import table_order
from clocks.tournament.without_clock import (
    CHANGED,
    reject_impossible_score,
    reject_other_players,
    stamp_of_players,
)
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.director.corrections import warn
from clocks.views.forms.note import NoteField
from clocks.views.page import FORM, find, page
from clocks.wording.language import said

_UNSEEN = Words("Later rounds change with it. Read below what follows, and store the results once more.")


class Slip:
    """A line of the grid: a match, the result shown, and the one submitted.

    `winner` is left, right or ""; `points` are the loser's, "" if unknown. `was` is the result that the page showed,
    so that a correction by somebody else is not overwritten. A correction has a `reason`; `later` are its consequences
    for later rounds, and `seen` is the fingerprint of those shown to the director.
    """

    def __init__(self, pairing: Pairing, given: Mapping[str, Any] | None = None) -> None:
        self.pairing = pairing
        self.length = pairing.setup["length"]
        score = pairing.score or [None, None]
        lost = score[1 if pairing.winner == "left" else 0]
        self.stored = (pairing.winner, "" if lost is None else str(lost))
        self.was, self.winner, self.points = ":".join(self.stored), *self.stored
        self.error, self.reason, self.seen, self.shown = "", "", "", ""
        self.later: Found = []
        if given is not None:
            self.reason = str(given.get(f"note-{pairing.pk}", "")).strip()
            self.seen = str(given.get(f"seen-{pairing.pk}", ""))
            self.shown = str(given.get("shown", ""))
            self.was = str(given.get(f"was-{pairing.pk}", ":"))
            self.winner = str(given.get(f"winner-{pairing.pk}", ""))
            self.points = str(given.get(f"points-{pairing.pk}", "")).strip()

    @property
    def open(self) -> bool:
        """True if a slip can be entered: both players are known, and no clock has run."""
        match = self.pairing.match
        begun = match is not None and match.has_begun
        return not self.waits and not begun

    @property
    def over(self) -> bool:
        """True if a match with a clock is over."""
        return self.pairing.match is not None and self.pairing.match.status == Status.OVER

    @property
    def unplayed(self) -> bool:
        """True if a match with a clock is over, and its clock never ran."""
        match = self.pairing.match
        return self.over and match is not None and not match.state["turn_number"]

    @property
    def result(self) -> tuple[str, list[int]]:
        """Winner and score of a match that is over; no score if it is unknown."""
        match, decided = self.pairing.match, outcome(self.pairing)
        assert match is not None and decided is not None
        score = match.state["score"]
        return decided.winner, score if any(score) else []

    @property
    def waits(self) -> bool:
        """True while a player is still to be decided."""
        return any(not place.filled for place in self.pairing.places.all())

    @property
    def corrects(self) -> bool:
        """True if the form changes a stored result."""
        return bool(self.pairing.winner) and self.sent

    @property
    def later_now(self) -> str:
        """Fingerprint of the consequences as of now."""
        return consequences.seen(self.later)

    @property
    def sent(self) -> bool:
        """True if the form has a result, and not the one that the page showed."""
        return self.open and bool(self.winner or self.points) and self.entered != self.was

    @property
    def entered(self) -> str:
        """Winner and points as entered, in the form of `was`."""
        return f"{self.winner}:{self.points}"

    @property
    def score(self) -> list[int | None]:
        """Points of both players; [None, None] if unknown."""
        if not self.points:
            return [None, None]
        lost = int(self.points)
        return [self.length, lost] if self.winner == "left" else [lost, self.length]

    def check(self) -> None:
        """Set `error` if the result cannot be stored."""
        try:
            self._reject()
        except Refused as refused:
            self.error = said(refused.words)
        except ValidationError as error:
            self.error = " ".join(error.messages)

    def _reject(self) -> None:
        reject_other_players(self.pairing, self.shown)
        if self.winner not in ("left", "right"):
            raise Refused(Why.BAD_VALUE, "Choose the winner.")
        if self.points and not (self.points.isdecimal() and self.points.isascii() and len(self.points) <= 2):
            raise Refused(Why.BAD_VALUE, "Enter the loser’s points as a number.")
        reject_impossible_score(self.length, self.winner, self.score)
        if not self.pairing.winner:
            return
        if ":".join(self.stored) != self.was:
            raise Refused(Why.STALE, CHANGED)
        if self.winner != self.pairing.winner:
            self.later = consequences.of_result(self.pairing)
        NoteField(required=False).clean(self.reason)
        if not self.reason:
            raise Refused(Why.BAD_VALUE, "There is a result already. Say why it is corrected.")
        if self.later_now != self.seen:
            raise Refused(Why.STALE, _UNSEEN)

    def store(self, tournament: Tournament, user: Any) -> Found:
        """Store the result, and return its consequences for later rounds.

        For a match with a clock, it becomes a ruling.
        """
        match = self.pairing.match
        if self.pairing.winner:
            return corrections.enter(self.pairing, self.winner, self.score, user, self.reason, self.seen)
        if match is None:
            without_clock.enter(tournament, self.pairing, self.winner, self.score, user)
            return []
        left, right = self.score
        terms = EndMatch(Seat(self.winner)) if left is None or right is None else SetScore((left, right), None)
        asked = [
            desk.Request(match.pk, each, Official.DIRECTOR, user_id=user.pk) for each in (Confirm(), Propose(terms))
        ]
        answer = desk.submit_all_and_wait(asked)[-1]
        if not answer.ok:
            raise answer.refusal()
        return []


@require_http_methods(FORM)
@access.to(Action.END)
def slips(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show all matches of a round with their results; a POST stores new results.

    If any of them is invalid, nothing is stored.
    """
    round_ = find(tournament, number)
    lines = _lines(round_, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        sent = [line for line in lines if line.sent]
        for line in sent:
            line.check()
        stored = 0 if any(line.error for line in sent) else _store(request, tournament, sent)
        if not any(line.error for line in sent):
            words = ngettext("%(number)s result entered.", "%(number)s results entered.", stored)
            messages.success(request, words % {"number": stored})
            return redirect("slips", tournament.slug, number)
    status = 400 if any(line.error for line in lines) else 200
    shown = " ".join(stamp_of_players(line.pairing) for line in lines if line.open)
    return page(request, tournament, "slips", None, status, round=round_, lines=lines, shown=shown)


def _lines(round_: Round, given: Mapping[str, Any] | None) -> list[Slip]:
    """Lines of the grid in table order."""
    drawn = round_.pairings.select_related("table", "match", "round__tournament").prefetch_related("places")
    return [Slip(pairing, given) for pairing in sorted(drawn, key=lambda each: table_order(each.table.name))]


def _store(request: HttpRequest, tournament: Tournament, sent: list[Slip]) -> int:
    """Store each result separately, and set `error` on those that are rejected.

    Returns the number stored.
    """
    stored = 0
    for line in sent:
        try:
            warn(request, line.store(tournament, signed_in(request)))
            line.was = line.entered
            stored += 1
        except Unseen as unseen:
            line.later, line.error = unseen.found, said(_UNSEEN)
        except Refused as refused:
            line.error = said(refused.words)
    return stored
