"""Deciding one request without a database: rights, credit and timestamps."""

import itertools
from collections.abc import Sequence
from typing import Any

import orjson
import pytest

from clocks.desk import handler
from clocks.desk.handler import Decided, handle, reopens, with_credit
from clocks.desk.requests import Reply, Request
from clocks.engine.clock import Seat
from clocks.engine.commands import Command, Expire, GrantSeat, Hit, ReleaseSeat, TakeSeat, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.host.server_time import now_ms
from clocks.journal import entries
from clocks.journal.stored import StoredMatch
from clocks.journal.tenure import IN_FULL, Devices, Tenure
from clocks.lag.late_presses import LATE_MS, LatePress
from clocks.seats import presence
from tests.server.house import US_2013

LEFT, RIGHT = Seat
ANN, BOB, EVE = 1, 2, 3
BETWEEN = {"devices": (ANN, ANN), "tenure": Tenure(between=ANN)}
NO_DELAY = {"rules": "custom", "options": {"kind": "none", "reserve_ms": 30_000, "lag_credit_ms": 200}}
END, REOPEN = ({"do": "propose", "what": what} for what in ("end", "reopen"))
PAUSED = [(1_000, "right", {"do": do}) for do in ("stop", "resume")]
SCORE = {"do": "propose", "what": "score"}
ids = itertools.count(-1_000_000)  # new match ids: presence is recorded per process


def board_of(*asked: tuple[int, str, dict[str, Any]], began: int = 0, **more: Any) -> StoredMatch:
    """Match with Bob's turn from `began`, then these commands (ms later, by, command)."""
    names = ("devices", "tenure", "late", "last_device", "has_last_end")
    columns = {"devices": (ANN, BOB), "tenure": IN_FULL} | {name: more.pop(name) for name in names if name in more}
    match = Match.begin(Setup.parse(US_2013 | more))
    for ms, by, command in [(0, "director", {"do": "confirm"}), (0, "left", {"do": "hit"}), *asked]:
        outcome = perform(match, parse_command(command), by, began + ms)  # type: ignore[arg-type]
        assert outcome.refusal is None
        match = outcome.match
    return StoredMatch(
        next(ids), 9, match, table_id=2, table="3", code="BCDF", tournament_id=4, tournament="open", **columns
    )


def decide(board: StoredMatch, command: Command, by: Any, at: int, **more: Any) -> Decided:
    return handle(Request(board.id, command, by, at, **more), board, {})


def written(decided: Decided) -> list[tuple[Any, ...]]:
    """Journal entries to write, as (timestamp in ms, event, command, credit in ms)."""
    return [(row.at, row.event, row.command and orjson.loads(row.command), row.credit_ms) for row in decided.rows]


def hit(**more: Any) -> dict[str, Any]:
    return {"do": "hit", "credit_ms": 0, **more}


@pytest.mark.parametrize(
    ("by", "at", "measured", "shown"),
    [
        pytest.param("right", 5_000, 60, [(5_000, "hit", hit(credit_ms=60), 60)], id="measured delay"),
        pytest.param("right", 5_000, 900, [(5_000, "hit", hit(credit_ms=250), 250)], id="at most the limit"),
        pytest.param("right", 5_000, 0, [(5_000, "hit", hit(), 0)], id="none"),
        pytest.param("right", 900, 0, [(1_000, "hit", hit(), 0)], id="never before the last event"),
    ],
)
def test_a_press_is_credited_its_delay(by: str, at: int, measured: int, shown: list[Any]) -> None:
    board = board_of(*PAUSED)
    decided = decide(board, Hit(), by, at, credit_ms=measured)
    assert (decided.answer, written(decided)) == (Reply(True, 10, credit_ms=shown[0][3]), shown)
    assert (decided.match.turn, decided.devices, decided.tenure) == (LEFT, board.devices, board.tenure)


@pytest.mark.parametrize(
    ("more", "counted"),
    [
        pytest.param({"claimed_at": 5_000}, (5_000, 0, {"arrived_at": 20_000}), id="when it was made"),
        pytest.param({"claimed_at": 20_000 - LATE_MS}, (19_000, 0, {"arrived_at": 20_000}), id="just late"),
        pytest.param({"claimed_at": 20_001 - LATE_MS}, (20_000, 60, {}), id="not late"),
        pytest.param({"claimed_at": 500}, (1_000, 0, {"arrived_at": 20_000}), id="not before the last event"),
        pytest.param({"claimed_at": 5_000, "dated_from": 9_000}, (9_000, 0, {"arrived_at": 20_000}), id="silent since"),
        pytest.param({"claimed_at": 5_000, "dated_from": 19_940}, (20_000, 60, {}), id="within the credit"),
        pytest.param({}, (20_000, 60, {}), id="without a claim"),
        pytest.param({"claimed_at": 5_000, "device_id": None}, (20_000, 60, {}), id="of another client"),
        pytest.param({"claimed_at": 5_000, "tenure": IN_FULL}, (20_000, 60, {}), id="not between the players"),
    ],
)
def test_a_delayed_press_of_the_phone_between_counts_when_made(more: dict[str, Any], counted: tuple[Any, ...]) -> None:
    board = board_of(*PAUSED, **BETWEEN | {"tenure": more.pop("tenure", BETWEEN["tenure"])})
    presence.saw(board.id, 0, now_ms() + 60_000)
    decided = decide(board, Hit(), "right", 20_000, credit_ms=60, **{"device_id": ANN} | more)
    at, credit_ms, marks = counted
    assert written(decided) == [(at, "hit", hit(credit_ms=credit_ms, **marks), credit_ms)]


def test_a_held_up_press_of_a_turn_that_was_set_aside_ends_no_later_one() -> None:
    swapped = [
        (1_000, "right", {"do": "stop"}),
        (2_000, "right", {"do": "resume", "turn_of": "left"}),
        (9_000, "right", {"do": "stop"}),
        (9_000, "right", {"do": "resume", "turn_of": "right"}),
        (20_000, "right", {"do": "hit", "turn_number": 1}),
    ]

    def code(claimed_at: int | None, number: int | None = 2, since: Sequence[Any] = swapped) -> str:
        return decide(board_of(*since), Hit(number), "left", 30_000, claimed_at=claimed_at).answer.code

    claims = [5_000, 20_000 - LATE_MS - 1, 20_000 - LATE_MS, 29_900, None]
    assert [code(claimed_at) for claimed_at in claims] == ["stale", "stale", "", "", ""]
    assert (code(5_000, None), code(5_000, 1)) == ("", "stale")
    simple = [(20_000, "right", {"do": "hit", "turn_number": 1})]
    assert code(5_000, 2, simple) == ""
    next_turn = [*swapped, (21_000, "left", {"do": "hit"}), (22_000, "right", {"do": "hit"})]
    assert code(5_000, 4, next_turn) == ""


@pytest.mark.parametrize(
    ("before", "command", "ends"),
    [
        ([], END | {"winner": "left"}, True),
        ([], SCORE | {"score": [7, 0]}, True),
        ([], SCORE | {"score": [6, 0]}, False),
        ([(1, "director", END | {"winner": "left"})], REOPEN, True),
        ([(1, "director", END | {"winner": "left"})], SCORE | {"score": [0, 7]}, True),
        ([(1, "director", END | {"winner": "left"})], {"do": "call"}, False),
    ],
)
def test_a_helper_does_not_decide_the_end(before: Any, command: dict[str, Any], ends: bool) -> None:
    board = board_of(*before, late=LatePress(LEFT, 1, 2, 3, 4))
    denied = Reply(False, 9, "not-director", "A director has to do this, because it decides how the match ends.")
    by_helper = decide(board, parse_command(command), "director", 9, may_end=False)
    if ends:
        assert by_helper == Decided(denied, [], board.match, board.devices, board.tenure, late=board.late)
    by_director = decide(board, parse_command(command), "director", 9)
    assert (by_helper.answer.code == "not-director", by_director.answer.ok or command["do"] == "call") == (ends, True)


@pytest.mark.parametrize(
    ("columns", "word_at", "falls"),
    [
        ({}, 0, True),
        (BETWEEN, 0, False),
        (BETWEEN, -1, False),
        (BETWEEN, 1, True),
        (BETWEEN | {"tenure": IN_FULL}, 0, True),
    ],
)
def test_a_flag_waits_for_the_word_of_the_phone_between(columns: dict[str, Any], word_at: int, falls: bool) -> None:
    board = board_of(**columns, **NO_DELAY)
    assert board.match.flag_at is not None
    if word_at:
        presence.spoke(board.id, board.match.flag_at + min(0, word_at))
    decided = decide(board, Expire(), "server", board.match.flag_at + 1_000)
    events = [row.event for row in decided.rows]
    assert (decided.answer, events) == ((Reply(True, 10), ["flag_fell"]) if falls else (Reply(True, 9), []))
    assert (decided.devices, decided.tenure, decided.match == board.match) == (board.devices, board.tenure, not falls)


@pytest.mark.parametrize(
    ("heard_ms", "device", "columns", "events"),
    [
        pytest.param(29_999 - 10_000, None, BETWEEN, ["stopped"], id="silent"),
        pytest.param(30_500, None, BETWEEN, ["flag_fell"], id="heard"),
        pytest.param(29_999 - 10_000, ANN, BETWEEN, ["flag_fell"], id="the phone itself"),
        pytest.param(29_999 - 10_000, None, {}, ["flag_fell"], id="two phones"),
    ],
)
def test_no_flag_falls_by_others_while_the_phone_between_is_silent(
    heard_ms: int, device: int | None, columns: dict[str, Any], events: list[str]
) -> None:
    began = now_ms() + 60_000
    board = board_of(began=began, **columns, **NO_DELAY)
    presence.saw(board.id, 0, began + heard_ms)
    decided = decide(board, parse_command({"do": "stop"}), "left", began + 30_001, device_id=device)
    assert [row.event for row in decided.rows] == events
    if events == ["stopped"]:
        assert orjson.loads(decided.rows[0].command or "")["flags"] is False


def test_a_match_stored_without_its_last_end_is_folded_to_reopen_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = (1, "director", END | {"winner": "left"})
    full = board_of(ended)
    folded: list[int] = []

    def start(board: StoredMatch, command: dict[str, Any], version: int = 9) -> Match:
        monkeypatch.setattr(entries, "refold", lambda match_id: folded.append(match_id) or (version, full.match))
        return handler._with_last_end(parse_command(command), board)

    old = board_of(ended, has_last_end=False)
    assert start(old, REOPEN) is full.match
    assert start(old, REOPEN, version=8) is old.match
    assert folded == [old.id, old.id]
    for board, command in ((full, REOPEN), (old, END | {"winner": "left"}), (old, {"do": "call"})):
        assert start(board, command) is board.match
    running = board_of(has_last_end=False)
    assert start(running, REOPEN) is running.match
    assert len(folded) == 2


@pytest.mark.parametrize(
    ("before", "command", "after", "yes"),
    [
        ([(1, "director", END | {"winner": "left"})], REOPEN, [(1, "director", END | {"winner": "left"})], True),
        ([(1, "director", END | {"winner": "left"})], SCORE | {"score": [0, 0]}, [], True),
        ([], SCORE | {"score": [0, 0]}, [], False),
        ([], END | {"winner": "left"}, [(1, "director", END | {"winner": "left"})], False),
        (
            [(1, "director", END | {"winner": "left"})],
            {"do": "call"},
            [(1, "director", END | {"winner": "right"})],
            False,
        ),
    ],
)
def test_a_command_reopens_a_match(before: Any, command: dict[str, Any], after: Any, yes: bool) -> None:
    assert reopens(parse_command(command), board_of(*before).match, board_of(*after).match) is yes


def test_words_to_players_without_a_director_name_none() -> None:
    refused = [
        decide(board_of(director=director), parse_command({"do": "resume"}), "left", 9).answer
        for director in (True, False)
    ]
    claims = [decide(board_of(director=director), GrantSeat(LEFT, ""), "left", 9).answer for director in (True, False)]
    assert {reply.ok for reply in (*refused, *claims)} == {False}
    assert ["director" in reply.words for reply in claims] == [True, False]


@pytest.mark.parametrize(
    ("command", "by", "columns", "held", "replaced"),
    [
        pytest.param(TakeSeat(EVE, (LEFT,)), "director", {}, ((EVE, BOB), IN_FULL), (ANN,), id="given"),
        pytest.param(
            TakeSeat(EVE, (LEFT, RIGHT)), "director", {}, ((EVE, EVE), Tenure(between=EVE)), (ANN, BOB), id="both"
        ),
        pytest.param(
            TakeSeat(EVE, (LEFT,)), "server", {}, ((EVE, BOB), Tenure((ANN, None), (99_000, None))), (ANN,), id="lent"
        ),
        pytest.param(ReleaseSeat(LEFT, ""), "director", {}, ((None, BOB), IN_FULL), (), id="freed"),
        pytest.param(
            GrantSeat(LEFT, ""),
            "director",
            {"tenure": Tenure((EVE, None), (5, None))},
            ((ANN, BOB), IN_FULL),
            (),
            id="kept",
        ),
        pytest.param(Hit(), "right", {}, ((ANN, BOB), IN_FULL), (), id="a press"),
    ],
)
def test_seats_change_with_their_command(
    command: Command, by: str, columns: dict[str, Any], held: tuple[Devices, Tenure], replaced: tuple[int, ...]
) -> None:
    late = LatePress(RIGHT, 1, 2, 3, 4)
    board = board_of(late=late, **columns)
    presence._seen[board.id] = [0, 0]
    decided = decide(board, command, by, 99_000, device_id=EVE if isinstance(command, TakeSeat) else None)
    assert (decided.answer, (decided.devices, decided.tenure)) == (Reply(True, 10), held)
    assert (decided.replaced, decided.late, len(decided.rows)) == (replaced, late, 1)


@pytest.mark.parametrize(
    ("command", "by", "device", "answer"),
    [
        pytest.param(TakeSeat(ANN, (LEFT,)), "server", ANN, Reply(True, 9), id="its own seat again"),
        pytest.param(ReleaseSeat(LEFT, ""), "director", None, "No phone holds Ann’s seat.", id="a free seat"),
        pytest.param(Hit(), "right", EVE, "", id="without a seat"),
    ],
)
def test_a_request_that_changes_nothing_or_is_refused_leaves_all(
    command: Command, by: str, device: int | None, answer: Reply | str
) -> None:
    board = board_of(devices=(None if isinstance(command, ReleaseSeat) else ANN, BOB))
    decided = decide(board, command, by, 9, device_id=device)
    if isinstance(answer, str):
        assert (decided.answer.ok, decided.answer.v) == (False, 9)
        assert answer in decided.answer.words
    else:
        assert decided.answer == answer
    assert decided[1:5] == ([], board.match, board.devices, board.tenure)


def test_a_credit_is_written_into_a_press_only() -> None:
    call, press = parse_command({"do": "call"}), Hit(3, 60)
    assert with_credit(call, 60) is call
    assert with_credit(press, 60) is press
    assert with_credit(press, 70) == Hit(3, 70)
