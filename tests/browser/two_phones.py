"""The two phones at a table, as sockets."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from tests.bench.phone import Phone
from tests.bench.play import SEATS, new_id

Frame = dict[str, Any]


class TwoPhones:
    """Left's and Right's phones; `match` is the newest snapshot received by either."""

    def __init__(self, port: int, code: str) -> None:
        self.code = code
        self.phones: list[Phone] = []
        self.match: Frame = {"match": 0, "v": 0}
        self._port = port
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._news = asyncio.Event()

    async def connect(self, cookies: Sequence[str]) -> None:
        """Open a socket for each seat, using the phones' cookies."""
        self.phones = [Phone(self._port, f"/ws/table/{self.code}/", cookie) for cookie in cookies]
        for phone in self.phones:
            phone.hear = self._ear(phone)
            await phone.open(self._port)

    def close(self) -> None:
        """Close both sockets."""
        for phone in self.phones:
            phone.close()

    def ping(self) -> None:
        """Ping from both phones, like their pages."""
        for phone in self.phones:
            phone.send(b'{"t":"ping","c":0}')

    async def until(self, condition: Callable[[Frame], bool]) -> Frame:
        """Wait until the newest snapshot satisfies the condition; return it."""
        while not (self.match["v"] and condition(self.match)):
            self._news.clear()
            await self._news.wait()
        return self.match

    async def do(self, seat: str, do: str, **arguments: Any) -> None:
        """Send a command from a seat's phone; wait for its ack and snapshot."""
        id_ = new_id()
        answer = self._answers[id_] = asyncio.get_running_loop().create_future()
        match = self.match["match"]
        if do in ("agree", "decline"):
            arguments = {"proposal": self.match["proposal"]["number"], **arguments}
        frame = {"t": "do", "match": match, "id": id_, "do": do, "seat": seat, **arguments}
        self.phones[SEATS.index(seat)].send(json.dumps(frame).encode())
        told = await answer
        assert told["t"] == "ack", (self.match["table"], frame, told)
        await self.until(lambda frame: (frame["match"], frame["v"]) >= (match, told["v"]))

    def _ear(self, phone: Phone) -> Callable[[bytes], None]:
        def hear(text: bytes) -> None:
            frame = json.loads(text)
            if frame["t"] == "probe":
                phone.send(text)
            elif frame["t"] in ("ack", "refused"):
                self._answers.pop(frame["id"]).set_result(frame)
            elif frame["t"] == "match" and (frame["match"], frame["v"]) > (self.match["match"], self.match["v"]):
                self.match = frame
                self._news.set()

        return hear
