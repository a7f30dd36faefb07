"""The page queue is fair per account: a flood locks out no known user."""

import asyncio
import http.client
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.test import Client

from clocks.live.page_accounts import PageAccounts
from clocks.models import Device
from clocks.people import accounts
from clocks.people.accounts import Account, Shown
from tests.server import hall
from tests.server.daphne import House
from tests.server.house import make_match, sit_down

CONNECTIONS, ASKED = 140, 4
MADE = f"""
import json
from django.contrib.auth.models import User
from django.test import Client
from clocks.seats import devices
client = Client()
client.force_login(User.objects.create_user("dora"))
tokens = [devices.join_device({{}})[1] for _ in range({CONNECTIONS})]
print(json.dumps([client.cookies["sessionid"].value, tokens]))
"""


@contextmanager
def crowd(house: House, path: str, cookies: list[str]) -> Iterator[None]:
    """Keep requesting a page on parallel connections, one per cookie."""
    over, asking = threading.Event(), threading.Barrier(2)

    async def ask(cookie: str) -> None:
        head = f"GET {path} HTTP/1.1\r\nHost: localhost:{house.port}\r\nConnection: close\r\n"
        request = f"{head}Cookie: {cookie}\r\n\r\n" if cookie else f"{head}\r\n"
        while not over.is_set():
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
                writer.write(request.encode())
                await reader.read()
                writer.close()

    async def all_at_once() -> None:
        tasks = [asyncio.create_task(ask(cookie)) for cookie in cookies]
        await asyncio.sleep(1)  # until all requests are queued
        await asyncio.to_thread(asking.wait)
        await asyncio.gather(*tasks)

    thread = threading.Thread(target=lambda: asyncio.run(all_at_once()))
    thread.start()
    asking.wait()
    try:
        yield
    finally:
        over.set()
        thread.join()


def statuses(house: House, path: str, cookie: str) -> list[int]:
    """Request a page one or more times in turn; return the statuses.

    Without a cookie only once, because that request waits behind the crowd.
    """
    found = []
    for _ in range(ASKED if cookie else 1):
        line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=30)
        line.request("GET", path, headers={"Host": f"localhost:{house.port}"} | ({"Cookie": cookie} if cookie else {}))
        found.append(line.getresponse().status)
        line.close()
    return found


def test_140_page_connections_lock_nobody_out_behind_their_address(house: House) -> None:
    made = house.new_match("--tournament", "open")
    session, tokens = house.python(MADE)
    house.start()
    page = f"/t/{made['code']}/"
    for strangers, cookies in (
        ("without a cookie", [""] * CONNECTIONS),
        ("phones of their own", [f"device={token}" for token in tokens]),
    ):
        with crowd(house, page, cookies):
            found = [
                statuses(house, f"{page}clock/", f"device={made['tokens'][0]}"),
                statuses(house, "/director/", f"sessionid={session}"),
                statuses(house, page, ""),
            ]
        assert (strangers, found) == (strangers, [[200] * ASKED, [200] * ASKED, [200]])


@pytest.mark.django_db(transaction=True)
def test_a_session_a_seat_and_a_phone_are_accounts_a_forged_cookie_is_not() -> None:
    round_ = hall.summer_open()
    (pairing,) = hall.drawn(round_, "1,Ann,Bob")
    seat, seat_token = sit_down(pairing.match, "left")
    phone, phone_token = sit_down(make_match(), "left")
    user = User.objects.create_user("dora")
    client = Client()
    client.force_login(user)
    session = client.cookies["sessionid"].value
    shown = [
        Shown(session, seat_token),
        Shown("made up", seat_token),
        Shown("", phone_token),
        Shown("made up", "made up"),
    ]
    found = [Account("user", user.pk), Account("seat", seat.pk), Account("phone", phone.pk), None]
    assert accounts.find(shown) == found
    User.objects.update(is_active=False)
    assert accounts.find(shown)[0] == Account("seat", seat.pk)


def scope(cookie: str) -> dict[str, Any]:
    """Minimal ASGI scope with a Cookie header."""
    return {"type": "http", "path": "/", "headers": [(b"cookie", cookie.encode())]}


@pytest.mark.django_db(transaction=True)  # the look-up closes its thread's connection
def test_cookies_are_looked_up_each_minute_unknown_ones_each_10_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s, looked_up = [0.0], list[str]()

    def find(shown: Sequence[Shown]) -> list[Account | None]:
        looked_up.extend(one.token for one in shown)
        return [Account("phone", 1) if one.token == "known" else None for one in shown]

    monkeypatch.setattr(accounts, "find", find)

    async def ask() -> list[list[str]]:
        known, found = PageAccounts(lambda: now_s[0]), []
        for now_s[0] in (0.0, 9.0, 11.0, 59.0, 61.0):
            looked_up.clear()
            for token, number in (("known", 1), ("made-up", None)):
                account = await known.of(scope(f"a=b; device={token}"))
                assert (account and account.number) == number
            found.append(looked_up.copy())
        return found

    assert async_to_sync(ask)() == [["known", "made-up"], [], ["made-up"], ["made-up"], ["known"]]


@pytest.mark.django_db(transaction=True)
def test_requests_without_our_cookies_are_not_looked_up() -> None:
    looked_up: list[Any] = []

    async def of(*cookies: str) -> list[Account | None]:
        known = PageAccounts()
        known._look_ups.look_up = looked_up.append  # type: ignore[assignment,method-assign]
        bare = {"type": "http", "path": "/", "headers": []}
        return [await known.of(bare), *[await known.of(scope(cookie)) for cookie in cookies]]

    assert async_to_sync(of)("language=de", "device=", f"device={'x' * 200}") == [None] * 4
    assert (looked_up, Device.objects.count()) == ([], 0)
