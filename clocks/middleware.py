"""Security headers for all responses except files where browsers ignore them.

First in the list of middleware, so that no response is missed. Our own rather than a library's, because `connect-src`
needs the host of each request.
"""

from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'{sockets}; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class SecurityHeaders(MiddlewareMixin):
    """Add the content security policy and related headers.

    Drop useless headers from hashed files.
    """

    get_response: Callable[[HttpRequest], HttpResponse]

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Set the headers.

        WebSocket URLs are explicit because 'self' does not match them in older versions of Safari. Browsers ignore a
        policy sent with styles, modules or fonts, and decode text as UTF-8 like their page, so omitting policy and
        charset saves a phone a fifth of its download. A service worker needs its policy, but has no hashed name.
        """
        hashed = "immutable" in response.headers.get("Cache-Control", "")
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if hashed and kind in ("text/css", "text/javascript", "font/woff2"):
            del response["ETag"], response["Last-Modified"]  # an immutable file is never revalidated
            del response["Referrer-Policy"]
            response["Content-Type"] = kind
            response["Cache-Control"] = "max-age=31536000, immutable"  # a year; `public` is the default
            return response
        try:
            host = request.get_host()
            sockets = f" wss://{host}" if request.is_secure() else f" wss://{host} ws://{host}"
        except DisallowedHost:
            sockets = ""
        response["Content-Security-Policy"] = POLICY.format(sockets=sockets)
        if kind == "text/html":
            response["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        if request.is_secure():  # over plain http, browsers ignore it and warn on the console
            response["Cross-Origin-Opener-Policy"] = "same-origin"
        return response
