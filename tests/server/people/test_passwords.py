"""Signing in by password, redirects, and changing the password."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clocks.models import FailedSignIn, Tournament
from clocks.people import members, throttle
from clocks.views.director import sign_in as views
from tests import prepared
from tests.server.staff import PASSWORD, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament(owner: User) -> Tournament:
    return members.make_tournament("open", "Summer Open", owner)


def test_signing_in_leads_to_the_requested_page(tournament: Tournament) -> None:
    client = Client()
    assert client.get("/director/open/")["Location"] == "/director/?next=/director/open/"
    assert 'name="next" value="/director/open/"' in client.get("/director/?next=/director/open/").content.decode()
    answer = client.post("/director/", {"username": "olga", "password": PASSWORD, "next": "/director/open/"})
    assert (answer.status_code, answer["Location"]) == (302, "/director/open/")
    assert client.get("/director/open/").status_code == 200


@pytest.mark.parametrize(
    "elsewhere",
    ["https://a.example/", "//a.example/", "/\\a.example", "javascript:alert(1)", "console", "what?", "\t//a.example"],
)
def test_a_foreign_next_address_is_ignored(tournament: Tournament, elsewhere: str) -> None:
    answer = Client().post("/director/", {"username": "olga", "password": PASSWORD, "next": elsewhere})
    assert answer["Location"] == "/director/"


@pytest.mark.parametrize(("name", "password"), [("olga", "wrong"), ("nobody", PASSWORD), ("", ""), ("olga", "")])
def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(owner: User, name: str, password: str) -> None:
    client = Client()
    assert sign_in(client, name, password) == 400
    assert "_auth_user_id" not in client.session


def test_too_many_wrong_passwords_for_a_name_from_an_address_must_wait(owner: User) -> None:
    hall = Client(REMOTE_ADDR="203.0.113.7")
    assert [sign_in(hall, password="guess") for _ in range(throttle.MOST)] == [400] * throttle.MOST
    assert sign_in(hall) == 429
    assert sign_in(hall, "OLGA ") == 429
    # The limit applies neither to other users nor to other addresses.
    User.objects.create_user("dora", password=PASSWORD)
    assert sign_in(hall, "dora") == 302
    assert sign_in(Client(REMOTE_ADDR="203.0.113.8")) == 302


def test_the_limit_expires_and_right_passwords_do_not_count(owner: User) -> None:
    client = Client()
    for _ in range(throttle.MOST):
        sign_in(client, password="guess")
    FailedSignIn.objects.update(at=timezone.now() - throttle.WINDOW)
    assert sign_in(client) == 302
    for _ in range(throttle.MOST - 1):
        sign_in(Client(), password="guess")
    assert [sign_in(Client()) for _ in range(3)] == [302] * 3
    assert FailedSignIn.objects.filter(at__gt=timezone.now() - throttle.WINDOW).count() == throttle.MOST - 1


def test_changing_a_password_signs_other_devices_out(owner: User) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        assert sign_in(client) == 302
    new = {"new_password1": "nine quiet lakes", "new_password2": "nine quiet lakes"}
    assert here.post("/director/password/", new | {"old_password": "guess"}).status_code == 400
    assert here.post("/director/password/", new | {"old_password": PASSWORD})["Location"] == "/director/"
    assert [client.get("/director/password/").status_code for client in (here, elsewhere)] == [200, 302]
    assert sign_in(Client(), password="nine quiet lakes") == 302


def test_a_user_who_signed_in_by_link_sets_a_first_password(client: Client) -> None:
    client.post(views.links.make_link())
    page = client.get("/director/password/")
    assert list(page.context["form"].fields) == ["new_password1", "new_password2"]
    client.post("/director/password/", {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert sign_in(Client(), "director") == 302


def test_the_password_forms_need_a_csrf_token(owner: User) -> None:
    assert sign_in(Client(enforce_csrf_checks=True)) == 403


def test_a_new_installation_has_no_account(tmp_path: Path) -> None:
    prepared.database(tmp_path)
    with closing(sqlite3.connect(tmp_path / "clock.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM auth_user").fetchall() == [(0,)]
