"""Web app manifest, service worker and offline page."""

import json
import re

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clocks.host.version import version
from clocks.templatetags.modules import imported
from clocks.views.public.practice import practice
from clocks.wording.language import unmarked

GROUND = "#0d1116"  # dark background of the page, as in style/tokens.css
WORKER = settings.BASE_DIR / "static" / "clocks" / "offline" / "worker.js"
ICONS = (("192", "any"), ("512", "any"), ("512", "maskable"))

_NEEDED = re.compile(r'<(?:script|link rel="(?:stylesheet|icon|preload)")[^>]*? (?:href|src)="([^"]+)"')
_HASH = re.compile(r"\.[0-9a-f]{6}(?=\.\w+$)")


@never_cache
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker with its list of files to cache."""
    if settings.DEBUG:
        raise Http404("while somebody works on the program nothing is kept")
    pages = {reverse("offline"): offline(request), reverse("practice"): practice(request)}
    files = {file for page in pages.values() for file in _files_of(page.content.decode())}
    kept = {"version": version(), "offline": reverse("offline"), "pages": [*pages], "files": sorted(files)}
    return HttpResponse(f"self.kept = {json.dumps(kept)};\n{WORKER.read_text()}", content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the offline page, which replaces the clock while the network is down."""
    return render(request, "clocks/offline/page.html")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Serve the web app manifest."""
    icons = [
        {
            "src": static(f"clocks/icons/icon-{size}{'' if purpose == 'any' else '-maskable'}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for size, purpose in ICONS
    ]
    described = {
        "name": unmarked(gettext("Backgammon clock")),
        "short_name": unmarked(gettext("Clock")),
        "description": unmarked(gettext("Two phones, one clock")),
        "lang": get_language(),
        "id": reverse("home"),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": icons,
    }
    return JsonResponse(described, content_type="application/manifest+json")


def _files_of(page: str) -> set[str]:
    """URLs of the files that a page loads, including all imported modules."""
    found = set(_NEEDED.findall(page))
    modules = {name for url in found if url.endswith(".js") and (name := _static_name(url))}
    return found | {static(name) for module in modules for name in imported(module, later=True)}


def _static_name(url: str) -> str:
    """Name of a static file by its URL, without the hash; "" for other URLs."""
    return _HASH.sub("", url.removeprefix(settings.STATIC_URL)) if url.startswith(settings.STATIC_URL) else ""
