"""Rejected WebSocket handshakes.

Browsers do not tell pages why a handshake failed. So it is accepted, and a close frame with a code follows in the same
write. This costs a tenth of opening a socket, because no connection objects are created.
"""

import base64
import hashlib

from clocks.serving.frames import CLOSE, framed

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # constant of RFC 6455, 1.3


def closed_with(key: bytes, code: int) -> bytes:
    """Response that accepts a handshake with this key and closes it with a code."""
    accepted = base64.b64encode(hashlib.sha1(key.strip() + GUID, usedforsecurity=False).digest())
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
    return head + accepted + b"\r\n\r\n" + framed(CLOSE, code.to_bytes(2))
