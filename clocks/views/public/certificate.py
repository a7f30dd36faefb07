"""Certificate authority for phones to install, if `serve --tls` made one."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clocks.host import certificate


def _authority() -> Path:
    if settings.AUTHORITY_FILE is None:
        raise Http404("this server has made no certificate")
    return settings.AUTHORITY_FILE


@require_safe
def how_to(request: HttpRequest) -> HttpResponse:
    """Explain how to install the authority, and how to do without."""
    return render(request, "clocks/certificate.html", {"name": certificate.name_of(_authority())})


@require_safe
def authority(request: HttpRequest) -> HttpResponse:
    """Serve the authority's certificate as DER, which phones can install."""
    content = certificate.to_install(_authority())
    disposition = {"Content-Disposition": 'attachment; filename="backgammon-clock.crt"'}
    return HttpResponse(content, content_type="application/x-x509-ca-cert", headers=disposition)
