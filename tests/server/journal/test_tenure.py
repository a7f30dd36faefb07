"""Tenure of seats: owners, borrowers, and the phone between the players."""

import pytest

from clocks.engine.clock import Seat
from clocks.engine.events import DelayForfeited, Event, SeatGranted, SeatReleased, SeatTaken
from clocks.journal.tenure import IN_FULL, Devices, Tenure, reseated

LEFT, RIGHT = Seat
ANN, BOB, EVE = 11, 12, 13
EMPTY = ((None, None), IN_FULL)
BOTH_SIT = ((ANN, BOB), IN_FULL)
BETWEEN = ((ANN, ANN), Tenure(between=ANN))
ANN_HAS_BOTH = ((ANN, ANN), IN_FULL)
EVE_BORROWS_RIGHT = ((ANN, EVE), Tenure((None, BOB), (None, 5)))
EVE_BORROWS_BOTH = ((EVE, EVE), Tenure((ANN, BOB), (4, 5)))
ANN_BORROWS_RIGHT = ((ANN, ANN), Tenure((None, BOB), (None, 5)))
EVE_BORROWS_OF_BETWEEN = ((ANN, EVE), Tenure((None, ANN), (None, 5), ANN))


@pytest.mark.parametrize(
    ("before", "event", "after"),
    [
        pytest.param(EMPTY, SeatTaken(9, BOB, (RIGHT,)), ((None, BOB), IN_FULL), id="takes a free seat"),
        pytest.param(BOTH_SIT, SeatTaken(9, EVE, (LEFT,)), ((EVE, BOB), IN_FULL), id="takes an owned seat"),
        pytest.param(BOTH_SIT, SeatTaken(9, BOB, (LEFT,)), ((BOB, None), IN_FULL), id="changes sides"),
        pytest.param(EMPTY, SeatTaken(9, ANN, (LEFT, RIGHT), (), True), BETWEEN, id="lies between"),
        pytest.param(EMPTY, SeatTaken(9, ANN, (LEFT, RIGHT)), ANN_HAS_BOTH, id="takes both"),
        pytest.param(BOTH_SIT, SeatTaken(5, EVE, (RIGHT,), (RIGHT,)), EVE_BORROWS_RIGHT, id="borrows"),
        pytest.param(
            EVE_BORROWS_RIGHT,
            SeatTaken(9, 14, (RIGHT,), (RIGHT,)),
            ((ANN, 14), Tenure((None, BOB), (None, 9))),
            id="borrows a borrowed seat of its owner",
        ),
        pytest.param(EVE_BORROWS_RIGHT, SeatTaken(9, EVE, ()), BOTH_SIT, id="gives up a borrowed seat"),
        pytest.param(EVE_BORROWS_RIGHT, SeatTaken(9, BOB, (RIGHT,)), BOTH_SIT, id="owner is back"),
        pytest.param(BETWEEN, SeatTaken(5, EVE, (RIGHT,), (RIGHT,)), EVE_BORROWS_OF_BETWEEN, id="borrows of between"),
        pytest.param(BETWEEN, SeatTaken(9, EVE, (RIGHT,)), ((ANN, EVE), IN_FULL), id="ends between"),
        pytest.param(BOTH_SIT, SeatReleased(9, LEFT, ""), ((None, BOB), IN_FULL), id="a seat is freed"),
        pytest.param(EMPTY, SeatReleased(9, LEFT, ""), EMPTY, id="a free seat is freed"),
        pytest.param(BETWEEN, SeatReleased(9, LEFT, ""), EMPTY, id="both seats of a phone are freed"),
        pytest.param(EVE_BORROWS_RIGHT, SeatReleased(9, RIGHT, ""), BOTH_SIT, id="a borrowed seat goes back"),
        pytest.param(
            EVE_BORROWS_BOTH,
            SeatReleased(9, RIGHT, ""),
            ((EVE, BOB), Tenure((ANN, None), (4, None))),
            id="one of two borrowed seats goes back",
        ),
        pytest.param(
            ANN_BORROWS_RIGHT, SeatReleased(9, LEFT, ""), ((None, BOB), IN_FULL), id="an owner's borrowed seat too"
        ),
        pytest.param(EVE_BORROWS_OF_BETWEEN, SeatReleased(9, RIGHT, ""), BETWEEN, id="between again"),
        pytest.param(EVE_BORROWS_RIGHT, SeatGranted(9, RIGHT, ""), ((ANN, EVE), IN_FULL), id="a borrower may keep it"),
        pytest.param(
            EVE_BORROWS_BOTH,
            SeatGranted(9, LEFT, ""),
            ((EVE, EVE), Tenure((None, BOB), (None, 5))),
            id="a borrower of both may keep one",
        ),
        pytest.param(ANN_BORROWS_RIGHT, SeatGranted(9, RIGHT, ""), BETWEEN, id="an owner of both lies between"),
        pytest.param(EVE_BORROWS_OF_BETWEEN, SeatGranted(9, LEFT, ""), EVE_BORROWS_OF_BETWEEN, id="between stays"),
        pytest.param(EVE_BORROWS_RIGHT, DelayForfeited(9, RIGHT), EVE_BORROWS_RIGHT, id="another event"),
    ],
)
def test_an_event_changes_seats_and_tenure(
    before: tuple[Devices, Tenure], event: Event, after: tuple[Devices, Tenure]
) -> None:
    assert reseated(*before, event) == after


@pytest.mark.parametrize(
    ("tenure", "plain"),
    [
        (IN_FULL, {}),
        (Tenure((None, BOB), (None, 5)), {"owners": [None, BOB], "lent_at": [None, 5], "between": None}),
        (Tenure(between=ANN), {"owners": [None, None], "lent_at": [None, None], "between": ANN}),
    ],
)
def test_a_tenure_is_stored_and_read_back(tenure: Tenure, plain: dict[str, object]) -> None:
    assert (tenure.to_dict(), Tenure.from_dict(plain)) == (plain, tenure)


def test_only_a_borrowed_seat_has_another_owner() -> None:
    devices, tenure = EVE_BORROWS_RIGHT
    assert [tenure.borrowed(seat) for seat in Seat] == [False, True]
    assert tenure.rightful(devices) == (ANN, BOB)
