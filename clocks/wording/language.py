"""The reader's language, and translation of the engine's sentences.

Stored, exported and logged text and the output of commands stay in the source English, so that records can be compared.
A page may use better English; `locale/en` holds only those sentences.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.conf import settings
from django.utils.translation import get_supported_language_variant, gettext, ngettext, override
from django.utils.translation.trans_real import parse_accept_lang_header

from clocks.engine.words import Words

ENGLISH = "en"
LINE_MAY_END = "\u200b"

# Words of the engine, the database and the journal that pages translate with `said`, listed for `makemessages`.
NAMES = (
    *(Words("singles"), Words("doubles")),
    *(Words("setup"), Words("ready"), Words("running"), Words("stopped"), Words("flagged"), Words("over")),
    *(Words("owner"), Words("director"), Words("helper"), Words("viewer"), Words("server")),
)
# Usual reasons to stop the whole hall. Forms send them in English, because the journal stores them.
HALL_REASONS = (Words("Fire alarm"), Words("Announcement"), Words("Break for everybody"))


def said(words: str) -> str:
    """Translate into the active language; unknown text is returned unchanged."""
    if not isinstance(words, Words):
        return gettext(words)
    template = ngettext(*words.forms) if words.forms else gettext(words.template)
    return template % words.values if words.values else template


def unmarked(words: str) -> str:
    """Strip the zero-width spaces that let Japanese lines break; stored text has none."""
    return words.replace(LINE_MAY_END, "")


def said_in(language: str, words: str) -> str:
    """Translate into a given language."""
    with override(language):
        return said(words)


def preferred(cookies: Mapping[str, str], accepted: str) -> str:
    """Language of a reader: the one chosen on a page, else the browser's preference."""
    wanted: Sequence[str] = [cookies.get(settings.LANGUAGE_COOKIE_NAME, "")]
    for code in [*wanted, *(code for code, _ in parse_accept_lang_header(accepted))]:
        try:
            return str(get_supported_language_variant(code))
        except LookupError:
            continue
    return ENGLISH


@contextmanager
def as_recorded() -> Iterator[None]:
    """Context manager that turns translation off, for text to be recorded."""
    with override(None):
        yield
