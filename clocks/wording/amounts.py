"""How amounts are written for people, each in one way only: times, delays, points."""

from django.utils.translation import ngettext

MINUTE_MS, SECOND_MS = 60_000, 1_000


def clock(ms: int, decimals: int = 1, hours: bool = True) -> str:
    """Return a time as a clock shows it: `21:47.3`, `1:05:00`, without `hours` `65:00`; `−0:30` below zero.

    Digits beyond `decimals` are cut off, as on a clock that has not got there yet, and so are trailing zeros.
    """
    whole, rest = divmod(abs(ms), SECOND_MS)
    minutes = whole // 60
    text = f"{minutes // 60}:{minutes % 60:02}" if hours and minutes >= 60 else f"{minutes}"
    fraction = f"{rest:03}"[:decimals].rstrip("0")
    return f"{'−' if ms < 0 else ''}{text}:{whole % 60:02}{'.' if fraction else ''}{fraction}"


def seconds(ms: int) -> str:
    """Return a delay or the length of a turn, rounded to tenths of a second: `12 s`, `8.4 s`."""
    return f"{ms / SECOND_MS:.1f}".removesuffix(".0") + " s"


def in_words(ms: int) -> str:
    """Return a duration in words: `1 minute 15 seconds`, `0.25 seconds`."""
    minutes, rest = divmod(ms, MINUTE_MS)
    parts = [ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes}] if minutes else []
    if rest or not parts:
        one = 1 if rest == SECOND_MS else 2
        words = ngettext("%(number)s second", "%(number)s seconds", one)
        parts.append(words % {"number": f"{rest / SECOND_MS:g}"})
    return " ".join(parts)


def points(number: int) -> str:
    """Return a number of points: `1 point`, `2 points`."""
    return ngettext("%(number)s point", "%(number)s points", number) % {"number": number}
