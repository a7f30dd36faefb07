"""Seats that a phone lost while its page was out of reach: the page says what it holds when it comes back."""

import re

from clocks.engine.clock import Seat
from clocks.journal.stored import StoredMatch
from clocks.live import protocol

HELD = re.compile(rb"match=([0-9]{1,18})&seats=(left|right|left,right)")


def lost_seats(query: bytes, board: StoredMatch, device_id: int | None) -> int | None:
    """Return the code to close with where a page says that it holds seats which its phone has lost; None elsewhere."""
    held = HELD.fullmatch(query)
    if held is None or int(held[1]) != board.id:
        return None
    holders = {board.devices[Seat(seat).index] for seat in held[2].decode().split(",")}
    lost = {holder for holder in holders if holder is None or holder != device_id}
    if not lost:
        return None
    return protocol.REVOKED if lost == {None} else protocol.TAKEN_OVER
