"""Same-origin check for WebSockets."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from clocks.serving.asgi import Application, Receive, Scope, Send

DEFAULT_PORTS = {"http": 80, "https": 443}


class SameOrigin:
    """Reject sockets with a foreign Host or Origin.

    The Host must be in ALLOWED_HOSTS, and the Origin must match it. A browser always sends the Origin, so a client
    without one is not another site's page and may connect.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if is_own(scope["headers"]):
            await self.application(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close"})


def is_own(headers: list[tuple[bytes, bytes]]) -> bool:
    """True if these request headers come from a page of this site, or from no page."""
    host = _header(headers, b"host")
    if host is None:
        return False
    domain, _ = split_domain_port(host)
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        return False
    origin = _header(headers, b"origin")
    return origin is None or _is_at(origin, host)


def _is_at(origin: str, host: str) -> bool:
    """True if an Origin matches this Host, and is https if this installation is.

    Daphne does not report a socket's scheme.
    """
    try:
        ours, theirs = urlsplit(f"//{host}"), urlsplit(origin)
        default = DEFAULT_PORTS[theirs.scheme]
        if settings.SESSION_COOKIE_SECURE and theirs.scheme != "https":
            return False
        return bool(theirs.hostname) and (theirs.hostname, theirs.port or default) == (
            ours.hostname,
            ours.port or default,
        )
    except (KeyError, ValueError):  # `null`, another scheme, an invalid port
        return False


def _header(headers: list[tuple[bytes, bytes]], name: bytes) -> str | None:
    return next((value.decode("latin1") for key, value in headers if key == name), None)
