"""Template tags for the language of a page."""

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language

from clocks.host.version import version
from clocks.wording.language import ENGLISH

register = template.Library()


@register.simple_tag
def words_url(part: str) -> str:
    """URL of a script catalogue in the page's language; "" for English (built in)."""
    language = get_language() or ENGLISH
    return "" if language == ENGLISH else reverse("words", args=[part, language, version()])


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """Codes and native names of all languages; Django's own tag would translate them."""
    return list(settings.LANGUAGES)
