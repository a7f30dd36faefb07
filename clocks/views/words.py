"""The words of the scripts: Django’s JavaScript catalogue, at an address that changes with the program."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

A_YEAR_S = 365 * 24 * 3600

_catalogue = JavaScriptCatalog.as_view(packages=["clocks"])


@gzip_page
@require_safe
def words(request: HttpRequest, language: str, version: str) -> HttpResponse:
    """Return the catalogue of a language. `version` is there for caches only."""
    if language not in dict(settings.LANGUAGES):
        raise Http404(f"no language is called {language!r}")
    with override(language):
        response: HttpResponse = _catalogue(request)
    patch_cache_control(response, public=True, max_age=A_YEAR_S, immutable=True)
    return response
