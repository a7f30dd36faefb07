"""A helper's ruling never ends or reopens a match."""

from collections.abc import Sequence
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth.models import User
from django.test import Client

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import Command, Confirm, Expire, Hit, parse_command
from clocks.engine.setup import Setup
from clocks.journal import stored
from clocks.models import JournalEntry, Match, Membership, Tournament
from clocks.tournament import tables
from tests.server.house import US_2013, Page, in_loop

pytestmark = pytest.mark.django_db(transaction=True)

ANN_WINS_3 = {"do": "propose", "what": "game", "winner": "left", "points": 3}
WORDS = "A director has to do this, because it decides how the match ends."


def played(*asked: tuple[str, dict[str, Any]], **changes: Any) -> Match:
    """Match to 3 points after these further commands; it was Bob's turn before them."""
    tournament = Tournament.objects.get_or_create(slug="open", defaults={"name": "Open"})[0]
    match = desk.make_match(tables.add_table(tournament, "1"), Setup.parse(US_2013 | {"length": 3} | changes))
    begun: Sequence[tuple[str, Command]] = [("director", Confirm()), ("left", Hit())]
    for by, command in [*begun, *((by, parse_command(frame)) for by, frame in asked)]:
        assert desk.submit_and_wait(desk.Request(match.pk, command, by)).ok
    return match


def flagged() -> Match:
    """Match in which Bob's flag has fallen, before any ruling."""
    match = played(options={"reserve_ms": 1_000, "delay_ms": 0, "lag_credit_ms": 0})
    at = stored.matches([match.pk])[match.pk].match.flag_at
    assert at is not None and desk.submit_and_wait(desk.Request(match.pk, Expire(), "server", at)).ok
    assert stored.matches([match.pk])[match.pk].match.flagged is Seat.RIGHT
    return match


def of_a_game_that_decides() -> Match:
    return played(("left", ANN_WINS_3))


def of_an_offer_that_decides() -> Match:
    return played(("right", {"do": "propose", "what": "offer", "winner": "left", "outcome": "backgammon"}))


def over() -> Match:
    return played(("director", {"do": "propose", "what": "end", "winner": "left"}))


def page_of(role: str) -> Page:
    """Director's page, opened by a new user with this role."""
    user, client = User.objects.create_user(role), Client()
    Membership.objects.create(tournament=Tournament.objects.get(slug="open"), user=user, role=role)
    client.force_login(user)
    return Page("/ws/director/open/", cookies="; ".join(f"{name}={m.value}" for name, m in client.cookies.items()))


def stored_of(match: Match) -> tuple[Any, ...]:
    of_journal = JournalEntry.objects.filter(match=match).count()
    return (*Match.objects.values_list("version", "status", "state").get(pk=match.pk), of_journal)


def asked(frame: dict[str, Any], match: Match) -> dict[str, Any]:
    return {"t": "do", "id": "one", "match": match.pk, **frame}


ENDS = {
    "a game that reaches the length": (played, ANN_WINS_3),
    "a yes to an offer that reaches the length": (of_an_offer_that_decides, {"do": "agree", "proposal": 1}),
    "a score that reaches the length": (played, {"do": "propose", "what": "score", "score": [3, 0]}),
    "a yes to a last game": (of_a_game_that_decides, {"do": "agree", "proposal": 1}),
    "a yes to an expiry that loses the match": (flagged, {"do": "agree", "proposal": 1}),
    "the end itself": (played, {"do": "propose", "what": "end", "winner": "left"}),
    "an end taken back": (over, {"do": "propose", "what": "reopen"}),
    "an end taken back by a score": (over, {"do": "propose", "what": "score", "score": [2, 0]}),
    "another winner of a match that is over": (over, {"do": "propose", "what": "score", "score": [0, 3]}),
}


@pytest.mark.parametrize(("before", "frame"), ENDS.values(), ids=ENDS)
@in_loop
async def test_a_helper_decides_the_end_of_no_match(before: Any, frame: dict[str, Any]) -> None:
    match = await database_sync_to_async(before)()
    page = await database_sync_to_async(page_of)("helper")
    await page.open()
    kept = await database_sync_to_async(stored_of)(match)
    await page.say(asked(frame, match))
    answer = await page.hear("ack", "refused")
    by_outcome = frame.get("what") not in ("end", "reopen")
    words = WORDS if by_outcome else "Only the director may do that."
    assert (answer["t"], answer["code"], answer["words"]) == ("refused", "not-director", words)
    assert await database_sync_to_async(stored_of)(match) == kept


@pytest.mark.parametrize(("before", "frame"), ENDS.values(), ids=ENDS)
@in_loop
async def test_a_director_decides_it(before: Any, frame: dict[str, Any]) -> None:
    match = await database_sync_to_async(before)()
    page = await database_sync_to_async(page_of)("director")
    await page.open()
    await page.say(asked(frame, match))
    assert (await page.hear("ack", "refused"))["t"] == "ack"


@pytest.mark.parametrize(
    ("before", "frame"),
    [
        (played, ANN_WINS_3 | {"points": 2}),
        (played, {"do": "propose", "what": "score", "score": [2, 2]}),
        (of_a_game_that_decides, {"do": "decline", "proposal": 1, "note": "The dice say otherwise."}),
        (flagged, {"do": "decline", "proposal": 1, "note": "His phone had fallen."}),
    ],
    ids=["a game that does not", "a score below the length", "a no to a last game", "a no to an expiry"],
)
@in_loop
async def test_a_helper_rules_on_what_ends_no_match(before: Any, frame: dict[str, Any]) -> None:
    match = await database_sync_to_async(before)()
    page = await database_sync_to_async(page_of)("helper")
    await page.open()
    await page.say(asked(frame, match))
    assert (await page.hear("ack", "refused"))["t"] == "ack"
