"""How log lines look, and what they must not say."""

import logging
import re
from copy import copy

# The path of a one-time link holds its token.
_SECRET = re.compile(r"(/director/(?:sign-in|invite)/)[^/\s'\"]+")


class Line(logging.Formatter):
    """Write a record as a line, its traceback below, with the tokens of one-time links left out of both.

    What Django finds suspicious in a request is somebody else's mistake: its traceback shows nothing but Django.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record without any such token."""
        if record.name.startswith("django.security"):
            record = copy(record)
            record.exc_info = record.exc_text = None
        return _SECRET.sub(r"\1…", super().format(record))
