"""Frames of a websocket as bytes (RFC 6455, 5.2): how one is written for many sockets, and the plain ones are read."""

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A  # the first byte of each kind of frame that is a whole message
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


def whole_message(data: bytes) -> tuple[int, bytes] | None:
    """Return first byte and content of the one text or pong of a client that `data` is; None where it is anything else.

    That a text is UTF-8 is still to be checked. One of 64 KiB or more is left to others.
    """
    if len(data) < 6 or data[0] not in (TEXT, PONG):
        return None
    size, begins = data[1] - MASKED, 6
    if size == SHORT and data[0] == TEXT:
        size, begins = int.from_bytes(data[2:4]), 8
        if size < SHORT:
            return None
    elif not 0 <= size < SHORT:
        return None
    if len(data) != begins + size:
        return None
    mask = data[begins - 4 : begins] * (size // 4 + 1)
    return data[0], (int.from_bytes(data[begins:]) ^ int.from_bytes(mask[:size])).to_bytes(size)
