"""A press delayed beyond its credit is shown until the lost time is given back."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clocks import desk
from clocks.desk.batch import Desk
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Agree, Command, HandOver, Hit, Kept, Propose, Resume, Stop, parse_command
from clocks.engine.proposals import GiveTime
from clocks.journal import stored
from clocks.lag import late_presses
from clocks.live import first_frame, protocol, table_opens
from clocks.live.table_opens import Asked
from clocks.models import Device, JournalEntry, Match
from clocks.record import match_record
from tests.server.house import make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)


def press(match: Match, by: str, at: int, claimed_at: int, credit_ms: int = 0, heard_at: int | None = None) -> None:
    """Submit a press made at `claimed_at` on a phone that last answered at `heard_at`."""
    answers: list[Reply] = []
    request = Request(match.pk, Hit(), by, at, claimed_at=claimed_at, credit_ms=credit_ms, answered=answers.append)
    request.heard_at = heard_at
    desk._desk.settle([request])
    assert [answer.ok for answer in answers] == [True]


def on_one_phone() -> tuple[Match, Device]:
    """Match on one phone, in which Bob's turn has just begun, and that phone."""
    match = make_match()
    phone, _ = sit_down(match, "left", "right")
    for do, by in (("confirm", "director"), ("hit", "left")):
        assert desk.submit_and_wait(Request(match.pk, parse_command({"do": do}), by)).ok
    return match, phone


def late(match: Match) -> tuple[Any, Any]:
    """Late press in the snapshots of the desk's match and of the stored match.

    The stored one must agree with the journal.
    """
    anew = stored.matches([match.pk])[match.pk]
    assert anew.late == late_presses.by_journal(match.pk)
    boards = (desk._desk._matches[match.pk], anew)
    first, second = (protocol.snapshot(board, board.match.at, (0, 0))["late"] for board in boards)
    return first, second


def test_a_press_38_seconds_late_is_shown_with_its_credit() -> None:
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


def test_a_press_of_a_phone_heard_since_counts_as_not_delayed() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 9_000, began + 4_000, heard_at=began + 5_000)
    assert late(match) == (None, None)
    said = [line for line in match_record.lines(match.pk) if line.event == "hit"][-1]
    assert (said.what.partition(", ")[2], said.held_up_ms) == (
        "claimed 5000 ms earlier though the phone was heard since",
        0,
    )


def test_clocks_that_differ_by_less_than_a_second_do_not_refute_a_press() -> None:
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


def test_a_delayed_press_that_starts_a_game_costs_no_time() -> None:
    match = make_match()
    assert desk.submit_and_wait(Request(match.pk, parse_command({"do": "confirm"}), "director")).ok
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "left", began + 20_000, began + 5_000)
    assert late(match) == (None, None)


def test_a_delayed_pass_is_shown_like_any_press() -> None:
    match = running_match()
    began = stored.matches([match.pk])[match.pk].match.at
    assert desk.submit_and_wait(Request(match.pk, parse_command({"do": "double"}), "right", began + 1_000)).ok
    passed = Request(match.pk, parse_command({"do": "pass"}), "left", began + 41_000, claimed_at=began + 6_000)
    assert desk.submit_and_wait(passed).ok
    shown = {"seat": "left", "at": began + 41_000, "late_ms": 35_000, "credit_ms": 0, "charged_ms": 28_000}
    assert late(match) == (shown, shown)


def test_a_backdated_press_of_a_shared_phone_is_not_late() -> None:
    match, phone = on_one_phone()
    began = stored.matches([match.pk])[match.pk].match.at
    made = Request(match.pk, Hit(), "right", began + 40_000, device_id=phone.pk, claimed_at=began + 15_000)
    assert desk.submit_and_wait(made).ok
    assert late(match) == (None, None)


def test_time_given_on_an_offline_phone_settles_it_after_the_hand_over() -> None:
    match, phone = on_one_phone()
    began = stored.matches([match.pk])[match.pk].match.at
    press(match, "right", began + 50_000, began + 11_800)
    assert late(match)[0] is not None
    back = Kept(Seat.RIGHT, Propose(GiveTime(Seat.RIGHT, 30_000)), began + 51_000)
    handed = HandOver((back, Kept(Seat.LEFT, Agree(), began + 52_000)))
    assert desk.submit_and_wait(Request(match.pk, handed, "left", began + 60_000, device_id=phone.pk)).ok
    assert late(match) == (None, None)


def test_opening_a_page_reads_no_journal_for_late_presses() -> None:
    match = running_match()
    at = stored.matches([match.pk])[match.pk].match.at
    for number in range(6):
        at += 20_000
        press(match, ("right", "left")[number % 2], at, at - 9_000)
    assert late(match)[0] is not None
    with CaptureQueriesContext(connection) as asked:
        read = first_frame.read(match.table.tournament_id)
        (found,) = table_opens.read([Asked(match.table.code, "", lambda: True)])
    assert found is not None and found.board is not None
    assert [one.late for one in read.boards] == [found.board.late]
    assert [query["sql"] for query in asked if JournalEntry._meta.db_table in query["sql"]] == []


def test_late_presses_of_an_earlier_version_are_filled_in_from_the_journal() -> None:
    match, settled, damaged = running_match(), running_match(), running_match()
    for one in (match, settled, damaged):
        began = stored.matches([one.pk])[one.pk].match.at
        press(one, "right", began + 50_000, began + 11_800)
    assert desk.submit_and_wait(
        Request(settled.pk, Propose(GiveTime(Seat.RIGHT, 5_000)), "director", began + 51_000)
    ).ok
    before = stored.matches([match.pk])[match.pk].late
    Match.objects.update(late=None)
    JournalEntry.objects.filter(match=damaged, seq=2).update(event="unheard-of")
    late_presses.write_down()
    assert {one: board.late for one, board in stored.matches([match.pk, settled.pk, damaged.pk]).items()} == {
        match.pk: before,
        settled.pk: None,
        damaged.pk: None,
    }
    assert before is not None


STEPS = st.tuples(
    st.sampled_from(["press", "press", "press", "double", "take", "pass", "give", "ask", "agree", "stop", "resume"]),
    st.sampled_from(list(Seat)),
    st.sampled_from([0, 400, 3_000, 20_000, 70_000]),
    st.sampled_from([0, 0, 900, 2_500, 30_000]),
    st.booleans(),
)


def command(do: str, seat: Seat, ms: int) -> tuple[Command, Any]:
    """A command and who gives it."""
    time = GiveTime(seat, ms or -1_000)
    asked: dict[str, tuple[Command, Any]] = {
        "press": (Hit(), seat),
        "give": (Propose(time), Official.DIRECTOR),
        "ask": (Propose(time), seat),
    }
    return asked.get(do) or (parse_command({"do": do}), seat)


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(st.lists(STEPS, min_size=5, max_size=30), st.sampled_from(["us-2013", "us-2007", "modern"]), st.booleans())
def test_the_stored_late_press_always_agrees_with_the_journal(steps: list[Any], rules: str, shared: bool) -> None:
    match = make_match(rules=rules, options={"reserve_ms": 200_000})
    phone = sit_down(match, "left", "right")[0].pk if shared else None
    own, at = Desk(), stored.matches([match.pk])[match.pk].match.at
    own.settle(
        [Request(match.pk, parse_command({"do": do}), by, at) for do, by in (("confirm", "director"), ("hit", "left"))]
    )
    for do, seat, ms, late_ms, knows in steps:
        at += ms + late_ms
        on_turn = own._matches[match.pk].match.turn if match.pk in own._matches else None
        asked, by = command(do, on_turn or seat if do in ("press", "double", "take", "pass") else seat, ms)
        request = Request(match.pk, asked, by, at, device_id=phone, claimed_at=at - late_ms, credit_ms=late_ms // 2)
        request.heard_at = at - late_ms + 500 if knows else None
        own.settle([request])
        kept = own._matches.get(match.pk)
        read = stored.matches([match.pk])[match.pk]
        assert read.late == late_presses.by_journal(match.pk)
        assert kept is None or (kept.version, kept.late) == (read.version, read.late)
