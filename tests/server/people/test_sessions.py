"""Sessions: stored as hashes; expire with their sockets after twelve idle hours."""

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module

import pytest
from channels.db import database_sync_to_async
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from clocks.live import catchup
from clocks.models import Match
from clocks.people.sessions import stored_key
from tests.server.house import Page, in_loop, make_match
from tests.server.live.test_gallery_sockets import director_page, make_tournament, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a clock for two phones"


def key_of(client: Client) -> str:
    """Session key of a client."""
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def idle_for(hours: float) -> None:
    """Make all sessions idle for this long."""
    for session in Session.objects.all():
        Session.objects.filter(pk=session.pk).update(expire_date=session.expire_date - timedelta(hours=hours))


def is_signed_in(client: Client) -> bool:
    return "tournaments" in client.get("/director/").context


def test_a_stored_session_key_signs_nobody_in(dora: User) -> None:
    client = Client()
    client.force_login(dora)
    (stored,) = Session.objects.values_list("pk", flat=True)
    assert len(stored) == 40 and stored != key_of(client)
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = stored
    assert (is_signed_in(client), is_signed_in(thief)) == (True, False)


@pytest.mark.parametrize("https", [False, True])
def test_cookies_are_secure_only_if_sent_by_https(dora: User, https: bool) -> None:
    dora.set_password(PASSWORD)
    dora.save()
    match, client = make_match(), Client()
    client.post(f"/t/{match.table.code}/seat/", {"seat": "left"}, secure=https)
    client.post("/director/", {"username": "dora", "password": PASSWORD}, secure=https)
    names = settings.DEVICE_COOKIE_NAME, settings.KNOWN_COOKIE_NAME
    assert {name: bool(client.cookies[name]["secure"]) for name in names} == dict.fromkeys(names, https)


def test_a_session_expires_after_twelve_idle_hours(dora: User) -> None:
    client = Client()
    client.force_login(dora)
    idle_for(11.9)
    assert is_signed_in(client)
    idle_for(12.1)
    assert not is_signed_in(client)


def test_use_extends_a_session(dora: User) -> None:
    client = Client()
    client.force_login(dora)
    for _ in range(4):
        idle_for(8)
        assert is_signed_in(client)
    left = Session.objects.get().expire_date - timezone.now()
    assert timedelta(hours=11, minutes=50) <= left <= timedelta(hours=12)


def test_signing_out_deletes_the_session(dora: User) -> None:
    client = Client()
    client.force_login(dora)
    client.post("/director/sign-out/")
    assert not Session.objects.exists()


def test_sessions_from_before_hashed_keys_stay_valid(dora: User) -> None:
    client = Client()
    client.force_login(dora)
    Session.objects.update(session_key=key_of(client))
    import_module("clocks.migrations.0008_session_keys_as_hashes").hash_keys(apps, None)
    assert key_of(client) not in Session.objects.values_list("pk", flat=True)
    assert is_signed_in(client)


# --- sockets -------------------------------------------------------------------------------------------------------


def members() -> tuple[Client, Client]:
    """Create a tournament; return two clients signed in as the same director."""
    make_tournament()
    first, second = sign_in("dora", "director"), Client()
    user = User.objects.get(username="dora")
    user.set_password(PASSWORD)
    user.save()
    for client in (first, second):
        client.force_login(user)
    return first, second


members_, look = database_sync_to_async(members), database_sync_to_async(catchup.look)


async def still_open(page: Page) -> bool:
    """True if the socket still answers; a close frame would arrive first."""
    await page.say({"t": "ping", "c": -1})
    return (await page.hear("pong"))["c"] == -1


def sign_out(client: Client) -> None:
    client.post("/director/sign-out/")


def change_password(client: Client) -> None:
    new = "another clock for two phones"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert client.post("/director/password/", form).status_code == 302


def idle(client: Client) -> None:
    Session.objects.filter(pk=stored_key(key_of(client))).update(expire_date=timezone.now())


@pytest.mark.parametrize("end", [sign_out, idle])
@in_loop
async def test_a_socket_is_closed_when_its_session_ends(end: Callable[[Client], None]) -> None:
    client, _ = await members_()
    page = director_page(client)
    await page.open()
    await look()
    assert await still_open(page)
    await database_sync_to_async(end)(client)
    await look()
    assert await page.closed_with() == 4401


@in_loop
async def test_a_new_password_closes_sockets_of_older_sessions() -> None:
    client, other = await members_()
    pages = [director_page(client), director_page(other)]
    for page in pages:
        await page.open()
    await database_sync_to_async(change_password)(client)
    await look()
    assert [await page.closed_with() for page in pages] == [4401, 4401]
    again = director_page(client)  # its session was renewed with the new password
    await again.open()
    await look()
    assert await still_open(again)


@in_loop
async def test_signing_out_closes_no_other_sockets() -> None:
    client, other = await members_()
    pages = [director_page(other), Page("/ws/hall/open/")]
    for page in pages:
        await page.open()
    await database_sync_to_async(sign_out)(client)
    await look()
    assert [await still_open(page) for page in pages] == [True, True]


@in_loop
async def test_using_a_socket_extends_the_session() -> None:
    client, _ = await members_()
    page = director_page(client)
    await page.open()
    await database_sync_to_async(idle_for)(8)
    match = await Match.objects.afirst()
    assert match
    await page.do("confirm", match=match.pk)
    left = (await Session.objects.aget(pk=stored_key(key_of(client)))).expire_date - timezone.now()
    assert left > timedelta(hours=11, minutes=50)


@in_loop
async def test_an_idle_open_page_does_not_extend_the_session() -> None:
    client, _ = await members_()
    page = director_page(client)
    await page.open()
    await database_sync_to_async(idle_for)(12.1)
    await look()
    assert await page.closed_with() == 4401
