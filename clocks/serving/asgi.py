"""Types of ASGI: what a server and an application hand each other."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
