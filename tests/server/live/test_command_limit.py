"""Rate limits for commands, per phone and per address."""

from typing import Any

import pytest
from channels.db import database_sync_to_async

from clocks.desk.requests import Key, Reply
from clocks.engine.clock import Seat
from clocks.engine.commands import Call, Command, HandOver, Hit, Kept
from clocks.engine.refusals import Refused
from clocks.host.ratelimit import RateLimiter
from clocks.journal import entries
from clocks.live import command_limit
from clocks.live.command_limit import NOTE_BYTES, OF_ADDRESS, charge
from clocks.live.consumers import TableSocket
from clocks.serving.transport import Transport
from tests.server.daphne import House
from tests.server.house import Page, in_loop, running_match, sit_down

MATCHES, EACH = 12, 10  # the attacker's casual matches, and commands of each phone in them
NOTE = "🎲" * 299  # 1,196 bytes
MAKE = f"""
import json
from tests.server.house import make_match, sit_down
made = [make_match() for _ in range({MATCHES})]
print(json.dumps([
    {{"code": match.table.code, "tokens": [sit_down(match, seat)[1] for seat in ("left", "right")]}} for match in made
]))
"""
COUNT = "import json; from clocks.models import JournalEntry as Entry; print(Entry.objects.count())"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit an address to twenty commands, plus three per seat."""
    monkeypatch.setattr(command_limit, "OF_ADDRESS", RateLimiter(20, 0.001))
    monkeypatch.setattr(command_limit, "OF_SEAT", RateLimiter(3, 0.001))


def over_limit(answer: dict[str, Any]) -> bool:
    """True if a command was rejected by the rate limit."""
    return (answer["t"], answer["code"], answer["words"]) == ("refused", "not-stored", command_limit.SENDS_TOO_MUCH)


def test_several_processes_divide_what_an_address_may_write() -> None:
    command_limit.share_among(4)
    try:
        notes = [Call("🎲" * 299)] * 100  # each costs as much as twenty commands
        assert accepted(*notes) == 4_000 // 4 // 20
    finally:
        command_limit.share_among(1)
    assert (OF_ADDRESS.burst, OF_ADDRESS.per_s) == (4_000, 40.0)


def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record how long sockets would be paused, in seconds, instead of pausing them."""
    pauses_s: list[float] = []
    monkeypatch.setattr(Transport, "pause", lambda _transport, seconds: pauses_s.append(seconds))
    return pauses_s


def accepted(*commands: Command, match: int = 1, phone: int = 1, seat: str = "left", address: str = "10.0.0.1") -> int:
    """Charge these commands to the limits; return how many are accepted."""
    number = 0
    for command in commands:
        try:
            charge(command, phone, (match, seat), address)
            number += 1
        except Refused as refused:
            assert (refused.code, refused.words) == ("not-stored", command_limit.BUSY)
    return number


def test_calls_of_an_address_are_limited_and_delay_no_tournament(house: House) -> None:
    played = house.new_match("--tournament", "open")
    casual, before = house.python(MAKE), house.python(COUNT)
    house.start()
    sent: list[dict[str, Any]] = []
    for made in casual:
        phones = [house.phone(made, seat) for seat in ("left", "right")]
        for number in range(EACH):
            for seat, phone in enumerate(phones):
                phone.say({"t": "do", "id": f"call-{seat}-{number}", "do": "call", "note": f"{NOTE}{seat}{number}"})
        sent += [phone.hear("ack", "refused") for phone in phones for _ in range(EACH)]
    refused = [answer for answer in sent if answer["t"] == "refused"]
    taken = len(sent) - len(refused)
    cost = 1 + len(f"{NOTE}00".encode()) // NOTE_BYTES
    assert OF_ADDRESS.burst // cost <= taken < 2 * OF_ADDRESS.burst // cost
    assert {(answer["code"], answer["words"]) for answer in refused} == {("not-stored", command_limit.BUSY)}
    assert house.phone(played, "left").do("confirm", "the-confirm")["t"] == "ack"
    assert house.phone(casual[-1], "left").do("confirm", "the-confirm")["t"] == "ack"
    assert house.python(COUNT) == before + taken + 2


def test_an_address_has_a_budget_and_then_each_seat(few: None) -> None:
    assert [accepted(*[Hit()] * 30, match=match, phone=match) for match in (1, 2, 3)] == [23, 3, 3]
    assert accepted(*[Hit()] * 30, match=3, phone=4, seat="right") == 3
    assert accepted(*[Hit()] * 30, match=4, phone=4, address="10.0.0.2") == 23


def test_a_directors_match_does_not_use_the_address_budget(few: None) -> None:
    assert accepted(*[Hit()] * 30, address="") == 30
    assert accepted(*[Hit()] * 20) == 20


def test_a_note_costs_by_its_size(few: None) -> None:
    assert accepted(*[Call("x" * 400)] * 10) == 20 // (1 + 400 // NOTE_BYTES)


def test_a_seat_has_no_budget_of_its_own_for_notes(few: None) -> None:
    assert accepted(*[Hit()] * 20, match=2) == 20
    assert accepted(Call("x"), Call()) == 1


def test_a_hand_over_costs_as_much_as_its_commands(few: None) -> None:
    handed = HandOver(tuple(Kept(Seat.LEFT, Hit(), at) for at in range(12)))
    assert accepted(handed, handed) == 1


def test_a_refused_hand_over_is_not_refunded(few: None) -> None:
    taken = charge(HandOver(tuple(Kept(Seat.LEFT, Hit(), at) for at in range(12))), 1, (1, "left"), "10.0.0.1")
    taken.give_back()
    assert accepted(*[Hit()] * 30) == 20 - 12 + 3


def test_a_command_without_effect_is_refunded(few: None) -> None:
    for _ in range(100):
        taken = charge(Call("x" * 400), 1, (1, "left"), "10.0.0.1")
        taken.give_back()
    assert accepted(*[Hit()] * 30) == 23


@pytest.mark.parametrize(
    ("reply", "charged"),
    [
        (Reply(True, 5), 1),
        (Reply(True, 5, again=True), 0),
        (Reply(False, 5, "stale", "That turn is already over."), 0),
        (Reply(False, 5, "stale", "That turn is already over.", partly=True), 1),
    ],
)
def test_a_refusal_is_refunded_unless_part_was_stored(
    reply: Reply, charged: int, few: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TableSocket, "answered", lambda *answer: None)
    taken = charge(Hit(), 1, (1, "left"), "10.0.0.1")
    TableSocket()._settle(taken, "id", reply)
    assert accepted(*[Hit()] * 30) == 23 - charged


def test_a_hall_of_200_boards_starts_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [0.0]
    monkeypatch.setattr(command_limit, "OF_ADDRESS", RateLimiter(OF_ADDRESS.burst, OF_ADDRESS.per_s, lambda: now_s[0]))
    monkeypatch.setattr(command_limit, "OF_SEAT", RateLimiter(0, 1))
    monkeypatch.setattr(command_limit, "COMMANDS", RateLimiter(60, 5.0, lambda: now_s[0]))
    together = sum(accepted(*[Hit()] * 5, match=phone // 2, phone=phone) for phone in range(400))
    hits = 0
    for second in range(600):
        now_s[0] = float(second)
        hits += sum(accepted(Hit(), match=board, phone=2 * board) for board in range(second % 5, 200, 5))
    assert (together, hits) == (2_000, 24_000)


async def opened(*seats: str) -> Page:
    """Seat a phone in a running match and open its page."""
    match = await database_sync_to_async(running_match)()
    page = Page.at(match, (await database_sync_to_async(sit_down)(match, *seats))[1])
    await page.open()
    return page


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_a_note_of_310_emoji_is_refused_with_advice() -> None:
    answer = await (await opened("left")).do("call", "the-call", note="🎲" * 310)
    words = "The note is too long: it may have at most 1200 bytes, and an emoji takes four or more. Shorten it."
    assert (answer["t"], answer["code"], answer["words"]) == ("refused", "bad-value", words)


HANDED = [{"do": "hit", "seat": "left", "at": at} for at in range(1, 65)]


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_refused_hand_overs_of_a_phone_reach_the_desk_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = await opened("left", "right")
    asked, first_answers = list[int](), entries.first_answers

    def counted(keys: list[Key]) -> dict[Key, tuple[int, int, str]]:
        asked.append(len(keys))
        return first_answers(keys)

    monkeypatch.setattr(entries, "first_answers", counted)
    monkeypatch.setattr(command_limit, "HAND_OVERS", RateLimiter(command_limit.HAND_OVERS.burst, 0.001))
    for _ in range(12):
        assert (await page.do("hand-over", kept=HANDED))["t"] == "refused"
    assert over_limit(await page.do("hand-over", kept=HANDED))
    assert len([number for number in asked if number > 1]) == 12


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_a_phone_above_its_limit_is_not_read_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    page = await opened("left")
    monkeypatch.setattr(command_limit, "COMMANDS", RateLimiter(1, 0.001))
    pauses_s = pauses(monkeypatch)
    assert (await page.do("call", "first"))["t"] == "ack"
    assert not pauses_s
    assert over_limit(await page.do("call", "again", note="Please come"))
    assert pauses_s == [1.0]


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_a_malformed_hand_over_is_charged_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    page = await opened("left", "right")
    monkeypatch.setattr(command_limit, "HAND_OVERS", RateLimiter(2, 0.001))
    given = [{"kept": [*HANDED[:63], {}]}, {"kept": HANDED, "match": page.frames[0]["match"] + 1}]
    answers = [await page.do("hand-over", **each) for each in given]
    assert [(each["t"], each["code"]) for each in answers] == [("refused", "bad-value"), ("refused", "stale")]
    assert over_limit(await page.do("hand-over", kept=HANDED))


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_a_hand_over_of_a_phone_with_one_seat_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    page = await opened("left")
    pauses_s = pauses(monkeypatch)
    answers = [await page.do("hand-over", kept="nonsense", **of) for of in ({}, {"match": page.frames[0]["match"] + 1})]
    assert [(each["t"], each["code"]) for each in answers] == [("refused", "no-seat"), ("refused", "stale")]
    assert pauses_s == [1.0, 1.0]
