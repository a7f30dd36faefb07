"""The practice clock's arithmetic is the engine's: the same random matches, played by both, show the same clocks."""

import random
from typing import Any

import orjson
import pytest
from playwright.sync_api import Page

from clocks.engine.books.published import RULESETS
from clocks.engine.clock import Seat
from clocks.engine.commands import Expire, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.rulebook import practice

START = 1_700_000_000_000
RUNS = 12
STEPS = 30
SHOWN = (
    *(
        "status",
        "turn",
        "reserve_ms",
        "delay_ms",
        "flag_at",
        "score",
        "winner",
        "control",
        "limits",
        "offences",
        "flagged",
    ),
    *("kind", "turn_delay_ms", "since", "used_ms"),
)
OWN = {"kind": "bronstein", "reserve_ms": 90_000, "delay_ms": 7_000}

PLAY = """async (runs) => {
    const practice = await import('/static/clocks/practice/match.js');
    const does = {
        hit: (match, { seat, at }) => practice.hit(match, seat, at),
        stop: (match, { seat, at }) => practice.stop(match, seat, at),
        resume: (match, { turn_of, at, fresh_delay }) => practice.resume(match, turn_of, at, fresh_delay),
        expire: (match, { at }) => practice.fall(match, at),
        agree: (match) => practice.settle(match),
        game: (match, { score, at }) => practice.endGame(match, score, at),
    };
    return runs.map(({ first, book, setting, steps }) => {
        let match = practice.begin(first, book, setting);
        return steps.map((step) => {
            match = does[step.do](match, step);
            const look = practice.lookAt(match, step.look_at);
            return { ...look, frozen: look.cube.frozen, consequence: look.proposal && look.proposal.consequence };
        });
    });
}"""


def did(match: Match, by: str, at: int, command: dict[str, Any]) -> Match:
    """Return the match after a command that the engine must accept."""
    outcome = perform(match, Expire() if command["do"] == "expire" else parse_command(command), by, at)
    assert outcome.refusal is None, outcome.refusal
    return outcome.match


def seen(match: Match, at: int) -> dict[str, Any]:
    """Return what the engine shows, as far as the practice clock has it."""
    frame = orjson.loads(orjson.dumps(match.wire(at)))
    proposal = frame["proposal"]
    return {
        **{name: frame[name] for name in SHOWN},
        "frozen": frame["cube"]["frozen"],
        "consequence": proposal and proposal["consequence"],
    }


def step(chance: random.Random, match: Match, at: int) -> tuple[str, dict[str, Any], int]:
    """Return who does what next, and when: turns, stops, flags, games."""
    if match.status == "flagged":
        return "director", {"do": "agree"}, at + 5_000
    if match.status == "ready":
        return chance.choice(["left", "right"]), {"do": "hit"}, at + chance.randrange(60_000)
    turn = match.turn
    assert turn is not None
    if chance.random() < 0.07:
        return "director", {"do": "propose", "what": "game", "winner": chance.choice(list(Seat)), "points": 1}, at
    if match.status == "stopped":
        turn_of = turn.other if chance.random() < 0.3 else turn
        fresh = turn_of is turn and chance.random() < 0.3
        return "director", {"do": "resume", "turn_of": turn_of, "fresh_delay": fresh}, at + chance.randrange(60_000)
    due = match.clock.flag_at if match.limits else None
    if due is not None and chance.random() < 0.15:
        return "server", {"do": "expire"}, due
    most = 60_000 if due is None else max(1, min(60_000, due - at))
    then = at + chance.randrange(most)
    return turn, {"do": "stop", "reason": "other"} if chance.random() < 0.2 else {"do": "hit"}, then


def script_of(chance: random.Random, key: str, own: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return a random match: what the page is to do, and what the engine shows after each step."""
    book = next(book for book in practice.books() if book["key"] == key)
    length = chance.choice([1, 1, 2, 3, 7, 25])
    score = [chance.randrange(length), chance.randrange(length)]
    format_ = chance.choice(list(book["formats"]))
    setting = {"format": format_, "length": length, "score": score, "names": ["Ann", "Bob"], "own": own}
    given = {name: value for name, value in setting.items() if name != "own"}
    match = Match.begin(Setup.parse({**given, "rules": key, "options": {**own, "lag_credit_ms": 0}}))
    match = did(match, "director", START, {"do": "confirm"})
    steps, expected, at = [], [], START
    for _ in range(STEPS):
        if match.status == "over":
            break
        by, command, at = step(chance, match, at)
        match = did(match, by, at, command)
        later = at + chance.choice([0, 0, chance.randrange(40_000)])
        due = match.clock.flag_at if match.status == "running" and match.limits else None
        look_at = later if due is None else min(later, due)
        do = "game" if command["do"] == "propose" else command["do"]
        steps.append({**command, "do": do, "seat": by, "at": at, "look_at": look_at, "score": list(match.score)})
        expected.append(seen(match, look_at))
    return {"first": practice.first_snapshot(), "book": book, "setting": setting, "steps": steps}, expected


@pytest.mark.parametrize(("key", "own"), [*((key, {}) for key in RULESETS), ("custom", OWN)], ids=[*RULESETS, "own"])
def test_a_random_match_shows_the_same_clocks_as_the_engine(module_page: Page, key: str, own: dict[str, Any]) -> None:
    chance = random.Random(f"{key}{own}")
    made = [script_of(chance, key, own) for _ in range(RUNS)]
    played = module_page.evaluate(PLAY, [script for script, _ in made])
    for (script, expected), shown in zip(made, played, strict=True):
        for number, (engine, page) in enumerate(zip(expected, shown, strict=True)):
            found = {name: page[name] for name in engine}
            assert found == engine, (script["setting"], script["steps"][: number + 1])


def test_what_is_not_possible_is_refused(module_page: Page) -> None:
    script = """async ({ first, book }) => {
        const practice = await import('/static/clocks/practice/match.js');
        const setting = { format: 'singles', length: 5, score: [0, 0], names: ['Ann', 'Bob'] };
        const ready = practice.begin(first, book, setting);
        const running = practice.hit(ready, 'right', 1000);
        const stopped = practice.stop(running, 'left', 2000);
        return [
            practice.hit(running, 'right', 2000), practice.stop(ready, 'left', 2000), practice.fall(running, 2000),
            practice.resume(running, 'left', 2000), practice.settle(stopped), practice.hit(stopped, 'left', 3000),
        ];
    }"""
    given = {"first": practice.first_snapshot(), "book": practice.books()[0]}
    assert module_page.evaluate(script, given) == [None] * 6
