"""Requests to take over the seat of a phone that is online, and the answers.

A phone that is online keeps its seat until its player or the director gives it away. Requests are stored in the
database, shared by all processes; the journal records who gave a seat away, with the claim.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypedDict

from django.db import transaction
from django.db.models import QuerySet

from clocks.engine.clock import Seat
from clocks.engine.commands import TakeSeat
from clocks.engine.events import SeatTaken
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.journal import entries
from clocks.journal.stored import StoredMatch
from clocks.journal.tenure import Tenure
from clocks.models import Device, Match, SeatAsk
from clocks.seats import presence

WAIT_MS = 120_000  # lifetime of a request
REST_MS = 60_000  # pause after a refusal before the same seat can be requested again
CLAIM_MS = 10_000  # time to make the claim after a request was granted
MOST_ASKS, MOST_IN_VAIN = 3, 5  # per WINDOW_MS: requests by one phone; ungranted ones by all others for the same seat
WINDOW_MS = 600_000

GIVEN, KEPT = "given", "kept"


class Ask(TypedDict):
    """A request as sent to pages."""

    id: int
    match: int
    seats: list[Seat]
    at: int
    until: int


class SeatRequest(NamedTuple):
    """Pending request of `device` for these seats; phones in `given` have agreed."""

    id: int
    match_id: int
    table_id: int
    tournament_id: int
    seats: tuple[Seat, ...]
    device: int
    asked_at: int
    until: int
    given: tuple[int, ...]

    def seats_of(self, device_id: int | None, devices: Sequence[int | None]) -> list[Seat]:
        """Return the requested seats that this phone holds, unless it has agreed."""
        if device_id in (None, self.device, *self.given):
            return []
        return [seat for seat in self.seats if devices[seat.index] == device_id]

    def wire(self, seats: Sequence[Seat]) -> Ask:
        """Return the request as sent to pages, for these seats."""
        return {
            "id": self.id,
            "match": self.match_id,
            "seats": list(seats),
            "at": self.asked_at,
            "until": self.until,
        }


def contested(board: StoredMatch, seats: Iterable[Seat], device_id: int | None, now: int) -> list[Seat]:
    """Subset of these seats that are held by another phone that is online.

    Excludes seats borrowed from the requesting phone, which gets them back without a request.
    """
    return [
        seat
        for seat in seats
        if board.devices[seat.index] not in (None, device_id)
        and board.tenure.owners[seat.index] != device_id
        and not presence.silent(board.id, seat, now, board.runs)
    ]


def request_seat(board: StoredMatch, seats: Sequence[Seat], device: Device, now: int) -> SeatAsk:
    """Request seats for a phone.

    Returns its pending request if that is for the same seats. Raises Refused(Why.NO_SEAT) if the phone has a seat that
    it does not request, while another phone's request is pending, soon after a refusal, and after too many requests
    from this phone, so that knowing the code is not enough to disturb players. Requests from all other phones for the
    same seat are limited too, because anybody can pose as a new phone.
    """
    wanted = {Seat.LEFT, Seat.RIGHT} & set(seats)
    for seat in set(board.seats_of(device.pk)) - wanted:
        words = Words(
            "This phone has %(name)s’s seat. If it is to have both, choose “One phone between us”.",
            name=board.match.setup.names[seat.index],
        )
        raise Refused(Why.NO_SEAT, words)
    with transaction.atomic():
        Match.objects.select_for_update().get(pk=board.id)
        SeatAsk.objects.filter(asked_at__lt=now - WINDOW_MS).delete()
        of_match = list(SeatAsk.objects.filter(match_id=board.id).order_by("-pk"))
        rivals = [one for one in of_match if wanted & set(one.wanted)]
        for one in rivals:
            if one.waits(now) and one.device_id == device.pk and set(one.wanted) == wanted:
                return one
        if any(one.waits(now) and one.device_id != device.pk for one in rivals):
            raise Refused(Why.NO_SEAT, Words("Another phone has already asked for it. Wait for the answer."))
        if any(one.answer == KEPT and now - one.answered_at < REST_MS for one in rivals):
            raise Refused(
                Why.NO_SEAT,
                Words("Your request has just been turned down. Ask again in a minute, or ask the director."),
            )
        in_vain = sum(one.answer != GIVEN and one.device_id != device.pk for one in rivals)
        if in_vain >= MOST_IN_VAIN or SeatAsk.objects.filter(device=device).count() >= MOST_ASKS:
            raise Refused(Why.NO_SEAT, Words("This phone has asked several times. Speak to the director."))
        withdraw(board.id, device.pk)
        names = " ".join(seat for seat in Seat if seat in wanted)
        until = now + WAIT_MS
        return SeatAsk.objects.create(match_id=board.id, device=device, seats=names, asked_at=now, until=until)


def withdraw(match_id: int, device_id: int) -> bool:
    """Withdraw a phone's pending request. False if there is none."""
    pending = SeatAsk.objects.filter(match_id=match_id, device_id=device_id, answer="")
    return pending.exists() and bool(pending.update(answer=KEPT, answered_at=0))


def latest(match_id: int, device_id: int) -> SeatAsk | None:
    """Return the latest request of a phone in a match, or None."""
    return SeatAsk.objects.filter(match_id=match_id, device_id=device_id).order_by("-pk").first()


def state_of(asked: SeatAsk, board: StoredMatch, now: int) -> str:
    """State of a request: waits, kept, unanswered, or free (the seat needs no answer)."""
    if not contested(board, asked.wanted, asked.device_id, now) and not presence.unsure(now):
        return "free"
    if asked.answer == KEPT:
        return "kept" if asked.answered_at else "unanswered"  # 0: withdrawn by the phone itself
    claimed = asked.answer == GIVEN and now - asked.answered_at < CLAIM_MS
    return "waits" if asked.waits(now) or claimed else "unanswered"


def waiting(now: int) -> list[SeatRequest]:
    """All pending requests, oldest first."""
    rows = SeatAsk.objects.filter(answer="", until__gt=now).select_related("match__table").order_by("pk")
    return [
        SeatRequest(
            row.pk,
            row.match_id,
            row.match.table_id,
            row.match.table.tournament_id,
            row.wanted,
            row.device_id,
            row.asked_at,
            row.until,
            tuple(row.given),
        )
        for row in rows
    ]


def keep(ask_id: int, by_device: int | None, now: int) -> None:
    """Turn down a request, on behalf of the phone in a seat or (None) the director."""
    with transaction.atomic():
        one = _locked(ask_id, by_device)
        if one.answer == GIVEN:
            raise Refused(Why.STALE, Words("The seat has already been handed over."))
        if not one.answer:
            SeatAsk.objects.filter(pk=ask_id).update(answer=KEPT, answered_at=now)


def give(ask_id: int, by_device: int | None, now: int) -> TakeSeat | None:
    """Accept a request, on behalf of the phone in a seat or (None) the director.

    Returns the claim to make now, or None while the other player's phone has not answered. Repeating the answer returns
    the same until the claim is made, then None.
    """
    with transaction.atomic():
        one = _locked(ask_id, by_device)
        if one.answer == GIVEN and _was_taken(one):
            return None
        until = one.answered_at + CLAIM_MS if one.answer == GIVEN else one.until
        if one.answer == KEPT or until <= now or _has_other_seat(one):
            raise Refused(Why.STALE, Words("That phone is no longer waiting for an answer."))
        given = sorted({*one.given, by_device} - {None}) if by_device is not None else list(one.given)
        holders = {one.match.left_device_id, one.match.right_device_id}
        lacking = {_holder(one.match, seat) for seat in one.wanted} & holders - {None, one.device_id, *given}
        done = by_device is None or not lacking
        answered = {"answer": GIVEN, "answered_at": now} if done else {}
        SeatAsk.objects.filter(pk=ask_id).update(given=given, **answered)
        return TakeSeat(one.device_id, one.wanted, tuple(given)) if done else None


def settle(ask_id: int, yes: bool, by_device: int | None, now: int) -> tuple[int, TakeSeat | None, list[SeatRequest]]:
    """Answer a request; return its match, the claim if due, and all pending requests."""
    claim = None
    _asked(SeatAsk.objects.all(), ask_id, by_device)  # checked before taking the write lock
    if yes:
        claim = give(ask_id, by_device, now)
    else:
        keep(ask_id, by_device, now)
    return SeatAsk.objects.values_list("match_id", flat=True).get(pk=ask_id), claim, waiting(now)


def tournament_of(ask_id: int) -> int | None:
    """Return a request's tournament id, or None if there is no such request."""
    return SeatAsk.objects.filter(pk=ask_id).values_list("match__table__tournament_id", flat=True).first()


def _locked(ask_id: int, by_device: int | None) -> SeatAsk:
    """Lock and return a request. Raises Refused if missing or the phone was not asked."""
    return _asked(SeatAsk.objects.select_for_update(of=("self",)), ask_id, by_device)


def _asked(rows: QuerySet[SeatAsk], ask_id: int, by_device: int | None) -> SeatAsk:
    one = rows.select_related("match").filter(pk=ask_id).first()
    if one is None:
        raise Refused(Why.BAD_VALUE, Words("There is no such request."))
    asked = {_holder(one.match, seat) for seat in one.wanted} | set(one.given)
    if by_device is not None and by_device not in asked:
        raise Refused(Why.NO_SEAT)
    return one


def _has_other_seat(one: SeatAsk) -> bool:
    """True if the requesting phone now holds the other seat, and so would get both."""
    held = zip(Seat, (one.match.left_device_id, one.match.right_device_id), strict=True)
    return any(device == one.device_id and seat not in one.wanted for seat, device in held)


def _was_taken(one: SeatAsk) -> bool:
    """True if the requesting phone has taken a seat since the answer."""
    since = entries.but_hits().filter(match=one.match_id, at__gte=one.answered_at, event=SeatTaken.name)
    return since.filter(data__device=one.device_id).exists()


def _holder(match: Match, seat: Seat) -> int | None:
    """Return the owner of a seat: a phone that borrows it may not give it away."""
    held = (match.left_device_id, match.right_device_id)
    return Tenure.from_dict(match.tenure).rightful(held)[seat.index]
