"""How log lines look, what they must not say, and how many of a kind there may be."""

import json
import logging
import re
import time
from collections.abc import Callable
from copy import copy
from datetime import UTC, datetime

# The path of a one-time link holds its token.
_SECRET = re.compile(r"(/director/(?:sign-in|invite)/)[^/\s'\"]+")
LONGEST = 4_000  # characters: a traceback of ours is shorter, what a client may send is not

AT_ONCE = 60
EACH_S = 10.0


class Line(logging.Formatter):
    """Write a record as a line, its traceback below, with the tokens of one-time links left out of both.

    What Django finds suspicious in a request is somebody else's mistake: its traceback shows nothing but Django.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record without any such token, and of bounded length."""
        text = harmless(super().format(_shown(record)))
        left_out = getattr(record, "left_out", 0)
        return f"{text}\n({left_out} more of this kind were left out before)" if left_out else text


class Json(logging.Formatter):
    """Write a record as one JSON object a line, for programs that gather logs; the same is left out as above.

    `time` (ISO 8601, UTC), `level`, `logger`, `message`; `traceback`, `left_out`, `match`, `device` and `request` (the
    id of a command, or method and path of a page) where there is one.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
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
    """Return a text without the tokens of one-time links, and of bounded length."""
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
    """Let 60 lines of a kind through at once, then one in ten seconds, so that no stranger can fill the disk.

    A kind is a place in the code, with the exception raised there: a rare one is still seen beside a flood.
    The next line that gets through says how many did not.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._kinds: dict[tuple[object, ...], tuple[float, float, int]] = {}  # allowed now, since when, left out

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a record is written."""
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
