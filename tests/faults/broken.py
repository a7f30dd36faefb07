"""Run `manage.py` with one guarantee broken, which the checker must detect.

    python tests/faults/broken.py fencing serve --port 8000

fencing   decides on a match slowly and without its lock, so that two processes decide on the same version
news      sends this process's sockets nothing after their first snapshot
order     repeats the previous update of a match after each new one
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.core.management import execute_from_command_line  # noqa: E402
from django.db import connection  # noqa: E402

from clocks.desk.boards import Boards  # noqa: E402
from clocks.live.hub import Hub  # noqa: E402
from clocks.live.table_room import FramePair  # noqa: E402
from clocks.live.updates import Update  # noqa: E402

RACE_S = 0.05  # between reading a match and deciding, so that the other process also reads it


def without_fencing() -> None:
    """Read matches without locking them; drop the constraint on entry numbers."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE clocks_journalentry DROP CONSTRAINT IF EXISTS one_entry_a_seq")
    load = Boards.load

    def unlocked(self: Boards, match_ids: set[int]) -> None:
        connection.features.has_select_for_update = False
        load(self, match_ids)
        time.sleep(RACE_S)

    Boards.load = unlocked  # type: ignore[method-assign]


def without_order() -> None:
    """Repeat the previous update of a match after each new one."""
    deliver, last = Hub.deliver, dict[int, Update]()

    def again(self: Hub, update: Update) -> None:
        deliver(self, update)
        before, room = last.get(update.match_id), self.tables.get(update.table_id)
        last[update.match_id] = update
        if before is not None and room is not None:
            for socket in list(room.sockets):
                FramePair(before.text, before.for_spectators, before.for_between).push_to(socket, before.devices)

    Hub.deliver = again  # type: ignore[method-assign]


def without_news() -> None:
    """Send no updates to tables."""
    Hub.deliver = lambda self, update: None  # type: ignore[method-assign]


if __name__ == "__main__":
    {"fencing": without_fencing, "news": without_news, "order": without_order}[sys.argv[1]]()
    execute_from_command_line(["manage.py", *sys.argv[2:]])
