"""Estimated widths of names, in ems of a wide sans-serif typeface."""

import unicodedata

_NARROW = frozenset("iIjl.,:;!'|’·")
_SLIM = frozenset('frt()[]-/ "')
_BROAD = frozenset("mwMW@%&Æœ—")
_FULL = ("W", "F")  # East Asian widths of a whole em


def em(text: str) -> float:
    """Width of a text in ems."""
    return sum(map(_em, text))


def _em(sign: str) -> float:
    if sign in _NARROW:
        return 0.33
    if sign in _SLIM:
        return 0.42
    if sign in _BROAD:
        return 1.0
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in _FULL:
        return 1.0
    return 0.7 if sign.isupper() else 0.6


def shortened(text: str, most: float) -> str:
    """Cut a text to at most `most` ems, with an ellipsis if anything is cut."""
    if em(text) <= most:
        return text
    while text and em(text) + 1 > most:
        text = text[:-1]
    return f"{text.rstrip()}…"
