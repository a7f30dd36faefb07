"""Pressing for a player whose phone is silent; twice at once gives no new delay."""

from collections.abc import Callable

import pytest

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Hit, ReleaseSeat
from clocks.models import Match
from clocks.seats import claims, presence
from tests.server.seats.test_borrowed_seats import Table

pytestmark = pytest.mark.django_db(transaction=True)

Press = Callable[[Seat, int], str]
JUST_BEGUN = "Bob’s turn has only just begun. Press for Bob once it has run for 2 seconds."


@pytest.fixture(params=["silent", "borrowed", "released"])
def press(request: pytest.FixtureRequest) -> Press:
    """Function to press for a seat on Ann's phone after some ms; returns the refusal.

    Bob's phone is silent, or its seat is on loan to Ann's, or Ann's took the seat after its release.
    """
    table = Table()
    if request.param == "borrowed":
        table.lent_to_ann()
    elif request.param == "released":
        assert desk.submit_and_wait(Request(table.match.pk, ReleaseSeat(Seat.RIGHT), "director")).ok
        table.claim(table.ann, "left", "right")
    now = [int(Match.objects.get(pk=table.match.pk).state["at"])]

    def press(seat: Seat, after_ms: int) -> str:
        now[0] += after_ms
        presence._seen.setdefault(table.match.pk, [0, 0])[1] = now[0] - 20_000
        hit = Request(table.match.pk, Hit(), seat, now[0], device_id=table.ann.pk)
        return str(desk.submit_and_wait(hit).words)

    assert press(Seat.RIGHT, 5_000) == ""
    return press


def charged_ms() -> int:
    """Reserve that Ann has used, in ms."""
    state = Match.objects.get().state
    return state["setup"]["length"] * 120_000 - state["clock"]["reserve_ms"][0]


def test_two_presses_at_once_begin_no_new_delay(press: Press) -> None:
    before = charged_ms()
    assert press(Seat.LEFT, 11_900) == ""
    assert [press(Seat.RIGHT, ms) for ms in (0, 0, 1_000, 999)] == [JUST_BEGUN] * 4
    assert charged_ms() == before


def test_a_turn_played_at_the_table_is_ended_on_the_other_phone(press: Press) -> None:
    for _ in range(3):
        assert [press(Seat.LEFT, 4_000), press(Seat.RIGHT, claims.PLAYED_MS)] == ["", ""]


def test_a_phone_between_the_players_ends_a_turn_at_once() -> None:
    table = Table(shared=True)
    assert [table.ask(table.ann, seat, do="hit") for seat in ("right", "left", "right")] == [(True, "", "")] * 3
