"""All pages of a tournament with their permissions, and a user for each role."""

from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from clocks import desk
from clocks.engine.setup import Setup
from clocks.models import Bye, Match, Membership, Pairing, Player, Round, Section, Stage, Tournament
from clocks.people import api_tokens, members, sign_in_links
from clocks.tournament import messages, tables
from clocks.webhooks import registry
from tests.server.house import US_2013, Page

ROLES = ["superuser", "owner", "director", "helper", "viewer", "director of another tournament", "player", "stranger"]
OUTSIDE = ["director of another tournament", "player", "stranger"]

# Roles by permission, listed here independently of the product.
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
    """A tournament page: name, method, permission, form data and URL arguments."""

    name: str
    method: str
    takes: str
    data: dict[str, Any] = {}
    of: tuple[str, ...] = ()
    refused_with: int = 404
    shown_with: int = 200


PAGES = [
    Page_("console", "get", "watch"),
    Page_("pace", "get", "watch"),
    Page_("record", "get", "watch", of=("match_id",)),
    Page_("export", "get", "export", of=("match_id", "form")),
    Page_("rounds", "get", "watch"),
    Page_("round", "get", "watch", of=("number",)),
    Page_("draw-sample", "get", "watch", of=("number",)),
    Page_("tables", "get", "watch"),
    Page_("cards", "get", "watch"),
    Page_("poster", "get", "watch"),
    Page_("entry-poster", "get", "arrange"),
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
    Page_("trf", "get", "export"),
    Page_("brackets", "get", "export"),
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
    Page_("players-csv", "get", "export"),
    Page_("players", "post", "arrange", {"pasted": "Zoe"}, refused_with=200),
    Page_("player", "get", "arrange", of=("player_id",)),
    Page_("player", "post", "arrange", {"name": "Anna", "note": "Misspelt"}, ("player_id",)),
    Page_("replace-player", "get", "arrange", of=("player_id",)),
    Page_("replace-player", "post", "arrange", {"name": "Zoe", "note": "late"}, ("player_id",)),
    Page_("admit-players", "post", "arrange", {"admit": "all"}),
    Page_("remove-players", "post", "delete"),
    Page_("strike-out", "post", "delete", of=("entered_id",)),
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
    Page_("standings", "get", "watch"),
    Page_("report", "get", "watch"),
    Page_("what-if", "get", "export"),
    Page_("what-if-csv", "get", "export"),
    Page_("tie-breaks", "post", "arrange", {"place_0": "points"}, ("section_id",)),
    Page_("first-round", "get", "arrange"),
    Page_("first-round", "post", "arrange", {"method": "knockout"}),
    Page_("take-back-draw", "post", "arrange", of=("number",)),
    Page_("next-round", "get", "arrange", of=("number",)),
    Page_("next-round", "post", "arrange", {"how": "winners"}, ("number",)),
    Page_("advance", "get", "arrange", shown_with=302),
    Page_("advance", "post", "arrange", {"events": "1"}),
    Page_("start-round", "post", "arrange", {"minutes": "5"}, ("number",)),
    Page_("events", "get", "arrange"),
    Page_("events", "post", "arrange", {"name": "Last chance", "method": "knockout"}),
    Page_("edit-event", "get", "arrange", of=("section_id",)),
    Page_("edit-event", "post", "arrange", {"name": "Main", "method": "knockout"}, ("section_id",)),
    Page_("remove-event", "post", "delete", of=("section_id",)),
    Page_("new-pairing", "post", "arrange", {"left": "Ida", "right": "Jon"}, ("number",)),
    Page_("edit-pairing", "post", "arrange", {"left": "Ida", "right": "Jon"}, ("number", "pairing_id")),
    Page_("remove-pairing", "post", "delete", of=("number", "pairing_id")),
    Page_("remove-bye", "post", "arrange", of=("number", "bye_id")),
    Page_("use-clock", "post", "arrange", of=("number", "pairing_id")),
    Page_("enter-result", "post", "end", {"score_left": "7", "score_right": "3"}, ("number", "pairing_id")),
    Page_("slips", "get", "end", of=("number",)),
    Page_("slips", "post", "end", of=("number",)),
    Page_("match-result", "get", "end", of=("match_id",), shown_with=302),
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
    Page_("forget-person", "get", "forget"),
    Page_("forget-person", "post", "forget", {"person": "Ann", "forget": "yes"}),
    Page_("backups", "get", "forget"),
    Page_("backups", "post", "forget"),
]


class House(NamedTuple):
    """A match in a tournament with all kinds of objects, and URL arguments."""

    match: Match
    of: dict[str, Any]


def make_house() -> House:
    """Create a tournament with all kinds of objects."""
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
    entered = desk.make_match(tables.add_table(tournament, "4"), setup)
    Match.objects.filter(pk=entered.pk).update(by_players=[])
    bye = Bye.objects.create(round=round_, name="Zoe")
    player = Player.objects.create(tournament=tournament, name="Zoe")
    message = messages.send(tournament, olga, "Welcome.", [], 15)
    api_tokens.make(tournament, olga, "Screens", "viewer", None)
    of = {
        "match_id": match.pk,
        "entered_id": entered.pk,
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
        "section_id": Section.objects.create(tournament=tournament, method="swiss").pk,
        "webhook_id": registry.make(tournament, olga, "http://127.0.0.1:9/", True).pk,
        "token_id": tournament.api_tokens.get().pk,
    }
    return House(match, of)


def client_of(role: str) -> Client:
    """Client with this role: a `player` has a seat, a `stranger` is not signed in."""
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


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the clocks app and of users, by model."""
    models = [*apps.get_app_config("clocks").get_models(), User]
    return {model.__name__: list(model._default_manager.order_by("pk").values_list()) for model in models}


def socket_of(client: Client, path: str) -> Page:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    return Page(path, cookies=cookies)
