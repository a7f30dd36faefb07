"""Boards whose phones resend and reconnect like the page."""

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple, Self

import orjson

from tests.bench.phone import Dropped, Phone
from tests.bench.play import SEATS, Place, new_id
from tests.faults.histories import SHOWN, History, Saw, Sent

RESEND_S, PING_S, SILENT_S, OPEN_S = 1.5, 2.5, 6.0, 5.0  # as in static/clocks/wire/
GIVE_UP_S = 10.0  # timeout of commands other than presses
BACK_S, PAUSE_S = (0.1, 0.8), (0.2, 0.5)


class Acknowledged(NamedTuple):
    """Command acknowledged by the server as stored."""

    match: int
    id: str
    seat: str
    at: float  # as `time.time`


class Player:
    """Phone at a table and its newest snapshot; `phone` is its socket if connected."""

    def __init__(self, ports: Sequence[int], place: Place, seat: int, first: int | None = None) -> None:
        self.seat = SEATS[seat]
        self.phone: Phone | None = None
        self.snapshot: dict[str, Any] | None = None
        self.answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self.sent: dict[str, Sent] = {}
        self.saw: list[Saw] = []
        self.closed: dict[int, float] = {}  # closing time of each connection
        self._connection, self._opened_at = 0, 0.0
        self._ports, self._first = ports, seat if first is None else first
        self._path, self._cookie = f"/ws/table/{place.code}/", place.cookies[seat]
        self._heard_at = self._ahead_ms = 0.0

    async def stay(self) -> None:
        """Keep a socket open on one of the ports; replace it if silent."""
        for turn in count(self._first):
            port = self._ports[turn % len(self._ports)]
            phone, lost = Phone(port, self._path, self._cookie), asyncio.Event()
            phone.hear, phone.lost = self._hear, lambda error, lost=lost: lost.set()
            self._connection, self._opened_at = turn, time.monotonic()
            try:
                with suppress(OSError, Dropped, TimeoutError):
                    await asyncio.wait_for(phone.open(port), OPEN_S)
                    self.phone, self._heard_at = phone, time.monotonic()
                    while not lost.is_set() and time.monotonic() - self._heard_at < SILENT_S:
                        phone.send(b'{"t":"ping","c":1}')
                        with suppress(TimeoutError):
                            await asyncio.wait_for(lost.wait(), PING_S)
            finally:
                self.closed[turn] = time.monotonic()
                self.phone = None
                phone.close()
            await asyncio.sleep(random.uniform(*BACK_S))

    async def ask(self, do: str, **arguments: Any) -> dict[str, Any] | None:
        """Resend a command until it is answered. None on timeout; presses never time out."""
        assert self.snapshot is not None
        id_, since = new_id(), time.monotonic()
        frame = {"t": "do", "match": self.snapshot["match"], "id": id_, "do": do, "seat": self.seat, **arguments}
        if do == "hit":
            frame["at"] = int(time.monotonic() * 1000 + self._ahead_ms)
        text = orjson.dumps(frame)
        self.sent[id_] = Sent(id_, since)
        while do == "hit" or time.monotonic() - since < GIVE_UP_S:
            answer = self.answers[id_] = asyncio.get_running_loop().create_future()
            if self.phone is None:
                await asyncio.sleep(0.05)
                continue
            self.phone.send(text)
            with suppress(TimeoutError):
                answered = await asyncio.wait_for(answer, RESEND_S)
                if answered.get("code") != "not-stored":
                    del self.answers[id_]
                    return answered
                await asyncio.sleep(RESEND_S)
        return None

    def _hear(self, text: bytes) -> None:
        self._heard_at = time.monotonic()
        frame = orjson.loads(text)
        if frame["t"] == "match":
            shown = tuple(frame[name] for name in SHOWN)
            self.saw.append(Saw(self._connection, self._opened_at, frame["v"], shown, self._heard_at))
        elif frame["t"] == "ack" and frame["id"] in self.sent and self.sent[frame["id"]].acked_at is None:
            self.sent[frame["id"]] = self.sent[frame["id"]]._replace(acked_at=self._heard_at, version=frame["v"])
        match frame["t"]:
            case "match" if self.snapshot is None or frame["v"] >= self.snapshot["v"]:
                self._ahead_ms = frame["now"] - self._heard_at * 1000
                self.snapshot = frame
            case "ack" | "refused" if frame["id"] in self.answers and not self.answers[frame["id"]].done():
                self.answers[frame["id"]].set_result(frame)
            case "probe" if self.phone:
                self.phone.send(text)


class Board:
    """Two phones that press alternately, and resume when the server stopped the clock.

    With `rivals`, each phone has a second page open, on the next port: both send each press.
    """

    def __init__(self, ports: Sequence[int], place: Place, rivals: bool, pause_s: tuple[float, float]) -> None:
        self._pause_s = pause_s
        self.players = [Player(ports, place, seat) for seat in (0, 1)]
        self.rivals = [Player(ports, place, seat, first=seat + 1) for seat in (0, 1)] if rivals else []
        self.acknowledged: list[Acknowledged] = []
        self.refused: Counter[str] = Counter()
        self.late_ms: list[int] = []  # time lost by each late press

    async def play(self, goes_on: Callable[[], bool]) -> None:
        """Play while `goes_on()`; finish the current command."""
        while goes_on():
            await asyncio.sleep(random.uniform(*self._pause_s))
            shown = self._newest()
            if shown is None or any(player.snapshot is None for player in self.players):
                continue
            left, right = self.players
            if shown["status"] == "stopped":
                await self._ask(left, "resume")
            elif shown["status"] in ("running", "ready"):
                mover = right if shown["turn"] == right.seat else left
                if (mover.snapshot or shown)["v"] == shown["v"]:
                    rivals = [rival for rival in self.rivals if rival.seat == mover.seat and rival.snapshot]
                    hits = [self._ask(page, "hit", turn_number=shown["turn_number"]) for page in (mover, *rivals)]
                    await asyncio.gather(*hits)
            else:
                raise AssertionError(f"the match is {shown['status']}")

    @property
    def pages(self) -> list[Player]:
        """All clients at the board."""
        return [*self.players, *self.rivals]

    def _newest(self) -> dict[str, Any] | None:
        known = [player.snapshot for player in self.players if player.snapshot]
        return max(known, key=lambda snapshot: snapshot["v"], default=None)

    async def _ask(self, player: Player, do: str, **arguments: Any) -> None:
        answered = await player.ask(do, **arguments)
        if answered is None:
            self.refused["given up"] += 1
        elif answered["t"] == "ack":
            assert player.snapshot is not None
            self.acknowledged.append(Acknowledged(player.snapshot["match"], answered["id"], player.seat, time.time()))
        else:
            self.refused[answered["code"]] += 1


class Play:
    """Boards that play in a thread; use as a context manager.

    A phone that loses its connection tries the ports in turn. A board pauses between presses.
    """

    def __init__(
        self,
        ports: Sequence[int],
        places: Sequence[Place],
        rivals: bool = False,
        pause_s: tuple[float, float] = PAUSE_S,
    ) -> None:
        self.boards = [Board(ports, place, rivals, pause_s) for place in places]
        self._going = True
        self._failed: list[BaseException] = []
        self._thread = threading.Thread(target=self._run, name="play", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._going = False
        self._thread.join(60)
        if kind is None:
            assert not self._thread.is_alive(), "a command was never answered"
            assert not self._failed, self._failed

    def acknowledged(self) -> list[Acknowledged]:
        """All commands acknowledged so far."""
        return [one for board in self.boards for one in list(board.acknowledged)]

    def histories(self) -> list[History]:
        """History of each board: what its pages sent and saw."""
        return [
            History(
                next(player.snapshot["match"] for player in board.pages if player.snapshot),
                [sent for player in board.pages for sent in player.sent.values()],
                [player.saw for player in board.pages],
                [player.closed for player in board.pages],
            )
            for board in self.boards
        ]

    def waits_s(self) -> list[float]:
        """Sorted delays from sending to ack of all acknowledged commands, in seconds."""
        sent = [one for board in self.boards for page in board.pages for one in list(page.sent.values())]
        return sorted(one.acked_at - one.sent_at for one in sent if one.acked_at is not None)

    def recovered_s(self, since: float, within_s: float = 30.0) -> float:
        """Wait for an ack to each phone after `since` (`time.time`); return the seconds."""
        until = time.monotonic() + within_s
        while True:
            assert not self._failed, self._failed
            firsts = [
                next((one.at for one in list(board.acknowledged) if one.at > since and one.seat == player.seat), None)
                for board in self.boards
                for player in board.players
            ]
            if None not in firsts and all(player.phone for board in self.boards for player in board.players):
                return max(first for first in firsts if first) - since
            behind = sum(first is None for first in firsts)
            assert time.monotonic() < until, f"{behind} of {len(firsts)} phones did not go on: {self.refused()}"
            time.sleep(0.02 * len(self.boards) / 6)  # polled, less often if many boards make a look slow

    def refused(self) -> Counter[str]:
        """Rejected commands so far, counted by code."""
        return sum((board.refused for board in self.boards), Counter[str]())

    def _run(self) -> None:
        try:
            asyncio.run(self._play())
        except BaseException as error:
            self._failed.append(error)

    async def _play(self) -> None:
        staying = [asyncio.create_task(player.stay()) for board in self.boards for player in board.pages]
        await asyncio.gather(*(board.play(lambda: self._going) for board in self.boards))
        for task in staying:
            task.cancel()
