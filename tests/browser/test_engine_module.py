"""The engine in JavaScript agrees with the one in Python after every command.

Plays random matches under every rule set and its options, including refused commands, and the matches of
`tests/vectors`. Pages skip commands that only a director can give; after one, they continue from the engine's state.
"""

import random
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from playwright.sync_api import Page

from clocks.engine.books.carried import carried
from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.closed_sets import PARTIES
from clocks.engine.commands import Look, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from tests.browser.engines.deno import Deno
from tests.browser.modules import made_of
from tests.engine.test_vectors import MATCHES, lines, out_of

RUNS = 6
STEPS = 60
DIRECTORS_ALONE = ("answer",)

PLAY = """async (runs) => {
    const { perform } = await import('/static/clocks/engine/decide.js');
    const { lookAt } = await import('/static/clocks/engine/match.js');
    return runs.map(({ book, match: first, steps }) => {
        let match = first;
        return steps.map(({ state, command, by, at, look_at }) => {
            if (state) match = state;
            const done = perform(match, book, command, by, at);
            match = done.match;
            return { refusal: done.refusal, match, look: lookAt(match, book, look_at) };
        });
    });
}"""


def runs_in(scripts: Page | Deno) -> int:
    """Random matches of each setting: the modules differ little between engines."""
    return RUNS if isinstance(scripts, Deno) else 1


def plain(value: object) -> Any:
    """Convert a value to JSON data, as a page receives it."""
    return orjson.loads(orjson.dumps(value))


def did(match: Match, command: dict[str, Any], by: str, at: int) -> tuple[Match, str | None]:
    """Match after a command, and the refusal's code if there is one."""
    try:
        asked = Look() if command["do"] == "look" else parse_command(command)
    except Refused as refusal:
        return match, refusal.code
    outcome = perform(match, asked, PARTIES[by], at)
    return outcome.match, None if outcome.refusal is None else outcome.refusal.code


OPTIONS: dict[str, list[dict[str, Any]]] = {
    "us-2007": [{"bronstein": "precredited"}],
    "unified-2001": [{"reset": "set"}],
    "michigan-2002": [{"second_control": "bronstein"}, {"second_control": "bronstein", "bronstein": "precredited"}],
    "modern": [{"overtime_ms": 90_000}],
    "custom": [
        {"kind": "none"},
        {"kind": "bronstein", "delay_ms": 7_000, "bronstein": "precredited"},
        {"flag": "penalty", "reset": "add"},
        {"flag": "next-control", "second_control": "bronstein"},
        {"flag": "overtime", "overtime_ms": 30_000},
    ],
}


def setting(chance: random.Random, rules: str, options: dict[str, Any]) -> Setup:
    length = chance.choice([1, 2, 3, 5, 9])
    reserve = {"reserve_ms": chance.choice([40_000, 90_000, [20_000, 70_000]])} if chance.random() < 0.7 else {}
    score = [chance.randrange(length), chance.randrange(length)]
    given = {"rules": rules, "length": length, "score": score, "names": ["Ann", "Bob"]}
    given["director"] = chance.random() < 0.6
    return Setup.parse({**given, "options": {**options, **reserve}})


def asked(chance: random.Random, match: Match) -> tuple[dict[str, Any], str]:
    """A random command, mostly a legal one, and its actor."""
    turn = match.turn or chance.choice(list(Seat))
    seat = chance.choice(list(Seat))
    number = match.turn_number if chance.random() < 0.97 else match.turn_number + 1
    terms: list[dict[str, Any]] = [
        {"what": "game", "winner": seat, "points": chance.choice([1, 2, 4])},
        {"what": "offer", "winner": seat, "outcome": chance.choice(["single", "gammon", "backgammon"])},
        {"what": "dice-penalty", "against": seat},
        {"what": "undo"},
        {"what": "end", "winner": seat, "note": "a train"},
        {"what": "reopen"},
        {"what": "drop-forfeit", "seat": seat},
        {"what": "score", "score": [chance.randrange(match.setup.length + 1), chance.randrange(match.setup.length)]},
        {"what": "cube", "value": 4, "owner": seat},
        {"what": "resume", "turn_of": seat, "fresh_delay": chance.random() < 0.5},
        {"what": "time", "seat": seat, "by_ms": chance.choice([-20_000, 30_000]), "note": "spilt tea"},
    ]
    if match.status == "over":
        return {"do": "propose", **chance.choice([{"what": "reopen"}, *terms])}, seat
    if match.status == "setup":
        return {"do": "confirm"}, chance.choice(["left", "right", "director"])
    if match.cube.offered_by is not None and match.status == "running" and chance.random() < 0.8:
        return {"do": chance.choice(["take", "take", "pass"]), "turn_number": number}, turn
    if match.proposal is not None and chance.random() < 0.9:
        do = chance.choice(["agree", "agree", "agree", "decline", "withdraw"])
        named = chance.choice([{}, {"proposal": match.proposals}, {"proposal": match.proposals - 1}])
        return {"do": do, **named}, chance.choice(["left", "right", "director"])
    if match.status == "stopped" and chance.random() < 0.15:
        return {"do": "stop", "reason": chance.choice(["dice", "director", "contest", "contest"])}, seat
    if match.called and chance.random() < 0.2:
        return {"do": "call", **chance.choice([{}, {"note": "a dice is cocked"}, {"note": "which one?"}])}, seat
    if match.status == "stopped" and chance.random() < 0.8:
        fresh = {"fresh_delay": True} if chance.random() < 0.2 else {}
        whose = {"turn_of": seat} if chance.random() < 0.6 else {}
        return {"do": "hit"} if match.owed_hit else {"do": "resume", **whose, **fresh}, chance.choice(
            [*Seat, "director"]
        )
    drawn = chance.random()
    if drawn < 0.6:
        return {"do": "hit", "turn_number": number}, turn
    if drawn < 0.68:
        return {"do": "double", "turn_number": number}, turn
    if drawn < 0.76:
        reason = chance.choice(["other", "dice-picked-up", "break", "director", "dice"])
        return {"do": "stop", "reason": reason}, chance.choice([*Seat, "director"])
    if drawn < 0.8:
        return {"do": "call", "note": "a dice is cocked"}, seat
    if drawn < 0.84:
        return {"do": "look"}, "server"
    bound = {"turn_number": number} if chance.random() < 0.3 else {}
    return {"do": "propose", **chance.choice(terms), **bound}, chance.choice([turn, seat, "director"])


def played(chance: random.Random, setup: Setup) -> dict[str, Any]:
    """A random match: commands for the page, and the engine's states."""
    match, at = Match.begin(setup), 1_700_000_000_000
    first, steps, expected = plain(match), [], []
    for _ in range(STEPS):
        at += chance.choice([0, chance.randrange(3_000), chance.randrange(15_000), chance.randrange(40_000)])
        command, by = asked(chance, match)
        match, refusal = did(match, command, by, at)
        look_at = at + chance.randrange(9_000)
        steps.append({"command": command, "by": by, "at": at, "look_at": look_at})
        expected.append({"refusal": refusal, "match": plain(match), "look": plain(match.wire(look_at))})
        if match.status == "over" and match.setup.director:
            break  # then only the director can change it
    return {"book": plain(carried(setup)), "match": first, "steps": steps, "expected": expected}


def compare(page: Page, runs: list[dict[str, Any]]) -> None:
    found = made_of(page, PLAY, [{name: run[name] for name in ("book", "match", "steps")} for run in runs])
    for run, shown in zip(runs, found, strict=True):
        for number, (engine, here) in enumerate(zip(run["expected"], shown, strict=True)):
            assert here == engine, run["steps"][: number + 1]


CASES = [(rules, {}) for rules in RULESETS] + [(rules, one) for rules, all_ in OPTIONS.items() for one in all_]


@cache
def matches(case: int) -> list[dict[str, Any]]:
    """Random matches of a setting, the same in each engine."""
    rules, options = CASES[case]
    chance = random.Random(f"{rules}{options}")
    return [played(chance, setting(chance, rules, options)) for _ in range(RUNS)]


@pytest.mark.parametrize("case", range(len(CASES)), ids=map(str, CASES))
def test_a_random_match_has_the_same_state_as_the_engine_s(scripts: Page, case: int) -> None:
    compare(scripts, matches(case)[: runs_in(scripts)])


@cache
def vector(path: Path) -> dict[str, Any]:
    """Match of `tests/vectors` for the page to play, with the expected figures."""
    (first, *later), (_, *out) = lines(path), lines(out_of(path))
    setup = Setup.parse(first["setup"])
    match = Match.begin(setup)
    steps, expected, state = [], [], plain(match)
    for line, shown in zip(later, out, strict=True):
        by = line.get("by", "server")
        match, _ = did(match, line, by, line["at"])
        if line["do"] in DIRECTORS_ALONE:
            state = plain(match)
            continue
        look = {
            **plain(match.wire(line["at"])),
            **{name: shown[name] for name in shown if name not in ("at", "ok", "code")},
        }
        if look["proposal"] is not None:
            look["proposal"] |= {"number": match.proposals}
        steps.append({"state": state, "command": line, "by": by, "at": line["at"], "look_at": line["at"]})
        expected.append({"refusal": shown["code"], "match": plain(match), "look": look})
        state = None
    return {"book": plain(carried(setup)), "match": state, "steps": steps, "expected": expected}


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_of_the_vectors_has_the_expected_figures(scripts: Page, path: Path) -> None:
    compare(scripts, [vector(path)])
