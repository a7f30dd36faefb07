"""A press that the network held up longer than its credit is kept in sight until the rest is given back."""

from typing import Any

import pytest

from clocks import desk
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Agree, Hit, Propose, Resume, Stop, parse_command
from clocks.engine.proposals import GiveTime
from clocks.journal import stored
from clocks.live import protocol
from clocks.models import Match
from clocks.record import match_record
from tests.server.house import make_match, running_match

pytestmark = pytest.mark.django_db(transaction=True)


def press(match: Match, by: str, at: int, claimed_at: int, credit_ms: int = 0, heard_at: int | None = None) -> None:
    """Press for a seat: made at `claimed_at`, arrived at `at`; its phone was heard at `heard_at` before that."""
    answers: list[Reply] = []
    request = Request(match.pk, Hit(), by, at, claimed_at=claimed_at, credit_ms=credit_ms, answered=answers.append)
    request.heard_at = heard_at
    desk._desk.settle([request])
    assert [answer.ok for answer in answers] == [True]


def late(match: Match) -> tuple[Any, Any]:
    """Return the late press in the snapshot of the desk's board, and in that of the board as stored."""
    anew = stored.matches([match.pk])[match.pk]
    boards = (desk._desk._matches[match.pk], anew)
    first, second = (protocol.snapshot(board, board.match.at, (0, 0))["late"] for board in boards)
    return first, second


def test_a_press_that_came_38_seconds_late_is_shown_with_what_it_was_credited() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 50_000, began + 11_800, credit_ms=400)
    shown = {"seat": "right", "at": began + 50_000, "late_ms": 38_200, "credit_ms": 250, "charged_ms": 37_750}
    assert late(match) == (shown, shown)


def test_a_press_within_its_credit_is_not_late() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 9_000, began + 8_700, credit_ms=250)
    assert late(match) == (None, None)


def test_a_press_whose_phone_was_heard_since_was_not_held_up_and_the_record_says_so() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 9_000, began + 4_000, heard_at=began + 5_000)
    assert late(match) == (None, None)
    said = [line for line in match_record.lines(match.pk) if line.event == "hit"][-1]
    assert (said.what.partition(", ")[2], said.held_up_ms) == (
        "claimed 5000 ms earlier though the phone was heard since",
        0,
    )


def test_clocks_that_differ_by_less_than_a_second_do_not_speak_against_a_press() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 9_000, began + 4_000, heard_at=began + 4_999)
    shown = {"seat": "right", "at": began + 9_000, "late_ms": 5_000, "credit_ms": 0, "charged_ms": 0}
    assert late(match) == (shown, shown)


def test_a_press_is_never_later_than_its_turn_has_run_pauses_left_out() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    assert desk.submit_and_wait(Request(match.pk, Stop("dice"), "right", began + 2_000)).ok
    assert desk.submit_and_wait(Request(match.pk, Resume(), "right", began + 60_000)).ok
    press(match, "right", began + 61_000, began + 900)
    shown = {"seat": "right", "at": began + 61_000, "late_ms": 3_000, "credit_ms": 0, "charged_ms": 0}
    assert late(match) == (shown, shown)
    press(match, "left", began + 61_500, 1_700_000_000_100)
    assert late(match) == (shown, shown)


def test_a_late_press_stays_in_sight_while_the_game_goes_on() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 20_000, began + 15_000)
    press(match, "left", began + 25_000, began + 25_000)
    shown = {"seat": "right", "at": began + 20_000, "late_ms": 5_000, "credit_ms": 0, "charged_ms": 5_000}
    assert late(match) == (shown, shown)


def test_time_given_to_that_seat_by_the_director_settles_it() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 20_000, began + 15_000)
    assert desk.submit_and_wait(Request(match.pk, Propose(GiveTime(Seat.LEFT, 5_000)), "director", began + 21_000)).ok
    assert late(match)[0] is not None
    assert desk.submit_and_wait(Request(match.pk, Propose(GiveTime(Seat.RIGHT, 5_000)), "director", began + 22_000)).ok
    assert late(match) == (None, None)


def test_time_given_to_that_seat_by_agreement_settles_it_too() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 20_000, began + 15_000)
    back = GiveTime(Seat.RIGHT, 5_000)
    assert desk.submit_and_wait(Request(match.pk, Propose(back), "right", began + 21_000)).ok
    assert late(match)[0] is not None
    assert desk.submit_and_wait(Request(match.pk, Agree(), "left", began + 22_000)).ok
    assert late(match) == (None, None)


@pytest.mark.parametrize(
    ("rules", "made_ms", "charged_ms"),
    [("us-2013", 5_000, 48_000), ("us-2013", 20_000, 40_000), ("us-2007", 5_000, 48_000), ("modern", 5_000, 48_000)],
)
def test_only_what_its_reserve_lost_was_charged(rules: str, made_ms: int, charged_ms: int) -> None:
    match = running_match(rules=rules)
    before = stored.matches([match.pk])[match.pk].match
    made = before.at + made_ms
    press(match, "right", before.at + 60_000, made)
    shown, after = late(match)[0], stored.matches([match.pk])[match.pk].match
    in_time = before.clock.hit(made).reserve_ms[1]
    assert (shown["charged_ms"], in_time - after.clock.reserve_ms[1]) == (charged_ms, charged_ms)


def test_a_held_up_press_that_starts_a_game_cost_nobody_time() -> None:
    match = make_match()
    assert desk.submit_and_wait(Request(match.pk, parse_command({"do": "confirm"}), "director")).ok
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "left", began + 20_000, began + 5_000)
    assert late(match) == (None, None)
