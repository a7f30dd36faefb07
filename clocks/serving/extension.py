"""ASGI extension that gives an application its connection, to bypass ASGI."""

from typing import Any

from clocks.serving.asgi import Scope

NAME = "clocks.connection"


def with_connection(scope: Scope, connection: Any) -> Scope:
    """Scope with the connection: a ClockSocket or a ClockRequest."""
    return {**scope, "extensions": {NAME: {"connection": connection}}}


def connection_of(scope: Scope) -> Any:
    """Connection of a scope; None under a server other than ours."""
    return scope.get("extensions", {}).get(NAME, {}).get("connection")
