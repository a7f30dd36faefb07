"""Clients of the fuzzer, and a scripted match."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson

from clocks.live.command_limit import SENDS_TOO_MUCH
from tests.bench.fuzz_frames import SEATS
from tests.bench.lines import PATIENCE_S
from tests.bench.phone import Dropped, Phone

EVERY_S = 0.13  # pause between commands of the untouched match; the server allows a phone five per second
OF_A_SOCKET_PER_S = 25.0  # frames per second; the server closes a socket that sends more than 30
UNANSWERED = 20  # unanswered frames until a party pauses: beyond its limit, the server reads a socket once a second
GIVEN_UP_S = 3.0  # after this long without sending, unanswered frames no longer count


class Party:
    """Socket of a phone, director or helper; reconnects when closed.

    `codes` holds each match's current table code, as seen by directors. A phone whose code was replaced reconnects with
    the new one, as if it scanned the card again.
    """

    def __init__(
        self, port: int, party: str, path: str, cookie: str, counted: Counter[str], codes: dict[int, str]
    ) -> None:
        self.party, self.cookie, self.path = party, cookie, path
        self.codes = codes
        self.matches: dict[int, dict[str, Any]] = {}
        self._port, self._counted = port, counted
        self._phone: Phone | None = None
        self._reopening: asyncio.Task[None] | None = None
        self._left, self._at = OF_A_SOCKET_PER_S, time.monotonic()
        self._unanswered, self._sent_at = 0, 0.0

    async def open(self) -> None:
        """Connect; raise `Dropped` if the server closes the socket immediately."""
        phone = Phone(self._port, self.path, self.cookie)
        phone.hear, phone.lost = self._hear, self._lost
        await phone.open(self._port)
        if phone.dropped:
            raise phone.dropped
        self._phone = phone

    def close(self) -> None:
        """Close the socket, and do not reconnect."""
        if self._reopening:
            self._reopening.cancel()
        if self._phone:
            self._phone.close()

    def may_send(self) -> bool:
        """True if connected, below both limits, and a match snapshot has arrived."""
        now = time.monotonic()
        if now - self._sent_at > GIVEN_UP_S:
            self._unanswered = 0
        if self._unanswered >= UNANSWERED:
            return False
        self._left = min(OF_A_SOCKET_PER_S, self._left + (now - self._at) * OF_A_SOCKET_PER_S)
        self._at = now
        return self._phone is not None and bool(self.matches) and self._left >= 2

    def send(self, frames: Sequence[bytes]) -> None:
        """Send frames, and count them against both limits."""
        self._sent_at = time.monotonic()
        for text in frames:
            self._left -= 1
            self._unanswered += 1
            if self._phone is not None:
                self._phone.send(text)

    def _hear(self, text: bytes) -> None:
        if text.startswith((b'{"t":"ack"', b'{"t":"refused"', b'{"t":"pong"')):
            self._unanswered = max(0, self._unanswered - 1)
        if text.startswith(b'{"t":"ack"'):
            self._counted["accepted"] += 1
        elif text.startswith(b'{"t":"refused"'):
            refused = orjson.loads(text)
            self._counted["over limit" if refused["words"] == SENDS_TOO_MUCH else refused["code"]] += 1
        elif text.startswith(b'{"t":"pong"'):
            self._counted["pong"] += 1
        elif text.startswith(b'{"t":"match"'):
            self._saw([orjson.loads(text)])
        elif text.startswith((b'{"t":"boards"', b'{"t":"matches"')):
            frame = orjson.loads(text)
            self._saw(frame.get("boards") or frame.get("matches"))

    def _saw(self, matches: Sequence[dict[str, Any]]) -> None:
        for match in matches:
            self.codes[match["match"]] = match["code"]
            if self.party != "director":
                self.matches.clear()
            self.matches[match["match"]] = match

    def _lost(self, error: Exception) -> None:
        self._counted[f"closed: {str(error).rpartition(' ')[2]}"] += 1
        self._phone = None
        if self._reopening is None or self._reopening.done():
            self._reopening = asyncio.ensure_future(self._reopen())

    async def _reopen(self) -> None:
        while self._phone is None:
            await asyncio.sleep(0.5)
            if self.party != "director" and self.matches:
                self.path = f"/ws/table/{self.codes[next(iter(self.matches))]}/"
            with suppress(Dropped, OSError):
                await self.open()


class Untouched:
    """A match played on two phones by the same script each time."""

    def __init__(self, port: int, board: Mapping[str, Any]) -> None:
        self.match: int = board["match"]
        self.delays_s: list[float] = []
        self._port = port
        self._shown: list[dict[str, Any]] = [{}, {}]
        self._came = asyncio.Event()
        self._answers: dict[str, dict[str, Any]] = {}
        self._lost: Exception | None = None
        self.phones = [Phone(port, f"/ws/table/{board['code']}/", cookie) for cookie in board["cookies"]]
        for seat, phone in enumerate(self.phones):
            phone.hear, phone.lost = self._ear(seat), self._hung_up

    async def open(self) -> None:
        """Connect both phones and wait for their first snapshots."""
        for phone in self.phones:
            await phone.open(self._port)
        await self._until(lambda: all(self._shown))

    def close(self) -> None:
        """Disconnect both phones."""
        for phone in self.phones:
            phone.close()

    async def play(self, commands: int) -> None:
        """Send this many commands, one by one: presses, now and then a stop or a proposal."""
        for number in range(commands):
            await self._give(number)
            await asyncio.sleep(EVERY_S)

    async def _give(self, number: int) -> None:
        turn = SEATS.index(self._shown[0]["turn"] or "left")
        other = 1 - turn
        match number % 40:
            case 35:
                await self._ask(number, turn, {"do": "stop", "reason": "dice"})
            case 36 | 39:
                await self._ask(number, other, {"do": "resume"})
            case 37:
                await self._ask(number, other, {"do": "propose", "what": "undo"})
            case 38:
                await self._ask(number, turn, {"do": "decline", "proposal": self._shown[turn]["proposal"]["number"]})
            case _:
                press = {"do": "hit", "turn_number": self._shown[turn]["turn_number"]}
                self.delays_s.append(await self._ask(number, turn, press))

    async def _ask(self, number: int, seat: int, command: Mapping[str, Any]) -> float:
        """Send a command; return the seconds until the ack and both snapshots arrived."""
        began, id_ = time.perf_counter(), f"script-{number}"
        frame = {"t": "do", "id": id_, "match": self.match, "seat": SEATS[seat], **command}
        self.phones[seat].send(orjson.dumps(frame))
        await self._until(lambda: id_ in self._answers)
        answer = self._answers.pop(id_)
        if answer["t"] != "ack":
            raise RuntimeError(f"the untouched match was refused {command}: {answer}")
        await self._until(lambda: all(shown["v"] >= answer["v"] for shown in self._shown))
        return time.perf_counter() - began

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            self._came.clear()
            await asyncio.wait_for(self._came.wait(), PATIENCE_S)
            if self._lost:
                raise self._lost

    def _ear(self, seat: int) -> Callable[[bytes], None]:
        def hear(text: bytes) -> None:
            frame = orjson.loads(text)
            if frame["t"] == "match":
                self._shown[seat] = frame
            elif frame["t"] in ("ack", "refused"):
                self._answers[frame["id"]] = frame
            elif frame["t"] == "probe":
                self.phones[seat].send(text)
            self._came.set()

        return hear

    def _hung_up(self, error: Exception) -> None:
        self._lost = error
        self._came.set()
