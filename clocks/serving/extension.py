"""ASGI extension that gives an application its connection, to bypass ASGI."""

from typing import Any

NAME = "clocks.connection"


def with_connection(scope: dict[str, Any], connection: Any) -> dict[str, Any]:
    """Scope with the connection: a ClockSocket or a ClockRequest."""
    return {**scope, "extensions": {NAME: {"connection": connection}}}


def connection_of(scope: dict[str, Any]) -> Any:
    """Connection of a scope, or None under any other server."""
    return scope.get("extensions", {}).get(NAME, {}).get("connection")
