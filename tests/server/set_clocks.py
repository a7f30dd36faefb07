"""System and database clocks controlled by the test."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from clocks.desk import agreed_time, batch, outage
from clocks.host.server_time import MS, Timebase, now_ms


class Clocks:
    """System and database clocks set by the test, and the server time based on them."""

    def __init__(self) -> None:
        self.steady, self.wall = 5_000, now_ms() + 1_000  # later than matches created before
        self.database_ahead = 0
        self.start()

    def start(self) -> None:
        """Restart server time, as on a process start."""
        self.timebase = Timebase(lambda: self.steady * MS, lambda: self.wall * MS)

    def pass_ms(self, ms: int) -> None:
        self.steady, self.wall = self.steady + ms, self.wall + ms

    def database_ms(self) -> float:
        return float(self.wall + self.database_ahead)

    @property
    def ahead_ms(self) -> int:
        """Server time minus system time."""
        return self.timebase.now_ms() - self.wall


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clocks]:
    """Clocks used by the desk, with a separate database clock as on PostgreSQL."""
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
    monkeypatch.setattr(agreed_time.outage, "SIGN_MS", 100)  # short, since no other process answers
    yield made
    outage.heartbeat.stop()
