"""Health checks and metrics, in their own thread and for any Host.

Proxies and Prometheus send the Host by which they reach this process (`one:8000`), which ALLOWED_HOSTS does not list.
They must be answered even if all places for pages wait for the database. All other responses are counted.
"""

from clocks.host import responses
from clocks.serving.asgi import Application, Message, Receive, Scope, Send
from clocks.serving.page_queue import Account, PageQueue

METRICS = "/metrics"
PATHS = ("/livez", "/readyz", "/healthz", METRICS)


class Probes:
    """ASGI middleware: `views` answers health checks and metrics, `others` the rest."""

    def __init__(self, views: Application, others: Application) -> None:
        self._probes, self._others = PageQueue(views, [path[1:] for path in PATHS], _nobody, places=1), others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; count the response, except to a probe.

        A proxy repeats a probe while it fails.
        """

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                responses.count(message["status"])
            await send(message)

        if scope["path"] in PATHS:
            await self._probes(_of_any_host(scope), receive, send)
        else:
            await self._others(scope, receive, counted)


async def _nobody(scope: Scope) -> Account | None:
    """Account of a probe: always None, because a lookup would need the database."""
    return None


def _of_any_host(scope: Scope) -> Scope:
    """Scope with a Host that Django accepts.

    A request for metrics without a token keeps its Host, so that no web page can read them by DNS rebinding.
    """
    headers = scope["headers"]
    if scope["path"] == METRICS and not any(name == b"authorization" for name, _ in headers):
        return scope
    return {**scope, "headers": [pair for pair in headers if pair[0] != b"host"] + [(b"host", b"localhost")]}
