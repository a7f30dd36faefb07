"""Rate limits for password guesses, without lockouts."""

import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from clocks.models import FailedSignIn
from clocks.people import known_browsers, members, sign_in_links, throttle
from clocks.people.look_alike import skeleton

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "seven green doors"
HERE, ELSEWHERE = "203.0.113.7", "198.51.100.9"


class Counted(MD5PasswordHasher):
    """Hasher that counts its calls and how many run in parallel."""

    lock = threading.Lock()
    hashed = at_work = most = 0
    go_on: threading.Event | None = None

    def encode(self, password: str, salt: str) -> str:
        with Counted.lock:
            Counted.hashed += 1
            Counted.at_work += 1
            Counted.most = max(Counted.most, Counted.at_work)
        try:
            if Counted.go_on is not None:
                assert Counted.go_on.wait(20)
            return super().encode(password, salt)
        finally:
            with Counted.lock:
                Counted.at_work -= 1


@pytest.fixture
def hasher(settings) -> Iterator[type[Counted]]:
    """The counting hasher, used for all passwords."""
    Counted.hashed = Counted.at_work = Counted.most = 0
    Counted.go_on = None
    settings.PASSWORD_HASHERS = [f"{__name__}.Counted"]
    User.objects.create_user("olga", password=PASSWORD)
    Counted.hashed = 0
    yield Counted
    Counted.go_on = None


@pytest.fixture
def olga() -> User:
    return User.objects.create_user("olga", password=PASSWORD)


def sign_in(client: Client, name: str = "olga", password: str = PASSWORD) -> int:
    return client.post("/director/", {"username": name, "password": password}).status_code


def at(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


def tried(number: int, account: str = "nobody", address: str = HERE) -> None:
    """Record this many failed sign-ins."""
    FailedSignIn.objects.bulk_create(FailedSignIn(account=account, address=address) for _ in range(number))


def in_threads(number: int, work) -> list:
    """Run `work` in this many threads that start together; return the results."""
    together = threading.Barrier(number)

    def one(which: int) -> object:
        together.wait(20)
        try:
            return work(which)
        finally:
            connection.close()

    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(one, range(number)))


# --- counted before hashing ----------------------------------------------------------------------------------------


def test_forty_guesses_at_once_are_limited_like_forty_in_turn(hasher: type[Counted]) -> None:
    statuses = in_threads(40, lambda number: sign_in(at(HERE), password=f"guess {number}"))
    assert set(statuses) <= {400, 429}
    assert hasher.hashed == statuses.count(400) <= throttle.MOST
    assert hasher.most <= throttle.HASHES


def test_the_limit_is_eight_guesses_in_a_quarter_of_an_hour(olga: User) -> None:
    assert [sign_in(at(HERE), password="guess") for _ in range(9)] == [400] * 8 + [429]
    FailedSignIn.objects.update(at=timezone.now() - timedelta(minutes=14))
    assert sign_in(at(HERE)) == 429
    FailedSignIn.objects.update(at=timezone.now() - timedelta(minutes=15))
    assert sign_in(at(HERE)) == 302


def test_two_passwords_are_hashed_at_a_time_others_are_rejected(
    hasher: type[Counted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "WAIT_S", 0.05)
    hasher.go_on = threading.Event()
    answers: list[int] = []

    def one(number: int) -> int:
        status = sign_in(at(f"203.0.113.{number}"), password="guess")
        answers.append(status)
        if len(answers) == 4:  # all except the two in the hasher
            hasher.go_on.set()
        return status

    assert sorted(in_threads(6, one)) == [400, 400, 429, 429, 429, 429]
    assert (hasher.most, hasher.hashed) == (throttle.HASHES, 2)
    assert FailedSignIn.objects.count() == 2  # rejected attempts do not count


def test_the_backend_throttles_every_caller(olga: User) -> None:
    request = RequestFactory().post("/anywhere/", REMOTE_ADDR=HERE)
    for _ in range(throttle.MOST):
        assert authenticate(request, username="olga", password="guess") is None
    with pytest.raises(ValidationError) as refused:
        authenticate(request, username="olga", password=PASSWORD)
    assert refused.value.code == "too-many-tries"
    assert settings.AUTHENTICATION_BACKENDS == ["clocks.people.backend.ThrottledBackend"]


# --- look-alike names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["OLGA", " olga ", "Ólga", "οlga", "оlga", "oｌga", "0lga", "o1ga", "oIga", "o\u200blga", "𝐨𝐥𝐠𝐚", "olgа"]
)
def test_the_throttle_treats_look_alike_names_as_one(olga: User, name: str) -> None:
    assert skeleton(name) == skeleton("olga")
    client = at(HERE)
    assert [sign_in(client, name, "guess") for _ in range(throttle.MOST)] == [400] * throttle.MOST
    assert sign_in(client) == 429


def test_names_that_look_different_are_different() -> None:
    names = ["olga", "dora", "gina", "mia", "hana", "ヨシ", "Зоя", "李", "d'arc", "olga2", "Åsa B"]
    assert len({skeleton(name) for name in names}) == len(names)
    assert (skeleton("\0\x1b"), len(skeleton("ﷺ" * 1_000)) <= 150) == ("", True)


def test_a_lookalike_name_gains_no_guesses_by_signing_in(olga: User) -> None:
    User.objects.create_user("o1ga", password=PASSWORD)
    for _ in range(throttle.MOST - 1):
        sign_in(at(HERE), "olga", "guess")
    assert sign_in(at(HERE), "o1ga") == 302
    assert [sign_in(at(HERE), "olga", "guess") for _ in range(2)] == [400, 429]
    known = at(HERE)
    FailedSignIn.objects.all().delete()
    assert sign_in(known, "o1ga") == 302
    known.post("/director/sign-out/")
    assert [sign_in(known, "olga", "guess") for _ in range(throttle.MOST + 1)] == [400] * throttle.MOST + [429]
    assert sign_in(at(HERE), "olga", "guess") == 429  # the guesses also count against the network


# --- no lockouts ---------------------------------------------------------------------------------------------------


def test_a_known_browser_signs_in_despite_guesses_from_its_network(olga: User) -> None:
    usual = at(HERE)
    assert sign_in(usual) == 302
    usual.post("/director/sign-out/")
    tried(throttle.MOST_AT_ALL, skeleton("olga"))
    assert (sign_in(at(HERE)), sign_in(at(ELSEWHERE)), sign_in(usual)) == (429, 429, 302)


def test_a_known_browser_has_its_own_limit_of_eight(olga: User) -> None:
    usual = at(HERE)
    sign_in(usual)
    usual.post("/director/sign-out/")
    assert [sign_in(usual, password="guess") for _ in range(throttle.MOST)] == [400] * throttle.MOST
    assert (sign_in(usual), sign_in(at(HERE))) == (429, 302)


def test_a_link_makes_a_browser_known_too(olga: User, client: Client) -> None:
    link = members.invite(members.make_tournament("open", "Open", olga), olga, "helper", throttle.WINDOW)
    client.post(link, {"username": "hella", "password1": PASSWORD, "password2": PASSWORD})
    client.post("/director/sign-out/")
    tried(throttle.MOST_AT_ALL, skeleton("hella"), "127.0.0.1")
    assert (sign_in(Client(), "hella"), sign_in(client, "hella")) == (429, 302)


def test_a_new_browser_elsewhere_signs_in_despite_all_guesses(olga: User) -> None:
    for network in range(throttle.MOST_OF_ALL // throttle.MOST_OF_NETWORK):
        tried(throttle.MOST_OF_NETWORK, skeleton("olga"), f"192.0.2.{network}")
    guesser = at(ELSEWHERE)
    assert [sign_in(guesser, password="guess") for _ in range(throttle.ALWAYS + 1)] == [400] * throttle.ALWAYS + [429]
    assert sign_in(at(HERE)) == 302


def test_a_link_works_despite_all_guesses(client: Client) -> None:
    tried(throttle.MOST_OF_ALL, skeleton("director"))
    User.objects.create_user("director", password=PASSWORD, is_superuser=True)
    assert sign_in(at(HERE), "director") == 429
    assert at(HERE).post(sign_in_links.make_link())["Location"] == "/director/"


def test_a_network_has_a_limit_over_all_names(olga: User) -> None:
    tried(throttle.MOST_OF_NETWORK)
    assert (sign_in(at(HERE), "another", "guess"), sign_in(at(ELSEWHERE), "another", "guess")) == (429, 400)


def test_an_ipv6_network_has_one_limit(olga: User) -> None:
    statuses = [sign_in(at(f"2001:db8::{number}"), password="guess") for number in range(1, throttle.MOST + 2)]
    assert statuses == [400] * throttle.MOST + [429]


@pytest.mark.parametrize("cookie", ["", "x", "eyJpZCI6ImEiLCJ1c2VycyI6WzFdfQ:1abcde:forged"])
def test_a_forged_cookie_makes_no_browser_known(olga: User, cookie: str) -> None:
    client = at(HERE)
    client.cookies[settings.KNOWN_COOKIE_NAME] = cookie
    tried(throttle.MOST, skeleton("olga"))
    assert sign_in(client) == 429


def test_a_browser_is_known_for_400_days(olga: User, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, now, days = at(HERE), time.time(), 24 * 3600
    sign_in(usual)
    made = usual.cookies[settings.KNOWN_COOKIE_NAME]
    known = []
    for later in (399 * days, 401 * days):
        monkeypatch.setattr(time, "time", lambda later=later: now + later)
        known.append(known_browsers.read({made.key: made.value}) is not None)
    assert (made["max-age"], known) == (400 * days, [True, False])


def test_no_browser_is_known_under_another_secret_key(olga: User, settings: Any) -> None:
    usual = at(HERE)
    sign_in(usual)
    cookies = {name: morsel.value for name, morsel in usual.cookies.items()}
    known = known_browsers.read(cookies)
    settings.SECRET_KEY = "another key of 32 characters or more"
    assert (known and known.users, known_browsers.read(cookies)) == ((olga.pk,), None)


def test_the_cookie_of_a_known_browser_signs_nobody_in(olga: User) -> None:
    usual, thief = at(HERE), at(HERE)
    sign_in(usual)
    thief.cookies[settings.KNOWN_COOKIE_NAME] = usual.cookies[settings.KNOWN_COOKIE_NAME].value
    assert [client.get("/director/password/").status_code for client in (usual, thief)] == [200, 302]


def test_a_rejected_attempt_does_not_count(olga: User) -> None:
    tried(throttle.MOST, skeleton("olga"))
    for _ in range(20):
        assert sign_in(at(HERE)) == 429
    assert FailedSignIn.objects.count() == throttle.MOST


def test_failures_are_deleted_at_the_first_sign_in_after_their_window(olga: User) -> None:
    tried(3, skeleton("olga"), ELSEWHERE)
    FailedSignIn.objects.update(at=timezone.now() - throttle.WINDOW)
    assert sign_in(at(HERE)) == 302
    assert list(FailedSignIn.objects.all()) == []


def test_the_old_password_at_an_open_page_is_throttled_too(olga: User) -> None:
    client = at(HERE)
    client.force_login(olga)
    new = {"old_password": "guess", "new_password1": "nine quiet lakes", "new_password2": "nine quiet lakes"}
    for _ in range(throttle.MOST):
        assert client.post("/director/password/", new).status_code == 400
    client.post("/director/password/", new | {"old_password": PASSWORD})
    olga.refresh_from_db()
    assert olga.check_password(PASSWORD)


# --- the log -------------------------------------------------------------------------------------------------------


@contextmanager
def written(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    lines: list[str] = []
    with caplog.at_level(logging.INFO, "clocks.audit"):
        caplog.clear()
        yield lines
        lines += [record.getMessage() for record in caplog.records if record.name == "clocks.audit"]


def test_the_log_records_sign_ins_failures_and_sign_outs_without_passwords(
    olga: User, caplog: pytest.LogCaptureFixture
) -> None:
    client = at(HERE)
    with written(caplog) as lines:
        sign_in(client, password="a guess")
        sign_in(client, "my secret password", "oops")
        sign_in(client)
        client.post("/director/sign-out/")
        tried(throttle.MOST, skeleton("olga"))
        sign_in(at(HERE))
    assert lines == [
        f"user {olga.pk}: a wrong password from {HERE}",
        f"an unknown name: a wrong password from {HERE}",
        f"user {olga.pk} signed in from {HERE}",
        f"user {olga.pk} signed out at {HERE}",
        f"user {olga.pk}: too many wrong passwords from {HERE}",
    ]


def test_denied_permissions_are_logged(olga: User, caplog: pytest.LogCaptureFixture) -> None:
    members.make_tournament("open", "Open", User.objects.create_user("otto"))
    client = Client()
    client.force_login(olga)
    with written(caplog) as lines:
        assert client.get("/director/open/people/").status_code == 404
    assert lines == [f"user {olga.pk} may not people in open"]
