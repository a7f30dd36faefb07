"""SSRF protection: which addresses webhooks may reach.

A name is resolved once and the connection is pinned to the address that was checked, so DNS rebinding can't bypass
the check. Private addresses need the owner's consent. Link-local addresses, cloud metadata services, multicast and
other special addresses are never allowed.
"""

import ipaddress
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words

LONGEST = 400
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Cloud metadata services outside the link-local range: Azure, Oracle, Alibaba, AWS, Google.
_OF_CLOUDS = frozenset(
    map(ipaddress.ip_address, ("168.63.129.16", "192.0.0.192", "100.100.100.200", "fd00:ec2::254", "fd20:ce::254"))
)
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # NAT64


class Target(NamedTuple):
    """A parsed URL: scheme, host name, port, path, and the resolved `ip`."""

    scheme: str
    host: str
    port: int
    path: str
    ip: str = ""


def parse(url: str) -> Target:
    """Parse a URL. Raises Refused(Why.BAD_VALUE) if it cannot be a webhook."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused(
            Why.BAD_VALUE, "That is not an address. An address looks like https://example.org/clock."
        ) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or len(url) > LONGEST or not url.isascii():
        raise Refused(Why.BAD_VALUE, "The address begins with https:// or http:// and is written in plain letters.")
    if any(each.isspace() or not each.isprintable() for each in url):
        raise Refused(Why.BAD_VALUE, "The address may not contain spaces.")
    if parts.username or parts.password:
        raise Refused(
            Why.BAD_VALUE,
            "The address may not contain a password. The signature proves that a message comes from this clock.",
        )
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80), path)


def resolve(target: Target, private: bool) -> Target:
    """Resolve the host name and pin the target to its first address.

    Raises Refused if any of the name's addresses is not allowed, OSError if the name does not resolve.
    """
    found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    ips = list(dict.fromkeys(str(each[4][0]).partition("%")[0] for each in found))
    for ip in ips:
        must_be_allowed(ipaddress.ip_address(ip), private)
    return target._replace(ip=ips[0])


def must_be_allowed(address: Address, private: bool) -> None:
    """Raise Refused for an address that webhooks may not reach."""
    inner = _inner(address)
    never = inner.is_multicast or inner.is_link_local or inner.is_unspecified or inner in _OF_CLOUDS
    if never or (inner.is_reserved and not inner.is_loopback):
        raise Refused(Why.BAD_VALUE, Words("%(address)s is never written to.", address=str(address)))
    if inner.is_global and not getattr(inner, "is_site_local", False):  # Python counts fec0::/10 as global
        return
    if not settings.WEBHOOKS_PRIVATE:
        words = Words("%(address)s is in a private network, and this clock writes to none.", address=str(address))
        raise Refused(Why.BAD_VALUE, words)
    if not private:
        words = Words(
            "%(address)s is on this machine or in a private network. Tick the box if that is intended.",
            address=str(address),
        )
        raise Refused(Why.BAD_VALUE, words)


def _inner(address: Address) -> Address:
    """IPv4 address embedded in an IPv6 one (NAT64, mapped, 6to4, Teredo), or itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None) or address
