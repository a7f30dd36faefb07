"""On a break or after a confirmation, a silent phone's seat is only lent."""

import pytest

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm, Hit, ReleaseSeat
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.journal.tenure import IN_FULL
from clocks.models import Match
from clocks.seats import devices
from tests.server.house import US_2013
from tests.server.seats.test_borrowed_seats import ANN_WON, Table, granted

pytestmark = pytest.mark.django_db(transaction=True)

WHERE = pytest.mark.parametrize("casual", [True, False], ids=["casual", "tournament"])
BREAK = {"do": "stop", "reason": "break"}


def on_break(*, casual: bool, before_the_first_game: bool = False) -> Table:
    """Table whose players are on a break."""
    table = Table(casual=casual, begun=not before_the_first_game)
    if before_the_first_game:
        for phone, seat in ((table.ann, "left"), (table.bob, "right")):
            assert table.ask(phone, seat, do="confirm")[0]
    else:
        assert table.ask(table.ann, "left", do="propose", what="game", winner="left", points=1)[0]
        assert table.ask(table.bob, "right", do="agree")[0]
    assert table.ask(table.ann, "left", **BREAK)[0]
    assert Match.objects.get(pk=table.match.pk).status == "setup"
    return table


def score(table: Table) -> list[int]:
    return list(Match.objects.get(pk=table.match.pk).state["score"])


@WHERE
@pytest.mark.parametrize("first", [True, False], ids=["before the first game", "between games"])
def test_on_a_break_one_phone_settles_nothing_alone(casual: bool, first: bool) -> None:
    table = on_break(casual=casual, before_the_first_game=first)
    before = score(table)
    table.lent_to_ann()
    devices_, tenure = table.seating()
    assert (devices_, tenure.owners, tenure.between) == ((table.ann.pk,) * 2, (None, table.bob.pk), None)
    assert not granted(table, table.ann, Seat.LEFT, Seat.RIGHT)[0]
    assert table.ask(table.ann, "left", do="confirm")[0]
    assert table.ask(table.ann, "right", do="confirm")[:2] == (False, "no-seat")
    table.claim(table.bob, "right")
    assert (table.seating(), score(table)) == (((table.ann.pk, table.bob.pk), IN_FULL), before)


@WHERE
def test_on_a_break_two_phones_settle_nothing_alone(casual: bool) -> None:
    table, carl = on_break(casual=casual), devices.join_device({})[0]
    table.silence(Seat.RIGHT)
    table.claim(carl, "right")
    assert table.seating()[1].owners == (None, table.bob.pk)
    assert table.ask(carl, "right", do="confirm")[:2] == (False, "no-seat")


@WHERE
def test_a_seat_that_has_confirmed_is_lent_before_the_other_confirms(casual: bool) -> None:
    table = Table(casual=casual, begun=False)
    assert table.ask(table.bob, "right", do="confirm")[0]
    table.lent_to_ann()
    devices_, tenure = table.seating()
    assert (devices_, tenure.owners, tenure.between) == ((table.ann.pk,) * 2, (None, table.bob.pk), None)
    assert table.ask(table.ann, "left", do="confirm")[0]
    assert table.ask(table.ann, "left", do="hit")[0]
    assert table.ask(table.ann, "left", **ANN_WON)[0]
    assert table.ask(table.ann, "right", do="agree")[:2] == (False, "no-seat")


def test_a_phone_never_lets_itself_answer_for_both_in_a_freed_seat() -> None:
    table = Table()
    assert desk.submit_and_wait(Request(table.match.pk, ReleaseSeat(Seat.RIGHT), "director")).ok
    table.claim(table.ann, "left", "right")
    for by in Seat:
        assert granted(table, table.ann, by, Seat.RIGHT) == (False, "not-yours-to-settle")


def test_a_helper_frees_no_seat_on_a_break_within_two_minutes() -> None:
    table = on_break(casual=False, before_the_first_game=True)
    table.silence(Seat.RIGHT)
    free = Request(table.match.pk, ReleaseSeat(Seat.RIGHT), "director", may_end=False)
    assert desk.submit_and_wait(free).code == "no-seat"


@pytest.mark.parametrize("first", [True, False], ids=["before the first game", "between games"])
def test_a_new_match_does_not_replace_one_on_a_break(first: bool) -> None:
    table = on_break(casual=False, before_the_first_game=first)
    with pytest.raises(Refused) as refused:
        desk.make_match(Match.objects.get(pk=table.match.pk).table, Setup.parse(US_2013))
    assert str(refused.value.words) == (
        "Ann – Bob has begun at table 1 and is not over. End that match first, or replace it."
    )


def test_after_a_break_play_goes_on() -> None:
    table = on_break(casual=True)
    for phone, seat in ((table.ann, "left"), (table.bob, "right")):
        assert desk.submit_and_wait(Request(table.match.pk, Confirm(), Seat(seat), device_id=phone.pk)).ok
    assert desk.submit_and_wait(Request(table.match.pk, Hit(), Seat.LEFT, device_id=table.ann.pk)).ok
