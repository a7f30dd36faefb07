"""Helpers may replace one offline phone; giving both seats takes a director."""

from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Command, Confirm, GrantSeat, ReleaseSeat, TakeSeat
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal.tenure import Tenure
from clocks.models import Device, Match, Membership, Tournament
from clocks.record import match_record
from clocks.seats import claims, presence
from clocks.tournament import tables
from tests.server.desk.test_handler import board_of
from tests.server.house import US_2013, make_match, sit_down
from tests.server.seats.test_borrowed_seats import ANN_WON, Table

pytestmark = pytest.mark.django_db(transaction=True)

DENIED = (False, "not-director", "A director has to do this, because it decides who plays for both players.")
ONLINE = (False, "not-director", "That phone is online, so only its player or a director can give its seat away.")
GIVEN = (False, "not-director", "A helper has given this phone its seat, so a director has to agree.")
WITHOUT_YES = "This phone has Bob’s seat without the director’s yes"


class Hall(Table):
    """Tournament table with the director Dora and the helper Hella."""

    def __init__(self, *, shared: bool = False) -> None:
        super().__init__(shared=shared, casual=False)
        self.dora, self.hella = self._member("dora", "director"), self._member("hella", "helper")

    def _member(self, name: str, role: str) -> User:
        user = User.objects.create_user(name)
        Membership.objects.create(tournament=Tournament.objects.get(slug="open"), user=user, role=role)
        return user

    def rule(self, who: User, command: Command, after_ms: int = 0) -> tuple[bool, str, str]:
        """Submit a ruling by Dora or Hella; return (ok, code, message)."""
        at = now_ms() + after_ms
        request = Request(self.match.pk, command, "director", at, user_id=who.pk, may_end=who == self.dora)
        answer = desk.submit_and_wait(request)
        return answer.ok, answer.code, str(answer.words)

    def give(self, who: User, device: Device, *seats: Seat) -> None:
        """Give seats to another phone as Dora or Hella; must be accepted."""
        assert self.rule(who, TakeSeat(device.pk, seats, ())) == (True, "", "")


def a_phone() -> Device:
    return sit_down(make_match(), "left")[0]


@pytest.fixture
def hall() -> Hall:
    return Hall()


def test_a_phone_that_replaces_an_offline_one_settles_like_it(hall: Hall) -> None:
    phone = a_phone()
    hall.silence(Seat.RIGHT, claims.AWAY_MS)
    hall.give(hall.hella, phone, Seat.RIGHT)
    assert hall.ask(hall.ann, "left", **ANN_WON)[0]
    assert hall.ask(phone, "right", do="agree") == (True, "", "")


def test_a_helper_cannot_give_away_the_seat_of_an_online_phone_for_good(
    hall: Hall,
) -> None:
    hers = a_phone()
    assert hall.rule(hall.hella, ReleaseSeat(Seat.RIGHT)) == ONLINE
    hall.give(hall.hella, hers, Seat.RIGHT)
    assert hall.rule(hall.hella, GrantSeat(Seat.RIGHT)) == GIVEN
    assert hall.ask(hers, "right", claims.PLAYED_MS, do="hit") == (True, "", "")
    assert hall.ask(hall.ann, "left", **ANN_WON)[0]
    ok, code, words = hall.ask(hers, "right", do="agree")
    assert (ok, code, words.startswith(WITHOUT_YES)) == (False, "no-seat", True)
    hall.claim(hall.bob, "right")
    assert hall.seating()[0] == (hall.ann.pk, hall.bob.pk)


def test_a_director_confirms_a_seat_that_a_helper_gave(hall: Hall) -> None:
    phone = a_phone()
    hall.give(hall.hella, phone, Seat.RIGHT)
    assert hall.rule(hall.dora, GrantSeat(Seat.RIGHT)) == (True, "", "")
    assert hall.ask(hall.ann, "left", **ANN_WON)[0]
    assert hall.ask(phone, "right", do="agree") == (True, "", "")


@pytest.mark.parametrize("one_phone", [True, False])
def test_giving_both_seats_to_own_phones_settles_nothing(hall: Hall, one_phone: bool) -> None:
    left = a_phone()
    right = left if one_phone else a_phone()
    hall.silence(Seat.LEFT, claims.AWAY_MS)
    if one_phone:
        hall.give(hall.hella, left, Seat.LEFT, Seat.RIGHT)
    else:
        hall.give(hall.hella, left, Seat.LEFT)
        hall.give(hall.hella, right, Seat.RIGHT)
    assert hall.ask(right, "right", claims.PLAYED_MS, do="hit") == (True, "", "")
    hall.ask(left, "left", **ANN_WON)
    ok, code, words = hall.ask(right, "right", do="agree")
    assert (ok, code, words.startswith(WITHOUT_YES)) == (False, "no-seat", True)
    assert hall.rule(hall.hella, GrantSeat(Seat.RIGHT)) == DENIED
    assert Match.objects.get(pk=hall.match.pk).state["score"] == [0, 0]
    for seat in Seat if one_phone else [Seat.RIGHT]:
        assert hall.rule(hall.dora, GrantSeat(seat)) == (True, "", "")
    hall.ask(left, "left", **ANN_WON)
    assert hall.ask(right, "right", do="agree") == (True, "", "")


def test_the_old_phone_takes_back_a_second_seat_that_a_helper_gave(
    hall: Hall,
) -> None:
    left, right = a_phone(), a_phone()
    hall.give(hall.hella, left, Seat.LEFT)
    hall.give(hall.hella, right, Seat.RIGHT)
    hall.claim(hall.bob, "right")
    assert hall.seating()[0] == (left.pk, hall.bob.pk)


def test_what_a_director_gives_counts_in_full_after_whatever_a_helper_gave(hall: Hall) -> None:
    left, right = a_phone(), a_phone()
    hall.silence(Seat.LEFT, claims.AWAY_MS)
    hall.give(hall.hella, left, Seat.LEFT)
    hall.give(hall.dora, right, Seat.RIGHT)
    assert hall.ask(left, "left", **ANN_WON)[0]
    assert hall.ask(right, "right", do="agree") == (True, "", "")


def test_a_helper_frees_one_seat_and_not_the_other_too(hall: Hall) -> None:
    for seat in Seat:
        hall.silence(seat, claims.AWAY_MS)
    assert hall.rule(hall.hella, ReleaseSeat(Seat.LEFT)) == (True, "", "")
    assert hall.rule(hall.hella, ReleaseSeat(Seat.RIGHT)) == DENIED
    assert hall.rule(hall.dora, ReleaseSeat(Seat.RIGHT)) == (True, "", "")


def test_a_helper_cannot_free_both_seats_by_releasing_a_shared_phone() -> None:
    hall = Hall(shared=True)
    assert hall.rule(hall.hella, ReleaseSeat(Seat.LEFT)) == DENIED
    assert hall.seating()[0] == (hall.ann.pk, hall.ann.pk)


def test_a_helper_confirms_one_of_two_phones_that_took_silent_seats(hall: Hall) -> None:
    for seat in Seat:
        hall.silence(seat)
        hall.claim(a_phone(), seat)
    ok, code, words = hall.rule(hall.hella, GrantSeat(Seat.LEFT))
    assert (ok, code, words.startswith("Ann’s own phone was online less than two minutes ago")) == (
        False,
        "no-seat",
        True,
    )
    assert hall.rule(hall.hella, GrantSeat(Seat.LEFT), claims.AWAY_MS) == (True, "", "")
    assert hall.rule(hall.hella, GrantSeat(Seat.RIGHT), claims.AWAY_MS) == DENIED
    assert hall.rule(hall.hella, ReleaseSeat(Seat.RIGHT)) == (True, "", "")
    assert hall.seating()[0][1] == hall.bob.pk


def test_what_a_helper_did_before_the_first_press_does_not_count(hall: Hall) -> None:
    match = desk.make_match(tables.add_table(Tournament.objects.get(slug="open"), "2"), Setup.parse(US_2013))
    hall.match = match
    sit_down(match, "left")
    sit_down(match, "right")
    assert hall.rule(hall.hella, ReleaseSeat(Seat.LEFT)) == (True, "", "")
    assert hall.rule(hall.hella, ReleaseSeat(Seat.RIGHT)) == (True, "", "")
    ann, bob = sit_down(match, "left")[0], sit_down(match, "right")[0]
    assert hall.rule(hall.dora, Confirm()) == (True, "", "")
    assert hall.ask(ann, "left", do="hit") == (True, "", "")
    phone = a_phone()
    hall.silence(Seat.LEFT, claims.AWAY_MS)
    hall.give(hall.hella, phone, Seat.LEFT)
    assert hall.ask(phone, "left", **ANN_WON)[0]
    assert hall.ask(bob, "right", do="agree") == (True, "", "")


def test_the_record_names_the_helper_who_gave_a_seat_away(hall: Hall) -> None:
    phone = a_phone()
    hall.silence(Seat.RIGHT, claims.AWAY_MS)
    hall.give(hall.hella, phone, Seat.RIGHT)
    *_, last = match_record.lines(hall.match.pk)
    assert last.what == "A phone took Bob’s seat, handed over by helper hella"


def test_a_helper_cannot_free_a_seat_heard_within_two_minutes(hall: Hall) -> None:
    phone = a_phone()
    hall.silence(Seat.RIGHT)
    ok, code, words = hall.rule(hall.hella, ReleaseSeat(Seat.RIGHT))
    assert (ok, code, words.startswith("Bob’s own phone was online less than two minutes ago")) == (
        False,
        "no-seat",
        True,
    )
    hall.give(hall.hella, phone, Seat.RIGHT)
    assert hall.seating()[1].owners == (None, hall.bob.pk)
    assert hall.ask(hall.ann, "left", **ANN_WON)[0]
    assert hall.ask(phone, "right", do="agree")[:2] == (False, "no-seat")


def test_while_a_process_is_silent_only_a_director_gives_a_seat_for_good(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = a_phone(), a_phone()
    for seat in Seat:
        hall.silence(seat, claims.AWAY_MS)
    monkeypatch.setattr(presence, "_answered_at", 0)
    ok, code, words = hall.rule(hall.hella, ReleaseSeat(Seat.LEFT))
    assert (ok, code, words.startswith("The server cannot tell at the moment whether Ann’s phone is online")) == (
        False,
        "no-seat",
        True,
    )
    hall.give(hall.hella, left, Seat.LEFT)
    hall.give(hall.dora, right, Seat.RIGHT)
    assert hall.seating() == ((left.pk, right.pk), Tenure((hall.ann.pk, None), (hall.seating()[1].lent_at[0], None)))


def test_a_helper_who_gives_both_seats_at_once_only_lends_them(hall: Hall) -> None:
    owners = hall.ann.pk, hall.bob.pk
    for seat in Seat:
        hall.silence(seat, claims.AWAY_MS)
    hall.give(hall.hella, a_phone(), *Seat)
    assert hall.seating()[1].owners == owners


@pytest.mark.parametrize(
    ("given", "lent"), [((1,), ()), ((2,), (Seat.LEFT,)), ((), (Seat.LEFT,)), (None, (Seat.LEFT,))]
)
def test_a_seat_that_its_phone_gives_is_not_lent_by_a_helper(
    given: tuple[int, ...] | None, lent: Sequence[Seat]
) -> None:
    board, at = board_of(devices=(1, 2)), now_ms() + 60_000
    presence.saw(board.id, 0, at)
    claim = claims.seat_claim(board, TakeSeat(3, (Seat.LEFT,), given), "director", at, may_end=False)
    assert claim.lent == lent
