"""Addresses and host names at which other devices reach this machine."""

import ipaddress
import socket
from urllib.parse import urlsplit

import psutil
from django.conf import settings
from django.http import HttpRequest


def own_addresses() -> list[str]:
    """IP addresses of active interfaces, except loopback and link-local ones."""
    working = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found = [
        entry.address.split("%")[0]
        for name, entries in psutil.net_if_addrs().items()
        if name in working
        for entry in entries
        if entry.family in (socket.AF_INET, socket.AF_INET6)
    ]
    return [text for text in found if not (ip := ipaddress.ip_address(text)).is_loopback and not ip.is_link_local]


def own_names() -> list[str]:
    """Host names of this machine, including multicast DNS (`name.local`)."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    return sorted({name, short, f"{short}.local"})


def lan_address() -> str:
    """IPv4 address for other devices to use, or "" without a network.

    This is the source address of the default route. Without a default route, for example because the router announces
    no gateway, it is the first private address, or else the first public one.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("203.0.113.1", 9))  # reserved for documentation; a datagram socket sends nothing here
            found = str(probe.getsockname()[0])
            if not ipaddress.ip_address(found).is_loopback:
                return found
        except OSError:
            pass
    version_4 = [text for text in own_addresses() if ":" not in text]
    private = [text for text in version_4 if ipaddress.ip_address(text).is_private]
    return next(iter(private + version_4), "")


def allowed_hosts() -> list[str]:
    """This machine's names and addresses, in the syntax of ALLOWED_HOSTS."""
    addresses = [f"[{text}]" if ":" in text else text for text in own_addresses()]
    return [*own_names(), *addresses]


def base_url(request: HttpRequest | None = None) -> str:
    """URL at which other devices reach this installation, without a final slash.

    BASE_URL if set, otherwise the one that the request used. Without a request, or if it used `localhost`, which phones
    cannot reach, it is the address that `serve` stored, if any.
    """
    if settings.BASE_URL:
        return str(settings.BASE_URL).rstrip("/")
    served_at = served_address()
    if request is None:
        return served_at or "http://localhost:8000"
    if served_at and request.get_host().split(":")[0] in ("localhost", "127.0.0.1"):
        return served_at
    return f"{request.scheme}://{request.get_host()}"


def as_typed(base: str) -> str:
    """URL as people type it: without a scheme, except for https at an explicit port."""
    parts = urlsplit(base)
    return base if parts.scheme == "https" and parts.port is not None else parts.netloc + parts.path


def served_address() -> str:
    """URL that a running `serve` stored for other commands, or ""."""
    try:
        return str(settings.SERVED_ADDRESS_FILE.read_text()).strip()
    except FileNotFoundError:
        return ""


def table_url(base: str, code: str) -> str:
    """URL of a table's page."""
    return f"{base}/t/{code}/"
