"""Rate limits are shared between two processes."""

import urllib.request
from collections import Counter
from http.cookiejar import CookieJar
from itertools import cycle, islice
from urllib.error import HTTPError
from urllib.parse import urlencode

import pytest

from tests import prepared
from tests.processes.conftest import Houses
from tests.server.daphne import House

CASUAL_PER_PHONE = 20
CLAIMS_AT_ONCE = 20
MISSES_AT_ONCE = 100
NOTED = """
from clocks.models import Tournament
from clocks.tournament import code_limit
code_limit.note_hall("127.0.0.1", Tournament.objects.get(slug="hall").pk)
print("null")
"""
FORM = {"left": "Ann", "right": "Bob", "length": "7", "rules": "us-2013", "format": "singles"}


@pytest.fixture(autouse=True, scope="module")
def pages(houses: Houses) -> None:
    """Collect static files, needed by pages, for both processes."""
    for house in (houses.one, houses.two):
        prepared.static_files(house.folder)


class Browser:
    """Browser that shares cookies between ports of localhost."""

    def __init__(self) -> None:
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def ask(self, house: House, path: str, form: dict[str, str] | None = None) -> int:
        """Request a page from a process; return the status after redirects."""
        address = f"http://127.0.0.1:{house.port}{path}"
        token = "x" * 32
        data = None if form is None else urlencode(form | {"csrfmiddlewaretoken": token}).encode()
        held = "; ".join(f"{each.name}={each.value}" for each in self.cookies if each.name != "csrftoken")
        asked = urllib.request.Request(address, data, {"Cookie": f"csrftoken={token}; {held}"})
        try:
            with self._opener.open(asked, timeout=30) as answer:
                return int(answer.status)
        except HTTPError as error:
            return error.code


def alternately(houses: Houses, times: int) -> list[House]:
    return list(islice(cycle([houses.one, houses.two]), times))


def casual_code(house: House) -> str:
    """Start a casual match; return its table code."""
    assert Browser().ask(house, "/start/", FORM) == 200
    newest = "import json\nfrom clocks.models import Table\nprint(json.dumps(Table.objects.latest('pk').code))"
    return str(house.python(newest))


def test_a_phone_claims_seats_as_often_at_two_processes_as_at_one(houses: Houses) -> None:
    phone, path = Browser(), f"/t/{casual_code(houses.one)}/seat/"
    assert phone.ask(houses.one, path, {"seat": "left"}) == 200
    seats = cycle(["both", "left"])
    statuses = [phone.ask(house, path, {"seat": next(seats)}) for house in alternately(houses, CLAIMS_AT_ONCE + 10)]
    assert statuses[:CLAIMS_AT_ONCE] == [200] * CLAIMS_AT_ONCE
    assert Counter(statuses)[200] <= CLAIMS_AT_ONCE + 3  # the limiter admits one more every ten seconds
    assert statuses[-1] == 429


def test_a_phone_starts_as_many_matches_at_two_processes_as_at_one(houses: Houses) -> None:
    phone = Browser()
    assert phone.ask(houses.one, f"/t/{casual_code(houses.one)}/seat/", {"seat": "left"}) == 200
    statuses = [phone.ask(house, "/start/", FORM) for house in alternately(houses, CASUAL_PER_PHONE + 2)]
    assert statuses == [200] * CASUAL_PER_PHONE + [429] * 2


def test_wrong_codes_are_counted_together(houses: Houses) -> None:
    guesser, path = Browser(), f"/t/{casual_code(houses.one)}/"
    assert [guesser.ask(house, path) for house in houses[:2]] == [200, 200]
    tries = enumerate(alternately(houses, MISSES_AT_ONCE + 50))
    statuses = [guesser.ask(house, f"/t/{_code(number)}/") for number, house in tries]
    assert statuses[:MISSES_AT_ONCE] == [404] * MISSES_AT_ONCE
    assert [guesser.ask(house, path) for house in houses[:2]] == [429, 429]


def test_a_newcomer_to_the_hall_finds_a_table_at_each_process(houses: Houses) -> None:
    made = houses.one.new_match("--tournament", "hall", "--table", "1")
    guesser, path = Browser(), f"/t/{made['code']}/"
    for number, house in enumerate(alternately(houses, MISSES_AT_ONCE + 50)):
        guesser.ask(house, f"/t/{_code(number)}/")
    assert [guesser.ask(house, path) for house in houses[:2]] == [429, 429]
    assert houses.one.python(NOTED) is None
    assert [Browser().ask(house, path) for house in houses[:2]] == [200, 200]


def _code(number: int) -> str:
    letters = "CFGHJKMPQRVWX"
    return "2" * 3 + "".join(letters[number // len(letters) ** place % len(letters)] for place in range(3))
