"""The phone's tally equals the server's summary after every command."""

import random
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page

from clocks.engine.books.carried import carried
from clocks.engine.closed_sets import PARTIES, Official
from clocks.engine.commands import Expire, Look, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.evolve.fold import evolve
from clocks.engine.match import Match
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.record.look_back import Step
from clocks.record.match_summary import games, times
from tests.browser.modules import made_of
from tests.browser.test_engine_module import CASES, RUNS, asked, plain, runs_in, setting

STEPS = 80

FOLD = """async (runs) => {
    const { newTally, summaryAfter, tallied } = await import('/static/clocks/alone/tally.js');
    return runs.map(([first, ...states]) => {
        let before = first;
        let tally = newTally(first);
        return states.map((after) => {
            tally = tallied(tally, before, after);
            before = after;
            return summaryAfter(tally, after);
        });
    });
}"""


def summary(start: Match, steps: list[Step]) -> Any:
    used = {str(seat): time for seat, time in times(start, steps).items()}
    return plain({"games": games(steps), "times": used, "link": None})


def events_of(match: Match, command: dict[str, Any], by: str, at: int) -> Any:
    try:
        wanted = Look() if command["do"] == "look" else parse_command(command)
    except Refused:
        return ()
    return perform(match, wanted, PARTIES[by], at).events


def played(chance: random.Random, setup: Setup) -> tuple[list[Any], list[Any], list[Any]]:
    """Play a random match: its states, the summary after each, and the commands."""
    match = start = Match.begin(setup)
    at = 1_700_000_000_000
    steps: list[Step] = []
    states, summaries, done = [plain(match)], [summary(start, steps)], []
    for _ in range(STEPS):
        at += 1 + chance.choice([0, chance.randrange(3_000), chance.randrange(15_000), chance.randrange(40_000)])
        command, by = asked(chance, match)
        if command["do"] == "hit" and match.turn == by and match.clock.used(at) > 120 and chance.random() < 0.3:
            command["credit_ms"] = 120
        if by == "director" and command.get("what") == "game":
            command["points"] = match.cube.value  # the score is capped, so it would not tell other points
        for events in (perform(match, Expire(), Official.SERVER, at).events, None):
            events = events_of(match, command, by, at) if events is None else events
            for event in events:
                before, match = match, evolve(match, event)
                steps.append(Step(before, match, event, getattr(event, "credit_ms", 0)))
            states.append(plain(match) if events else states[-1])
            summaries.append(summary(start, steps) if events else summaries[-1])
            done.append((at, by, command))
    return states, summaries[1:], done


@cache
def matches(case: int) -> list[tuple[list[Any], list[Any], list[Any]]]:
    """Random matches of a setting, the same in each engine."""
    rules, options = CASES[case]
    chance = random.Random(f"tally {rules}{options}")
    return [played(chance, setting(chance, rules, options)) for _ in range(RUNS)]


@pytest.mark.parametrize("case", range(len(CASES)), ids=map(str, CASES))
def test_a_random_match_has_the_same_tally_as_the_server_s(scripts: Page, case: int) -> None:
    runs = matches(case)[: runs_in(scripts)]
    found = made_of(scripts, FOLD, [states for states, _, _ in runs])
    for (_, expected, done), shown in zip(runs, found, strict=True):
        for number, (engine, here) in enumerate(zip(expected, shown, strict=True)):
            assert here == engine, "\n".join(map(str, [*done[max(0, number - 14) : number + 1], expected[number - 1]]))


@pytest.mark.parametrize(("stopped", "points"), [(True, 1), (True, 2), (False, 2)])
def test_a_result_entered_while_a_double_is_open_is_no_pass(scripts: Page, stopped: bool, points: int) -> None:
    setup = Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"]})
    match = start = Match.begin(setup)
    steps: list[Step] = []
    states = [plain(match)]
    given: list[tuple[str, dict[str, Any]]] = [
        ("director", {"do": "confirm"}),
        ("right", {"do": "hit"}),
        ("left", {"do": "double"}),
        *([("right", {"do": "stop", "reason": "score"})] if stopped else []),
        ("director", {"do": "propose", "what": "game", "winner": "left", "points": points}),
    ]
    for number, (by, command) in enumerate(given):
        for event in events_of(match, command, by, 1_000 * number):
            before, match = match, evolve(match, event)
            steps.append(Step(before, match, event, getattr(event, "credit_ms", 0)))
        states.append(plain(match))
    assert match.score == (points, 0)
    (found,) = made_of(scripts, FOLD, [states])
    assert found[-1] == summary(start, steps)


FOLLOW = """async ([snapshots, step]) => {
    const { Course } = await import('/static/clocks/alone/course.js');
    const kept = new Map();
    const store = {
        get: (key) => JSON.parse(kept.get(key) ?? "null"),
        set: (key, value) => kept.set(key, JSON.stringify(value)),
    };
    const course = () => new Course({ store, key: 'course', newId: () => 'parcel' });
    for (const snapshot of snapshots) course().follow(snapshot, 0);
    const last = course();
    last.ask({ t: 'do', match: 1, id: 'a', do: 'hit', at: step.at }, step.seat);
    return last.summary;
}"""


@pytest.mark.parametrize(("missing", "known"), [(None, True), (4, False)], ids=["every change", "a missed change"])
def test_a_phone_that_saw_every_change_has_the_whole_match(scripts: Page, missing: int | None, known: bool) -> None:
    setup = Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"]})
    match = start = Match.begin(setup)
    steps: list[Step] = []
    snapshots = []
    at = 1_700_000_000_000
    given: list[tuple[str, dict[str, Any]]] = [
        ("director", {"do": "confirm"}),
        ("left", {"do": "hit"}),
        ("right", {"do": "hit", "credit_ms": 200}),
        ("left", {"do": "stop", "reason": "dice"}),
        ("director", {"do": "propose", "what": "time", "seat": "right", "by_ms": 9_000, "note": "late press"}),
        ("left", {"do": "resume"}),
        ("left", {"do": "hit"}),
        ("right", {"do": "hit"}),
    ]
    for number, (by, command) in enumerate(given):
        at += 17_300
        for event in events_of(match, command, by, at):
            before, match = match, evolve(match, event)
            steps.append(Step(before, match, event, getattr(event, "credit_ms", 0)))
        if number not in (missing, len(given) - 1):
            alone = {"state": match, "book": carried(setup)}
            base = {"t": "match", "match": 1, "v": number, "code": "X", **match.wire(at), "alone": alone}
            snapshots.append(plain(base))
    found = made_of(scripts, FOLLOW, [snapshots, {"seat": "right", "at": at}])
    assert found == (summary(start, steps) if known else None)
