"""What programs ask for."""

import logging

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from clocks.metrics import readiness
from clocks.metrics.collector import Figures

logger = logging.getLogger(__name__)


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 `{"ok": true}` when the database can be read, else 503 `{"ok": false, "database": "unreachable"}`."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM clocks_match LIMIT 1")
    except DatabaseError:
        logger.exception("the database cannot be read")
        return JsonResponse({"ok": False, "database": "unreachable"}, status=503)
    return JsonResponse({"ok": True, "database": "ok"})


@never_cache
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    """Answer 200 `{"ok": true}` as long as this process answers at all; if it does not, restart it."""
    return JsonResponse({"ok": True})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer whether this process can do its work, part by part, 503 where one fails: the log says why.

    `{"ok": false, "database": true, "layer": false, "writer": true, "clock": true}`
    """
    parts = readiness.parts()
    ok = all(parts.values())
    return JsonResponse({"ok": ok, **parts}, status=200 if ok else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with this process's figures, as Prometheus reads them, to this machine or to whoever has the token."""
    if not _may_read_figures(request):
        return HttpResponse("Send METRICS_TOKEN: Authorization: Bearer ...\n", status=401, content_type="text/plain")
    return HttpResponse(generate_latest(Figures()), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _may_read_figures(request: HttpRequest) -> bool:
    """Tell whether a request came from this machine itself, and not through a proxy on it, or has the token."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN and constant_time_compare(given, settings.METRICS_TOKEN):
        return True
    forwarded = isinstance(request, ASGIRequest) and request.scope.get("forwarded", False)
    return not forwarded and request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Ask search engines to stay away: nothing here is meant for them, and players' names are nobody's business."""
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead to the icon: browsers look here when what they show names none, such as a QR opened on its own."""
    return redirect(static("clocks/icons/icon.svg"))
