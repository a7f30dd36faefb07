"""Backup on a director's request, in a separate process."""

import os
import sys
import threading
from subprocess import DEVNULL, Popen

from django.conf import settings

_latest: "Popen[bytes] | None" = None
_one_at_a_time = threading.Lock()


def begin() -> bool:
    """Start `manage.py backup`. False if an earlier one is still running."""
    global _latest
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "backup"]
    environment = os.environ | {"DATA_DIR": str(settings.DATA_DIR)}
    with _one_at_a_time:
        if running():
            return False
        _latest = Popen(command, env=environment, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)
    return True


def running() -> bool:
    """True while a backup that this process started is being taken and checked."""
    return _latest is not None and _latest.poll() is None


def failed() -> bool:
    """True if the latest backup that this process started has failed."""
    return _latest is not None and bool(_latest.poll())
