"""Flag watch: a thread that claims due flags, even if no phone is connected.

Once a second it also wakes the desk and polls for missed updates. Several processes may claim the same flag; the desk
lets it fall once.
"""

import logging
import threading
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db import close_old_connections, connection

from clocks import desk
from clocks.desk import agreed_time, changes, outage
from clocks.desk.changes import Change
from clocks.desk.figures import figures
from clocks.desk.requests import Reply, Request
from clocks.engine.closed_sets import Official
from clocks.engine.commands import Expire
from clocks.engine.setup import DEFAULT_LAG_CREDIT_MS
from clocks.host.process_lock import NotAlone, process_lock
from clocks.host.server_time import now_ms
from clocks.live import broadcast, catchup
from clocks.live.hub import hub
from clocks.live.peers import several_processes
from clocks.models import Match

ROUND_MS = 1_000
DISCIPLINE_MS = 60_000
TO_OTHERS_MS = 100  # head start for the process with the table's sockets

logger = logging.getLogger(__name__)


class Due(NamedTuple):
    """Running clock: when it flags, and the lag allowance of its match (ms)."""

    match_id: int
    flag_at: int
    lag_credit_ms: int
    table_id: int


def flags_until(at: int) -> list[Due]:
    """Clocks that flag at or before `at`, earliest first."""
    due = Match.objects.filter(flag_at__lte=at).order_by("flag_at").values_list("pk", "flag_at", "setup", "table_id")
    return [Due(pk, flag_at, _lag(setup), table_id) for pk, flag_at, setup, table_id in due if flag_at is not None]


def _lag(setup: dict[str, Any]) -> int:
    lag: int = setup["options"].get("lag_credit_ms", DEFAULT_LAG_CREDIT_MS)
    return lag


def _count(falls_at: int, reply: Reply) -> None:
    """Record how late a flag fell."""
    if reply.ok:
        figures.flags_s.add((now_ms() - falls_at) / 1000)


class FlagWatch:
    """Thread that sleeps until the next flag is due, at most a second."""

    def __init__(self) -> None:
        self._woken = threading.Event()
        self._round_at = 0
        self._disciplined_at: int | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Adopt the shared time, then start the heartbeat and this thread, once.

        Call in the event loop's thread. Raises NotAlone if this process may not serve the database.
        """
        if self._thread is not None:
            return
        process_lock.take()
        agreeing = threading.Thread(target=self._agree, name="agreeing")
        agreeing.start()
        agreeing.join()  # all presses must use the shared time
        outage.heartbeat.start(now_ms())
        changes.listen(self.see)
        desk.wake()
        self._thread = threading.Thread(target=self._work, name="flagwatch", daemon=True)
        self._thread.start()

    def disciplined(self) -> bool:
        """True if this process's clock agreed with PostgreSQL's in the last 3 minutes.

        Always True on SQLite, which has one process.
        """
        if connection.vendor != "postgresql":
            return True
        return self._disciplined_at is not None and now_ms() - self._disciplined_at < 3 * DISCIPLINE_MS

    def see(self, changed: Sequence[Change]) -> None:
        """Wake up for a flag that is due before the next round."""
        flags = [flag_at for change in changed if (flag_at := change.stored.match.flag_at) is not None]
        if flags and min(flags) < self._round_at + ROUND_MS:
            self._woken.set()

    def _agree(self) -> None:
        """Adopt the shared time, in a thread that may use the database."""
        try:
            agreed_time.begin()
            self._disciplined_at = now_ms()
        except Exception:
            logger.exception("the time could not be agreed on yet")
        finally:
            connection.close()

    def _work(self) -> None:
        self._finish_exchanges()
        while True:
            self._woken.clear()
            now = now_ms()
            wakes_at = now + ROUND_MS
            try:
                if now - self._round_at >= ROUND_MS:
                    self._round_at = now
                    self._go_round(now)
                wakes_at = min(self.let_fall(now_ms()), self._round_at + ROUND_MS)
            except Exception:
                logger.exception("the watch failed once and continues")
                connection.close()
            self._woken.wait(max(0.0, (wakes_at - now_ms()) / 1000))

    def _finish_exchanges(self) -> None:
        """Finish replacing players where the server stopped halfway."""
        try:
            desk.finish_exchanges()
        except Exception:
            logger.exception("players of later matches could not be compared with the results that lead there")
            connection.close()

    def _go_round(self, now: int) -> None:
        """Run the once-a-second tasks."""
        close_old_connections()
        due = self._disciplined_at is None or now - self._disciplined_at >= DISCIPLINE_MS
        if connection.vendor == "postgresql":
            self._stay()
        if due and connection.vendor == "postgresql":
            agreed_time.keep()
            self._disciplined_at = now
        desk.wake()
        catchup.look()

    def _stay(self) -> None:
        """Take the process lock again if PostgreSQL has restarted."""
        try:
            process_lock.take()
        except NotAlone as fault:
            logger.error("%s", fault)

    def let_fall(self, now: int) -> int:
        """Claim every flag whose lag allowance has run out. Returns the next check time."""
        look_at, several = now + ROUND_MS, several_processes()
        for due in flags_until(now + ROUND_MS):
            falls_at = due.flag_at + due.lag_credit_ms
            if due.table_id not in hub.tables:
                falls_at += TO_OTHERS_MS if several else 0
            elif due.flag_at <= now:
                broadcast.probe_between_here(due.table_id)  # the flag waits for the phone's answer
            if falls_at <= now:
                announced = partial(_count, falls_at)
                desk.submit(Request(due.match_id, Expire(), Official.SERVER, now, answered=announced))
            else:
                look_at = min(look_at, falls_at if due.flag_at <= now else due.flag_at)
        return look_at


watch = FlagWatch()
