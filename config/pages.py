"""Requests for pages as Django is to read them, so that whatever is wrong with one is answered in a sentence.

Forms are UTF-8 here: that is what every page of ours sends. Django believes a request that names another charset, or a
codec that does not exist, and fails when it decodes with it.
"""

import codecs
from typing import Any

from django.core.exceptions import TooManyFieldsSent, TooManyFilesSent
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.http.multipartparser import MultiPartParserError


class PageRequest(ASGIRequest):
    """A request for a page; a form that cannot be read is a 400."""

    _unreadable = ""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # the stubs leave it out
            charset = (self.content_params or {}).get("charset", "utf-8")
            if codecs.lookup(charset).name not in ("utf-8", "ascii"):
                self._unreadable = f"the charset is {charset[:40]!r}"
        except (LookupError, ValueError):  # no such codec, or a name with a NUL
            self.content_type, self.content_params = meta.get("CONTENT_TYPE", "").partition(";")[0].strip().lower(), {}
            self._unreadable = "there is no such charset"
        if self._unreadable:
            self.encoding = "utf-8"

    def _load_post_and_files(self) -> None:
        if self._unreadable and self.method == "POST":
            self._mark_post_parse_error()  # type: ignore[attr-defined]  # the stubs leave it out
            raise MultiPartParserError(self._unreadable)
        try:
            super()._load_post_and_files()
        except (TooManyFieldsSent, TooManyFilesSent) as error:  # Django would log a fault of ours, with its traceback
            self._mark_post_parse_error()  # type: ignore[attr-defined]
            raise MultiPartParserError(str(error)) from None


class Pages(ASGIHandler):
    """Django's pages, behind requests of ours."""

    request_class = PageRequest
