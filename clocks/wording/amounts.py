"""Format times, delays and points."""

from django.utils.translation import ngettext

from clocks.engine.words import clock as clock

MINUTE_MS, SECOND_MS = 60_000, 1_000


def seconds(ms: int) -> str:
    """Duration rounded to tenths of a second: `12 s`, `8.4 s`."""
    return f"{ms / SECOND_MS:.1f}".removesuffix(".0") + " s"


def in_words(ms: int) -> str:
    """Duration in words: `1 minute 15 seconds`, `0.25 seconds`."""
    minutes, rest = divmod(ms, MINUTE_MS)
    parts = [ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes}] if minutes else []
    if rest or not parts:
        one = 1 if rest == SECOND_MS else 2
        words = ngettext("%(number)s second", "%(number)s seconds", one)
        parts.append(words % {"number": f"{rest / SECOND_MS:g}"})
    return " ".join(parts)


def points(number: int) -> str:
    """Number of points: `1 point`, `2 points`."""
    return ngettext("%(number)s point", "%(number)s points", number) % {"number": number}
