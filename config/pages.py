"""Turn malformed page requests into 400 responses with a readable message.

Forms must be UTF-8, which all our pages send. Django accepts any charset that a request names, even an unknown one, and
crashes when it decodes the form.
"""

import codecs
from typing import Any

from django.core.exceptions import TooManyFieldsSent, TooManyFilesSent
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.http.multipartparser import MultiPartParserError


class PageRequest(ASGIRequest):
    """Page request that answers an unreadable form with a 400."""

    _unreadable = ""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # missing in the stubs
            charset = (self.content_params or {}).get("charset", "utf-8")
            if codecs.lookup(charset).name not in ("utf-8", "ascii"):
                self._unreadable = f"the charset is {charset[:40]!r}"
        except (LookupError, ValueError):  # unknown codec, or a name with a NUL
            self.content_type, self.content_params = meta.get("CONTENT_TYPE", "").partition(";")[0].strip().lower(), {}
            self._unreadable = "there is no such charset"
        if self._unreadable:
            self.encoding = "utf-8"

    def _load_post_and_files(self) -> None:
        if self._unreadable and self.method == "POST":
            self._mark_post_parse_error()  # type: ignore[attr-defined]  # missing in the stubs
            raise MultiPartParserError(self._unreadable)
        try:
            super()._load_post_and_files()
        except (TooManyFieldsSent, TooManyFilesSent) as error:  # Django would log it as our error, with a traceback
            self._mark_post_parse_error()  # type: ignore[attr-defined]
            raise MultiPartParserError(str(error)) from None


class Pages(ASGIHandler):
    """ASGI handler that uses PageRequest."""

    request_class = PageRequest
