"""`manage.py serve`: run the server on a single machine in the hall."""

import errno
import io
import logging
import socket
import sys
from argparse import ArgumentParser
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from clocks.host import addresses, advice, certificate, newer
from clocks.host.checks import PROCESSES
from clocks.host.fingerprint import fingerprint
from clocks.host.process_lock import NotAlone, process_lock
from clocks.people import sign_in_links
from clocks.serving.server import ClockServer, plain_endpoints, secured_endpoints

WITHOUT_TLS = f"  Phones can keep their screens on only over https: {advice.run(tls=True)}\n"
WARNED = """\
  Each device warns once, because this computer made its certificate itself. Players go on past the warning:
    iPhone   This Connection Is Not Private: tap Show Details, then visit this website
    Android  Your connection is not private: tap Advanced, then Proceed to {host}
  An iPhone that stays at "Reconnecting" needs the certificate installed. How to: {address}/certificate/
  Install it on the director's own devices: they never ask again, and a warning there means that somebody else answers.
  Before you trust it, compare the SHA-256 that the device shows with this one; the words stand for its beginning, so
  that one of you can read them to another.
    shown to every device
{shown}
    to install
{installed}
  Why https: only then can a page keep the screen on and be installed. If you type the address, type https:// too.
"""

logger = logging.getLogger(__name__)

NO_PROXY = (
    "BASE_URL is on https, but nothing here speaks it. Name the proxy that does, such as TRUSTED_PROXIES=127.0.0.1 "
    "(docs/operations.md), or serve https yourself: " + advice.run(tls=True)
)


class Command(BaseCommand):
    """Run Daphne; print its address and, on a terminal, a director's link."""

    help = "Start the clock on all interfaces and print the director's link and the address for the players."
    requires_system_checks = [PROCESSES]  # Django's own checks import the API, which would delay the start

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default: 8000")
        parser.add_argument("--bind", default="0.0.0.0", help="the interface to listen on (default: all)")
        parser.add_argument("--tls", action="store_true", help="serve https with a certificate made here")

    def handle(self, *args: Any, port: int, bind: str, tls: bool, **options: Any) -> None:
        self._check(port, bind, tls)
        if settings.HTTPS and not (tls or settings.TRUSTED_PROXIES):
            raise CommandError(NO_PROXY)
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *addresses.allowed_hosts()]
        host = (addresses.lan_address() if bind == "0.0.0.0" else bind) or "localhost"
        scheme = "https" if tls else "http"
        address = settings.BASE_URL.rstrip("/") or f"{scheme}://{host}:{port}"
        endpoints = _secured(bind, port) if tls else plain_endpoints(bind, port)
        from config.asgi import application, door  # imported late: it reads the settings above

        ready = partial(self._greet, address, f"{scheme}://localhost:{port}/", host)
        settings.SERVED_ADDRESS_FILE.write_text(address)
        try:
            server = ClockServer(application, endpoints, ready, door)
            server.run()
        finally:
            settings.SERVED_ADDRESS_FILE.unlink(missing_ok=True)
        if server.abort_start:
            raise CommandError(f"The server could not listen on port {port}.")
        if self._for_programs():
            logger.info("stopped")
        else:
            self._say("\nStopped. Everything has been kept; start again with the same command.")

    def _check(self, port: int, bind: str, tls: bool) -> None:
        """Check port, migrations and static files; take the process lock.

        Raises CommandError on the first problem.
        """
        if not 0 < port < 65536:
            raise CommandError(f"A port is a number from 1 to 65535, not {port}.")
        with socket.socket() as probe:
            if sys.platform != "win32":  # on Windows this would let two servers share the port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((bind, port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    words = f"Port {port} is in use. Is the clock already running? Choose another: "
                    words += advice.run(port + 1, tls)
                elif error.errno == errno.EACCES:
                    words = f"Port {port} needs administrator rights. Choose one above 1023: {advice.run(8000, tls)}"
                else:
                    words = f"Cannot listen on {bind}, port {port}: {error.strerror}"
                raise CommandError(words) from None
        executor = MigrationExecutor(connection)
        if unknown := newer.unknown(sorted(executor.loader.applied_migrations), executor.loader):
            raise CommandError(newer.words(unknown))
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError(f"The database is not up to date. {advice.upgrade()}")
        try:
            process_lock.take()
        except NotAlone as fault:
            raise CommandError(str(fault)) from None
        if not (settings.STATIC_ROOT / "staticfiles.json").exists():
            raise CommandError(f"Static files are missing. This gathers them, and starts: {advice.run()}")

    def _greet(self, address: str, here: str, host: str) -> None:
        """Print addresses, sign-in link and QR code, or only log the address."""
        if self._for_programs():
            logger.info("listening, and reached at %s", address)
            return
        self._say("\nThe backgammon clock is running.\n")
        if self.stdout.isatty():
            self._say("  The director signs in with this link. It works once, within 24 hours:")
            self._say(f"    {address}{sign_in_links.make_link()}\n")
        else:
            link = advice.directorlink()
            self._say(f"  The director signs in with a link that is not written to a log: {link}\n")
        self._say("  Players open this address, by hand or with a camera (same Wi-Fi as this computer):")
        self._say(f"    {address}/\n")
        self._say(_qr(f"{address}/", self.stdout.encoding or "", coloured=self.stdout.isatty()))
        if settings.CERTIFICATE_FILE and settings.AUTHORITY_FILE:
            shown, installed = _printed(settings.CERTIFICATE_FILE), _printed(settings.AUTHORITY_FILE)
            self._say(WARNED.format(host=host, address=address, shown=shown, installed=installed))
        elif address.startswith("http:"):
            self._say(WITHOUT_TLS)
        self._say(f"  On this computer it is also at {here}")
        self._say(f"  For a new director's link, which replaces the one before: {advice.directorlink()}\n")
        self._say("  Stop with Ctrl-C.")

    def _for_programs(self) -> bool:
        """True if the output goes to a log collector: JSON logs and no terminal."""
        return settings.LOG_FORMAT == "json" and not self.stdout.isatty()

    def _say(self, words: str) -> None:
        self.stdout.write(f"{words}\n")
        self.stdout.flush()


def _secured(bind: str, port: int) -> list[str]:
    """Set up https with this machine's own certificate; return the endpoints."""
    names, own = addresses.own_names(), addresses.own_addresses()
    files = certificate.keep(settings.DATA_DIR / "tls", names, own, datetime.now(UTC))
    settings.CERTIFICATE_FILE, settings.AUTHORITY_FILE = files.certificate, files.authority
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    for name in ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "DEVICE_COOKIE_NAME", "KNOWN_COOKIE_NAME"):
        setattr(settings, name, settings.HOST_ONLY + getattr(settings, name).removeprefix(settings.HOST_ONLY))
    settings.SECURE_HSTS_SECONDS = 0
    return secured_endpoints(bind, port, files.key, files.certificate)


def _printed(file: Path) -> str:
    """Fingerprint of a certificate, as indented lines."""
    lines, words = fingerprint(file)
    return "\n".join(f"      {line}" for line in (*lines, words))


def _qr(url: str, encoding: str, coloured: bool) -> str:
    """QR code of an address in half-block characters; "" if the terminal is not UTF-8.

    With colours it is dark on light in any terminal; without them, that depends on the terminal.
    """
    if encoding.lower().replace("-", "") != "utf8":
        return ""
    out = io.StringIO()
    segno.make(url.upper(), error="m", micro=False).terminal(out=out, compact=True, border=2)
    lines = out.getvalue().splitlines()
    return "\n".join(f"    \033[97;40m{line}\033[0m" if coloured else f"    {line}" for line in lines) + "\n"
