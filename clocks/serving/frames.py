"""Frames of a websocket as bytes (RFC 6455, 5.2): how one is written for many sockets, and the plain ones are read."""

TEXT, PING = 0x81, 0x89  # the first byte of a whole text frame, and of a ping
MASKED = 0x80  # what a client's frame has in its second byte; a server does not mask
SHORT, MIDDLE = 126, 127  # from these on a length takes two bytes, or eight


def framed(first: int, payload: bytes) -> bytes:
    """Return the frame of a server with this first byte."""
    size = len(payload)
    if size < SHORT:
        head = bytes((first, size))
    elif size < 65536:
        head = bytes((first, SHORT)) + size.to_bytes(2)
    else:
        head = bytes((first, MIDDLE)) + size.to_bytes(8)
    return head + payload


class Frame:
    """A text frame that any number of sockets may share."""

    __slots__ = ("framed", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.framed = framed(TEXT, text.encode())
