"""Collation of names by the reader's alphabet, as in CLDR.

The letters that sort specially in one of our languages are listed here: a library would need compiled code (ICU) or
would not know these alphabets (pyuca). Accents and case decide only between names that are otherwise equal.
"""

import unicodedata
from types import MappingProxyType

from django.utils.translation import get_language

# Letters that Unicode does not split into a letter and an accent.
PLAIN_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "œ": "oe"})

_LAST = "\U0010fffd"  # sorts after any other character
_AFTER_Z = {"æ": f"z{_LAST}1", "ø": f"z{_LAST}2", "å": f"z{_LAST}3"}
_OWN_LETTERS = MappingProxyType(
    {
        "da": {**_AFTER_Z, "ä": _AFTER_Z["æ"], "ö": _AFTER_Z["ø"], "aa": _AFTER_Z["å"], "ü": "y"},
        "es": {"ñ": f"n{_LAST}"},
    }
)
_HIRAGANA = {ord("ァ") + at: ord("ぁ") + at for at in range(86)}  # katakana sort as hiragana


def plain(name: str) -> str:
    """Name casefolded and without accents."""
    return _stripped(unicodedata.normalize("NFKC", name).casefold())


def place(name: str) -> tuple[str, str, str]:
    """Sort key of a name in the active language."""
    composed = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    letters = composed
    for letter, sorts_as in _OWN_LETTERS.get((get_language() or "").split("-")[0], {}).items():
        letters = letters.replace(letter, sorts_as)
    return _stripped(letters).translate(_HIRAGANA), unicodedata.normalize("NFD", composed), name


def _stripped(name: str) -> str:
    if name.isascii():
        return name
    spread = unicodedata.normalize("NFD", name.translate(PLAIN_LETTERS))
    return "".join(sign for sign in spread if not unicodedata.combining(sign))
