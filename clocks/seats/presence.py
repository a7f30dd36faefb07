"""Who was seen when: the last sign of each seat's phone, by match. Never a counter.

Kept in memory: after a restart a seat counts as seen when this process started. Several processes tell each other
through `live/abroad.py`.
"""

import math
from collections.abc import Sequence

from clocks.engine.clock import Seat
from clocks.host.server_time import now_ms
from clocks.seats.signs import Signs

SILENT_MS = 10_000  # a seat's phone that has not been heard for this long may be replaced or pressed for

_started_at = now_ms()
_seen: dict[int, list[int]] = {}
_word: dict[int, int] = {}
_signs: dict[int, tuple[Signs, Signs]] = {}
_untold: dict[int, list[int]] = {}  # what was heard here of a match since the other processes were told
_back: set[int] = set()  # those of them in which a phone was silent for so long that another may act for it


def saw(match_id: int, seat_index: int, at: int) -> None:
    """Record that the phone of a seat (0 left, 1 right) was heard at `at`."""
    before = _later(match_id, seat_index, at)
    if before is not None:
        _untold[match_id] = _seen[match_id]
        if at - before >= SILENT_MS:
            _back.add(match_id)


def told(match_id: int, both: tuple[int, int]) -> None:
    """Record when another process heard the phones of both seats."""
    for seat_index, at in enumerate(both):
        _later(match_id, seat_index, at)


def _later(match_id: int, seat_index: int, at: int) -> int | None:
    """Record a sign of a seat's phone; return when the one before was, None where it is no later than that."""
    both = _seen.get(match_id)
    if both is None:
        both = _seen[match_id] = [_started_at, _started_at]
    before = both[seat_index]
    if at <= before:
        return None
    both[seat_index] = at
    signs(match_id, seat_index).heard(at)
    return before


def silence_at(match_id: int, devices: Sequence[int | None]) -> float:
    """Return when the first of these phones, by seat, falls silent unless it is heard; infinite without any."""
    held = [at for device, at in zip(devices, seen_at(match_id), strict=True) if device is not None]
    return min(held, default=math.inf) + SILENT_MS


def to_tell(back_only: bool) -> dict[int, list[int]]:
    """Return the matches of which a phone was heard here since they were last returned, with both times.

    With `back_only` those alone in which a phone is back that was silent.
    """
    global _untold, _back
    if back_only:
        back, _back = _back, set()
        return {match_id: _untold.pop(match_id) for match_id in list(back) if match_id in _untold}
    untold, _untold, _back = _untold, {}, set()
    return dict(untold)


def spoke(match_id: int, at: int) -> None:
    """Record that a frame of the phone between the players came at `at`, and that what it asks is with the desk."""
    _word[match_id] = max(at, word_at(match_id))


def word_at(match_id: int) -> int:
    """Return when the phone between the players last sent a frame to this process; 0 where it never did.

    A page first sends what it has kept. So whatever the phone was asked before then is known, whatever came after.
    """
    return _word.get(match_id, 0)


def signs(match_id: int, seat_index: int) -> Signs:
    """Return the signs of the phone in a seat, by whatever sockets."""
    of_match = _signs.get(match_id)
    if of_match is None:
        of_match = _signs[match_id] = (Signs(), Signs())
    return of_match[seat_index]


def seen_at(match_id: int) -> tuple[int, int]:
    """Return when each seat's phone was last heard; this process's start where it never was."""
    both = _seen.get(match_id)
    return (both[0], both[1]) if both else (_started_at, _started_at)


def silent(match_id: int, seat: Seat, now: int) -> bool:
    """Tell whether the phone of a seat has been silent for so long that another may act for it."""
    return now - seen_at(match_id)[seat.index] >= SILENT_MS


def as_shown(match_id: int, devices: Sequence[int | None]) -> list[int | None]:
    """Return when the phone in each seat was last heard, as pages are told of it: None where a seat is free."""
    return [None if device is None else at for device, at in zip(devices, seen_at(match_id), strict=True)]


def silent_seats(match_id: int, devices: Sequence[int | None], now: int) -> list[bool]:
    """Tell of each seat whether a phone holds it that has been silent for so long."""
    return [device is not None and silent(match_id, seat, now) for device, seat in zip(devices, Seat, strict=True)]
