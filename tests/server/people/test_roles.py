"""Each role tries each page and command; only those permitted succeed."""

import re
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse

from clocks import desk
from clocks.engine.commands import Command, Confirm
from clocks.engine.proposals import Terms
from clocks.live.do_frame import SERVERS_OWN
from clocks.models import Match, Membership, Tournament
from clocks.people.roles import LEAST, RANK, Action, actions_of, may_make_tournaments, roles_that_may, tournaments_of
from tests.server.house import Page, in_loop
from tests.server.who_may import MAY, OUTSIDE, PAGES, ROLES, House, Page_, client_of, everything, make_house, socket_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house() -> House:
    return make_house()


def ask(client: Client, page: Page_, house: House) -> HttpResponse:
    named = {"form" if name == "transcript" else name: house.of[name] for name in page.of}
    path = reverse(page.name, kwargs={"slug": "open", **named})
    return getattr(client, page.method)(path, page.data)


def names(pages: list[Page_]) -> list[str]:
    return [f"{page.method} {page.name}" for page in pages]


# --- pages ---------------------------------------------------------------------------------------------------------


def test_every_page_of_a_tournament_has_an_entry() -> None:
    found = set()
    for pattern in get_resolver("clocks.urls").url_patterns:
        if re.search(r"director/(<slug|\(\?P<slug)", str(pattern.pattern)):
            found.add(pattern.name)
    assert found - {page.name for page in PAGES} == {"stage-overlay", "stage-table"}  # public; see test_addresses


@pytest.mark.parametrize("role", ROLES)
def test_forbidden_requests_are_404_and_change_nothing(house: House, role: str) -> None:
    client = client_of(role)
    signed_in = role not in ("player", "stranger")
    pages = [page for page in PAGES if role not in MAY[page.takes]]
    before = everything()
    answers = [ask(client, page, house) for page in pages]
    expected = [(page.refused_with if role not in OUTSIDE else 404) if signed_in else 302 for page in pages]
    assert dict(zip(names(pages), [answer.status_code for answer in answers], strict=True)) == dict(
        zip(names(pages), expected, strict=True)
    )
    ways = {answer["Location"].split("?")[0] for answer in answers if answer.status_code == 302}
    assert ways <= {"/director/"}
    assert everything() == before


# Commands that take away what other pages need, tried last and in this order.
ENDS = (
    *("remove-bye", "remove-pairing", "take-back-draw", "edit-round", "remove-event", "remove-stage", "remove-table"),
    *("remove-round", "strike-out", "remove-person", "forget-person", "archive", "forget", "delete-tournament"),
)


def turn(page: Page_) -> int:
    """Sort key of a page tried in one house: what only shows comes first."""
    if page.method == "get":
        return 0
    return ENDS.index(page.name) + 2 if page.name in ENDS else 1


@pytest.mark.parametrize("role", [role for role in ROLES if role not in OUTSIDE])
def test_permitted_requests_succeed(house: House, role: str) -> None:
    client, wrong = client_of(role), {}
    for page in sorted((page for page in PAGES if role in MAY[page.takes].split()), key=turn):
        answer = ask(client, page, house)
        wanted = (page.shown_with,) if page.method == "get" else (200, 302, 400, 409)
        if answer.status_code not in wanted or answer.get("Location", "").startswith("/director/?next"):
            wrong[f"{page.method} {page.name}"] = answer.status_code
    assert wrong == {}


def test_no_page_of_a_tournament_is_cached(house: House) -> None:
    client = client_of("owner")
    answers = {page.name: ask(client, page, house) for page in PAGES if page.method == "get"}
    kept = [name for name, answer in answers.items() if "no-store" not in answer.get("Cache-Control", "")]
    assert kept == []


# --- commands ------------------------------------------------------------------------------------------------------


COMMANDS: list[tuple[str, dict[str, Any]]] = [
    ("rule", {"do": "confirm"}),
    ("rule", {"do": "hit"}),
    ("rule", {"do": "double"}),
    ("rule", {"do": "take"}),
    ("rule", {"do": "pass"}),
    ("rule", {"do": "stop", "reason": "director"}),
    ("rule", {"do": "resume"}),
    ("rule", {"do": "call"}),
    ("rule", {"do": "answer"}),
    ("rule", {"do": "agree"}),
    ("rule", {"do": "decline"}),
    ("rule", {"do": "withdraw"}),
    ("rule", {"do": "propose", "what": "game", "winner": "left", "points": 1}),
    ("rule", {"do": "propose", "what": "offer", "winner": "left", "outcome": "single"}),
    ("rule", {"do": "propose", "what": "dice-penalty", "against": "left"}),
    ("rule", {"do": "propose", "what": "drop-forfeit", "seat": "left"}),
    ("rule", {"do": "propose", "what": "resume", "turn_of": "left"}),
    ("rule", {"do": "propose", "what": "undo"}),
    ("rule", {"do": "propose", "what": "score", "score": [1, 0]}),
    ("rule", {"do": "propose", "what": "cube", "value": 2, "owner": "left"}),
    ("rule", {"do": "propose", "what": "time", "seat": "left", "by_ms": 1000}),
    ("rule", {"do": "hand-over", "kept": [{"do": "hit", "seat": "left", "at": 1}]}),
    ("end", {"do": "propose", "what": "end", "winner": "left"}),
    ("end", {"do": "propose", "what": "reopen"}),
    ("seat", {"do": "grant-seat", "seat": "right"}),
    ("seat", {"do": "release-seat", "seat": "right"}),
    ("table", {"do": "move", "to": "12"}),
    ("table", {"do": "replace-code"}),
]
DIRECTORS_ALONE = ("answer", "grant-seat", "release-seat", "move", "replace-code")
LAST = ("end", "table", "seat")  # tried last, because they change what other commands need


def test_every_command_and_proposal_has_an_entry() -> None:
    def known(kind: type) -> set[type]:
        return {kind}.union(*(known(each) for each in kind.__subclasses__()))

    asked = {kind.do for kind in known(Command) if getattr(kind, "do", "")} - set(SERVERS_OWN)
    proposed = {terms.__dataclass_fields__["what"].default for terms in get_args(Terms)} - {"expiry"}
    assert asked == {command["do"] for _, command in COMMANDS}
    assert proposed == {command["what"] for _, command in COMMANDS if "what" in command}


@pytest.mark.parametrize("role", ["superuser", "owner", "director", "helper", "viewer"])
@in_loop
async def test_a_directors_socket_takes_the_commands_that_the_role_allows(house: House, role: str) -> None:
    page = socket_of(await database_sync_to_async(client_of)(role), "/ws/director/open/")
    await page.open()
    refused = []
    for number, (takes, command) in enumerate(sorted(COMMANDS, key=lambda each: each[0] in LAST)):
        arguments = {name: value for name, value in command.items() if name != "do"}
        answer = await page.do(command["do"], f"id-{number}", match=house.match.pk, **arguments)
        if answer.get("code") == "not-director":
            refused.append((takes, command))
    assert sorted(map(str, refused)) == sorted(str((takes, of)) for takes, of in COMMANDS if role not in MAY[takes])


@pytest.mark.parametrize(
    ("role", "code"), [("director of another tournament", 4403), ("player", 4401), ("stranger", 4401)]
)
@in_loop
async def test_nobody_else_can_open_a_directors_socket(house: House, role: str, code: int) -> None:
    client = await database_sync_to_async(client_of)(role)
    assert await socket_of(client, "/ws/director/open/").refused_with() == code
    missing = 4404 if code == 4403 else 4401
    assert await socket_of(client, "/ws/director/none/").refused_with() == missing


async def codes_of_all_commands(page: Page, house: House) -> set[str]:
    """Send each command for the match from this page; return the refusal codes."""
    codes = set()
    for number, (_, command) in enumerate(COMMANDS):
        arguments = {name: value for name, value in command.items() if name != "do"}
        codes.add((await page.do(command["do"], f"id-{number}", match=house.match.pk, **arguments))["code"])
    return codes


@in_loop
async def test_a_directors_socket_rules_only_its_own_tournament(house: House) -> None:
    client = await database_sync_to_async(client_of)("director of another tournament")
    page = socket_of(client, "/ws/director/other/")
    await page.open()
    before = await database_sync_to_async(everything)()
    assert await codes_of_all_commands(page, house) == {"bad-value"}
    assert await database_sync_to_async(everything)() == before


@in_loop
async def test_players_cannot_give_directors_commands(house: House) -> None:
    assert (await database_sync_to_async(desk.submit_and_wait)(desk.Request(house.match.pk, Confirm(), "director"))).ok
    client = await database_sync_to_async(client_of)("player")
    page = socket_of(client, f"/ws/table/{house.match.table.code}/")
    await page.open()
    before = await database_sync_to_async(everything)()
    alone = [
        of for _, of in COMMANDS if of["do"] in DIRECTORS_ALONE or of.get("what") in ("end", "reopen", "drop-forfeit")
    ]
    for number, command in enumerate(alone):
        arguments = {name: value for name, value in command.items() if name != "do"}
        answer = await page.do(command["do"], f"id-{number}", **arguments)
        assert (command, answer["code"]) == (command, "not-director")
    assert await database_sync_to_async(everything)() == before


@pytest.mark.parametrize("path", ["/ws/table/{code}/", "/ws/hall/open/"])
@pytest.mark.parametrize("role", ["superuser", "owner", "stranger"])
@in_loop
async def test_without_a_seat_no_command_is_accepted(house: House, role: str, path: str) -> None:
    client = await database_sync_to_async(client_of)(role)
    page = socket_of(client, path.format(code=house.match.table.code))
    await page.open()
    before = await database_sync_to_async(everything)()
    assert await codes_of_all_commands(page, house) == {"no-seat"}
    assert await database_sync_to_async(everything)() == before


# --- the table itself ----------------------------------------------------------------------------------------------


def test_each_action_allows_the_intended_roles() -> None:
    assert set(LEAST) == set(Action)
    allowed = {action: {"superuser", *roles_that_may(Action(action))} for action in MAY}
    assert allowed == {action: set(roles.split()) for action, roles in MAY.items()}
    assert list(RANK) == ["viewer", "helper", "director", "owner"]


def test_the_lookup_reads_the_user_afresh(house: House) -> None:
    user = User.objects.create_user("dora")
    tournament = Tournament.objects.get(slug="open")
    member = Membership.objects.create(tournament=tournament, user=user, role="director")
    assert list(tournaments_of(user, Action.RULE)) == [tournament]
    assert actions_of(user, tournament) == set(Action) - {Action.PEOPLE, Action.FORGET, Action.ARCHIVE}
    Membership.objects.filter(pk=member.pk).update(role="viewer")
    assert actions_of(user, tournament) == {Action.WATCH, Action.EXPORT}
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    assert actions_of(user, tournament) == set(Action)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert actions_of(user, tournament) == frozenset()


def test_pages_show_the_actions_that_the_lookup_allows(house: House) -> None:
    tournament = Tournament.objects.get(slug="open")
    users = [User.objects.create_user(role or "nobody") for role in ("", *RANK, "gone")]
    for user in users[1:]:
        role = "owner" if user.username == "gone" else user.username
        Membership.objects.create(tournament=tournament, user=user, role=role)
    User.objects.filter(username="gone").update(is_active=False)
    everybody = [AnonymousUser(), User.objects.create_superuser("root"), *users]
    for archived_at in (None, datetime.now(UTC)):
        Tournament.objects.filter(pk=tournament.pk).update(archived_at=archived_at)
        for user in everybody:
            allowed = {action for action in Action if tournaments_of(user, action).filter(slug="open").exists()}
            assert (str(user), actions_of(user, tournament)) == (str(user), allowed)


@pytest.mark.parametrize(
    ("role", "may"), [("owner", True), ("director", False), ("helper", False), ("viewer", False), ("", False)]
)
def test_owners_may_create_further_tournaments(house: House, role: str, may: bool) -> None:
    user = User.objects.create_user("dora")
    if role:
        Membership.objects.create(tournament=Tournament.objects.get(slug="open"), user=user, role=role)
    assert may_make_tournaments(user) == may
    client = Client()
    client.force_login(user)
    assert client.post("/director/", {"name": "Winter Open"}).status_code == (302 if may else 403)
    made = Membership.objects.filter(tournament__slug="winter-open").values_list("user__username", "role")
    assert list(made) == ([("dora", "owner")] if may else [])


def test_a_seat_gives_no_role(house: House) -> None:
    player = client_of("player")
    assert settings.SESSION_COOKIE_NAME not in player.cookies
    match = Match.objects.get(pk=house.match.pk)
    assert (match.left_device_id is not None, match.version) == (True, 2)
