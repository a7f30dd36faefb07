"""The language of whoever reads: which one it is, and sentences of the engine said in it.

What is stored, exported, printed by a command or logged stays in the English of the code: it is a record, and records
are compared. A page may say the same in better English: `locale/en` holds such sentences and no others.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.conf import settings
from django.utils.translation import get_supported_language_variant, gettext, override
from django.utils.translation.trans_real import parse_accept_lang_header

from clocks.engine.words import Words

ENGLISH = "en"
LINE_MAY_END = "\u200b"

# The names that the engine, the database and the journal use, and that pages show through `said`: listed here so
# that `makemessages` finds them.
NAMES = (
    *(Words("singles"), Words("doubles")),
    *(Words("setup"), Words("ready"), Words("running"), Words("stopped"), Words("flagged"), Words("over")),
    *(Words("owner"), Words("director"), Words("helper"), Words("viewer"), Words("server")),
)
# The usual reasons to stop the whole hall: the forms send them in English, because the journal keeps them.
HALL_REASONS = (Words("Fire alarm"), Words("Announcement"), Words("Break for everybody"))


def said(words: str) -> str:
    """Return a sentence in the language in force; one that no catalogue knows stays as it is."""
    if isinstance(words, Words) and words.values:
        return gettext(words.template) % words.values
    return gettext(words)


def unmarked(words: str) -> str:
    """Return a sentence without the marks at which a line of Japanese may end: what is stored or compared has none."""
    return words.replace(LINE_MAY_END, "")


def said_in(language: str, words: str) -> str:
    """Return a sentence in a language."""
    with override(language):
        return said(words)


def preferred(cookies: Mapping[str, str], accepted: str) -> str:
    """Return the language to speak: the one chosen on a page, else the first of the browser's that there is."""
    wanted: Sequence[str] = [cookies.get(settings.LANGUAGE_COOKIE_NAME, "")]
    for code in [*wanted, *(code for code, _ in parse_accept_lang_header(accepted))]:
        try:
            return str(get_supported_language_variant(code))
        except LookupError:
            continue
    return ENGLISH


@contextmanager
def as_recorded() -> Iterator[None]:
    """Speak the language of records while this lasts: the English of the code, without any catalogue."""
    with override(None):
        yield
