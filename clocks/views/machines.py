"""What programs ask for."""

import logging

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

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


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Ask search engines to stay away: nothing here is meant for them, and players' names are nobody's business."""
    return HttpResponse("User-agent: *\nDisallow: /\n", content_type="text/plain")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead to the icon: browsers look here where what they show names none, such as a QR opened by itself."""
    return redirect(static("clocks/icons/icon.svg"))
