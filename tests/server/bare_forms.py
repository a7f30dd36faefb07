"""Submit forms straight to views or form classes, without the rest of Django.

A view gets a request as built by the server: it parses the body, runs its queries and validates its form. Only
middleware and templates are skipped, since they do not read forms; instead, all messages of a form are rendered. On
SQLite, each form starts from the same stored data. A form class, constructed as in the view, may read but not write.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from io import BytesIO
from typing import Any, NamedTuple

import pytest
from django.contrib.auth import get_user
from django.contrib.messages.storage.fallback import FallbackStorage
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.handlers.exception import convert_exception_to_response
from django.db import connection
from django.db.models import Model
from django.forms import BaseForm
from django.forms.forms import DeclarativeFieldsMetaclass
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.template import loader
from django.test import Client
from django.urls import resolve
from django.utils import translation

from clocks import desk
from clocks.people.sessions import SessionStore
from clocks.tournament import casual_limit
from config.pages import PageRequest


class Stored:
    """Stored data before the first form; detects and rolls back changes.

    SQLite counts its changes, so the data rarely need to be compared; on other databases they always are.
    """

    def __init__(self, read: Callable[[], Mapping[str, Any]]) -> None:
        self._read = read
        connection.ensure_connection()
        self._kept: sqlite3.Connection | None = None
        if connection.vendor == "sqlite":
            self._kept = sqlite3.connect(":memory:")
            connection.connection.backup(self._kept)
        self._begin()

    def _begin(self) -> None:
        self._first, self._written = self._read(), self._writes()

    def _writes(self) -> tuple[int, int]:
        """SQLite's change counters, equal only if nothing was written between; else zeros."""
        if self._kept is None:
            return (0, 0)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            return (cursor.fetchone()[0], connection.connection.total_changes)

    def is_touched(self) -> bool:
        """True unless the counters prove that nothing was written since."""
        return self._kept is None or self._writes() != self._written

    def is_changed(self) -> bool:
        """True if the stored data have changed."""
        return self.is_touched() and self._read() != self._first

    def go_back(self) -> None:
        """Roll back on SQLite. Elsewhere changes stay and become the new starting point."""
        if self._kept is None:
            self._begin()
            return
        self._kept.backup(connection.connection)
        self._written = self._writes()
        desk.forget()
        casual_limit.forget()


class Sender:
    """Client that submits forms to one URL, bypassing middleware."""

    def __init__(self, client: Client, path: str) -> None:
        self.path = path
        found = resolve(path)
        self._view = convert_exception_to_response(lambda request: found.func(request, *found.args, **found.kwargs))
        self._session = client.session.session_key if client.cookies else None
        request = HttpRequest()
        request.session = SessionStore(self._session)
        self._user = get_user(request)

    def send(self, content_type: str, body: bytes) -> HttpResponse:
        """Submit a body; return the view's response."""
        request = self._request(content_type, body)
        try:
            return self._view(request)
        finally:
            request.close()

    def check(self, made: "Made", content_type: str, body: bytes) -> bool:
        """Validate a body with the view's form; False if it cannot be parsed."""
        request = self._request(content_type, body)
        try:
            form = made.again(request.POST)
        except (BadRequest, SuspiciousOperation, MultiPartParserError):
            return False
        finally:
            request.close()
        assert form.is_valid() or form.errors.as_text()
        return True

    def _request(self, content_type: str, body: bytes) -> PageRequest:
        headers = {"host": "testserver", "content-type": content_type, "content-length": str(len(body))}
        scope = {
            "type": "http",
            "method": "POST",
            "path": self.path,
            "query_string": b"",
            "headers": [(name.encode(), value.encode("latin1")) for name, value in headers.items()],
            "client": ["127.0.0.1", 0],
        }
        request = PageRequest(scope, BytesIO(body))
        request.session, request.user = SessionStore(self._session), copy(self._user)
        request._messages = FallbackStorage(request)
        return request


class Made(NamedTuple):
    """Form class and arguments with which a view constructed a form."""

    kind: type[BaseForm]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def again(self, posted: QueryDict) -> BaseForm:
        """Construct the form again from other data."""
        args = [self._instead(each, posted) for each in self.args]
        return self.kind(*args, **{name: self._instead(each, posted) for name, each in self.kwargs.items()})

    @staticmethod
    def _instead(value: Any, posted: QueryDict) -> Any:
        if isinstance(value, QueryDict):
            return posted
        return copy(value) if isinstance(value, Model) else value


@contextmanager
def forms_made() -> Iterator[dict[type[BaseForm], Made]]:
    """Record how views construct their forms, by form class."""
    found: dict[type[BaseForm], Made] = {}

    def note(kind: type[BaseForm], *args: Any, **kwargs: Any) -> Any:
        if any(isinstance(value, QueryDict) for value in (*args, *kwargs.values())):
            found[kind] = Made(kind, args, kwargs)
        return type.__call__(kind, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DeclarativeFieldsMetaclass, "__call__", note, raising=False)
        yield found


@contextmanager
def without_templates() -> Iterator[None]:
    """Render a page's form messages instead of the page."""
    with pytest.MonkeyPatch.context() as patched, translation.override("en"):
        patched.setattr(loader, "render_to_string", _said)
        yield


def _said(template: str, context: Mapping[str, Any] | None = None, *more: Any, **options: Any) -> str:
    forms = [value for value in (context or {}).values() if isinstance(value, BaseForm) and value.is_bound]
    return "\n".join(form.errors.as_text() for form in forms)
