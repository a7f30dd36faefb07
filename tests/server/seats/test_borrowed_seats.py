"""Borrowed seats can press, stop and call, but decide nothing until granted."""

from typing import Any

import pytest

from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Confirm, GrantSeat, Hit, ReleaseSeat, TakeSeat, parse_command
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.journal.tenure import IN_FULL, Tenure
from clocks.models import Device, Match, Tournament
from clocks.record import match_record
from clocks.seats import claims, devices, presence
from clocks.tournament import tables
from tests.server.house import US_2013, make_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

ANN_WON = {"do": "propose", "what": "game", "winner": "left", "points": 5}
BORROWED = "This phone took Bob’s seat while the phone there was offline"
ONE_PHONE = "One phone cannot both ask and answer"


class Table:
    """Table with two phones or a shared one; Bob has the turn if `begun`."""

    def __init__(self, *, shared: bool = False, casual: bool = True, begun: bool = True) -> None:
        if casual:
            self.match = make_match()
        else:
            tournament = Tournament.objects.create(slug="open", name="Open")
            self.match = desk.make_match(tables.add_table(tournament, "1"), Setup.parse(US_2013))
        if shared:
            self.ann = self.bob = sit_down(self.match, "left", "right")[0]
        else:
            self.ann, self.bob = sit_down(self.match, "left")[0], sit_down(self.match, "right")[0]
        if begun:
            assert desk.submit_and_wait(Request(self.match.pk, Confirm(), "director")).ok
            assert desk.submit_and_wait(Request(self.match.pk, Hit(), "left")).ok

    def ask(self, device: Device, seat: str, after_ms: int = 0, **frame: Any) -> tuple[bool, str, str]:
        """Submit a phone's command for a seat; return (ok, code, message)."""
        request = Request(self.match.pk, parse_command(frame), Seat(seat), now_ms() + after_ms, device_id=device.pk)
        answer = desk.submit_and_wait(request)
        return answer.ok, answer.code, str(answer.words)

    def claim(self, device: Device, *seats: str) -> None:
        desk.claim_seat(self.match.pk, [Seat(seat) for seat in seats], device)

    def silence(self, seat: Seat, ms: int = presence.silent_ms(False)) -> None:
        """Make a seat's phone silent for `ms`; by default until the seat is free."""
        presence.saw(self.match.pk, seat.index, now_ms())
        presence._seen[self.match.pk][seat.index] = now_ms() - ms

    def seating(self) -> tuple[tuple[int | None, int | None], Tenure]:
        """Phones in the seats and their tenure, which must agree between cache and store."""
        read = stored.matches([self.match.pk])[self.match.pk]
        kept = desk._desk._matches[self.match.pk]
        assert (kept.devices, kept.tenure) == (read.devices, read.tenure)
        return read.devices, read.tenure

    def lent_to_ann(self) -> None:
        """Claim both seats on Ann's phone while Bob's is silent."""
        self.silence(Seat.RIGHT)
        self.claim(self.ann, "left", "right")


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_phone_that_took_a_silent_seat_does_not_settle_what_it_proposed(table: Table) -> None:
    table.lent_to_ann()
    assert table.ask(table.ann, "left", **ANN_WON)[0]
    ok, code, words = table.ask(table.ann, "right", do="agree")
    assert (ok, code, words.startswith(BORROWED)) == (False, "no-seat", True)
    assert Match.objects.get(pk=table.match.pk).state["score"] == [0, 0]


@pytest.mark.parametrize(
    "frame",
    [
        {"do": "agree"},
        {"do": "decline"},
        {"do": "take"},
        {"do": "pass"},
        {"do": "double"},
        {"do": "resume"},
        {"do": "confirm"},
        ANN_WON,
    ],
    ids=lambda frame: frame["do"],
)
def test_a_borrowed_seat_decides_nothing(table: Table, frame: dict[str, Any]) -> None:
    table.lent_to_ann()
    version = Match.objects.get(pk=table.match.pk).version
    assert table.ask(table.ann, "right", **frame)[:2] == (False, "no-seat")
    assert Match.objects.get(pk=table.match.pk).version == version


def test_a_borrowed_seat_presses_stops_and_calls(table: Table) -> None:
    table.lent_to_ann()
    assert table.ask(table.ann, "right", claims.PLAYED_MS, do="hit") == (True, "", "")
    assert table.ask(table.ann, "left", do="hit") == (True, "", "")
    assert table.ask(table.ann, "right", do="stop", reason="dice") == (True, "", "")
    assert table.ask(table.ann, "right", do="call", note="Where is Bob?") == (True, "", "")


def test_a_returning_phone_takes_its_borrowed_seat_back_without_asking(table: Table) -> None:
    stranger = sit_down(make_match(), "left")[0]
    table.silence(Seat.RIGHT)
    table.claim(stranger, "right")
    assert table.seating()[1].owners == (None, table.bob.pk)
    table.claim(table.bob, "right")
    assert table.seating() == ((table.ann.pk, table.bob.pk), IN_FULL)
    assert table.ask(stranger, "right", do="hit")[:2] == (False, "no-seat")
    assert table.ask(table.bob, "right", do="hit")[0]


def test_a_released_borrowed_seat_returns_to_its_owner(table: Table) -> None:
    table.lent_to_ann()
    table.claim(table.ann, "left")
    assert table.seating() == ((table.ann.pk, table.bob.pk), IN_FULL)


def test_a_seat_borrowed_twice_still_belongs_to_the_first_owner(table: Table) -> None:
    first, second = sit_down(make_match(), "left")[0], sit_down(make_match(), "left")[0]
    table.silence(Seat.RIGHT)
    table.claim(first, "right")
    table.silence(Seat.RIGHT)
    table.claim(second, "right")
    devices_, tenure = table.seating()
    assert (devices_, tenure.owners) == ((table.ann.pk, second.pk), (None, table.bob.pk))


def test_a_phone_that_borrows_does_not_give_the_seat_to_a_third(table: Table) -> None:
    first, second = sit_down(make_match(), "left")[0], sit_down(make_match(), "left")[0]
    table.silence(Seat.RIGHT)
    table.claim(first, "right")
    claim = TakeSeat(second.pk, (Seat.RIGHT,), (first.pk,))
    answer = desk.submit_and_wait(Request(table.match.pk, claim, Seat.RIGHT, device_id=first.pk))
    assert (answer.ok, answer.code) == (False, "no-seat")
    assert table.seating()[0] == (table.ann.pk, first.pk)


def test_the_directors_grant_gives_the_phone_all_rights(table: Table) -> None:
    table.lent_to_ann()
    assert desk.submit_and_wait(Request(table.match.pk, GrantSeat(Seat.RIGHT), "director")).ok
    assert table.seating() == ((table.ann.pk, table.ann.pk), Tenure(between=table.ann.pk))
    assert table.ask(table.ann, "left", **ANN_WON)[0]
    assert table.ask(table.ann, "right", do="agree")[0]
    again = desk.submit_and_wait(Request(table.match.pk, GrantSeat(Seat.RIGHT), "director"))
    assert (again.ok, again.code) == (False, "stale")


def granted(table: Table, device: Device, by: Seat, seat: Seat, after_ms: int = 0) -> tuple[bool, str]:
    at = now_ms() + after_ms
    answer = desk.submit_and_wait(Request(table.match.pk, GrantSeat(seat), by, at, device_id=device.pk))
    return answer.ok, answer.code


def test_only_the_director_grants_a_borrowed_seat() -> None:
    table = Table(casual=False)
    table.lent_to_ann()
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT) == (False, "not-director")


def test_without_a_director_the_other_player_grants_a_borrowed_seat(table: Table) -> None:
    new = devices.join_device({})[0]
    table.silence(Seat.RIGHT)
    table.claim(new, "right")
    assert not table.ask(new, "right", **ANN_WON)[0]
    assert granted(table, new, Seat.RIGHT, Seat.RIGHT) == (False, "no-seat")  # a phone cannot grant a seat to itself
    assert granted(table, devices.join_device({})[0], Seat.LEFT, Seat.RIGHT) == (False, "no-seat")
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, claims.AWAY_MS) == (True, "")
    assert table.seating() == ((table.ann.pk, new.pk), IN_FULL)
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, claims.AWAY_MS) == (False, "stale")
    assert table.ask(new, "right", **ANN_WON)[0]


def test_without_a_director_a_new_phone_replaces_a_shared_one() -> None:
    table = Table(shared=True)
    new = devices.join_device({})[0]
    for seat in Seat:
        table.silence(seat)
    table.claim(new, "left", "right")
    assert not table.ask(new, "left", **ANN_WON)[0]
    assert granted(table, new, Seat.LEFT, Seat.LEFT, claims.AWAY_MS - 1_000) == (False, "no-seat")
    assert granted(table, new, Seat.LEFT, Seat.LEFT, claims.AWAY_MS) == (True, "")
    assert granted(table, new, Seat.RIGHT, Seat.RIGHT, claims.AWAY_MS) == (True, "")
    assert table.seating() == ((new.pk, new.pk), Tenure(between=new.pk))
    assert table.ask(new, "left", **ANN_WON)[0]
    assert table.ask(new, "right", do="agree")[0]


def test_a_borrowed_seat_can_be_granted_to_oneself_only_after_two_minutes(table: Table) -> None:
    table.lent_to_ann()
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, claims.AWAY_MS - 1_000) == (False, "no-seat")
    assert granted(table, table.ann, Seat.RIGHT, Seat.RIGHT, claims.AWAY_MS - 1_000) == (False, "no-seat")
    table.claim(table.bob, "right")
    assert table.seating() == ((table.ann.pk, table.bob.pk), IN_FULL)
    table.lent_to_ann()
    assert granted(table, table.ann, Seat.LEFT, Seat.RIGHT, claims.AWAY_MS + 1_000) == (True, "")


def test_in_a_casual_match_a_phone_is_shared_only_if_a_seat_was_given(table: Table) -> None:
    assert desk.submit_and_wait(Request(table.match.pk, ReleaseSeat(Seat.RIGHT), "director")).ok
    table.claim(table.ann, "left", "right")
    board = stored.matches([table.match.pk])[table.match.pk]
    assert not claims.seat_claim(board, TakeSeat(table.ann.pk, tuple(Seat)), Seat.LEFT, now_ms()).together


def test_no_refusal_in_a_casual_match_mentions_a_director(table: Table) -> None:
    table.lent_to_ann()
    refused = [
        table.ask(table.ann, "right", **ANN_WON),
        table.ask(table.ann, "left", do="answer"),
        table.ask(table.ann, "left", do="decline"),
        table.ask(table.ann, "right", do="agree"),
    ]
    assert [ok for ok, *_ in refused] == [False] * 4
    assert [words for *_, words in refused if "director" in words] == []


def test_the_director_takes_back_a_borrowed_seat_only(table: Table) -> None:
    table.lent_to_ann()
    assert desk.submit_and_wait(Request(table.match.pk, ReleaseSeat(Seat.RIGHT), "director")).ok
    assert table.seating() == ((table.ann.pk, table.bob.pk), IN_FULL)


def test_one_phone_that_took_both_seats_in_setup_settles_what_it_proposes() -> None:
    table = Table(shared=True)
    assert table.seating()[1] == Tenure(between=table.ann.pk)
    assert table.ask(table.ann, "left", **ANN_WON)[0]
    assert table.ask(table.ann, "right", do="agree")[0]


def test_a_phone_that_got_both_seats_later_does_not_answer_itself(table: Table) -> None:
    assert desk.submit_and_wait(Request(table.match.pk, ReleaseSeat(Seat.RIGHT), "director")).ok
    table.claim(table.ann, "left", "right")
    assert table.seating() == ((table.ann.pk, table.ann.pk), IN_FULL)
    assert table.ask(table.ann, "right", do="double")[0]
    ok, code, words = table.ask(table.ann, "left", do="take")
    assert (ok, code, words.startswith(ONE_PHONE)) == (False, "not-yours-to-settle", True)
    assert table.ask(table.ann, "left", do="pass")[:2] == (False, "not-yours-to-settle")


def test_one_phone_may_withdraw_what_it_proposed_itself(table: Table) -> None:
    assert desk.submit_and_wait(Request(table.match.pk, ReleaseSeat(Seat.RIGHT), "director")).ok
    table.claim(table.ann, "left", "right")
    assert table.ask(table.ann, "left", **ANN_WON)[0]
    assert table.ask(table.ann, "right", do="decline")[:2] == (False, "not-yours-to-settle")
    assert table.ask(table.ann, "left", do="decline")[0]


def test_in_a_casual_match_giving_the_seat_lets_one_phone_answer_for_both(table: Table) -> None:
    claim = TakeSeat(table.ann.pk, (Seat.LEFT, Seat.RIGHT), (table.bob.pk,))
    assert desk.submit_and_wait(Request(table.match.pk, claim, Seat.RIGHT, device_id=table.bob.pk)).ok
    assert table.seating()[1] == Tenure(between=table.ann.pk)


def test_before_the_first_game_a_silent_seat_is_free_and_held_in_full() -> None:
    match = make_match()
    bob, other = sit_down(match, "right")[0], sit_down(make_match(), "left")[0]
    presence._seen[match.pk][Seat.RIGHT.index] = now_ms() - presence.silent_ms(False)
    desk.claim_seat(match.pk, [Seat.RIGHT], other)
    read = stored.matches([match.pk])[match.pk]
    assert (read.devices, read.tenure, bob.pk in read.devices) == ((None, other.pk), IN_FULL, False)


def test_before_the_first_game_a_seat_is_free_after_eleven_seconds() -> None:
    match = make_match()
    sit_down(match, "right")
    board, heard = stored.matches([match.pk])[match.pk], presence.seen_at(match.pk)[Seat.RIGHT.index]
    claim = TakeSeat(devices.join_device({})[0].pk, (Seat.RIGHT,))
    with pytest.raises(Refused, match="was online a moment ago"):
        claims.seat_claim(board, claim, Seat.RIGHT, heard + 10_999)
    assert claims.seat_claim(board, claim, Seat.RIGHT, heard + 11_000) == claim


def test_the_record_and_the_snapshot_say_that_a_seat_changed_hands(table: Table) -> None:
    table.lent_to_ann()
    assert desk.submit_and_wait(Request(table.match.pk, GrantSeat(Seat.RIGHT, "Bob’s battery"), "director")).ok
    what = [entry.what for entry in match_record.lines(table.match.pk)][-2:]
    assert what == [
        "A phone took Ann and Bob’s seat, on loan from Bob’s phone",
        "The players let the phone in Bob’s seat do everything",
    ]


def test_the_record_says_when_one_phone_settled_what_it_had_proposed() -> None:
    table = Table(shared=True)
    assert table.ask(table.ann, "left", **ANN_WON)[0]
    assert table.ask(table.ann, "right", do="agree")[0]
    agreed = [entry.what for entry in match_record.lines(table.match.pk) if entry.event == "agreed"]
    assert [what.endswith(" (one phone for both players)") for what in agreed] == [True]


def test_a_free_seat_beside_a_given_one_does_not_make_the_phone_shared(table: Table) -> None:
    carl = devices.join_device({})[0]
    assert desk.submit_and_wait(Request(table.match.pk, ReleaseSeat(Seat.RIGHT), "director")).ok
    claim = TakeSeat(carl.pk, tuple(Seat), (table.ann.pk,))
    assert desk.submit_and_wait(Request(table.match.pk, claim, Seat.LEFT, device_id=table.ann.pk)).ok
    assert table.seating() == ((carl.pk, carl.pk), IN_FULL)
