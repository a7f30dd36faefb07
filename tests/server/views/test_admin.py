"""Django admin: all models are listed, records are read-only, tokens are hidden."""

import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from clocks.models import ApiToken, Device, Invite, JournalEntry, Match, Membership, RetiredCode, SignInLink
from clocks.people import api_tokens, members, sign_in_links, throttle
from clocks.tournament import messages, tables
from tests.server.house import running_match, sit_down

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.urls("tests.server.with_admin")]

MODELS = list(apps.get_app_config("clocks").get_models())
REPAIRED = {"tournament": "change", "membership": "add change delete", "failedsignin": "delete"}


@pytest.fixture
def support(client: Client) -> Client:
    """Superuser's client; many models have a row."""
    user = User.objects.create_user("sue", password="x", is_superuser=True, is_staff=True)
    match = running_match()
    sit_down(match, "left")
    tournament = match.table.tournament
    Membership.objects.create(tournament=tournament, user=user, role="owner")
    members.invite(tournament, user, "helper", sign_in_links.LINK_LIFE)
    messages.send(tournament, user, "Lunch at one.", [], 5)
    api_tokens.make(tournament, user, "Screens", "viewer", None)
    sign_in_links.make_link()
    throttle.count("sue", "127.0.0.1")
    RetiredCode.objects.create(code="222222", table=match.table)
    client.force_login(user)
    return client


def path(model: type, page: str, *args: object) -> str:
    return reverse(f"admin:clocks_{model.__name__.lower()}_{page}", args=args)


def test_every_model_is_in_the_admin() -> None:
    assert set(MODELS) - set(admin.site._registry) == set()


def test_every_list_and_entry_can_be_opened_and_searched(support: Client) -> None:
    for model in MODELS:
        found = support.get(path(model, "changelist"), {"q": "1"} if admin.site._registry[model].search_fields else {})
        first = model._default_manager.first()
        entry = first and support.get(path(model, "change", first.pk)).status_code
        assert (model, found.status_code, entry) == (model, 200, first and 200)


def test_rules_and_records_are_read_only(support: Client) -> None:
    for model in MODELS:
        first = model._default_manager.first()
        allowed = REPAIRED.get(model.__name__.lower(), "")
        answers = {"add": support.get(path(model, "add")).status_code}
        if first is not None:
            answers["change"] = support.post(path(model, "change", first.pk), {}).status_code
            answers["delete"] = support.get(path(model, "delete", first.pk)).status_code
        expected = {does: 200 if does in allowed else 403 for does in answers}
        assert (model, answers) == (model, expected)


def test_no_entry_can_be_deleted_from_the_journals_list(support: Client) -> None:
    keys = list(JournalEntry.objects.values_list("pk", flat=True))
    support.post(
        path(JournalEntry, "changelist"), {"action": "delete_selected", "_selected_action": keys, "post": "yes"}
    )
    assert list(JournalEntry.objects.values_list("pk", flat=True)) == keys


@pytest.mark.parametrize("model", [ApiToken, Device, SignInLink, Invite], ids=lambda model: model.__name__)
def test_no_token_is_shown(support: Client, model: type) -> None:
    first = model._default_manager.get()
    pages = [support.get(path(model, "changelist")), support.get(path(model, "change", first.pk))]
    assert [page for page in pages if first.token_hash in page.content.decode()] == []
    shown = re.sub("csrfmiddlewaretoken|api ?tokens?|token-[0-9a-f]{16}", "", pages[1].content.decode().lower())
    assert re.findall("token", shown) == []


def test_matches_are_searchable_by_player_code_and_table(support: Client) -> None:
    match = Match.objects.select_related("table").get()
    for words in ("Bob", match.table.code, match.table.name, str(match.pk)):
        found = support.get(path(Match, "changelist"), {"q": words}).context["cl"].queryset
        assert list(found) == [match], words


@pytest.mark.parametrize("role", ["owner", "helper", "nobody"])
def test_only_staff_can_open_the_admin(client: Client, role: str) -> None:
    user = User.objects.create_user("eve")
    if role != "nobody":
        Membership.objects.create(tournament=tables.casual_tournament(), user=user, role=role)
    client.force_login(user)
    assert client.get("/admin/clocks/match/").status_code == 302


@pytest.mark.urls("config.urls")
def test_the_admin_is_off_by_default(client: Client) -> None:
    client.force_login(User.objects.create_superuser("sue"))
    pages = [client.get(path) for path in ("/admin/", "/admin/login/", "/admin/clocks/match/")]
    assert [page.status_code for page in pages] == [404] * 3


def test_the_admin_has_no_sign_in_page_of_its_own(client: Client) -> None:
    assert client.get("/admin/clocks/match/")["Location"] == "/admin/login/?next=/admin/clocks/match/"
    way_in = client.get("/admin/login/?next=/admin/clocks/match/")
    assert (way_in.status_code, way_in["Location"]) == (302, "/director/?next=/admin/clocks/match/")
    assert client.post("/admin/login/", {"username": "sue", "password": "x"}).status_code == 302
    assert not client.session.get("_auth_user_id")
    assert client.get("/admin/password_change/")["Location"] == "/director/password/"
