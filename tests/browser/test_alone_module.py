"""Offline play and its hand-over give the same match as online play.

The page's own `Course` plays random matches. Frames or their acks are lost, so that frames are repeated; pages reload
in between. The server's parser reads what arrives, and the engine applies it as the desk does
(`tests/server/desk/test_hand_over.py`).
"""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Page

from clocks.engine.books.carried import carried
from clocks.engine.commands import Confirm, HandOver, Hit, parse_command
from clocks.engine.decide.perform import perform
from clocks.engine.match import Match
from clocks.engine.setup import Setup
from clocks.live.do_frame import read_do
from clocks.live.protocol import LONGEST_FRAME
from tests.browser.modules import made_of
from tests.browser.test_engine_module import OPTIONS, asked, plain, runs_in

BEGAN = 1_700_000_000_000
CASES = [("us-2013", {}), *((key, one) for key, all_ in OPTIONS.items() for one in all_)]

PLAY = """async ([base, steps, fates]) => {
    const { Course } = await import('/static/clocks/alone/course.js');
    const kept = new Map();
    const get = (key) => JSON.parse(kept.get(key) ?? "null");
    const store = { get, set: (key, value) => kept.set(key, JSON.stringify(value)) };
    let number = 0;
    const loaded = () => new Course({ store, key: 'course', newId: () => `parcel-${number += 1}` });
    let course = loaded();
    course.follow(base, 0);
    const arrived = []; // the texts of the frames, in their order
    const refused = [];
    const fate = () => fates.pop() ?? 1;
    const hand = (all) => {
        const frames = course.frames();
        const heard = all ? frames.length : Math.floor(fate() * (frames.length + 1)); // cut: so many arrive
        const answered = all ? heard : Math.floor(fate() * (heard + 1)); // and so many answers come back
        for (const frame of frames.slice(0, heard)) arrived.push(JSON.stringify(frame));
        for (const frame of frames.slice(0, answered)) course.taken(frame.id);
    };
    for (const { command, seat, at } of steps) {
        const refusal = course.ask({ t: 'do', match: base.match, id: 'unused', at, ...command }, seat);
        if (refusal) refused.push([command, refusal]);
        if (fate() < 0.25) hand(false);
        if (fate() < 0.15) course = loaded();
    }
    const state = course.state;
    hand(true);
    return { arrived, refused, state, left: course.steps.length };
}"""


def steps_of(chance: random.Random, match: Match) -> tuple[list[dict[str, Any]], Match]:
    """Accepted commands of two players in about ten minutes, and the resulting match."""
    steps: list[dict[str, Any]] = []
    at = BEGAN
    while at < BEGAN + 600_000 and match.status != "over" and len(steps) < 150:
        at += 1 + chance.choice([chance.randrange(2_000), chance.randrange(9_000), chance.randrange(20_000)])
        command, seat = asked(chance, match)
        if seat in ("director", "server"):
            continue
        outcome = perform(match, parse_command(command), seat, at)
        if outcome.refusal is None:
            asker = {"by": seat} if "seat" in command else {"seat": seat}
            steps.append({"command": {**command, **asker}, "seat": seat, "at": at})
            match = outcome.match
    return steps, match


def taken(match: Match, texts: list[str]) -> tuple[Match, int]:
    """Match after applying each frame once, and the number of repeated frames."""
    known: set[str] = set()
    again = 0
    for text in texts:
        assert len(text) <= LONGEST_FRAME
        frame = read_do(json.loads(text))
        assert isinstance(frame.command, HandOver)
        again += frame.id in known
        for kept in () if frame.id in known else frame.command.kept:
            outcome = perform(match, kept.command, kept.seat, kept.at)
            assert outcome.refusal is None
            match = outcome.match
        known.add(frame.id)
    return match, again


@pytest.mark.parametrize(("rules", "options"), CASES, ids=str)
def test_ten_minutes_with_many_cuts_give_the_same_match(scripts: Page, rules: str, options: dict[str, Any]) -> None:
    chance = random.Random(f"{rules}{options}")
    came_again = 0
    runs = min(4, runs_in(scripts))
    for _ in range(runs):
        given = {"rules": rules, "length": 7, "options": {**options, "reserve_ms": 200_000}}
        setup = Setup.parse({**given, "names": ["Ann", "Bob"], "director": chance.random() < 0.5})
        match = perform(Match.begin(setup), Confirm(), "director", BEGAN).match
        match = perform(match, Hit(), "left", BEGAN).match
        steps, online = steps_of(chance, match)
        base = {"match": 1, "v": 4, "code": "X", **plain(match.wire(BEGAN))}
        base["alone"] = plain({"state": match, "book": carried(setup)})
        fates = [chance.random() for _ in range(900)]
        played = made_of(scripts, PLAY, [base, steps, fates])
        assert (played["refused"], played["left"]) == ([], 0)
        handed_over, again = taken(match, played["arrived"])
        assert plain(handed_over) == plain(online) == played["state"]
        came_again += again
    assert came_again > 0 or runs == 1
