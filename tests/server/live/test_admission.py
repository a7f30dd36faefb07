"""Socket quotas and rate limits for commands."""

import pytest
from channels.db import database_sync_to_async

from clocks.host.ratelimit import RateLimiter
from clocks.live import admission, command_limit, protocol
from clocks.live.admission import Admission
from clocks.models import JournalEntry, Tournament
from clocks.views.director.console import MOST_BESIDE
from tests.server.hall import client_of
from tests.server.house import Page, in_loop, running_match, sit_down
from tests.server.who_may import socket_of

SENDS_TOO_MUCH = "This phone sends too much. This is sent again in a moment."
AT_ONCE = int(command_limit.COMMANDS.burst)


class Watcher:
    """A socket that records its close code."""

    code = 0

    def close(self, code: int) -> None:
        self.code = code


def test_spectators_are_limited_per_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOST_OF_ADDRESS", 2)
    monkeypatch.setattr(admission, "MOST_STRANGERS", 4)
    house, watchers = Admission(), [Watcher() for _ in range(6)]
    addresses = ["a", "a", "a", "b", "b", "c"]
    entered = [house.enter(watcher, address) for watcher, address in zip(watchers, addresses, strict=True)]
    assert entered == [True, True, False, True, False, False]
    for watcher in watchers[:3]:
        house.leave(watcher)
    assert house.enter(Watcher(), "a")


def test_seats_and_directors_do_not_count_as_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "MOST_OF_ADDRESS", 1)
    house, phone = Admission(), Watcher()
    house.enter(phone, "a")
    house.recognise(phone, ("phone", 1), 1)
    assert house.is_known(phone)
    assert house.enter(Watcher(), "a")
    assert not house.enter(Watcher(), "a")


def test_a_phone_with_too_many_sockets_loses_the_oldest() -> None:
    house, tabs = Admission(), [Watcher() for _ in range(4)]
    for tab in tabs:
        house.enter(tab, "a")
        house.recognise(tab, ("phone", 1), 2)
    assert [tab.code for tab in tabs] == [4429, 4429, 0, 0]
    assert [house.is_known(tab) for tab in tabs] == [False, False, True, True]


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_a_director_of_five_events_keeps_five_consoles_connected() -> None:
    match = await database_sync_to_async(running_match)()
    slug = await Tournament.objects.values_list("slug", flat=True).aget(tables__current=match)
    client = await database_sync_to_async(client_of)("director", slug)
    pages = [socket_of(client, f"/ws/director/{slug}/") for _ in range(5 * (1 + MOST_BESIDE))]
    for page in pages:
        await page.open()
    for page in pages:
        await page.say({"t": "ping", "c": 1})
        assert (await page.hear("pong"))["c"] == 1
        await page.leave()


def test_an_address_with_too_many_sockets_is_refused_without_a_cookie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(admission, "TOURNAMENT_OPENS", RateLimiter(burst=2, per_s=0.001))

    def turned_away(path: str, address: str = "10.0.0.1", cookie: bytes = b"language=de") -> int | None:
        return admission.turned_away({"path": path, "headers": [(b"cookie", cookie)], "client": [address, 1]})

    for _ in range(2):
        assert turned_away("/ws/hall/open/") is None
        assert admission.TOURNAMENT_OPENS.take("10.0.0.1")
    assert turned_away("/ws/hall/open/") == protocol.TOO_MANY_MESSAGES
    assert turned_away("/ws/director/open/") == protocol.TOO_MANY_MESSAGES
    assert turned_away("/ws/director/open/", cookie=b"a=b; sessionid=x") is None
    assert turned_away("/ws/hall/open/", cookie=b"a=b; sessionid=x") == protocol.TOO_MANY_MESSAGES
    assert turned_away("/ws/table/ABC/") is None
    assert turned_away("/ws/hall/open/", address="10.0.0.2") is None


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_when_sockets_are_full_spectators_are_refused_and_seats_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(admission, "MOST_OF_ADDRESS", 1)
    match = await database_sync_to_async(running_match)()
    _, token = await database_sync_to_async(sit_down)(match, "right")
    watching = Page.at(match)
    await watching.open()
    assert await Page.at(match).refused_with() == protocol.TOO_MANY_MESSAGES
    assert await Page.at(match, "of-no-phone").refused_with() == protocol.TOO_MANY_MESSAGES
    playing = Page.at(match, token)
    assert (await playing.open())["t"] == "match"
    assert (await playing.do("hit", turn_number=1))["t"] == "ack"


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_accepted_commands_of_a_phone_are_limited_across_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_limit.COMMANDS, "per_s", 0.001)
    match = await database_sync_to_async(running_match)()
    _, token = await database_sync_to_async(sit_down)(match, "left", "right")
    page = Page.at(match, token)
    await page.open()
    for number in range(AT_ONCE // 2):
        assert (await page.do("stop", f"stop-{number}", reason="break", seat="left"))["t"] == "ack"
        assert (await page.do("resume", f"resume-{number}", seat="left"))["t"] == "ack"
    entries = await database_sync_to_async(JournalEntry.objects.count)()
    for _ in range(2):
        page = Page.at(match, token)
        await page.open()
        answer = await page.do("stop", "more", reason="break", seat="left")
        assert (answer["t"], answer["code"], answer["words"]) == ("refused", "not-stored", SENDS_TOO_MUCH)
    assert await database_sync_to_async(JournalEntry.objects.count)() == entries


@pytest.mark.django_db(transaction=True)
@in_loop
async def test_refused_and_repeated_commands_cost_a_phone_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_limit.COMMANDS, "per_s", 0.001)
    match = await database_sync_to_async(running_match)()
    _, token = await database_sync_to_async(sit_down)(match, "right")
    page = Page.at(match, token)
    await page.open()
    assert (await page.do("hit", "the-hit", turn_number=1))["t"] == "ack"
    for _ in range(AT_ONCE // 2):
        assert (await page.do("hit", "the-hit", turn_number=1))["t"] == "ack"
        assert (await page.do("hit", "too-late", turn_number=1))["t"] == "refused"
    assert (await page.do("stop", "the-stop", reason="break"))["t"] == "ack"
