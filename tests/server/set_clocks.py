"""The clocks of a machine and of a database, set by hand."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from clocks.desk import agreed_time, batch, outage
from clocks.host.server_time import MS, Timebase, now_ms


class Clocks:
    """The clocks of a machine and of the database, set by hand, and a server's time that is made of them."""

    def __init__(self) -> None:
        self.steady, self.wall = 5_000, now_ms() + 1_000  # after what is played before
        self.database_ahead = 0
        self.start()

    def start(self) -> None:
        """Begin as a process does that has just been started."""
        self.timebase = Timebase(lambda: self.steady * MS, lambda: self.wall * MS)

    def pass_ms(self, ms: int) -> None:
        self.steady, self.wall = self.steady + ms, self.wall + ms

    def database_ms(self) -> float:
        return float(self.wall + self.database_ahead)

    @property
    def ahead_ms(self) -> int:
        """Return how far the server's time is from the machine's."""
        return self.timebase.now_ms() - self.wall


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clocks]:
    """Yield clocks that the desk uses, with a database that has one of its own."""
    made = Clocks()
    time = SimpleNamespace(
        ahead_ms=lambda ask: made.timebase.ahead_ms(ask),
        move=lambda ms: made.timebase.move(ms),
        database_ms=made.database_ms,
    )
    monkeypatch.setattr(agreed_time, "server_time", time)
    monkeypatch.setattr(agreed_time, "now_ms", lambda: made.timebase.now_ms())
    monkeypatch.setattr(batch, "now_ms", lambda: made.timebase.now_ms())
    monkeypatch.setattr(agreed_time, "connection", SimpleNamespace(vendor="postgresql"))
    monkeypatch.setattr(agreed_time.outage, "SIGN_MS", 100)  # nobody waits for one who is not there
    yield made
    outage.heartbeat.stop()
