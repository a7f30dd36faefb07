"""Rate limits for wrong table codes, and exemptions."""

import http.client
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from clocks.host.shared_ratelimit import SharedRateLimiter
from clocks.live import protocol, table_opens
from clocks.live.table_opens import Asked
from clocks.models import Match, Spending, Table
from clocks.seats import devices
from clocks.tournament import code_limit
from clocks.tournament.codes import ALPHABET, CODE_LENGTH
from tests.server import hall
from tests.server.daphne import House
from tests.server.house import Page, in_loop, make_match, sit_down

WRONG = "222222"
WORDS = "Wrong codes were tried from your network again and again. Wait a minute, then open this page again."


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit wrong codes to three per address, five per network, two per phone."""
    for name, burst in (("OF_ADDRESS", 3), ("OF_NETWORK", 5), ("OF_PHONE", 2)):
        monkeypatch.setattr(code_limit, name, SharedRateLimiter("", burst, 0.001))


def status(client: Client, path: str, address: str = "5.9.113.7") -> int:
    """Request a path from this address; return the status."""
    return client.get(path, REMOTE_ADDR=address).status_code


def spend(address: str = "5.9.113.7") -> None:
    """Try wrong codes until the limit is reached."""
    assert [status(Client(), f"/t/{WRONG}/", address) for _ in range(4)] == [404, 404, 404, 429]


def phone(settings: Any, token: str) -> Client:
    """Client of a phone with this token."""
    client = Client()
    client.cookies[settings.DEVICE_COOKIE_NAME] = token
    return client


def while_spent(house: House, ask: Callable[[], Any]) -> Any:
    """Call `ask` at the limit; repeat until the limit still holds afterwards."""
    while True:
        statuses_of(house, *[f"/t/{WRONG}/"] * 4)  # use up refilled tokens
        answer = ask()
        if statuses_of(house, f"/t/{WRONG}/") == [429]:
            return answer


def statuses_of(house: House, *paths: str, cookie: str = "") -> list[int]:
    """Request paths from the real server on one connection; return the statuses."""
    line = http.client.HTTPConnection("127.0.0.1", house.port, timeout=30)
    found = []
    for path in paths:
        line.request("GET", path, headers={"Host": f"localhost:{house.port}"} | ({"Cookie": cookie} if cookie else {}))
        answer = line.getresponse()
        answer.read()
        found.append(answer.status)
    line.close()
    return found


def closed_with(house: House, code: str, token: str = "") -> int:
    """Close code with which a table's socket is closed on opening; 0 if it stays open."""
    headers = {"Cookie": f"device={token}"} if token else {}
    with connect(f"ws://127.0.0.1:{house.port}/ws/table/{code}/", additional_headers=headers, legacy=True) as socket:
        try:
            socket.recv(timeout=20)
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code
    return 0


def test_a_guesser_is_stopped_after_100_codes(house: House) -> None:
    made = house.new_match("--tournament", "open")
    right, token = made["code"], made["tokens"][0]
    house.start()
    guesses = [f"/t/{WRONG}/", f"/t/{WRONG}/watch/", f"/t/{WRONG}/qr.svg", f"/?code={WRONG}"]
    assert statuses_of(house, *guesses * 20) == [404] * 80
    assert [closed_with(house, WRONG) for _ in range(4)] == [4404] * 4
    assert statuses_of(house, *guesses * 20).count(404) < 40
    rights = [f"/t/{right}/", f"/t/{right}/watch/", f"/t/{right}/qr.svg", f"/t/{right}/overlay/", f"/?code={right}"]
    for path in rights:
        assert while_spent(house, lambda path=path: statuses_of(house, path)) == [429], path
    assert while_spent(house, lambda: closed_with(house, right)) == 4429
    assert statuses_of(house, f"/t/{right}/clock/", cookie=f"device={token}") == [200]
    assert closed_with(house, right, token) == 0


@pytest.mark.django_db(transaction=True)
def test_a_refusal_says_how_long_to_wait_and_what_still_works(few: None) -> None:
    spend()
    answer = Client().get(f"/t/{WRONG}/", REMOTE_ADDR="5.9.113.7")
    assert (answer.status_code, answer["Retry-After"], WORDS in answer.content.decode()) == (429, "60", True)


@pytest.mark.django_db(transaction=True)
def test_a_right_code_gets_the_same_answer_as_a_wrong_one(few: None) -> None:
    right = make_match().table.code
    spend()
    pages = [Client().get(f"/t/{code}/", REMOTE_ADDR="5.9.113.7") for code in (right, WRONG)]
    contents = [page.content.decode().replace(code, "") for page, code in zip(pages, (right, WRONG), strict=True)]
    assert (contents[0], [page.status_code for page in pages]) == (contents[1], [429, 429])


@pytest.mark.django_db(transaction=True)
def test_a_network_has_its_own_limit(few: None) -> None:
    right = make_match().table.code
    spend()
    assert [status(Client(), f"/t/{WRONG}/", "5.9.113.8") for _ in range(3)] == [404, 404, 429]
    assert status(Client(), f"/t/{right}/", "5.9.113.9") == 429
    assert status(Client(), f"/t/{right}/", "5.9.114.7") == 200


@pytest.mark.django_db(transaction=True)
def test_invalid_and_retired_codes_are_not_counted(few: None, settings: Any) -> None:
    assert [status(Client(), "/?code=hello") for _ in range(9)] == [404] * 9


@pytest.mark.django_db(transaction=True)
def test_a_phone_of_the_tournament_finds_its_next_table(few: None, settings: Any) -> None:
    first, second = hall.drawn(hall.summer_open(), "1,Ann,Bob", "2,Cy,Di")
    _, token = sit_down(first.match, "left")
    own, other = (each.match.table.code for each in (first, second))
    spend()
    mine = phone(settings, token)
    assert [status(mine, f"/t/{code}/") for code in (own, other, WRONG, WRONG, other, own)] == [
        *(200, 200, 429, 429),
        *(429, 200),
    ]


@pytest.mark.django_db(transaction=True)
def test_wrong_codes_of_sockets_use_up_a_phones_own_quota(few: None) -> None:
    (pairing,) = hall.drawn(hall.summer_open(), "1,Ann,Bob")
    Table.objects.create(tournament=pairing.round.tournament, name="2", code="7K3M9Q")
    _, token = sit_down(Match.objects.get(pk=pairing.match_id), "left")
    spend()
    codes = ("7K3M9Q", WRONG, WRONG, "7K3M9Q")
    opened = [table_opens.read([Asked(code, token, lambda: True, "5.9.113.7")])[0] for code in codes]
    assert [one and one.refused_with for one in opened] == [None, *[protocol.TOO_MANY_MESSAGES] * 3]


@pytest.mark.django_db(transaction=True)
def test_a_phone_of_a_casual_match_finds_its_own_table_and_no_other(few: None, settings: Any) -> None:
    mine, other = make_match(), make_match()
    _, token = sit_down(mine, "left")
    spend()
    client = phone(settings, token)
    assert [status(client, f"/t/{match.table.code}/") for match in (mine, other)] == [200, 429]
    assert status(phone(settings, devices.join_device({})[1]), f"/t/{mine.table.code}/") == 429


@pytest.mark.django_db(transaction=True)
def test_a_signed_in_user_is_not_limited(few: None) -> None:
    right = make_match().table.code
    spend()
    client = Client()
    client.force_login(User.objects.create_user("dora"))
    assert [status(client, f"/t/{code}/") for code in (right, WRONG)] == [200, 404]


@pytest.mark.django_db(transaction=True)
def test_in_the_hall_a_right_code_always_works(few: None) -> None:
    (pairing,) = hall.drawn(hall.summer_open(), "1,Ann,Bob")
    right, elsewhere = Match.objects.get(pk=pairing.match_id).table.code, make_match().table.code
    code_limit.note_hall("5.9.113.7", pairing.round.tournament_id)
    spend()
    assert [status(Client(), f"/t/{code}/") for code in (right, elsewhere, WRONG)] == [200, 429, 429]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("role", "answered"), [("director", 200), ("viewer", 200), ("stranger", 429)])
def test_where_a_member_has_opened_the_console_is_the_hall(few: None, role: str, answered: int) -> None:
    (pairing,) = hall.drawn(hall.summer_open(), "1,Ann,Bob")
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in hall.client_of(role).cookies.items())

    @in_loop
    async def looked() -> None:
        page = Page("/ws/director/open/", cookies=cookies)
        await (page.refused_with() if role == "stranger" else page.open())

    looked()
    spend("")
    assert status(Client(), f"/t/{pairing.table.code}/", "") == answered


@pytest.mark.django_db(transaction=True)
def test_a_day_later_it_is_the_hall_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    code_limit.note_hall("5.9.113.7", 1)
    began, admitted = time.time(), []
    for hours in (23.9, 24.1):
        monkeypatch.setattr(code_limit, "time", lambda hours=hours: began + hours * 3_600)
        admitted.append(code_limit.admits("5.9.113.7", None, 1, 1))
    assert admitted == [True, False]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("5.9.113.7", "5.9.113.0/24"),
        ("2a01:4f8:1:2:3:4:5:6", "2a01:4f8:1::/48"),
        ("::ffff:8.8.4.4", "8.8.4.0/24"),
        ("192.168.7.9", "local"),
        ("127.0.0.1", "local"),
        ("fd00::7", "local"),
        ("", ""),
    ],
)
def test_an_address_belongs_to_a_network(address: str, network: str) -> None:
    assert code_limit.network(address) == network


def test_a_guesser_needs_as_long_as_security_md_says() -> None:
    codes = len(ALPHABET) ** CODE_LENGTH
    budgets = code_limit.OF_ADDRESS, code_limit.OF_NETWORK
    a_day = [round(budget.per_s * 86_400) for budget in budgets]
    assert (codes, [budget.burst for budget in budgets], a_day) == (85_766_121, [100, 500], [17_280, 86_400])
    assert [round(codes / 500 / tries) for tries in a_day] == [10, 2]
    assert [round(codes / 2 / tries / 365.25 * 12) for tries in a_day] == [82, 16]  # expected months for one given code


@pytest.mark.django_db(transaction=True)
def test_an_open_console_is_recorded_once_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = []
    for minutes in (0, 59, 61, 119):
        monkeypatch.setattr(code_limit, "time", lambda minutes=minutes: minutes * 60.0)
        code_limit.note_hall("5.9.113.7", 1)
        recorded.append(Spending.objects.get().at / 60 - 24 * 60)
    assert recorded == [0, 0, 61, 61]
