"""The watch of a server process: beats, lets flags fall on time without any phone, looks for missed news.

Many processes may claim the same flag; the desk lets it fall once.
"""

import logging
import threading

from django.db import close_old_connections, connection

from clocks import desk
from clocks.desk import outage
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Expire
from clocks.host import server_time
from clocks.host.server_time import now_ms
from clocks.journal import stored
from clocks.live import catchup

ROUND_MS = 1_000
DISCIPLINE_MS = 60_000

logger = logging.getLogger(__name__)


class FlagWatch:
    """A thread that sleeps until the next flag is due, at most a second."""

    def __init__(self) -> None:
        self._woken = threading.Event()
        self._round_at = 0
        self._disciplined_at: int | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to watch: once a process, from the event loop's thread. First of all an outage is dealt with."""
        if self._thread is not None:
            return
        outage.pulse.start(now_ms())
        desk.watch_flags(self.told_of_flag)
        desk.wake()
        self._thread = threading.Thread(target=self._work, name="flagwatch", daemon=True)
        self._thread.start()

    def told_of_flag(self, flag_at: int) -> None:
        """Wake up in time for a flag that was not known when this thread went to sleep."""
        if flag_at < self._round_at + ROUND_MS:
            self._woken.set()

    def _work(self) -> None:
        while True:
            self._woken.clear()
            now = now_ms()
            wakes_at = now + ROUND_MS
            try:
                outage.pulse.beat(now)
                if now - self._round_at >= ROUND_MS:
                    self._round_at = now
                    self._go_round(now)
                wakes_at = min(self.let_fall(now_ms()), self._round_at + ROUND_MS)
            except Exception:
                logger.exception("the watch stumbled and goes on")
                connection.close()
            self._woken.wait(max(0.0, (wakes_at - now_ms()) / 1000))

    def _go_round(self, now: int) -> None:
        """Do what is due once a second."""
        close_old_connections()
        due = self._disciplined_at is None or now - self._disciplined_at >= DISCIPLINE_MS
        if due and connection.vendor == "postgresql":
            self._disciplined_at = now
            server_time.discipline(stored.server_time_ms)
        desk.wake()
        catchup.look()

    def let_fall(self, now: int) -> int:
        """Ask the desk to let every flag fall whose lag allowance is over; return when to look again."""
        look_at = now + ROUND_MS
        for due in stored.flags_until(now + ROUND_MS):
            falls_at = due.flag_at + due.lag_credit_ms
            if falls_at <= now:
                desk.submit(due.match_id, Expire(), Official.SERVER, now)
            else:
                look_at = min(look_at, falls_at)
        return look_at


watch = FlagWatch()
