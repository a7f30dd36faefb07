"""Redirect plain http on an https port to https.

Only for hosts in ALLOWED_HOSTS: this must not become an open redirect.
"""

import re
from html import escape
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from twisted.protocols.tls import BufferingTLSTransport

HANDSHAKE = b"\x16"  # first byte of a TLS connection (RFC 8446, 5.1)
REQUEST = re.compile(rb"^[A-Z]{3,10} (/[!-~]{0,2000}) HTTP/1\.[01]\r?\n")
HOST = re.compile(rb"^host:[ \t]*([\w.:\[\]-]{1,255})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
SENTENCE = "This clock speaks https. Open it by an address that begins with https://"


def led_to_https(said: bytes) -> bytes:
    """Response to plain http: a redirect if host and path are valid, otherwise 400."""
    host, request = _host(said), REQUEST.match(said)
    address = f"https://{host}{request[1].decode()}" if host and request else ""
    link = f' <a href="{escape(address)}">{escape(address)}</a>' if address else ""
    body = f"<!doctype html><title>https</title><p>{SENTENCE}{link}</p>\n".encode()
    head = ["HTTP/1.1 307 Temporary Redirect" if address else "HTTP/1.1 400 Bad Request"]
    head += [f"Location: {address}"] if address else []
    head += ["Content-Type: text/html; charset=utf-8", f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join([*head, "", ""]).encode() + body


def _host(said: bytes) -> str:
    """Requested host; "" if it is not in ALLOWED_HOSTS."""
    found = HOST.search(said)
    host = found[1].decode("latin1") if found else ""
    domain, _ = split_domain_port(host)
    return host if domain and validate_host(domain, settings.ALLOWED_HOSTS) else ""


class OnlyHttps(BufferingTLSTransport):
    """TLS connection that answers plain http in plain http, then closes."""

    heard = False

    def dataReceived(self, data: bytes) -> None:
        """Detect TLS by the first byte."""
        if self.heard or data[:1] == HANDSHAKE:
            self.heard = True
            super().dataReceived(data)  # type: ignore[no-untyped-call]
        else:
            transport: Any = self.transport  # Twisted's types lack a transport's methods
            transport.write(led_to_https(data))
            transport.loseConnection()
