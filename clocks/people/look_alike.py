"""Names that nobody can tell apart are one name to whoever counts what was tried."""

import unicodedata
from functools import lru_cache

LONGEST = 150

# What looks alike among the plain letters and digits, where Unicode's table leads to one of them.
_PLAIN = str.maketrans({"0": "o", "1": "i", "l": "i", "|": "i"})
_LEFT_OUT = ("M", "C", "Z")  # accents, invisible signs, blanks


def skeleton(name: str) -> str:
    """Return what a name looks like: the same for Olga, OLGA, Ólga, 0lga and one with a Greek omicron."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name[:LONGEST]).casefold())
    plain = "".join(_plain(sign) for sign in folded if not unicodedata.category(sign).startswith(_LEFT_OUT))
    return plain.translate(_PLAIN).replace("rn", "m")[:LONGEST]


@lru_cache(maxsize=4096)
def _plain(sign: str) -> str:
    """Return the plain letter or digit that a sign is taken for, else the sign itself."""
    if sign.isascii():
        return sign
    from confusable_homoglyphs import confusables  # only now: it reads a megabyte, and most names are plain

    found = confusables.is_confusable(sign, greedy=True) or [{"homoglyphs": []}]
    alike = (entry["c"].strip("\u200e") for entry in found[0]["homoglyphs"])
    return next((other.casefold() for other in alike if other.isascii() and other.isalnum()), sign)
