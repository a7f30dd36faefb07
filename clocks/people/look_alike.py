"""Skeletons of names: look-alike names share one limit in the sign-in throttle."""

import unicodedata
from functools import lru_cache

LONGEST = 150

# ASCII characters that look alike. For all other characters there is Unicode's table of confusables.
_PLAIN = str.maketrans({"0": "o", "1": "i", "l": "i", "|": "i"})
_LEFT_OUT = ("M", "C", "Z")  # Unicode categories: marks, control and format characters, separators


def skeleton(name: str) -> str:
    """Skeleton of a name: the same for Olga, OLGA, Ólga, 0lga and a Greek omicron."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name[:LONGEST]).casefold())
    plain = "".join(_plain(sign) for sign in folded if not unicodedata.category(sign).startswith(_LEFT_OUT))
    return plain.translate(_PLAIN).replace("rn", "m")[:LONGEST]


@lru_cache(maxsize=4096)
def _plain(sign: str) -> str:
    """ASCII letter or digit that a character looks like, else the character itself."""
    if sign.isascii():
        return sign
    from confusable_homoglyphs import confusables  # lazy: it loads a megabyte, and most names are ASCII

    found = confusables.is_confusable(sign, greedy=True) or [{"homoglyphs": []}]
    alike = (entry["c"].strip("\u200e") for entry in found[0]["homoglyphs"])
    return next((other.casefold() for other in alike if other.isascii() and other.isalnum()), sign)
