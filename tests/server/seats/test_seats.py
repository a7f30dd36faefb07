"""Permission to act for a seat and to claim one, and lag credit for presses."""

import pytest
from django.core.management import call_command
from django.test import Client

from clocks import desk
from clocks.desk.batch import Desk
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Call, Command, Confirm, Double, Hit, TakeSeat
from clocks.engine.refusals import REFUSALS, Refused
from clocks.host.server_time import now_ms
from clocks.models import Device, JournalEntry, Match
from clocks.seats import claims, presence
from tests.server.house import make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

HELD = "Another phone holds Ann’s seat and was online a moment ago. "
HELD += "It can be replaced once it has been offline for 10 seconds."


def ask(match: Match, command: Command, by: str, device: Device | None, **more: object) -> Reply:
    """Submit one request from a phone; return the reply."""
    answers: list[Reply] = []
    at = more.pop("at", now_ms())
    request = Request(match.pk, command, by, at, device_id=device and device.pk, answered=answers.append, **more)
    Desk().settle([request])
    return answers[0]


def holders(match: Match) -> tuple[int | None, int | None]:
    match.refresh_from_db()
    return match.left_device_id, match.right_device_id


def fall_silent(match: Match, seat: Seat) -> None:
    """Make a seat's phone silent for ten seconds."""
    presence._seen[match.pk][seat.index] = now_ms() - presence.silent_ms(False)


# --- acting --------------------------------------------------------------------------------------------------------


def test_a_phone_acts_for_the_seat_that_it_holds() -> None:
    match = make_match()
    device, _ = sit_down(match, "left")
    assert ask(match, Confirm(), "left", device) == Reply(True, 3)


def test_a_phone_with_both_seats_acts_for_both() -> None:
    match = make_match()
    device, _ = sit_down(match, "left", "right")
    assert [ask(match, Confirm(), by, device) for by in ("left", "right")] == [Reply(True, 3), Reply(True, 4)]


def test_a_phone_without_a_seat_does_nothing() -> None:
    match = running_match()
    sit_down(match, "left")
    sit_down(match, "right")
    stranger = Device.objects.create(token_hash="x")
    assert ask(match, Hit(), "right", stranger) == Reply(False, 5, "no-seat", REFUSALS["no-seat"])


def test_a_phone_does_not_act_for_a_player_whose_phone_is_online() -> None:
    match = running_match()
    ann, _ = sit_down(match, "left")
    sit_down(match, "right")
    assert ask(match, Hit(), "right", ann) == Reply(False, 5, "no-seat", "Bob is playing on another phone.")


def test_a_phone_does_not_act_for_a_seat_that_nobody_took() -> None:
    match = running_match()
    ann, _ = sit_down(match, "left")
    assert ask(match, Hit(), "right", ann) == Reply(False, 4, "no-seat", "Bob has not taken a seat yet.")


def test_a_phone_may_hit_for_one_that_is_silent_for_ten_seconds() -> None:
    match = running_match()
    ann, _ = sit_down(match, "left")
    sit_down(match, "right")
    fall_silent(match, Seat.RIGHT)
    assert ask(match, Hit(), "right", ann, at=now_ms() + claims.PLAYED_MS) == Reply(True, 6)
    assert JournalEntry.objects.filter(match=match, seq=6).values("by", "device", "event").get() == {
        "by": "right",
        "device": ann.pk,
        "event": "hit",
    }


def test_for_a_silent_phone_the_other_may_hit_but_not_decide() -> None:
    match = running_match()
    ann, _ = sit_down(match, "left")
    sit_down(match, "right")
    fall_silent(match, Seat.RIGHT)
    answers = [ask(match, command, "right", ann) for command in (Double(), Call())]
    assert answers == [Reply(False, 5, "no-seat", "Bob is playing on another phone.")] * 2


# --- claiming a seat -----------------------------------------------------------------------------------------------


def test_a_free_seat_is_taken_and_the_version_moves() -> None:
    match = make_match()
    device, _ = sit_down(match, "left")
    assert holders(match) == (device.pk, None)
    assert match.version == 2
    assert JournalEntry.objects.filter(match=match, seq=2).values("by", "device", "event", "data").get() == {
        "by": "server",
        "device": device.pk,
        "event": "seat_taken",
        "data": {
            "at": JournalEntry.objects.get(match=match, seq=2).at,
            "device": device.pk,
            "seats": ["left"],
            "lent": [],
            "together": False,
        },
    }
    call_command("verify")


def test_taking_the_same_seat_again_changes_nothing() -> None:
    match = make_match()
    device, _ = sit_down(match, "left")
    assert desk.claim_seat(match.pk, [Seat.LEFT], device) == Reply(True, 2)
    assert holders(match) == (device.pk, None)


def test_a_phone_holds_exactly_the_seats_that_it_took_last() -> None:
    match = make_match()
    device, _ = sit_down(match, "left", "right")
    assert holders(match) == (device.pk, device.pk)
    desk.claim_seat(match.pk, [Seat.RIGHT], device)
    assert holders(match) == (None, device.pk)


def test_a_live_seat_is_not_taken() -> None:
    match = make_match()
    ann, _ = sit_down(match, "left")
    with pytest.raises(Refused) as refused:
        sit_down(match, "left", "right")
    assert (refused.value.code, refused.value.words) == ("no-seat", HELD)
    assert holders(match) == (ann.pk, None)
    assert match.version == 2


def test_after_a_restart_a_seat_counts_as_just_seen(monkeypatch) -> None:
    match = make_match()
    sit_down(match, "left")
    monkeypatch.setattr(presence, "_seen", {})
    monkeypatch.setattr(presence, "_started_at", now_ms())
    with pytest.raises(Refused, match="was online a moment ago"):
        sit_down(match, "left")


def test_while_another_process_is_silent_only_free_seats_are_claimed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = make_match()
    ann, _ = sit_down(match, "left")
    fall_silent(match, Seat.LEFT)
    monkeypatch.setattr(presence, "_answered_at", now_ms() - presence.UNSURE_MS - 1)
    with pytest.raises(Refused, match="The server cannot tell at the moment whether Ann’s phone is online"):
        sit_down(match, "left")
    assert holders(match) == (ann.pk, None)
    page = Client().get(f"/t/{match.table.code}/")
    assert [chair["state"] for chair in page.context["chairs"]] == ["held", "free"]
    bob, _ = sit_down(match, "right")
    presence.all_answered(now_ms())
    other, _ = sit_down(match, "left")
    assert holders(match) == (other.pk, bob.pk)


def test_an_unanswered_question_to_a_process_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    match = make_match()
    sit_down(match, "left")
    fall_silent(match, Seat.LEFT)
    monkeypatch.setattr(presence, "_answered_at", None)
    monkeypatch.setattr(presence, "_way", None)
    monkeypatch.setattr(presence, "_unanswered_at", 0)
    presence.ask_by(lambda match_ids: False)
    presence.all_answered(now_ms())
    with pytest.raises(Refused, match="The server cannot tell"):
        sit_down(match, "left")


def test_of_two_phones_that_claim_a_free_seat_at_once_one_gets_it() -> None:
    match = make_match()
    one, other = (Device.objects.create(token_hash=name) for name in ("one", "other"))
    answers: list[Reply] = []
    claims = [
        Request(match.pk, TakeSeat(device.pk, (Seat.LEFT,)), "server", now_ms(), answered=answers.append)
        for device in (one, other)
    ]
    Desk().settle(claims)
    assert answers == [Reply(True, 2), Reply(False, 2, "no-seat", HELD)]
    assert holders(match) == (one.pk, None)


# --- credit --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lag_credit_ms", "measured_ms", "credit_ms"),
    [(250, 80, 80), (250, 900, 250), (0, 80, 0), (250, 0, 0), (250, -40, 0)],
)
def test_a_press_is_credited_what_the_network_took_up_to_the_match_s_limit(
    lag_credit_ms: int, measured_ms: int, credit_ms: int
) -> None:
    match = running_match(options={"lag_credit_ms": lag_credit_ms})
    bob, _ = sit_down(match, "right")
    at = now_ms() + 5_000
    answer = ask(match, Hit(), "right", bob, at=at, claimed_at=at - 2_000, credit_ms=measured_ms)
    assert answer == Reply(True, 5, credit_ms=credit_ms)
    assert JournalEntry.objects.filter(match=match, seq=5).values("at", "claimed_at", "credit_ms").get() == {
        "at": at,
        "claimed_at": at - 2_000,
        "credit_ms": credit_ms,
    }


@pytest.mark.parametrize("turn_number", [None, 1])
@pytest.mark.parametrize("claimed_ms_ago", [-1_000_000, 5_000, 94_000_000_000])
def test_a_press_counts_whatever_a_wrong_clock_claims(turn_number: int | None, claimed_ms_ago: int) -> None:
    match = running_match()
    bob, _ = sit_down(match, "right")
    at = now_ms() + 500
    answer = ask(match, Hit(turn_number), "right", bob, at=at, claimed_at=at - claimed_ms_ago)
    assert answer == Reply(True, 5)
    assert JournalEntry.objects.get(match=match, seq=5).claimed_at == at - claimed_ms_ago


def test_a_press_meant_for_an_earlier_turn_is_stale_whatever_it_claims() -> None:
    match = running_match()
    bob, _ = sit_down(match, "right")
    at = now_ms() + 500
    stale = Reply(False, 4, "stale", REFUSALS["stale"])
    assert ask(match, Hit(0), "right", bob, at=at, claimed_at=at) == stale
