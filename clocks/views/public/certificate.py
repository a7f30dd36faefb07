"""What lets a phone trust this server for good: its authority to install, if `serve --tls` made one."""

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
    """Say how to install the authority on a phone, what it may vouch for, and how to manage without it."""
    return render(request, "clocks/certificate.html", {"name": certificate.name_of(_authority())})


@require_safe
def authority(request: HttpRequest) -> HttpResponse:
    """Serve the authority in the form that phones offer to install."""
    content = certificate.to_install(_authority())
    disposition = {"Content-Disposition": 'attachment; filename="backgammon-clock.crt"'}
    return HttpResponse(content, content_type="application/x-x509-ca-cert", headers=disposition)
