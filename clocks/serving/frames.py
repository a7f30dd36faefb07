"""WebSocket frames as bytes (RFC 6455, 5.2): encode all, decode simple ones."""

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A  # first byte of an unfragmented frame, by type
MASKED = 0x80  # bit in the second byte of a client's frame; servers send unmasked frames
SHORT, MIDDLE = 126, 127  # length values that announce a length field of two bytes, or of eight


def framed(first: int, payload: bytes) -> bytes:
    """Encode an unmasked server frame with this first byte."""
    size = len(payload)
    if size < SHORT:
        head = bytes((first, size))
    elif size < 65536:
        head = bytes((first, SHORT)) + size.to_bytes(2)
    else:
        head = bytes((first, MIDDLE)) + size.to_bytes(8)
    return head + payload


class Frame:
    """Text frame, encoded once for any number of sockets."""

    __slots__ = ("framed", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.framed = framed(TEXT, text.encode())


def frame_size(data: bytes) -> int:
    """Size in bytes of the frame at the start of `data`.

    If its header is still incomplete, a number larger than the size of `data`.
    """
    return sum(_sizes(data)) if len(data) >= 2 else 2


def _sizes(data: bytes) -> tuple[int, int]:
    """Size of the header and, if it is complete, of the payload."""
    header, size = 2 + 4 * (data[1] >= MASKED), data[1] % MASKED
    if size >= SHORT:
        extended = 2 if size == SHORT else 8
        header += extended
        if len(data) >= header:
            size = int.from_bytes(data[2 : 2 + extended])
    return header, size


def whole_message(data: bytes) -> tuple[int, bytes] | None:
    """First byte and unmasked payload if `data` is exactly one text or pong, or None.

    Does not check that a text is valid UTF-8. None for messages of 64 KiB or more.
    """
    if len(data) < 6 or data[0] not in (TEXT, PONG) or data[1] < MASKED:
        return None
    begins, size = _sizes(data)
    if len(data) != begins + size or begins != (6 if size < SHORT else 8) or (begins == 8 and data[0] == PONG):
        return None
    mask = data[begins - 4 : begins] * (size // 4 + 1)
    return data[0], (int.from_bytes(data[begins:]) ^ int.from_bytes(mask[:size])).to_bytes(size)
