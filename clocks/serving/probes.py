"""Health checks and metrics: own thread, any Host; count of other responses.

A proxy's health check and Prometheus name the process as they reach it (`one:8000`), which no setting lists. They must
be answered even if all places for pages wait for the database.
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
        """Answer a request; count the response unless it is to a probe.

        A proxy repeats probes while they fail.
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
    """Account of a request: none, because to look one up needs the database."""
    return None


def _of_any_host(scope: Scope) -> Scope:
    """Scope with a Host that Django accepts.

    Metrics without a token keep theirs: a page that names this machine as its own host must not read them.
    """
    headers = scope["headers"]
    if scope["path"] == METRICS and not any(name == b"authorization" for name, _ in headers):
        return scope
    return {**scope, "headers": [pair for pair in headers if pair[0] != b"host"] + [(b"host", b"localhost")]}
