"""Match record as text: actor, event, changes, notes and delayed presses."""

from collections.abc import Callable
from typing import Any

import pytest

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import parse_command
from clocks.host.server_time import now_ms
from clocks.models import Device, Match
from clocks.record import match_record
from clocks.record.match_record import RecordEntry
from clocks.record.turn_times import of_match
from clocks.seats import claims, presence
from tests.server.house import make_match, sit_down
from tests.server.record.test_record_charts import STORY, play

pytestmark = pytest.mark.django_db(transaction=True)

Do = Callable[..., None]
CUBE_AND_SCORE = [
    (1_000, "director", {"do": "confirm"}),
    (10_000, "left", {"do": "hit"}),
    (15_000, "right", {"do": "double"}),
    (20_000, "left", {"do": "take"}),
    (25_000, "right", {"do": "hit"}),
    (30_000, "left", {"do": "propose", "what": "game", "winner": "left", "points": 6}),
    (31_000, "right", {"do": "agree"}),
    (40_000, "left", {"do": "hit"}),
    (41_000, "right", {"do": "call"}),
    (42_000, "director", {"do": "propose", "what": "time", "seat": "left", "by_ms": 60_000, "note": "late"}),
    (50_000, "director", {"do": "propose", "what": "end", "winner": "right", "note": "left the hall"}),
]


def record_of(match: Match) -> list[RecordEntry]:
    return list(match_record.lines(match.pk))


def in_words(match: Match) -> list[tuple[str, str, str]]:
    """Actor, event and changes of each entry but the first."""
    return [
        (line.who, line.what, "; ".join(f"{name}: {before} → {after}" for name, before, after in line.changes))
        for line in record_of(match)[1:]
    ]


def phones(*seats: str) -> tuple[Match, list[Device], Do]:
    """Match, a phone per group of seats, and a function to send commands."""
    match = make_match()
    devices = [sit_down(match, *group.split())[0] for group in seats]

    def do(by: str, device: Device, **command: Any) -> None:
        answer = desk.submit_and_wait(desk.Request(match.pk, parse_command(command), by, device_id=device.pk))
        assert answer.ok, answer

    for seat in Seat:
        do(seat, devices[seat.index % len(devices)], do="confirm")
    do("left", devices[0], do="hit")
    return match, devices, do


def test_a_record_names_actor_event_and_changes() -> None:
    assert in_words(play(STORY)) == [
        ("director dora", "Ann and <Bob> confirmed the settings", "Status: setup → ready"),
        ("Ann", "Ann started <Bob>’s clock", "Status: ready → running; Turn: nobody → <Bob>"),
        ("<Bob>", "<Bob> pressed after 20 s", "<Bob>’s reserve: 14:00 → 13:52"),
        ("Ann", "Ann pressed after 5 s", ""),
        ("<Bob>", "<Bob> stopped both clocks to retrieve fallen dice", "Status: running → stopped"),
        ("Ann", "<Bob>’s clock resumed", "Status: stopped → running"),
        ("<Bob>", "<Bob> pressed after 15 s", "<Bob>’s reserve: 13:52 → 13:49"),
        ("Ann", "Ann pressed after 10 s", ""),
        ("director dora", "The director took back the last press", "Status: running → stopped; Turn: <Bob> → Ann"),
    ]


def test_a_record_names_changes_of_cube_and_score() -> None:
    match = play(CUBE_AND_SCORE)
    assert [line[1:] for line in in_words(match)[2:]] == [
        ("<Bob> doubled to 2 after 5 s", "Double offered by: nobody → <Bob>"),
        ("Ann took the double after 5 s", "Cube: 1, in the middle → 2, Ann; Double offered by: <Bob> → nobody"),
        ("<Bob> pressed after 5 s", ""),
        ("Ann stopped both clocks to propose something", "Status: running → stopped"),
        ("Ann proposed: Ann won a backgammon, 6 points", ""),
        ("<Bob> agreed", ""),
        (
            "Ann won a backgammon, 6 points",
            "Status: stopped → ready; Turn: Ann → nobody; Score: 0–0 → 6–0; Game: 1 → 2; "
            "Crawford game: not yet → this game; Cube: 2, Ann → 1, in the middle",
        ),
        ("Ann started <Bob>’s clock", "Status: ready → running; Turn: nobody → <Bob>"),
        ("<Bob> stopped both clocks for the director", "Status: running → stopped"),
        ("<Bob> called the director", ""),
        ("Ann’s time changed by +1:00", "Ann’s reserve: 14:00 → 15:00"),
        (
            "The director ended the match: <Bob> won",
            "Status: stopped → over; Turn: <Bob> → nobody; Winner: nobody → <Bob>",
        ),
    ]
    rulings = [(line.what, line.why) for line in record_of(match) if line.is_ruling]
    assert rulings == [
        ("Ann and <Bob> confirmed the settings", ""),
        ("<Bob> called the director", ""),
        ("Ann’s time changed by +1:00", "late"),
        ("The director ended the match: <Bob> won", "left the hall"),
    ]


def test_a_record_says_at_whose_phone_a_player_was_pressed_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PLAYED_MS", 0)
    match, (ann, bob), do = phones("left", "right")
    presence._seen[match.pk][Seat.RIGHT.index] -= presence.SILENT_MS
    do("right", ann, do="hit")
    do("left", ann, do="hit")
    do("left", ann, do="propose", what="game", winner="left", points=1)
    do("right", bob, do="agree")
    assert [(line.who, line.phone, line.what) for line in record_of(match)[-6:]] == [
        ("Bob", "phone 1 (Ann)", "Bob pressed after 0 s, pressed at Ann’s phone"),
        ("Ann", "phone 1", "Ann pressed after 0 s"),
        ("Ann", "phone 1", "Ann stopped both clocks to propose something"),
        ("Ann", "phone 1", "Ann proposed: Ann won a single game, 1 point"),
        ("Bob", "phone 2", "Bob agreed"),
        ("Bob", "phone 2", "Ann won a single game, 1 point"),
    ]


def test_a_record_numbers_phones_from_one_whatever_other_tables_use() -> None:
    Device.objects.bulk_create(Device(token_hash=f"another {number}") for number in range(9))
    match, *_ = phones("left right")
    assert [(line.who, line.phone, line.what) for line in record_of(match) if line.device] == [
        ("server", "phone 1 (Ann and Bob)", "A phone took Ann and Bob’s seat"),
        ("Ann", "phone 1 (Ann and Bob)", "Ann confirmed the settings"),
        ("Bob", "phone 1 (Ann and Bob)", "Bob confirmed the settings"),
        ("Ann", "phone 1 (Ann and Bob)", "Ann started Bob’s clock"),
    ]


def test_a_record_says_if_one_phone_made_and_settled_a_proposal() -> None:
    match, (shared,), do = phones("left right")
    do("left", shared, do="propose", what="game", winner="left", points=1)
    do("right", shared, do="agree")
    do("left", shared, do="hit")
    assert [line.what for line in record_of(match)[-4:]] == [
        "Ann proposed: Ann won a single game, 1 point",
        "Bob agreed (one phone for both players)",
        "Ann won a single game, 1 point (one phone for both players)",
        "Ann started Bob’s clock",
    ]


def test_a_record_says_how_long_a_press_was_delayed() -> None:
    match, begun = make_match(), now_ms()

    def do(by: str, at: int, what: str, claimed: int | None = None, heard: int | None = None, **more: int) -> None:
        times = {"claimed_at": claimed and begun + claimed, "heard_at": heard and begun + heard}
        request = desk.Request(match.pk, parse_command({"do": what}), by, begun + at, **times, **more)
        assert desk.submit_and_wait(request).ok

    do("director", 0, "confirm")
    do("left", 1_000, "hit")
    do("right", 60_000, "hit", claimed=40_000, heard=39_000, credit_ms=250)
    do("left", 70_000, "hit", claimed=69_900, credit_ms=100)
    do("right", 100_000, "hit", claimed=80_000, heard=95_000, credit_ms=250)
    lines = record_of(match)
    assert [(line.what, line.credit_ms, line.held_up_ms) for line in lines[-3:]] == [
        ("Bob pressed after 59 s", 250, 19_750),
        ("Ann pressed after 10 s", 100, 0),
        ("Bob pressed after 30 s, claimed 20000 ms earlier though the phone was heard since", 250, 0),
    ]
    assert [turn.thought_ms for turn in of_match(match.pk)] == [58_750, 9_900, 29_750]
