"""Detect seats that a phone lost while disconnected.

A reconnecting page names the seats that it held.
"""

import re

from clocks.engine.clock import Seat
from clocks.journal.stored import StoredMatch
from clocks.live import protocol

HELD = re.compile(rb"match=([0-9]{1,18})&seats=(left|right|left,right)")


def lost_seats(query: bytes, board: StoredMatch, device_id: int | None) -> int | None:
    """Close code if the page claims a seat that its phone has lost, or None."""
    held = HELD.fullmatch(query)
    if held is None or int(held[1]) != board.id:
        return None
    holders = {board.devices[Seat(seat).index] for seat in held[2].decode().split(",")}
    lost = {holder for holder in holders if holder is None or holder != device_id}
    if not lost:
        return None
    return protocol.REVOKED if lost == {None} else protocol.TAKEN_OVER
