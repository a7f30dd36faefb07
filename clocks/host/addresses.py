"""The addresses and names under which other devices reach this machine."""

import ipaddress
import socket
from urllib.parse import urlsplit

import psutil
from django.conf import settings
from django.http import HttpRequest


def own_addresses() -> list[str]:
    """Return the IP addresses of this machine's working interfaces, without loopback and link-local ones."""
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
    """Return this machine's host names, also as other devices find it by multicast DNS (`name.local`)."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    return sorted({name, short, f"{short}.local"})


def lan_address() -> str:
    """Return the IPv4 address that other phones should use, or "" without a network.

    That is the one from which this machine would reach the rest of the world; where there is no way out, as on a
    router without internet that names no gateway, the first private one.
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
    """Return every host by which a browser may ask for this machine, as ALLOWED_HOSTS wants them."""
    addresses = [f"[{text}]" if ":" in text else text for text in own_addresses()]
    return [*own_names(), *addresses]


def base_url(request: HttpRequest | None = None) -> str:
    """Return the address, without a slash at the end, at which other devices reach this installation.

    BASE_URL decides when it is set. A page asked for by `localhost` gives the address in the local network that
    `serve` found, because no other phone can use `localhost`; any other page gives its own address.
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
    """Return an address as people type it: a browser finds https by itself, but not at a port of our own."""
    parts = urlsplit(base)
    return base if parts.scheme == "https" and parts.port is not None else parts.netloc + parts.path


def served_address() -> str:
    """Return the address that the running `serve` left for other commands, or "" when none runs."""
    try:
        return str(settings.SERVED_ADDRESS_FILE.read_text()).strip()
    except FileNotFoundError:
        return ""


def table_url(base: str, code: str) -> str:
    """Return the address of a table's page."""
    return f"{base}/t/{code}/"
