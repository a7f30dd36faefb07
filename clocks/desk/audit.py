"""Audit log of rulings, made and denied.

The matches' journals have the details.
"""

import logging
from collections.abc import Iterable

from clocks.desk.requests import Reply, Request
from clocks.engine.refusals import Why

logger = logging.getLogger("clocks.audit")


def write(requests: Iterable[Request], replies: Iterable[Reply]) -> None:
    """Log one line per user, ruling and outcome, with all its matches."""
    given: dict[tuple[int, str, str], list[int]] = {}
    for request, reply in zip(requests, replies, strict=True):
        if request.user_id is None or reply.again or not (reply.ok or reply.code == Why.NOT_DIRECTOR):
            continue
        key = request.user_id, request.command.do, "ruled" if reply.ok else "may not rule"
        given.setdefault(key, []).append(request.match_id)
    for (user_id, ruling, became), matches in given.items():
        level = logging.INFO if became == "ruled" else logging.WARNING
        logger.log(level, "user %s %s: %s, match %s", user_id, became, ruling, ", ".join(map(str, matches)))
