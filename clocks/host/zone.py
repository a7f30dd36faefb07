"""Time zone of this machine."""

import os
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LOCAL = Path("/etc/localtime")
NAMED = Path("/etc/timezone")


@cache
def local_zone() -> str:
    """Name of this machine's time zone, such as Europe/Berlin; UTC if unknown."""
    candidates = [os.environ.get("TZ", "").lstrip(":"), NAMED.read_text().strip() if NAMED.is_file() else ""]
    if LOCAL.is_symlink():
        candidates.insert(1, str(LOCAL.resolve()).partition("zoneinfo/")[2])
    return next((name for name in candidates if is_zone(name)), "UTC")


def is_zone(name: str) -> bool:
    """True if a time zone has this name."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return False
    return True
