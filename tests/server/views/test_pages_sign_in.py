"""Sign-in links work once, and opening one does not use it up."""

import logging
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clocks.models import Membership, SignInLink, Tournament
from clocks.people import sign_in_links, tokens
from config.logs import Line

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_link_signs_in_the_superuser_director_who_has_no_password(client: Client) -> None:
    response = client.post(sign_in_links.make_link())
    assert (response.status_code, response["Location"]) == (302, "/director/")
    director = User.objects.get()
    assert (director.username, director.is_superuser, director.has_usable_password()) == ("director", True, False)
    assert int(client.session["_auth_user_id"]) == director.pk


def test_only_the_hash_of_a_link_is_stored_and_it_lasts_a_day() -> None:
    token = sign_in_links.make_link().split("/")[3]
    link = SignInLink.objects.get()
    assert link.token_hash == tokens.hash_token(token)
    assert timedelta(hours=23, minutes=59) < link.expires_at - timezone.now() <= timedelta(hours=24)


def test_opening_a_link_does_not_use_it_up(client: Client) -> None:
    path = sign_in_links.make_link()
    assert [client.get(path).status_code, client.head(path).status_code, client.get(path).status_code] == [200] * 3
    assert "_auth_user_id" not in client.session
    assert client.post(path).status_code == 302


def test_a_link_works_once(client: Client) -> None:
    path = sign_in_links.make_link()
    client.post(path)
    other = Client()
    assert [other.post(path).status_code, other.get(path).status_code] == [410, 410]
    assert "_auth_user_id" not in other.session


@pytest.mark.parametrize("path", ["sign-in", "invite"])
def test_a_secret_address_is_in_no_referer(client: Client, path: str) -> None:
    answer = client.get(sign_in_links.make_link() if path == "sign-in" else f"/director/{path}/made-up/")
    assert answer["Referrer-Policy"] == "strict-origin"


def test_a_link_expires_after_a_day(client: Client) -> None:
    path = sign_in_links.make_link()
    SignInLink.objects.update(expires_at=timezone.now())
    assert (client.get(path).status_code, client.post(path).status_code) == (410, 410)
    assert "This link no longer works" in client.get(path).content.decode()


def test_a_made_up_link_signs_nobody_in(client: Client) -> None:
    assert client.post("/director/sign-in/made-up/").status_code == 410
    assert "_auth_user_id" not in client.session


def test_a_link_needs_a_csrf_token() -> None:
    path = sign_in_links.make_link()
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403
    assert Client().post(path).status_code == 302


def test_a_new_link_voids_the_old_one_and_signs_in_the_same_user() -> None:
    first, second = sign_in_links.make_link(), sign_in_links.make_link()
    assert [Client().get(first).status_code, Client().post(first).status_code] == [410, 410]
    assert Client().post(second).status_code == 302
    third = sign_in_links.make_link()
    assert Client().post(third).status_code == 302
    assert User.objects.count() == 1


def test_signing_out_ends_the_session(client: Client) -> None:
    client.post(sign_in_links.make_link())
    assert client.post("/director/sign-out/")["Location"] == "/director/"
    assert "Directors sign in with a link that works once." in client.get("/director/").content.decode()


def test_a_get_of_the_sign_out_path_signs_nobody_out(client: Client) -> None:
    client.post(sign_in_links.make_link())
    assert client.get("/director/sign-out/")["Location"] == "/director/"
    assert "_auth_user_id" in client.session


def test_the_superuser_sees_all_tournaments_a_member_only_their_own(client: Client) -> None:
    first, second = (Tournament.objects.create(slug=slug, name=slug.title()) for slug in ("first", "second"))
    client.post(sign_in_links.make_link())
    assert list(client.get("/director/").context["tournaments"]) == [second, first]
    helper = User.objects.create_user("helper")
    Membership.objects.create(tournament=first, user=helper, role="helper")
    client.force_login(helper)
    assert list(client.get("/director/").context["tournaments"]) == [first]


def test_the_director_creates_a_tournament_by_name(client: Client) -> None:
    client.post(sign_in_links.make_link())
    response = client.post("/director/", {"name": "Summer Open 2026"})
    assert (response.status_code, response["Location"]) == (302, "/director/summer-open-2026/")
    assert Tournament.objects.get().name == "Summer Open 2026"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "This field is required."),
        ("!!!", "The name needs a letter from A to Z or a digit for its address."),
        ("Open", "The address “open” is taken. Choose another name."),
        ("Sign out", "The address “sign-out” is taken. Choose another name."),
        ("x" * 121, "Ensure this value has at most 120 characters (it has 121)."),
    ],
)
def test_a_name_without_a_slug_is_rejected(client: Client, name: str, words: str) -> None:
    Tournament.objects.create(slug="open", name="Open")
    client.post(sign_in_links.make_link())
    response = client.post("/director/", {"name": name})
    assert (response.status_code, response.context["form"].errors) == (400, {"name": [words]})
    assert Tournament.objects.count() == 1


def test_a_member_cannot_create_a_tournament(client: Client) -> None:
    client.force_login(User.objects.create_user("helper"))
    assert client.post("/director/", {"name": "Mine"}).status_code == 403
    assert Tournament.objects.count() == 0


def test_no_line_of_the_log_shows_a_token() -> None:
    path = sign_in_links.make_link()
    record = logging.LogRecord("django", logging.ERROR, "", 0, "Internal Server Error: %s", (path,), None)
    assert Line("%(message)s").format(record) == "Internal Server Error: /director/sign-in/…/"


def test_deleted_tournaments_are_listed_only_if_there_are_any(client: Client) -> None:
    client.force_login(User.objects.create_superuser("director", password="correct horse"))
    assert "Deleted tournaments" not in client.get("/director/").content.decode()
