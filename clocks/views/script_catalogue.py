"""Django's JavaScript catalogue for the scripts, at a versioned address."""

from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from clocks.engine.books.published import RULESETS
from clocks.templatetags.modules import imported
from clocks.wording.language import HALL_REASONS, said

A_YEAR_S = 365 * 24 * 3600
CONTEXT_GLUE = "\x04"  # between a context and its message
# Entry scripts of each part, which has the messages of these and of all their imports. An empty part has all messages.
FIRST_MODULES = {
    "phone": (
        "phone/page.js",
        "phone/watch-page.js",
        "pages/start.js",
        "pages/seat-wait.js",
        "offline/page.js",
        "practice/page.js",
    ),
    "all": (),
}


class Catalogue(JavaScriptCatalog):
    """Messages of one part of the scripts, including messages sent by the server."""

    part = "all"

    def get_catalog(self) -> dict[str, Any]:
        """Translations by English message."""
        found: dict[str, Any] = super().get_catalog()
        if FIRST_MODULES[self.part]:
            scripts = _source(FIRST_MODULES[self.part])
            found = {text: words for text, words in found.items() if text.split(CONTEXT_GLUE)[-1] in scripts}
        sent = [*(rules.name for rules in RULESETS.values()), *HALL_REASONS]
        return found | {text: said(text) for text in sent}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Context without formats, because numbers look the same in every language."""
        return super().get_context_data(**kwargs) | {"formats_str": "{}"}


@cache
def _source(first: tuple[str, ...]) -> str:
    """Source of these modules and all their imports, with quotes unescaped."""
    folder = Path(settings.BASE_DIR) / "static"
    names = {name for script in first for name in (f"clocks/{script}", *imported(f"clocks/{script}", later=True))}
    return "".join((folder / name).read_text() for name in sorted(names)).replace("\\'", "'")


@gzip_page
@require_safe
def words(request: HttpRequest, part: str, language: str, version: str) -> HttpResponseBase:
    """Serve a part of a language's catalogue. `version` only busts caches."""
    if language not in dict(settings.LANGUAGES) or part not in FIRST_MODULES:
        raise Http404(f"there are no words of {part!r} in {language!r}")
    with override(language):
        response = Catalogue.as_view(packages=["clocks"], part=part)(request)
    patch_cache_control(response, max_age=A_YEAR_S, immutable=True)
    return response
