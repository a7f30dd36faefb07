"""ASGI types, shared by servers and applications."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
