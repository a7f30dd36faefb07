"""What every answer says to the browser about security: one middleware, first in the list, so nothing escapes it.

Ten lines instead of a library: the policy is one constant, and its `connect-src` needs the host of each request,
which would have to be patched into a library anyway.
"""

from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'{sockets}; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class SecurityHeaders(MiddlewareMixin):
    """Add the content security policy and its companions to every response, and leave out what nobody needs."""

    get_response: Callable[[HttpRequest], HttpResponse]

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Set the headers; sockets are named because older Safari does not match them with 'self'.

        Styles and modules are not documents and load nothing from elsewhere, so a policy of theirs would never count;
        they are read as UTF-8 like the pages that load them. Leaving both out spares a phone a fifth of what it loads.
        A worker, which has a policy, is not under a hashed name.
        """
        hashed = "immutable" in response.headers.get("Cache-Control", "")
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if hashed and kind in ("text/css", "text/javascript"):
            del response["ETag"], response["Last-Modified"]  # what never changes is never asked for again
            del response["Referrer-Policy"]
            response["Content-Type"] = kind
            return response
        try:
            host = request.get_host()
            sockets = f" wss://{host}" if request.is_secure() else f" wss://{host} ws://{host}"
        except DisallowedHost:
            sockets = ""
        response["Content-Security-Policy"] = POLICY.format(sockets=sockets)
        response["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        if request.is_secure():  # on plain http browsers ignore it and complain on the console
            response["Cross-Origin-Opener-Policy"] = "same-origin"
        return response
