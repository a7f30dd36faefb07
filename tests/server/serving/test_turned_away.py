"""WebSocket handshakes that are rejected before a connection is set up."""

from typing import Any

from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from clocks.serving.pages import LINGER_S
from tests.server.serving.test_serving import FILES, Factory


def turned_away(factory: Factory) -> tuple[Any, StringTransport]:
    """Connection whose handshake `door` rejects, and its transport."""
    channel, transport = factory.buildProtocol(None), StringTransport()
    channel.makeConnection(transport)
    head = b"GET /ws/hall/open/?x HTTP/1.1\r\nHost: a\r\nCookie: b=c\r\nUpgrade: websocket\r\n"
    channel.dataReceived(head + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    return channel, transport


def test_a_socket_above_the_limit_is_rejected_before_it_is_created() -> None:
    factory, asked = Factory(), list[dict[str, Any]]()
    factory.door = lambda scope: asked.append(scope) or 4429  # type: ignore[func-returns-value]
    channel, transport = turned_away(factory)
    assert (asked[0]["path"], (b"cookie", b"b=c") in asked[0]["headers"]) == ("/ws/hall/open/", True)
    answer, _, close = transport.value().partition(b"\r\n\r\n")
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer  # the example in RFC 6455, section 1.3
    assert close == b"\x88\x02" + (4429).to_bytes(2)
    assert (transport.disconnecting, factory.opened) == (False, 0)
    channel.dataReceived(b"\x88\x82")
    assert transport.disconnecting
    assert transport.producer is None  # over TLS, a connection with a producer does not close


def test_a_rejected_client_that_does_not_answer_is_dropped_after_a_moment() -> None:
    factory, clock = Factory(), Clock()
    factory.door, factory.reactor = lambda scope: 4429, clock
    _, transport = turned_away(factory)
    clock.advance(LINGER_S - 0.1)  # type: ignore[no-untyped-call]
    assert not transport.disconnecting
    clock.advance(0.1)  # type: ignore[no-untyped-call]
    assert transport.disconnecting


def test_of_too_many_rejected_clients_the_first_are_dropped_at_once() -> None:
    factory = Factory()
    factory.door = lambda scope: 4429
    lines = [turned_away(factory)[1] for _ in range(FILES // 4 + 2)]
    assert [line.disconnected for line in lines[:3]] == [True, True, False]
