"""The language of a page, as its template needs it."""

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language

from clocks.host.version import version
from clocks.wording.language import ENGLISH

register = template.Library()


@register.simple_tag
def words_url(part: str) -> str:
    """Return the address of a part of the scripts’ words in the page’s language, "" for English: scripts have that."""
    language = get_language() or ENGLISH
    return "" if language == ENGLISH else reverse("words", args=[part, language, version()])


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """Return the code of each language with its own name; Django's own tag translates the names."""
    return list(settings.LANGUAGES)
