"""Log formats, redaction of secrets, and rate limiting of log lines."""

import json
import logging
import re
import time
from collections.abc import Callable
from copy import copy
from datetime import UTC, datetime

# One-time links carry their token in the path.
_SECRET = re.compile(r"(/director/(?:sign-in|invite)/)[^/\s'\"]+")
LONGEST = 4_000  # in characters; our tracebacks are shorter, but client input may not be

AT_ONCE = 60
EACH_S = 10.0


class Line(logging.Formatter):
    """Text formatter that redacts the tokens of one-time links.

    Suspicious requests are a client's fault, so their tracebacks, which would show only Django, are omitted.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format a record, redacted and truncated."""
        text = harmless(super().format(_shown(record)))
        left_out = getattr(record, "left_out", 0)
        return f"{text}\n({left_out} more of this kind were left out before)" if left_out else text


class Json(logging.Formatter):
    """JSON lines formatter for log collectors; redacts and truncates like `Line`.

    `time` (ISO 8601, UTC), `level`, `logger`, `message`; if present, `traceback`, `left_out`, `match`, `device` and
    `request` (the id of a command, or method and path of a page).
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as a JSON object."""
        shown = _shown(record)
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": harmless(record.getMessage()),
        }
        if shown.exc_info:
            line["traceback"] = harmless(self.formatException(shown.exc_info))
        for name in ("match", "device", "left_out"):
            if getattr(record, name, None):
                line[name] = getattr(record, name)
        if request := getattr(record, "request", None):
            is_page = hasattr(request, "method")
            line["request"] = harmless(f"{request.method} {request.path}" if is_page else str(request))
        return json.dumps(line, ensure_ascii=False)


def harmless(text: str) -> str:
    """Redact the tokens of one-time links, and truncate."""
    text = _SECRET.sub(r"\1…", text)
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}\n… {len(text) - LONGEST} characters left out …\n{text[-LONGEST // 2 :]}"
    return text


def _shown(record: logging.LogRecord) -> logging.LogRecord:
    if record.name.startswith("django.security"):
        record = copy(record)
        record.exc_info = record.exc_text = None
    return record


class Limited(logging.Filter):
    """Rate limit per kind of log line, so that no client can fill the disk.

    Allows a burst of 60, then one line per ten seconds. A kind is a logging call and the type of exception it reports,
    so rare lines are still seen in a flood. The next line of a kind says how many were dropped before it.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._kinds: dict[tuple[object, ...], tuple[float, float, int]] = {}  # tokens left, at what time, lines dropped

    def filter(self, record: logging.LogRecord) -> bool:
        """True if the record may be written."""
        failed_with = record.exc_info[0] if record.exc_info else None
        kind = record.name, record.levelno, record.pathname, record.lineno, failed_with
        now = self._now()
        allowed, since, left_out = self._kinds.get(kind, (float(AT_ONCE), now, 0))
        allowed = min(AT_ONCE, allowed + (now - since) / EACH_S)
        if allowed < 1:
            self._kinds[kind] = allowed, now, left_out + 1
            return False
        self._kinds[kind] = allowed - 1, now, 0
        record.left_out = left_out
        return True
