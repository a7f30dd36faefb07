"""Presence: when each seat's phone was last heard from, by match.

Kept in memory: after a restart every phone counts as heard from at the start of the process. Processes exchange
presence through `live/peers.py`: automatically for matches that both follow, on request for others. While one of them
does not answer, it may have heard from any phone (`unsure`).
"""

import math
from collections.abc import Callable, Collection, Iterable, Sequence

from clocks.engine.clock import Seat
from clocks.host.server_time import now_ms
from clocks.lag.signs import Signs
from clocks.lag.silence import Silence

UNSURE_MS = 5_000  # how long the other processes' answers stay valid
SILENT_MS = 10_000  # a phone not heard from for this long may be replaced, and others may press for it
DELAYED_MS = 1_000  # a frame heard by another process may have been sent this much earlier
AT_REST_MS = 1_000  # added while no clock runs: an idle page sends only every ten seconds
# With more than MOST_KNOWN matches in memory, those not heard from for FORGOTTEN_MS are dropped.
MOST_KNOWN, FORGOTTEN_MS = 10_000, 12 * 3_600_000

_started_at = now_ms()
_seen: dict[int, list[int]] = {}
_word: dict[int, int] = {}
_signs: dict[int, tuple[Signs, Signs]] = {}
_silences: dict[int, Silence] = {}  # silences of shared phones, by match
_untold: dict[int, list[int]] = {}  # times heard from here, not yet sent to the other processes
_tidied_above = MOST_KNOWN
_way: Callable[[Collection[int]], bool] | None = None
_answered_at: int | None = (
    None  # time of the last question that all other processes answered; None: there are no others
)
_unanswered_at = 0  # time of the last unanswered question
_back: set[int] = set()  # matches of `_untold` in which a silent phone has returned


def saw(match_id: int, seat_index: int, at: int) -> None:
    """Record that the phone of a seat (0 left, 1 right) was heard from at `at`."""
    before = _later(match_id, seat_index, at)
    if before is not None:
        _untold[match_id] = _seen[match_id]
        if at - before >= SILENT_MS:
            _back.add(match_id)


def heard_elsewhere(match_id: int, both: tuple[int, int], now: int) -> bool:
    """Record contact elsewhere with both phones. True if a silent one has returned."""
    before = [_later(match_id, seat_index, at) for seat_index, at in enumerate(both)]
    for seat_index, earlier in enumerate(before):
        if earlier is not None:
            signs(match_id, seat_index).answered(both[seat_index] - DELAYED_MS)
    return any(
        earlier is not None and now - earlier >= SILENT_MS > now - at for earlier, at in zip(before, both, strict=True)
    )


def _later(match_id: int, seat_index: int, at: int) -> int | None:
    """Record contact with a seat's phone; return the previous time, None if not later."""
    both = _seen.get(match_id)
    if both is None:
        if len(_seen) >= _tidied_above:
            _tidy(at)
        both = _seen[match_id] = [_started_at, _started_at]
    before = both[seat_index]
    if at <= before:
        return None
    both[seat_index] = at
    return before


def _tidy(now: int) -> None:
    """Drop matches not heard from for half a day, so that memory stays bounded."""
    global _tidied_above
    for match_id in [match_id for match_id, both in list(_seen.items()) if max(both) < now - FORGOTTEN_MS]:
        for known_of in (_seen, _word, _signs, _silences, _untold):
            known_of.pop(match_id, None)
        _back.discard(match_id)
    _tidied_above = max(MOST_KNOWN, 2 * len(_seen))


def silent_ms(runs: bool) -> int:
    """Time in ms after which a phone not heard from counts as silent."""
    return SILENT_MS if runs else SILENT_MS + AT_REST_MS


def silence_at(match_id: int, devices: Sequence[int | None], runs: bool) -> float:
    """Time at which the first of these phones will count as silent; infinity if none."""
    held = [at for device, at in zip(devices, seen_at(match_id), strict=True) if device is not None]
    return min(held, default=math.inf) + silent_ms(runs)


def to_tell(back_only: bool) -> dict[int, list[int]]:
    """Take the contacts not yet sent to other processes: both seats' last, by match.

    With `back_only` only matches in which a silent phone has returned.
    """
    global _untold, _back
    if back_only:
        back, _back = _back, set()
        return {match_id: _untold.pop(match_id) for match_id in list(back) if match_id in _untold}
    untold, _untold, _back = _untold, {}, set()
    return dict(untold)


def known(match_ids: Iterable[int]) -> dict[int, list[int]]:
    """Last contact with each seat in ms, by match. Omits matches never heard from."""
    return {match_id: _seen[match_id] for match_id in match_ids if match_id in _seen}


def ask_by(way: Callable[[Collection[int]], bool]) -> None:
    """Register the callback that asks other processes; it returns True if all answer."""
    global _way, _answered_at
    _way, _answered_at = way, 0


def all_answered(asked_at: int) -> None:
    """Record that all other processes have answered the question asked at `asked_at`."""
    global _answered_at
    _answered_at = asked_at


def unsure(now: int) -> bool:
    """True if another process may have heard from phones that seem silent here."""
    if _answered_at is None:
        return False
    return now - _answered_at > UNSURE_MS or _answered_at <= _unanswered_at


def ask(match_ids: Collection[int]) -> None:
    """Ask other processes about presence in these matches, before a decision.

    Blocks for a moment, so do not call it in the event loop.
    """
    global _unanswered_at
    asked_at = now_ms()
    if _way is not None and not _way(match_ids):
        _unanswered_at = max(asked_at, now_ms())


def spoke(match_id: int, at: int) -> None:
    """Record that the desk has all commands of the shared phone up to `at`.

    A page sends its kept commands first. So a frame proves this for the time of its arrival, and an answered ping for
    the time when it was sent.
    """
    _word[match_id] = max(at, word_at(match_id))


def word_at(match_id: int) -> int:
    """Time up to which the desk has all commands of the shared phone; 0 if unknown."""
    return _word.get(match_id, 0)


def silence(match_id: int, device_id: int) -> Silence:
    """Silence of the shared phone of a match, as known to this process."""
    known = _silences.get(match_id)
    if known is None or known.device_id != device_id:
        known = _silences[match_id] = Silence(device_id)
    return known


def heard_until(match_id: int, device_id: int | None, now: int) -> int | None:
    """Time until which the shared phone was reachable; None if unknown (`Silence`)."""
    known = _silences.get(match_id)
    return None if known is None or known.device_id != device_id else known.heard_until(now)


def signs(match_id: int, seat_index: int) -> Signs:
    """Return the ping answers of the phone in a seat, over all its sockets."""
    of_match = _signs.get(match_id)
    if of_match is None:
        of_match = _signs[match_id] = (Signs(), Signs())
    return of_match[seat_index]


def seen_at(match_id: int) -> tuple[int, int]:
    """Last contact with each seat's phone; the start of this process if none."""
    both = _seen.get(match_id)
    return (both[0], both[1]) if both else (_started_at, _started_at)


def silent(match_id: int, seat: Seat, now: int, runs: bool) -> bool:
    """True if the phone of a seat counts as silent, so that another may act for it."""
    return now - seen_at(match_id)[seat.index] >= silent_ms(runs)


def as_shown(match_id: int, devices: Sequence[int | None]) -> list[int | None]:
    """Last contact with each seat's phone, for pages; None for a free seat."""
    return [None if device is None else at for device, at in zip(devices, seen_at(match_id), strict=True)]


def silent_seats(match_id: int, devices: Sequence[int | None], now: int, runs: bool) -> list[bool]:
    """For each seat, True if its phone counts as silent; False for a free seat."""
    held = zip(devices, Seat, strict=True)
    return [device is not None and silent(match_id, seat, now, runs) for device, seat in held]
