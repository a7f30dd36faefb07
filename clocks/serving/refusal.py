"""What a handshake gets that is not to become a socket: an answer that a browser understands, and the end.

A browser tells its page nothing of a handshake that was refused, so this one is granted and closed with a code in the
same breath. It costs a tenth of a socket: nothing is made for it that would have to be taken down again.
"""

import base64
import hashlib

from clocks.serving.frames import CLOSE, framed

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3


def closed_with(key: bytes, code: int) -> bytes:
    """Return the answer to a handshake with this `Sec-WebSocket-Key` that closes its socket with a code at once."""
    accepted = base64.b64encode(hashlib.sha1(key.strip() + GUID, usedforsecurity=False).digest())
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
    return head + accepted + b"\r\n\r\n" + framed(CLOSE, code.to_bytes(2))
