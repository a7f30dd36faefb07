"""Problem details (RFC 9457), the error format of the API and the feed."""

from http import HTTPStatus
from typing import Any

import orjson

MEDIA_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="backgammon clock"'
NOT_FOUND = "There is nothing at this address that your token may see."


class Problem(Exception):
    """Problem details response; `errors` are (JSON pointer, message) pairs."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        code: str = "",
        errors: list[tuple[str, str]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.status, self.detail, self.code = status, detail, code
        self.errors = errors or []
        self.headers = {"Content-Type": MEDIA_TYPE, "Cache-Control": "no-store", **(headers or {})}
        if status == HTTPStatus.UNAUTHORIZED:
            self.headers["WWW-Authenticate"] = CHALLENGE
        super().__init__(detail)

    def document(self) -> dict[str, Any]:
        """Problem details as a dict."""
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "errors": [{"pointer": pointer, "detail": detail} for pointer, detail in self.errors],
        }

    def body(self) -> bytes:
        """Encode the problem details as JSON."""
        return orjson.dumps(self.document())
