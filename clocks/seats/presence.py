"""Who was seen when: the last sign of each seat's phone, by match. Never a counter.

Kept in memory: after a restart a seat counts as seen when this process started. Several processes tell each other
through `live/peers.py`: of matches for which both have sockets by themselves, of others when they are asked. While one
of them does not answer, nobody knows which phones it hears (`unsure`).
"""

import math
from collections.abc import Callable, Collection, Iterable, Sequence

from clocks.engine.clock import Seat
from clocks.host.server_time import now_ms
from clocks.lag.signs import Signs
from clocks.lag.silence import Silence

UNSURE_MS = 5_000  # for so long after all other processes have answered, no phone of theirs is unknown here
SILENT_MS = 10_000  # a seat's phone that has not been heard for this long may be replaced or pressed for
AT_REST_MS = 1_000  # so much longer where no clock runs: a page at rest says something just each ten seconds
MOST_KNOWN, FORGOTTEN_MS = 10_000, 12 * 3_600_000  # matches; when there are more, those unheard for so long are dropped

_started_at = now_ms()
_seen: dict[int, list[int]] = {}
_word: dict[int, int] = {}
_signs: dict[int, tuple[Signs, Signs]] = {}
_silences: dict[int, Silence] = {}  # of the phones between the players
_untold: dict[int, list[int]] = {}  # what was heard here of a match since the other processes were told
_tidied_above = MOST_KNOWN
_way: Callable[[Collection[int]], bool] | None = None
_answered_at: int | None = (
    None  # when all other processes were last asked something that they answered; None: no others
)
_unanswered_at = 0  # when a question was last left unanswered
_back: set[int] = set()  # those of them in which a phone was silent for so long that another may act for it


def saw(match_id: int, seat_index: int, at: int) -> None:
    """Record that the phone of a seat (0 left, 1 right) was heard at `at`."""
    before = _later(match_id, seat_index, at)
    if before is not None:
        _untold[match_id] = _seen[match_id]
        if at - before >= SILENT_MS:
            _back.add(match_id)


def heard_elsewhere(match_id: int, both: tuple[int, int], now: int) -> bool:
    """Record when another process heard the phones of both seats; tell whether one is back that was silent here."""
    before = [_later(match_id, seat_index, at) for seat_index, at in enumerate(both)]
    return any(
        earlier is not None and now - earlier >= SILENT_MS > now - at for earlier, at in zip(before, both, strict=True)
    )


def _later(match_id: int, seat_index: int, at: int) -> int | None:
    """Record a sign of a seat's phone; return when the one before was, None where it is no later than that."""
    both = _seen.get(match_id)
    if both is None:
        if len(_seen) >= _tidied_above:
            _tidy(at)
        both = _seen[match_id] = [_started_at, _started_at]
    before = both[seat_index]
    if at <= before:
        return None
    both[seat_index] = at
    signs(match_id, seat_index).heard(at)
    return before


def _tidy(now: int) -> None:
    """Drop the matches of which no phone was heard for half a day, so that a server may run for years."""
    global _tidied_above
    for match_id in [match_id for match_id, both in list(_seen.items()) if max(both) < now - FORGOTTEN_MS]:
        for known_of in (_seen, _word, _signs, _silences, _untold):
            known_of.pop(match_id, None)
        _back.discard(match_id)
    _tidied_above = max(MOST_KNOWN, 2 * len(_seen))


def silent_ms(runs: bool) -> int:
    """Return for how long a phone has not been heard that counts as silent: where a clock runs, or none."""
    return SILENT_MS if runs else SILENT_MS + AT_REST_MS


def silence_at(match_id: int, devices: Sequence[int | None], runs: bool) -> float:
    """Return when the first of these phones, by seat, falls silent unless it is heard; infinite without any."""
    held = [at for device, at in zip(devices, seen_at(match_id), strict=True) if device is not None]
    return min(held, default=math.inf) + silent_ms(runs)


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


def known(match_ids: Iterable[int]) -> dict[int, list[int]]:
    """Return when both phones of those of these matches were last heard of which one ever was."""
    return {match_id: _seen[match_id] for match_id in match_ids if match_id in _seen}


def ask_by(way: Callable[[Collection[int]], bool]) -> None:
    """Have `ask` ask other processes in this way, which says whether all have answered."""
    global _way, _answered_at
    _way, _answered_at = way, 0


def all_answered(asked_at: int) -> None:
    """Record that every other process has answered what it was asked at `asked_at`."""
    global _answered_at
    _answered_at = asked_at


def unsure(now: int) -> bool:
    """Tell whether another process may have heard phones of which this one does not know."""
    if _answered_at is None:
        return False
    return now - _answered_at > UNSURE_MS or _answered_at <= _unanswered_at


def ask(match_ids: Collection[int]) -> None:
    """Learn from the other processes when the phones of these matches were heard.

    Before anything that a page or a program asks is decided by it; waits a moment, so never in the event loop's thread.
    """
    global _unanswered_at
    asked_at = now_ms()
    if _way is not None and not _way(match_ids):
        _unanswered_at = max(asked_at, now_ms())


def spoke(match_id: int, at: int) -> None:
    """Record that the desk has all that the phone between the players was asked until `at`.

    A page first sends what it has kept. So a frame says that of when it came, and an answered ping of when it was sent.
    """
    _word[match_id] = max(at, word_at(match_id))


def word_at(match_id: int) -> int:
    """Return until when the desk has all that the phone between the players was asked; 0 where it was never heard."""
    return _word.get(match_id, 0)


def silence(match_id: int, device_id: int) -> Silence:
    """Return how long the phone between the players of a match was silent, as far as this process knows."""
    known = _silences.get(match_id)
    if known is None or known.device_id != device_id:
        known = _silences[match_id] = Silence(device_id)
    return known


def heard_until(match_id: int, device_id: int | None, now: int) -> int | None:
    """Return until when the phone between the players was there, as far as this process knows (`Silence`)."""
    known = _silences.get(match_id)
    return None if known is None or known.device_id != device_id else known.heard_until(now)


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


def silent(match_id: int, seat: Seat, now: int, runs: bool) -> bool:
    """Tell whether the phone of a seat has been silent for so long that another may act for it."""
    return now - seen_at(match_id)[seat.index] >= silent_ms(runs)


def as_shown(match_id: int, devices: Sequence[int | None]) -> list[int | None]:
    """Return when the phone in each seat was last heard, as pages are told of it: None where a seat is free."""
    return [None if device is None else at for device, at in zip(devices, seen_at(match_id), strict=True)]


def silent_seats(match_id: int, devices: Sequence[int | None], now: int, runs: bool) -> list[bool]:
    """Tell of each seat whether a phone holds it that has been silent for so long."""
    held = zip(devices, Seat, strict=True)
    return [device is not None and silent(match_id, seat, now, runs) for device, seat in held]
