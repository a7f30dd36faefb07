"""Boards with at most one hit in flight, for the relay and for the product."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import getrandbits

import orjson

from tests.bench.phone import Phone

SEATS = ("left", "right")


def new_id() -> str:
    """New command id as created by the phone's page: a time-ordered UUID (version 7)."""
    time_ms, rest = int(time.time() * 1000), f"{getrandbits(72):018x}"
    return f"{time_ms >> 16:08x}-{time_ms & 0xFFFF:04x}-7{rest[:3]}-8{rest[3:6]}-{rest[6:]}"


@dataclass(frozen=True)
class Place:
    """A board in the product: table code, and device cookie per seat (`name=value`)."""

    code: str
    cookies: tuple[str, str]


class Unexpected(Exception):
    """The server rejected a legal hit or sent another unexpected frame."""


class Board:
    """Two phones at a table. While `going`, each hit triggers the next."""

    def __init__(self, phones: tuple[Phone, Phone], fail: Callable[[Exception], None]) -> None:
        self.phones = phones
        self.going = False
        self.fail = fail
        self.match = 0
        self.on_turn = 0
        self.turn_number = 0
        self.seen = 0  # hits that reached the other phone
        self.delays_s: list[float] = []  # delay of each of these hits, from the press
        self._pressed_at = 0.0
        self._ids = ["", ""]  # command id of each seat's last hit
        for seat, phone in enumerate(phones):
            phone.hear = self._ear(seat)
            phone.lost = fail

    async def open(self, port: int) -> None:
        """Connect both phones."""
        for phone in self.phones:
            await phone.open(port)

    def close(self) -> None:
        """Disconnect both phones."""
        for phone in self.phones:
            phone.close()

    def counted(self) -> int:
        """Completed hits so far."""
        return self.seen

    def waits(self) -> bool:
        """True if a hit is in flight."""
        return self._pressed_at > 0

    def waits_s(self, now: float) -> float:
        """Seconds that the current hit has been in flight; 0 if none is."""
        return now - self._pressed_at if self._pressed_at else 0.0

    def hit(self) -> None:
        """Press the clock of the seat whose turn it is, with the frame sent by the page."""
        self._pressed_at = now = time.perf_counter()
        self._ids[self.on_turn] = id_ = new_id()
        self.phones[self.on_turn].send(
            b'{"t":"do","match":%d,"id":"%s","at":%d,"do":"hit","turn_number":%d,"seat":"%s"}'
            % (self.match, id_.encode(), self._server_ms(now), self.turn_number, SEATS[self.on_turn].encode())
        )

    def _server_ms(self, now: float) -> int:
        """Server time in milliseconds, as estimated by the phone whose turn it is."""
        return int(now * 1000)

    def _ear(self, seat: int) -> Callable[[bytes], None]:
        raise NotImplementedError

    def _arrived(self, seat: int) -> None:
        """Count a hit that has reached the phone of `seat`, whose turn it now is."""
        self.delays_s.append(time.perf_counter() - self._pressed_at)
        self._pressed_at = 0.0
        self.seen += 1
        self.on_turn = seat
        if self.going:
            self.hit()


class RelayBoard(Board):
    """Board on the relay: the other phone receives the very same frame."""

    def __init__(self, port: int, number: int, fail: Callable[[Exception], None]) -> None:
        super().__init__((Phone(port, f"/{number}/0"), Phone(port, f"/{number}/1")), fail)

    def _ear(self, seat: int) -> Callable[[bytes], None]:
        def hear(text: bytes) -> None:
            self.turn_number = orjson.loads(text)["turn_number"] + 1
            self._arrived(seat)

        return hear


class MatchBoard(Board):
    """Board on the product: a hit counts after its ack and the other phone's snapshot."""

    def __init__(self, port: int, place: Place, fail: Callable[[Exception], None]) -> None:
        self.path = f"/ws/table/{place.code}/"
        left, right = (Phone(port, self.path, cookie) for cookie in place.cookies)
        self.acknowledged = 0
        self._offset_ms = [0.0, 0.0]
        self._first = [asyncio.Event(), asyncio.Event()]
        super().__init__((left, right), fail)

    async def open(self, port: int) -> None:
        """Connect both phones and wait for their first snapshots."""
        await super().open(port)
        for first in self._first:
            await first.wait()

    def counted(self) -> int:
        return min(self.seen, self.acknowledged)

    def ping(self) -> None:
        """Ping from both phones, like their pages."""
        for phone in self.phones:
            phone.send(b'{"t":"ping","c":%d}' % int(time.perf_counter() * 1000))

    def _server_ms(self, now: float) -> int:
        return int(now * 1000 + self._offset_ms[self.on_turn])

    def _ear(self, seat: int) -> Callable[[bytes], None]:
        mine, phone, first = SEATS[seat], self.phones[seat], self._first[seat]

        def hear(text: bytes) -> None:
            frame = orjson.loads(text)
            match frame["t"]:
                case "match":
                    self._offset_ms[seat] = frame["now"] - time.perf_counter() * 1000
                    if not first.is_set():
                        first.set()
                        self.match, self.turn_number = frame["match"], frame["turn_number"]
                        if frame["turn"] == mine:
                            self.on_turn = seat
                    elif frame["turn"] == mine and self.on_turn != seat and frame["turn_number"] > self.turn_number:
                        self.turn_number = frame["turn_number"]
                        self._arrived(seat)
                case "ack" if frame["id"] == self._ids[seat]:
                    self.acknowledged += 1
                case "probe":
                    phone.send(text)
                case "pong" | "program" | "seen":
                    pass
                case _:
                    self.fail(Unexpected(text.decode()))

        return hear
