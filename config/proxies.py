"""Trust X-Forwarded-For and -Proto from configured proxies only.

Forwarding headers from anybody else are dropped, so nobody can forge an address or scheme. Daphne's own option trusts
every sender, and Django's SECURE_PROXY_SSL_HEADER handles neither addresses nor WebSockets.
"""

import ipaddress
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

Application = Callable[..., Awaitable[None]]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Scope = dict[str, Any]

SECURE = {"http": "https", "websocket": "wss"}
PLAIN = {"http": "http", "websocket": "ws"}

logger = logging.getLogger("clocks.proxies")


def network(text: str) -> Network:
    """Parse an address or CIDR network. Raises ValueError.

    Rejects /0, which would trust everybody.
    """
    found = ipaddress.ip_network(text.strip())
    if found.prefixlen == 0:
        raise ValueError(f"{text} names everybody")
    return found


class Forwarded:
    """ASGI middleware that applies the forwarding headers of trusted proxies."""

    def __init__(self, application: Application, trusted: Sequence[Network]) -> None:
        self._application = application
        self._trusted = trusted
        self._warned = False

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] in PLAIN:
            scope = self.unfolded(scope)
        await self._application(scope, receive, send)

    def unfolded(self, scope: Scope) -> Scope:
        """Scope without forwarding headers, after applying those of a trusted proxy."""
        named = [pair for pair in scope["headers"] if pair[0].startswith((b"x-forwarded-", b"forwarded", b"x-real-ip"))]
        if not named:
            return scope
        plain = {**scope, "forwarded": True, "headers": [pair for pair in scope["headers"] if pair not in named]}
        if not self._is_trusted(_peer(scope)):
            self._warn(_peer(scope))
            return plain
        way = [entry.strip() for entry in _values(named, b"x-forwarded-for")]
        schemes = [entry.strip().lower() for entry in _values(named, b"x-forwarded-proto")]
        return {**plain, **self._client(way, plain), **_scheme(schemes[-1:], plain)}

    def _client(self, way: list[str], scope: Scope) -> Scope:
        """Client: the last address that is no trusted proxy; earlier ones may be forged."""
        found = scope.get("client")
        for entry in reversed(way):
            try:
                address = ipaddress.ip_address(entry)
            except ValueError:  # not an address, so keep the nearest known one
                break
            found = [str(address), 0]
            if not self._is_trusted(entry):
                break
        return {"client": found}

    def _is_trusted(self, text: str) -> bool:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return False
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return any(address in network for network in self._trusted)

    def _warn(self, peer: str) -> None:
        """Warn once about an untrusted sender's headers: probably a missing setting."""
        if not self._warned:
            self._warned = True
            logger.warning(
                "X-Forwarded headers from %s are ignored: TRUSTED_PROXIES does not name it", peer or "a socket"
            )


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _values(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> list[str]:
    return [entry for key, value in headers if key == name for entry in value.decode("latin1").split(",")]


def _scheme(said: list[str], scope: Scope) -> Scope:
    """Scheme reported by the nearest proxy, converted to ws or wss for a WebSocket."""
    if said in (["https"], ["wss"]):
        return {"scheme": SECURE[scope["type"]]}
    if said in (["http"], ["ws"]):
        return {"scheme": PLAIN[scope["type"]]}
    return {}
