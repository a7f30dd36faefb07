"""System check of the settings for several server processes."""

from typing import Any

from django.conf import settings
from django.core.checks import Error
from django.db import connection

# Tag of the only check that our commands run: Django's checks import every page and the API, which takes nearly a
# second.
PROCESSES = "processes"


def processes_share_what_they_need(**_: Any) -> list[Error]:
    """Reject WEB_CONCURRENCY above 1 on SQLite or without Redis.

    Processes started without WEB_CONCURRENCY are rejected by `process_lock`.
    """
    if settings.PROCESSES == 1:
        return []
    errors = []
    if connection.vendor == "sqlite":
        errors.append(
            Error(
                f"WEB_CONCURRENCY asks for {settings.PROCESSES} server processes, and SQLite serves one.",
                hint="Set DATABASE_URL to a PostgreSQL database, or WEB_CONCURRENCY to 1 (docs/operations.md).",
                id="clocks.E001",
            )
        )
    if not settings.CHANNEL_REDIS_URL:
        errors.append(
            Error(
                f"WEB_CONCURRENCY asks for {settings.PROCESSES} server processes, which hear of each other by Redis.",
                hint="Set CHANNEL_REDIS_URL, or WEB_CONCURRENCY to 1 (docs/operations.md).",
                id="clocks.E002",
            )
        )
    return errors
