"""Turn times agree with the journal to the millisecond."""

import csv
import itertools
import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clocks.engine.clock import Kind, Seat
from clocks.engine.commands import parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match as MatchState
from clocks.engine.setup import Setup
from clocks.models import JournalEntry
from clocks.record import turn_times
from clocks.record.look_back import Step
from tests.server import hall
from tests.server.record.played_steps import Game

DO = st.sampled_from(["hit", "hit", "hit", "stop", "double", "game", "time", "resume-other", "undo"])
WAITS = st.one_of(st.integers(0, 20_000), st.integers(0, 400), st.integers(0, 90_000))
RULES = st.sampled_from(["us-2007", "us-2013", "unified-2001", "modern", "aba-2003-bronstein", "michigan-2002"])


def play(rules: str, plan: list[tuple[int, str]]) -> tuple[MatchState, list[Step]]:
    """Run these commands, ignoring rejected ones; return the match and its steps."""
    match = start = MatchState.begin(Setup.parse({"rules": rules, "length": 15, "names": ["Ann", "Bob"]}))
    steps: list[Step] = []
    at = 1_000

    def do(by: str, **command: Any) -> None:
        nonlocal match
        before = match
        outcome = perform(match, parse_command(command), by, at)
        match = outcome.match
        for event in outcome.events:
            after = evolve(before, event)
            steps.append(Step(before, after, event, getattr(event, "credit_ms", 0)))
            before = after

    do("director", do="confirm")
    do("left", do="hit", credit_ms=0)
    for wait_ms, what in plan:
        at += wait_ms
        seat = str(match.turn or "left")
        if what == "stop":
            do("director", do="stop", reason="director")
            at += wait_ms
            do("director", do="resume")
        elif what == "resume-other":
            do("director", do="stop", reason="director")
            do("director", do="resume", turn_of=str(Seat(seat).other))
        elif what == "double":
            do(seat, do="double")
            at += wait_ms
            do(str(Seat(seat).other), do="take")
        elif what == "game":
            do("director", do="propose", what="game", winner=seat, points=1)
            do("left", do="hit")
        elif what == "time":
            do("director", do="propose", what="time", seat=seat, by_ms=wait_ms - 5_000 or 5_000)
        elif what == "undo":
            do("director", do="propose", what="undo")
            do("director", do="resume")
        else:
            do(seat, do="hit", credit_ms=min(200, wait_ms))
    assert start.at <= match.at
    return match, steps


@settings(max_examples=150, deadline=None)
@given(RULES, st.lists(st.tuples(WAITS, DO), max_size=25))
def test_the_turns_add_up_to_what_each_clock_ran(rules: str, plan: list[tuple[int, str]]) -> None:
    match, steps = play(rules, [each for each in plan if each[1] != "undo"])
    ran = dict.fromkeys(Seat, 0)
    for one, following in itertools.pairwise(steps):
        if one.after.turn is not None and one.after.clock.since is not None:
            ran[one.after.turn] += following.event.at - one.event.at
    told = dict.fromkeys(Seat, 0)
    for turn in turn_times.turns(steps):
        told[turn.seat] += turn.thought_ms + turn.credit_ms
    if match.turn is not None:
        told[match.turn] += match.clock.used(match.at)
    assert told == ran


@settings(max_examples=150, deadline=None)
@given(RULES, st.lists(st.tuples(WAITS, DO), max_size=25))
@example("us-2007", [(0, "resume-other"), (12_001, "resume-other"), (0, "undo")])  # undoes the opening
def test_each_reserve_follows_from_the_one_before(rules: str, plan: list[tuple[int, str]]) -> None:
    match, steps = play(rules, plan)
    given_ms = [step.event for step in steps if step.event.name == "time_given"]
    flagged = [step.event for step in steps if step.event.name == "flag_fell"]
    found = turn_times.turns(steps)
    reserve = {seat: match.setup.opening_reserve_ms[seat.index] for seat in Seat}
    for turn in found:
        delay_ms = 0 if match.clock.control.kind is Kind.NONE else turn.delay_ms
        assert 0 <= turn.delay_used_ms <= delay_ms and turn.thought_ms <= turn.ended_at - turn.started_at
        assert turn.reserve_after_ms == (
            turn.reserve_before_ms - turn.thought_ms + turn.delay_used_ms + turn.adjusted_ms
        )
        if not given_ms and not flagged:
            assert turn.adjusted_ms == 0
            assert turn.reserve_before_ms == reserve[turn.seat]
        reserve[turn.seat] = turn.reserve_after_ms
    if not given_ms and not flagged and match.turn is None:
        assert tuple(reserve[seat] for seat in Seat) == match.clock.reserve_ms


@pytest.mark.parametrize("rules", ["unified-2001", "modern", "michigan-2002"])
def test_a_turn_keeps_the_time_before_its_flag(rules: str) -> None:
    options = {"reserve_ms": 60_000, **({"overtime_ms": 30_000} if rules == "modern" else {})}
    game = Game(rules=rules, length=9, options=options)
    delay_ms = game.match.clock.control.delay_ms
    game.hits(0).flag(60_250 + delay_ms)  # with the lag allowance
    assert game.match.status == "flagged"
    game.do("director", do="agree").do("director", 5_000, do="resume").hits(7_000)
    (turn,) = turn_times.turns(game.steps)
    assert turn.thought_ms == 60_000 + delay_ms + 7_000


@pytest.mark.django_db(transaction=True)
def test_turn_times_are_exported_as_csv_and_json_lines() -> None:
    first, second = hall.drawn(hall.summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    hall.begin(first.match)
    for by, do in (("right", "hit"), ("left", "double"), ("right", "take")):
        hall.do(first.match, by, do=do)
    hall.begin(second.match)
    hall.do(second.match, "right", do="hit")
    director = hall.client_of("director")
    path = f"/director/open/match/{first.match_id}/turns"
    lines = [json.loads(line) for line in director.get(f"{path}.jsonl").content.decode().splitlines()]
    assert [(line["left"], line["seat"], line["cube"]) for line in lines] == [
        ("Ann", "right", ""),
        ("Ann", "left", "double"),
        ("Ann", "right", "take"),
    ]
    hits = JournalEntry.objects.filter(match=first.match_id, event__in=("hit", "doubled", "took")).order_by("seq")
    begun_at, *ends = hits.values_list("at", flat=True)
    assert [line["thought_ms"] for line in lines] == [
        after - before for before, after in zip([begun_at, *ends], ends, strict=False)
    ]
    rows = list(csv.DictReader(director.get(f"{path}.csv").content.decode("utf-8-sig").splitlines()))
    assert [(row["table"], row["thought_ms"]) for row in rows] == [("1", str(line["thought_ms"])) for line in lines]
    everything = director.get("/director/open/turns.csv").content.decode("utf-8-sig").splitlines()
    assert [(row["match"], row["seat"]) for row in csv.DictReader(everything)] == [
        *((str(first.match_id), line["seat"]) for line in lines),
        (str(second.match_id), "right"),
    ]
    assert len(director.get("/director/open/turns.jsonl").content.decode().splitlines()) == 4
