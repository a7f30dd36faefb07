"""Endpoints for monitoring and crawlers."""

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from clocks.metrics import readiness
from clocks.metrics.collector import Figures


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Check the database: 200 `{"ok": true}`, or 503 with the reason."""
    if not readiness.database.result():
        return JsonResponse({"ok": False, "database": "unreachable"}, status=503)
    return JsonResponse({"ok": True, "database": "ok"})


@never_cache
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    """Liveness probe: always 200 `{"ok": true}`.

    A process that does not answer should be restarted.
    """
    return JsonResponse({"ok": True})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Readiness probe by part: 200, or 503 if a part fails. The log says why.

    `{"ok": false, "database": false, "layer": true, "writer": true, "clock": true}`. `layer` is only a warning.
    """
    parts = readiness.parts()
    ok = readiness.is_ready(parts)
    return JsonResponse({"ok": ok, **parts}, status=200 if ok else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus metrics, for this machine and clients with the token."""
    if not _may_read_figures(request):
        return HttpResponse("Send METRICS_TOKEN: Authorization: Bearer ...\n", status=401, content_type="text/plain")
    return HttpResponse(generate_latest(Figures()), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _may_read_figures(request: HttpRequest) -> bool:
    """True for requests with the token, or from this machine without a proxy."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN and constant_time_compare(given, settings.METRICS_TOKEN):
        return True
    forwarded = isinstance(request, ASGIRequest) and request.scope.get("forwarded", False)
    return not forwarded and request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Keep search engines away, to protect players' names."""
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon.

    Browsers request this path for responses that name no icon, such as a QR code.
    """
    return redirect(static("clocks/icons/icon.svg"))
