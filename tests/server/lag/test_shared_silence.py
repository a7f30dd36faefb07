"""A shared phone can backdate by no more than its silence, on a real server."""

import re
import threading
from collections.abc import Iterator
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from tests import prepared
from tests.browser.hurried import KEY
from tests.ports import free_port
from tests.server.daphne import House, Phone

COMMAND = ("newmatch", "--rules", "us-2013", "--length", "3", "--names", "Ann", "Bob", "--json")
MADE = """
import io, json
from django.core.management import call_command
from clocks import desk
from clocks.engine.clock import Seat
from clocks.seats import devices
made = []
for _ in range({number}):
    said = io.StringIO()
    call_command(*{command}, stdout=said)
    device, token = devices.join_device({{}})
    made.append(json.loads(said.getvalue()) | {{"token": token}})
    desk.claim_seat(made[-1]["match"], list(Seat), device)
print(json.dumps(made))
"""
RECORD = (
    "import json\n"
    "from clocks.record import match_record\n"
    "print(json.dumps([[line.event, line.at, line.what] for line in match_record.lines({match})]))"
)


def matches_of_one_phone(house: House, options: tuple[str, ...], number: int) -> list[dict[str, Any]]:
    """New matches, each with both seats on a phone of its own."""
    made: list[dict[str, Any]] = house.python(MADE.format(command=COMMAND + options, number=number))
    return made


class HurriedHouse(House):
    """Real server whose clock is advanced by `let_pass`."""

    def __init__(self, folder: Path) -> None:
        self._passes = free_port()
        self._new = dict[tuple[str, ...], list[dict[str, Any]]]()
        super().__init__(folder, PASS_PORT=str(self._passes))
        prepared.static_files(folder)
        _, _, *options = self.product()
        self.start("-m", "tests.browser.hurried", *options)

    def new_match_of_one_phone(self, *options: str) -> dict[str, Any]:
        """A new match, of several that a process makes at once."""
        if not self._new.get(options):
            self._new[options] = matches_of_one_phone(self, options, 2 if options else 9)
        return self._new[options].pop()

    def let_pass(self, ms: int) -> None:
        with Client(("127.0.0.1", self._passes), authkey=KEY) as server:
            server.send(ms)
            server.recv()


class Shared(Phone):
    """Phone shared by Ann and Bob that answers or ignores pings."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token)
        self._pinged = threading.Semaphore(0)
        self._answers = True
        protocol = self.socket.protocol
        send = protocol.send_frame

        def send_frame(frame: Frame) -> None:
            if self._answers or frame.opcode is not Opcode.PONG:
                send(frame)
            if frame.opcode is Opcode.PONG:
                self._pinged.release()

        protocol.send_frame = send_frame  # type: ignore[method-assign]

    def is_pinged(self, times: int) -> None:
        """Wait for this many more pings."""
        for _ in range(times):
            assert self._pinged.acquire(timeout=20)

    def is_deaf(self) -> None:
        """Ignore pings from now on; wait for the first."""
        self._answers = False
        while self._pinged.acquire(blocking=False):
            pass
        self.is_pinged(1)


class Match:
    """Match on one phone; Bob's turn started at `began`."""

    def __init__(self, house: House, *options: str) -> None:
        self.house = house
        if isinstance(house, HurriedHouse):
            self.made = house.new_match_of_one_phone(*options)
        else:
            (self.made,) = matches_of_one_phone(house, options, 1)
        self.phone = self.connect()
        for seat in ("left", "right"):
            assert self.phone.do("confirm", f"confirm {seat}", seat=seat)["t"] == "ack"
        assert self.phone.do("hit", "begin", seat="left")["t"] == "ack"
        self.began: int = self.phone.see(turn="right")["since"]

    def connect(self, house: House | None = None) -> Shared:
        return Shared(f"ws://127.0.0.1:{(house or self.house).port}/ws/table/{self.made['code']}/", self.made["token"])

    def kept(self, *after: int) -> list[dict[str, Any]]:
        """Alternating presses for a hand-over, at these milliseconds after `began`."""
        seats = ("right", "left")
        return [{"do": "hit", "seat": seats[number % 2], "at": self.began + ms} for number, ms in enumerate(after)]

    def record(self) -> list[Any]:
        lines: list[Any] = self.house.python(RECORD.format(match=self.made["match"]))
        return lines

    def presses(self) -> list[int]:
        """Times of presses in the journal after the opening one, in ms after `began`."""
        return [at - self.began for event, at, _ in self.record() if event == "hit"][1:]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HurriedHouse]:
    house = HurriedHouse(tmp_path_factory.mktemp("house"))
    yield house
    house.close()


# --- a reachable phone ---------------------------------------------------------------------------------------------


def test_a_phone_that_answers_pings_dates_no_press_back(house: HurriedHouse) -> None:
    match = Match(house)
    house.let_pass(16_000)
    assert match.phone.do("hit", "back", seat="right", at=match.began + 500)["t"] == "ack"
    *_, (_, at, what) = match.record()
    assert (at - match.began >= 16_000, "though the phone was heard since" in what) == (True, True)


def test_a_phone_that_answers_pings_dates_nothing_back_by_handing_it_over(house: HurriedHouse) -> None:
    match = Match(house)
    house.let_pass(32_000)
    assert match.phone.do("hand-over", "back", kept=match.kept(500, 700, 900))["t"] == "ack"
    *_, first, second, third, (_, _, what) = match.record()
    assert [at - match.began >= 32_000 for _, at, _ in (first, second, third)] == [True] * 3
    assert "was online when it handed over" in what


def test_a_flag_falls_on_time_while_a_phone_only_answers_pings(house: HurriedHouse) -> None:
    match = Match(house, "--option", "reserve_ms=[300000, 5000]", "--option", "delay_ms=0")
    house.let_pass(6_000)
    flagged = match.phone.see(status="flagged")
    assert (flagged["flagged"], flagged["since"]) == ("right", None)
    answer = match.phone.do("hit", "back", seat="right", at=match.began + 500)
    assert (answer["t"], answer["code"]) == ("refused", "flagged")


def test_a_flag_falls_while_the_phone_only_opens_sockets_and_answers_pings(house: HurriedHouse) -> None:
    match = Match(house, "--option", "reserve_ms=[300000, 5000]", "--option", "delay_ms=0")
    match.phone.socket.close()
    again = match.connect()
    house.let_pass(6_000)
    assert again.see(status="flagged")["flagged"] == "right"


def test_a_press_dated_back_flags_nobody_while_the_phone_answers_pings(house: HurriedHouse) -> None:
    match = Match(house, "--option", "reserve_ms=[5000, 300000]", "--option", "delay_ms=0")
    house.let_pass(16_000)
    assert match.phone.do("hit", "back", seat="right", at=match.began + 500)["t"] == "ack"
    after = match.phone.see(turn="left")
    assert (after["status"], after["turn_reserve_ms"][0], after["turn_reserve_ms"][1] <= 284_000) == (
        "running",
        5_000,
        True,
    )


def test_another_socket_of_a_phone_that_is_there_dates_nothing_back(house: HurriedHouse) -> None:
    match = Match(house)
    match.connect().is_deaf()
    match.phone.say({"t": "ping", "c": 1})
    match.phone.hear("pong")
    house.let_pass(16_000)
    assert match.connect().do("hand-over", "back", kept=match.kept(500))["t"] == "ack"
    (press,) = match.presses()
    assert press >= 16_000


# --- a silent phone -------------------------------------------------------------------------------------------------


def test_offline_play_counts_when_it_was_played(house: HurriedHouse) -> None:
    match = Match(house)
    match.phone.socket.close()
    house.let_pass(60_000)
    assert match.connect().do("hand-over", "back", kept=match.kept(5_000, 14_000, 50_000))["t"] == "ack"
    *_, first, second, third, (_, _, what) = match.record()
    assert [at - match.began for _, at, _ in (first, second, third)] == [5_000, 14_000, 50_000]
    assert "did not answer for 6" in what


def test_kept_presses_count_when_made_though_the_network_is_slow(house: HurriedHouse) -> None:
    match = Match(house, "--option", "reserve_ms=[40000, 40000]", "--option", "delay_ms=0")
    match.phone.socket.close()
    house.let_pass(60_000)
    again = match.connect()
    again.is_pinged(1)
    house.let_pass(8_000)
    one, two, three = match.kept(15_000, 30_000, 48_000)
    assert again.do("hand-over", "first", kept=[one, two])["t"] == "ack"
    house.let_pass(8_000)
    assert again.do("hand-over", "second", kept=[three])["t"] == "ack"
    assert match.presses() == [15_000, 30_000, 48_000]
    again.say({"t": "ping", "c": 1})
    assert again.see(status="flagged")["flagged"] == "left"


def test_a_phone_that_is_back_and_waits_dates_back_by_its_silence_alone(house: HurriedHouse) -> None:
    match = Match(house)
    match.phone.socket.close()
    house.let_pass(5_000)
    again = match.connect()
    again.is_pinged(1)
    house.let_pass(50_000)
    assert again.do("hand-over", "late", kept=match.kept(500))["t"] == "ack"
    *_, (_, at, _), (_, _, what) = match.record()
    silent = re.search(r"did not answer for ([\d.]+) s", what)
    assert silent and 7.0 <= float(silent[1]) < 20.0  # some of it passes in real time
    assert at - match.began >= 40_000


def test_no_flag_falls_because_a_phone_was_back_for_a_moment(house: HurriedHouse) -> None:
    match = Match(house, "--option", "reserve_ms=[40000, 40000]", "--option", "delay_ms=0")
    match.phone.socket.close()
    house.let_pass(60_000)
    again = match.connect()
    again.is_pinged(2)
    again.socket.close()
    house.let_pass(8_000)
    assert match.connect().do("hand-over", "back", kept=match.kept(15_000, 30_000, 48_000))["t"] == "ack"
    assert match.presses() == [15_000, 30_000, 48_000]


def test_a_press_delayed_while_pings_failed_counts_from_when_it_was_made(house: HurriedHouse) -> None:
    match = Match(house)
    match.phone.is_deaf()
    house.let_pass(10_000)
    assert match.phone.do("hit", "back", seat="right", at=match.began + 6_000)["t"] == "ack"
    *_, (_, at, what) = match.record()
    assert (at - match.began, what.endswith("before it arrived, while the phone did not answer")) == (6_000, True)


def test_nothing_counts_before_the_silence_began(house: HurriedHouse) -> None:
    match = Match(house)
    house.let_pass(16_000)
    match.phone.socket.close()
    house.let_pass(10_000)
    assert match.connect().do("hand-over", "back", kept=match.kept(500, 20_000))["t"] == "ack"
    first, second = match.presses()
    assert (first >= 14_000, second) == (True, 20_000)


def test_a_claim_well_after_the_return_dates_nothing_back(house: HurriedHouse) -> None:
    match = Match(house)
    match.phone.socket.close()
    house.let_pass(20_000)
    again = match.connect()
    again.say({"t": "ping", "c": 1})
    again.hear("pong")
    house.let_pass(10_000)
    assert again.do("hit", "back", seat="right", at=match.began + 6_000)["t"] == "ack"
    (press,) = match.presses()
    assert press >= 30_000


def test_parts_that_count_later_than_claimed_do_not_overrule_each_other(house: HurriedHouse) -> None:
    match = Match(house)
    house.let_pass(16_000)
    assert match.phone.do("hand-over", "one", kept=match.kept(500))["t"] == "ack"
    kept = [{"do": "hit", "seat": "left", "at": match.began + 900}]
    assert match.phone.do("hand-over", "two", kept=kept)["t"] == "ack"
    assert [ms >= 16_000 for ms in match.presses()] == [True] * 2
