"""An answer names its proposal; an answer to another proposal has no effect."""

from typing import Any

import orjson
import pytest
from channels.db import database_sync_to_async
from django.core.management import call_command

from clocks import desk
from clocks.engine.commands import Expire, parse_command
from clocks.engine.replay import run
from clocks.engine.setup import Setup
from clocks.journal import entries, stored
from clocks.models import Match, Tournament
from clocks.tournament import tables
from tests.server.house import US_2013, Page, in_loop, make_match, running_match, sit_down
from tests.server.who_may import client_of, socket_of

pytestmark = pytest.mark.django_db(transaction=True)

CHANGED = "The proposal has changed. Read it again before you answer."
THREE_POINTS = {"do": "propose", "what": "game", "winner": "left", "points": 3}
UNDO = {"do": "propose", "what": "undo"}
SHORT = {"options": {"reserve_ms": 1_000, "delay_ms": 0, "lag_credit_ms": 0}}


def does(match: Match, *asked: tuple[str, dict[str, Any]]) -> None:
    """Submit commands, each as the given party; all must be accepted."""
    for by, command in asked:
        answer = desk.submit_and_wait(desk.Request(match.pk, parse_command(command), by))
        assert answer.ok, (command, answer)


def open_match(**changes: Any) -> Match:
    """Match in a tournament with a director, in which Bob's turn has just begun."""
    tournament = Tournament.objects.get_or_create(slug="open", defaults={"name": "Open"})[0]
    match = desk.make_match(tables.add_table(tournament, "1"), Setup.parse(US_2013 | changes))
    does(match, ("director", {"do": "confirm"}), ("left", {"do": "hit"}))
    return Match.objects.select_related("table").get(pk=match.pk)


def flagged() -> Match:
    """Match in which Bob's flag has fallen."""
    match = open_match(**SHORT)
    at = board_of(match).match.flag_at
    assert at is not None and desk.submit_and_wait(desk.Request(match.pk, Expire(), "server", at)).ok
    return match


def board_of(match: Match) -> stored.StoredMatch:
    """Match as stored."""
    return stored.matches([match.pk])[match.pk]


def number_of(match: Match) -> int:
    """Number of the pending proposal."""
    shown = board_of(match).match.wire(0)["proposal"]
    return int(shown["number"])


in_thread = database_sync_to_async


async def phones_at(match: Match) -> tuple[Page, Page]:
    """Pages of Ann's and Bob's phones, after their first snapshots."""
    ann, bob = [Page.at(match, (await in_thread(sit_down)(match, seat))[1]) for seat in ("left", "right")]
    await ann.open()
    await bob.open()
    return ann, bob


async def seen(page: Page, number: int) -> dict[str, Any]:
    """Next snapshot on this page that contains the proposal with this number."""
    while True:
        frame = await page.hear("match")
        if frame["proposal"] is not None and frame["proposal"]["number"] == number:
            return frame


@in_loop
async def test_an_agreement_under_way_does_not_settle_a_newer_proposal() -> None:
    match = await in_thread(running_match)()
    ann, bob = await phones_at(match)
    await ann.do("propose", what="undo")
    read = (await seen(bob, 1))["proposal"]["number"]
    await ann.do("decline", proposal=1)
    await ann.do("propose", what="game", winner="left", points=3)
    answer = await bob.do("agree", proposal=read)
    assert (answer["t"], answer["code"], answer["words"]) == ("refused", "stale", CHANGED)
    assert (await in_thread(board_of)(match)).match.score == (0, 0)
    assert (await bob.do("agree", proposal=2))["t"] == "ack"
    assert (await in_thread(board_of)(match)).match.score == (3, 0)


@in_loop
async def test_four_frames_at_once_leave_no_agreement_to_earlier_terms() -> None:
    match = await in_thread(running_match)()
    ann, bob = await phones_at(match)
    await ann.do("propose", what="undo")
    await seen(bob, 1)
    frames = [
        (ann, {"do": "decline", "proposal": 1}),
        (ann, {"do": "propose", "what": "cube", "value": 2, "owner": "left"}),
        (ann, {"do": "decline", "proposal": 2}),
        (ann, THREE_POINTS),
        (bob, {"do": "agree", "proposal": 1}),
    ]
    for number, (page, frame) in enumerate(frames):
        await page.say({"t": "do", "id": f"frame-{number}", **frame})
    answer = await bob.hear("refused", "ack")
    while answer["id"] != "frame-4":
        answer = await bob.hear("refused", "ack")
    assert answer["code"] == "stale"
    assert (await in_thread(board_of)(match)).match.score == (0, 0)


@in_loop
async def test_the_directors_agreement_does_not_settle_a_swapped_score() -> None:
    match = await in_thread(open_match)()
    ann, _ = await phones_at(match)
    director = socket_of(await in_thread(client_of)("director"), "/ws/director/open/")
    (board,) = (await director.open())["boards"]
    assert board["proposal"] is None
    await ann.do("propose", what="score", score=[0, 6])
    read = (await seen(director, 1))["proposal"]
    assert (read["score"], read["number"]) == ([0, 6], 1)
    await ann.do("decline", proposal=1)
    await ann.do("propose", what="score", score=[6, 0])
    answer = await director.do("agree", match=match.pk, proposal=1)
    assert (answer["t"], answer["code"], answer["words"]) == ("refused", "stale", CHANGED)
    assert (await in_thread(board_of)(match)).match.score == (0, 0)
    assert (await director.do("decline", "no-1", match=match.pk, proposal=1))["code"] == "stale"
    assert (await director.do("decline", "no-2", match=match.pk, proposal=2))["t"] == "ack"


@pytest.mark.parametrize("do", ["agree", "decline"])
@pytest.mark.parametrize("given", [{}, {"proposal": None}, {"proposal": 0}, {"proposal": 2}, {"proposal": 1_000_000}])
@in_loop
async def test_an_answer_without_the_number_or_with_another_is_stale(do: str, given: dict[str, Any]) -> None:
    match = await in_thread(running_match)()
    ann, bob = await phones_at(match)
    await ann.do("propose", what="undo")
    answer = await bob.do(do, **given)
    assert (answer["t"], answer["code"], answer["words"]) == ("refused", "stale", CHANGED)
    assert await in_thread(number_of)(match) == 1


@pytest.mark.parametrize("wrong", ["1", 1.0, True, -1, [1], 1_000_001])
@in_loop
async def test_an_invalid_number_is_refused_by_name(wrong: Any) -> None:
    match = await in_thread(running_match)()
    ann, bob = await phones_at(match)
    await ann.do("propose", what="undo")
    answer = await bob.do("agree", proposal=wrong)
    assert (answer["code"], answer["words"]) == (
        "bad-value",
        "proposal must be a whole number from 0 to 1000000.",
    )


@in_loop
async def test_a_proposer_withdraws_only_what_the_number_names() -> None:
    match = await in_thread(running_match)()
    ann, _ = await phones_at(match)
    await ann.do("propose", what="undo")
    await ann.do("decline", proposal=1)
    await ann.do("propose", what="undo")
    assert (await ann.do("decline", proposal=1))["code"] == "stale"
    assert (await ann.do("decline", proposal=2))["t"] == "ack"


@in_loop
async def test_an_answer_without_a_proposal_is_refused() -> None:
    match = await in_thread(running_match)()
    ann, bob = await phones_at(match)
    await ann.do("propose", what="undo")
    await ann.do("decline", proposal=1)
    assert [(await bob.do("agree", **given))["code"] for given in ({}, {"proposal": 1})] == ["no-proposal"] * 2


@in_loop
async def test_a_resent_answer_gets_the_same_reply() -> None:
    match = await in_thread(running_match)()
    ann, bob = await phones_at(match)
    await ann.do("propose", what="undo")
    first = await bob.do("agree", "one", proposal=1)
    await ann.do("propose", what="game", winner="left", points=3)
    assert first["t"] == "ack" and await bob.do("agree", "one", proposal=1) == first


def test_a_dispute_gives_the_proposal_a_new_number() -> None:
    match = open_match()
    does(match, ("left", THREE_POINTS), ("right", {"do": "decline", "proposal": 1, "note": "It was a single."}))
    assert number_of(match) == 2
    answer = desk.submit_and_wait(desk.Request(match.pk, parse_command({"do": "agree", "proposal": 1}), "director"))
    assert (answer.ok, answer.code, board_of(match).match.score) == (False, "stale", (0, 0))
    does(match, ("director", {"do": "agree", "proposal": 2}))


def test_a_flag_is_numbered_and_each_agreement_to_it_gives_it_a_new_number() -> None:
    match = flagged()
    assert number_of(match) == 1
    does(match, ("left", {"do": "agree", "proposal": 1}))
    assert number_of(match) == 2
    late = desk.submit_and_wait(desk.Request(match.pk, parse_command({"do": "agree", "proposal": 1}), "right"))
    assert (late.ok, late.code) == (False, "stale")
    does(match, ("left", {"do": "withdraw"}))
    assert number_of(match) == 3
    does(match, ("right", {"do": "agree", "proposal": 3}), ("left", {"do": "agree", "proposal": 4}))
    assert board_of(match).match.status == "over"


def test_a_number_is_not_reused_after_an_undo_a_reopening_or_a_restart() -> None:
    match = open_match()
    yes = {"do": "agree"}
    does(match, ("left", UNDO), ("right", yes))  # proposal 1
    does(match, ("left", {"do": "hit"}), ("left", THREE_POINTS), ("right", yes))  # proposal 2
    does(match, ("director", {"do": "propose", "what": "reopen", "note": "It was not over."}))
    does(match, ("left", UNDO))
    assert number_of(match) == 3
    desk._desk._matches.clear()  # as in a new process
    does(match, ("left", {"do": "decline", "proposal": 3}), ("right", UNDO))
    assert number_of(match) == 4
    call_command("verify")


def test_the_record_names_the_answered_proposal_and_its_export_replays() -> None:
    match = open_match()
    does(match, ("left", UNDO), ("left", {"do": "decline", "proposal": 1}), ("left", THREE_POINTS))
    does(match, ("right", {"do": "agree", "proposal": 2}))
    lines = list(entries.replay_lines(match.pk))
    assert [line["proposal"] for line in lines if "proposal" in line] == [1, 2]
    assert [line["ok"] for line in run(orjson.dumps(line).decode() for line in lines)] == [True] * len(lines)


def forget_the_numbers(match: Match) -> None:
    """Store a match like a version without numbers, and clear the desk's cache."""
    row = Match.objects.get(pk=match.pk)
    del row.state["proposals"]
    Match.objects.filter(pk=match.pk).update(state=row.state)
    desk._desk._matches.clear()


def test_a_proposal_from_before_an_upgrade_can_be_answered() -> None:
    match = open_match()
    does(match, ("left", UNDO), ("left", {"do": "decline"}), ("left", THREE_POINTS), ("right", {"do": "decline"}))
    forget_the_numbers(match)
    assert number_of(match) == 3
    does(match, ("director", {"do": "agree", "proposal": 3}))
    assert board_of(match).match.score == (3, 0)
    call_command("verify")


def test_a_match_that_was_over_before_the_upgrade_goes_on_with_its_numbers() -> None:
    match = open_match(length=3)
    does(match, ("left", UNDO), ("left", {"do": "decline"}), ("left", THREE_POINTS), ("right", {"do": "agree"}))
    forget_the_numbers(match)
    does(match, ("director", {"do": "propose", "what": "score", "score": [2, 0]}), ("left", {"do": "hit"}))
    does(match, ("right", UNDO))
    assert number_of(match) == 3
    call_command("verify")


@pytest.mark.parametrize(
    ("given", "code", "score"), [({"proposal": 1}, "", (3, 0)), ({}, "", (3, 0)), ({"proposal": 2}, "stale", (0, 0))]
)
@in_loop
async def test_a_hand_over_can_answer_its_own_proposals(
    given: dict[str, Any], code: str, score: tuple[int, int]
) -> None:
    match = await in_thread(make_match)()
    _, token = await in_thread(sit_down)(match, "left", "right")
    await in_thread(does)(match, ("director", {"do": "confirm"}), ("left", {"do": "hit"}))
    phone = Page.at(match, token)
    at = (await phone.open())["now"]
    kept = [{**THREE_POINTS, "seat": "left", "at": at}, {"do": "agree", "seat": "right", "at": at + 1, **given}]
    answer = await phone.do("hand-over", "kept", kept=kept)
    assert answer.get("code", "") == code
    assert (await in_thread(board_of)(match)).match.score == score
