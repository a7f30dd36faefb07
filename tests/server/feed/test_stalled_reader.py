"""A feed client that sends a request but never reads the response."""

import select
import socket
import time
from pathlib import Path

import psutil

from tests.server.daphne import House


def test_a_stalled_reader_is_dropped_and_costs_little(tmp_path: Path) -> None:
    """Request nine megabytes from a real server and never read them."""
    house = House(tmp_path / "house")
    try:
        house.manage("shell", "-c", MANY)
        house.start()
        process = psutil.Process(house._process.pid)
        before = process.memory_info().rss
        with socket.socket() as reader:
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect(("127.0.0.1", house.port))
            reader.sendall(b"GET /api/v1/tournaments/open/feed?since=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            poll = select.poll()
            poll.register(reader, select.POLLERR | select.POLLHUP)
            deadline = time.monotonic() + 60
            while not poll.poll(1_000):
                assert time.monotonic() < deadline, "it is still connected"
            assert process.memory_info().rss - before < 40_000_000
    finally:
        house.close()


MANY = """
from clocks.models import FeedEvent, Tournament
tournament = Tournament.objects.create(slug="open", name="Open", public_feed=True)
FeedEvent.objects.bulk_create([
    FeedEvent(tournament=tournament, number=number, at=1, kind="message", data={"to_all": True, "text": "x" * 15_000})
    for number in range(1, 601)
])
"""
