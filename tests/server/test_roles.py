"""Who may do what: every page and command of a tournament, tried by everybody. Only what the role allows succeeds."""

import re
from typing import Any, NamedTuple, get_args

import pytest
from channels.db import database_sync_to_async
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse

from clocks import desk
from clocks.engine.commands import Command, Confirm
from clocks.engine.proposals import Terms
from clocks.engine.setup import Setup
from clocks.live.do_frame import SERVERS_OWN
from clocks.models import Bye, Match, Membership, Pairing, Player, Round, Stage, Tournament
from clocks.people import api_tokens, members, sign_in_links
from clocks.people.roles import LEAST, RANK, Action, actions_of, may_make_tournaments, roles_that_may, tournaments_of
from clocks.tournament import messages, tables
from clocks.webhooks import registry
from tests.server.house import US_2013, Page, in_loop

pytestmark = pytest.mark.django_db(transaction=True)

ROLES = ["superuser", "owner", "director", "helper", "viewer", "director of another tournament", "player", "stranger"]
OUTSIDE = ["director of another tournament", "player", "stranger"]

# What each role may do, written down a second time: by hand, from the issue.
MAY = {
    "watch": "superuser owner director helper viewer",
    "export": "superuser owner director helper viewer",
    "rule": "superuser owner director helper",
    "seat": "superuser owner director helper",
    "end": "superuser owner director",
    "table": "superuser owner director",
    "hall": "superuser owner director",
    "arrange": "superuser owner director",
    "delete": "superuser owner director",
    "people": "superuser owner",
    "forget": "superuser owner",
    "archive": "superuser owner",
}


class Page_(NamedTuple):
    """A page of a tournament: its name, how it is asked for, what with, and what that takes."""

    name: str
    method: str
    takes: str
    data: dict[str, Any] = {}
    of: tuple[str, ...] = ()
    refused_with: int = 404


PAGES = [
    Page_("console", "get", "watch"),
    Page_("record", "get", "watch", of=("match_id",)),
    Page_("export", "get", "export", of=("match_id", "form")),
    Page_("rounds", "get", "watch"),
    Page_("round", "get", "watch", of=("number",)),
    Page_("draw-sample", "get", "watch", of=("number",)),
    Page_("tables", "get", "watch"),
    Page_("cards", "get", "watch"),
    Page_("wifi", "get", "arrange"),
    Page_("wifi", "post", "arrange", {"name": "Hall", "password": "trictrac"}),
    Page_("draw-sheet", "get", "watch", of=("number",)),
    Page_("results", "get", "watch"),
    Page_("search", "get", "watch"),
    Page_("match-turns", "get", "export", of=("match_id", "form")),
    Page_("transcript", "get", "export", of=("match_id", "transcript")),
    Page_("tournament-turns", "get", "export", of=("form",)),
    Page_("results-csv", "get", "export"),
    Page_("round-results-csv", "get", "export", of=("number",)),
    Page_("journals-csv", "get", "export"),
    Page_("journals-zip", "get", "export"),
    Page_("new-match", "get", "arrange"),
    Page_(
        "new-match",
        "post",
        "arrange",
        {"table": "9", "left": "Eva", "right": "Finn", "length": "5", "rules": "us-2013", "format": "singles"},
    ),
    Page_("players", "get", "watch"),
    Page_("players", "post", "arrange", {"pasted": "Zoe"}, refused_with=200),
    Page_("player", "get", "arrange", of=("player_id",)),
    Page_("player", "post", "arrange", {"name": "Anna", "note": "Misspelt"}, ("player_id",)),
    Page_("remove-player", "post", "delete", of=("player_id",)),
    Page_("correct-players", "get", "arrange", of=("match_id",)),
    Page_("correct-players", "post", "arrange", {"left": "Ida", "right": "Jon", "note": "Wrong"}, ("match_id",)),
    Page_("correct-drawn-players", "post", "arrange", {"left": "Ida"}, ("number", "pairing_id")),
    Page_("edit-tournament", "post", "arrange", {"name": "Winter Open"}),
    Page_("new-round", "get", "arrange"),
    Page_("new-round", "post", "arrange", {"number": "2"}),
    Page_("edit-round", "get", "arrange", of=("number",)),
    Page_("edit-round", "post", "arrange", {"number": "3"}, ("number",)),
    Page_("remove-round", "post", "delete", of=("number",)),
    Page_("draw", "get", "arrange", of=("number",)),
    Page_("draw", "post", "arrange", {"text": "table,left,right\n5,Gus,Hana\n"}, ("number",)),
    Page_("next-round", "get", "arrange", of=("number",)),
    Page_("next-round", "post", "arrange", {"how": "winners"}, ("number",)),
    Page_("new-pairing", "post", "arrange", {"left": "Ida", "right": "Jon"}, ("number",)),
    Page_("edit-pairing", "post", "arrange", {"left": "Ida", "right": "Jon"}, ("number", "pairing_id")),
    Page_("remove-pairing", "post", "delete", of=("number", "pairing_id")),
    Page_("remove-bye", "post", "arrange", of=("number", "bye_id")),
    Page_("use-clock", "post", "arrange", of=("number", "pairing_id")),
    Page_("enter-result", "post", "end", {"score_left": "7", "score_right": "3"}, ("number", "pairing_id")),
    Page_("reopen", "post", "end", {"note": "The wrong winner"}, ("match_id",)),
    Page_("tables", "post", "arrange", {"tables": "21-23"}, refused_with=200),
    Page_("edit-table", "post", "arrange", {"name": "Final"}, ("table_id",)),
    Page_("new-code", "post", "table", {"note": "The card was lost."}, ("table_id",)),
    Page_("remove-table", "post", "delete", of=("table_id",)),
    Page_("whole-hall", "get", "hall"),
    Page_("stop-all", "post", "hall", {"reason": "Fire alarm"}),
    Page_("resume-all", "post", "hall"),
    Page_("send-message", "post", "hall", {"text": "Lunch at one.", "minutes": "15"}),
    Page_("withdraw-message", "post", "hall", of=("message_id",)),
    Page_("people", "get", "people"),
    Page_("people", "post", "people", {"role": "owner", "hours": "24"}),
    Page_("change-role", "post", "people", {"role": "owner"}, ("user_id",)),
    Page_("remove-person", "post", "people", of=("user_id",)),
    Page_("revoke-invite", "post", "people", of=("invite_id",)),
    Page_("overlays", "get", "watch"),
    Page_("new-stage", "post", "arrange", {"name": "second", "table": ""}),
    Page_("point-stage", "post", "arrange", of=("stage_id",)),
    Page_("remove-stage", "post", "delete", of=("stage_id",)),
    Page_("programs", "get", "people"),
    Page_("programs", "post", "people", {"url": "http://127.0.0.1:9/", "private": "on"}),
    Page_("publish-feed", "post", "people", {"public": "yes"}),
    Page_("remove-webhook", "post", "people", of=("webhook_id",)),
    Page_("new-token", "post", "people", {"name": "Draws", "token_role": "director", "days": "7"}),
    Page_("revoke-token", "post", "people", of=("token_id",)),
    Page_("archive", "get", "archive"),
    Page_("archive", "post", "archive"),
    Page_("delete-tournament", "post", "archive", {"name": "Summer Open"}),
    Page_("forget", "get", "forget"),
    Page_("forget", "post", "forget", {"name": "Summer Open"}),
]


class House(NamedTuple):
    """A tournament with something of everything, and what its addresses are made of."""

    match: Match
    of: dict[str, Any]


@pytest.fixture
def house() -> House:
    return make_house()


def make_house() -> House:
    """Make a tournament with something of everything."""
    tournament = Tournament.objects.create(slug="open", name="Summer Open")
    Tournament.objects.create(slug="other", name="Other")
    setup = Setup.parse(US_2013)
    match = desk.make_match(tables.add_table(tournament, "1"), setup)
    free = tables.add_table(tournament, "2")
    round_ = Round.objects.create(tournament=tournament, number=1, policy="on-request")
    pairing = Pairing.objects.create(round=round_, table=free, setup=setup.to_dict())
    unused = tables.add_table(tournament, "3")
    mia, olga = User.objects.create_user("mia"), User.objects.create_user("olga")
    Membership.objects.create(tournament=tournament, user=mia, role="viewer")
    Membership.objects.create(tournament=tournament, user=olga, role="owner")
    members.invite(tournament, olga, "helper", sign_in_links.LINK_LIFE)
    bye = Bye.objects.create(round=round_, name="Zoe")
    player = Player.objects.create(tournament=tournament, name="Zoe")
    message = messages.send(tournament, olga, "Welcome.", [], 15)
    api_tokens.make(tournament, olga, "Screens", "viewer", None)
    of = {
        "match_id": match.pk,
        "form": "csv",
        "transcript": "mat",
        "number": 1,
        "pairing_id": pairing.pk,
        "table_id": unused.pk,
        "message_id": message.pk,
        "bye_id": bye.pk,
        "player_id": player.pk,
        "user_id": mia.pk,
        "invite_id": tournament.invites.get().pk,
        "stage_id": Stage.objects.create(tournament=tournament, name="main", table=unused).pk,
        "webhook_id": registry.make(tournament, olga, "http://127.0.0.1:9/", True).pk,
        "token_id": tournament.api_tokens.get().pk,
    }
    return House(match, of)


def client_of(role: str) -> Client:
    """Return the browser of somebody with this part."""
    client = Client()
    if role == "player":
        code = Match.objects.order_by("pk").first().table.code
        assert client.post(f"/t/{code}/seat/", {"seat": "left"}).status_code == 302
    elif role != "stranger":
        user = User.objects.create_user(role.replace(" ", "-"), is_superuser=role == "superuser")
        if role != "superuser":
            slug, role = ("other", "director") if role in OUTSIDE else ("open", role)
            Membership.objects.create(tournament=Tournament.objects.get(slug=slug), user=user, role=role)
        client.force_login(user)
    return client


def ask(client: Client, page: Page_, house: House) -> HttpResponse:
    named = {"form" if name == "transcript" else name: house.of[name] for name in page.of}
    path = reverse(page.name, kwargs={"slug": "open", **named})
    return getattr(client, page.method)(path, page.data)


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """Return all that is stored of the clocks and the users."""
    models = [*apps.get_app_config("clocks").get_models(), User]
    return {model.__name__: list(model._default_manager.order_by("pk").values_list()) for model in models}


def names(pages: list[Page_]) -> list[str]:
    return [f"{page.method} {page.name}" for page in pages]


# --- pages ---------------------------------------------------------------------------------------------------------


def test_every_page_of_a_tournament_is_in_the_table() -> None:
    found = set()
    for pattern in get_resolver("clocks.urls").url_patterns:
        if re.search(r"director/(<slug|\(\?P<slug)", str(pattern.pattern)):
            found.add(pattern.name)
    assert found - {page.name for page in PAGES} == {"stage-overlay", "stage-table"}  # for everybody: test_addresses


@pytest.mark.parametrize("role", ROLES)
def test_what_the_role_does_not_allow_is_not_found_and_changes_nothing(house: House, role: str) -> None:
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


ALLOWED = [(page, role) for page in PAGES for role in MAY[page.takes].split()]


@pytest.mark.parametrize(("page", "role"), ALLOWED, ids=[f"{page.method} {page.name} {role}" for page, role in ALLOWED])
def test_what_the_role_allows_is_let_in(house: House, page: Page_, role: str) -> None:
    answer = ask(client_of(role), page, house)
    assert answer.status_code in ((200,) if page.method == "get" else (200, 302, 400, 409)), answer.content
    assert not answer.get("Location", "").startswith("/director/?next")


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
LAST = ("end", "table", "seat")  # tried last: they change what the others need


def test_every_command_and_every_proposal_is_in_the_table() -> None:
    def known(kind: type) -> set[type]:
        return {kind}.union(*(known(each) for each in kind.__subclasses__()))

    asked = {kind.do for kind in known(Command) if getattr(kind, "do", "")} - set(SERVERS_OWN)
    proposed = {terms.__dataclass_fields__["what"].default for terms in get_args(Terms)} - {"expiry"}
    assert asked == {command["do"] for _, command in COMMANDS}
    assert proposed == {command["what"] for _, command in COMMANDS if "what" in command}


def socket_of(client: Client, path: str) -> Page:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    return Page(path, cookies=cookies)


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
async def test_nobody_else_comes_to_a_directors_socket(house: House, role: str, code: int) -> None:
    client = await database_sync_to_async(client_of)(role)
    assert await socket_of(client, "/ws/director/open/").refused_with() == code
    missing = 4404 if code == 4403 else 4401
    assert await socket_of(client, "/ws/director/none/").refused_with() == missing


@in_loop
async def test_a_director_rules_in_no_other_tournament_through_the_own_one(house: House) -> None:
    client = await database_sync_to_async(client_of)("director of another tournament")
    page = socket_of(client, "/ws/director/other/")
    await page.open()
    before = await database_sync_to_async(everything)()
    codes = set()
    for number, (_, command) in enumerate(COMMANDS):
        arguments = {name: value for name, value in command.items() if name != "do"}
        codes.add((await page.do(command["do"], f"id-{number}", match=house.match.pk, **arguments))["code"])
    assert codes == {"bad-value"}
    assert await database_sync_to_async(everything)() == before


@in_loop
async def test_a_player_gives_no_command_that_is_the_directors(house: House) -> None:
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
async def test_who_holds_no_seat_gives_no_command_at_a_table_or_from_the_hall(
    house: House, role: str, path: str
) -> None:
    client = await database_sync_to_async(client_of)(role)
    page = socket_of(client, path.format(code=house.match.table.code))
    await page.open()
    before = await database_sync_to_async(everything)()
    codes = set()
    for number, (_, command) in enumerate(COMMANDS):
        arguments = {name: value for name, value in command.items() if name != "do"}
        codes.add((await page.do(command["do"], f"id-{number}", match=house.match.pk, **arguments))["code"])
    assert codes == {"no-seat"}
    assert await database_sync_to_async(everything)() == before


# --- the table itself ----------------------------------------------------------------------------------------------


def test_the_table_says_what_was_meant() -> None:
    assert set(LEAST) == set(Action)
    allowed = {action: {"superuser", *roles_that_may(Action(action))} for action in MAY}
    assert allowed == {action: set(roles.split()) for action, roles in MAY.items()}
    assert list(RANK) == ["viewer", "helper", "director", "owner"]


def test_the_look_up_reads_the_user_anew(house: House) -> None:
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


@pytest.mark.parametrize(
    ("role", "may"), [("owner", True), ("director", False), ("helper", False), ("viewer", False), ("", False)]
)
def test_who_owns_a_tournament_may_make_another(house: House, role: str, may: bool) -> None:
    user = User.objects.create_user("dora")
    if role:
        Membership.objects.create(tournament=Tournament.objects.get(slug="open"), user=user, role=role)
    assert may_make_tournaments(user) == may
    client = Client()
    client.force_login(user)
    assert client.post("/director/", {"name": "Winter Open"}).status_code == (302 if may else 403)
    made = Membership.objects.filter(tournament__slug="winter-open").values_list("user__username", "role")
    assert list(made) == ([("dora", "owner")] if may else [])


def test_a_seat_is_no_role(house: House) -> None:
    player = client_of("player")
    assert settings.SESSION_COOKIE_NAME not in player.cookies
    match = Match.objects.get(pk=house.match.pk)
    assert (match.left_device_id is not None, match.version) == (True, 2)
