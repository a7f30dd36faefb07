"""Input validation; invalid values raise Refused."""

from collections.abc import Iterable, Mapping
from typing import TypeVar
from unicodedata import category
from unicodedata import name as character_name

from clocks.engine.clock import Seat
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words

LONGEST_NOTE = 400  # characters
LARGEST_NOTE = 1_200  # bytes in UTF-8: room for 400 characters of three bytes, but not for 400 emoji
NO_TEXT = ("Cc", "Cs")  # control characters and surrogates, which some databases cannot store

# Scripts that use zero-width joiners; between other letters a joiner has no visible effect.
JOINERS = "\u200c\u200d"
JOINING = frozenset(
    "ARABIC SYRIAC MANDAIC NKO MONGOLIAN DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA MALAYALAM "
    "SINHALA MYANMAR KHMER TIBETAN BALINESE JAVANESE".split()
)
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols without a glyph

Word = TypeVar("Word", bound=str)


def whole(name: str, value: object, least: int, most: int) -> int:
    """Return `value` if it is an integer from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise bad_value(
            "%(name)s must be a whole number from %(least)s to %(most)s.", name=name, least=least, most=most
        )
    return value


def one_of(name: str, value: object, allowed: Iterable[Word]) -> Word:
    """Return the member of `allowed` that equals `value`."""
    for word in allowed:
        if value == word:
            return word
    raise bad_value("%(name)s must be one of %(allowed)s.", name=name, allowed=", ".join(allowed))


def pair(name: str, value: object) -> tuple[object, object]:
    """Return `value` as a tuple (left, right) if it is a pair."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise bad_value("%(name)s must be a pair [left, right].", name=name)
    return (value[0], value[1])


def text(name: str, value: object, longest: int) -> str:
    """Return `value` if it is text of at most `longest` characters.

    Control characters other than tabs and line breaks are rejected.
    """
    if not isinstance(value, str) or len(value) > longest:
        raise bad_value("%(name)s must be text of at most %(longest)s characters.", name=name, longest=longest)
    if not value.isprintable() and any(category(sign) in NO_TEXT and sign not in "\n\r\t" for sign in set(value)):
        raise bad_value("%(name)s must be text, without control characters.", name=name)
    return value


def refuse_hidden(name: str, value: str) -> None:
    """Reject invisible and direction-changing characters in a name."""
    hidden = hidden_character(value)
    if hidden is not None:
        raise bad_value(
            "%(name)s must not contain the invisible character %(character)s. Type it again without that character.",
            name=name,
            character=hidden,
        )


def hidden_character(value: str) -> str | None:
    """First invisible or direction-changing character, such as U+202E, or None.

    These are Unicode's category Cf, control characters except tabs and line breaks, surrogates, and a few letters
    without a glyph. Joiners are allowed between two characters of a script that uses them.
    """
    if value.isascii() and value.isprintable():
        return None
    for at, sign in enumerate(value):
        if _is_hidden(sign) and not (sign in JOINERS and _joins(value, at)):
            return f"U+{ord(sign):04X}"
    return None


def _is_hidden(sign: str) -> bool:
    return (category(sign) in ("Cf", *NO_TEXT) and sign not in "\n\r\t") or sign in BLANKS


def _joins(value: str, at: int) -> bool:
    """True if a joiner stands between two characters of a script that uses it."""
    around = value[max(0, at - 1) : at] + value[at + 1 : at + 2]
    scripts = {character_name(sign, "").split(" ")[0] for sign in around}
    return len(around) == 2 and len(scripts) == 1 and scripts <= JOINING


def bad_value(template: str, **values: object) -> Refused:
    """Exception for an invalid value; the text says what is wrong and what is allowed."""
    return Refused(Why.BAD_VALUE, Words(template, **values))


def parse_seat(name: str, given: Mapping[str, object]) -> Seat:
    """Return the seat that an argument names."""
    return one_of(name, given.get(name), Seat)


def parse_fresh_delay(given: Mapping[str, object]) -> bool:
    """True if a resume restarts the delay; False by default."""
    fresh = given.get("fresh_delay", False)
    if not isinstance(fresh, bool):
        raise bad_value("fresh_delay must be true or false.")
    return fresh


def parse_note(given: Mapping[str, object]) -> str:
    """Return the note without surrounding whitespace; empty by default."""
    note = given.get("note")
    return "" if note is None else text("note", note, LONGEST_NOTE).strip()


def note_must_be_stored(given: object) -> None:
    """Reject a note of more than LARGEST_NOTE bytes.

    Replays skip this check, because earlier versions stored larger notes.
    """
    if isinstance(given, str) and len(given.encode(errors="surrogatepass")) > LARGEST_NOTE:
        raise bad_value(
            "The note is too long: it may have at most %(most)s bytes, and an emoji takes four or more. Shorten it.",
            most=LARGEST_NOTE,
        )
