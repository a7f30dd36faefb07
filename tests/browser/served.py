"""HTTP host for scripted pages and their static files.

The browser caches files from real requests, including compiled scripts. With `page.route`, it would load all fifty
files again for each page.
"""

import re
import sys
from collections.abc import Callable
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from playwright.sync_api import Page, ViewportSize, WebSocketRoute

from clocks.middleware import POLICY

HOST = "clock.test"
CSP = POLICY.format(sockets=f" wss://{HOST} ws://{HOST}")
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
QR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><path d="M4 4h21v21H4z"/></svg>'
SHOWN = "X-Shown"  # header that identifies the window, so that each gets its own page
BLANK = "<!doctype html><title>nothing</title>"
NUMBERS = count(1)
# The page stores nothing more as it is left.
EMPTY_STORAGE = """() => {
    localStorage.clear();
    sessionStorage.clear();
    Storage.prototype.setItem = () => undefined;
}"""


class Scene:
    """Server side of a window: its page, socket handler and errors."""

    def __init__(self, page: Page) -> None:
        self.number = str(next(NUMBERS))
        page.set_extra_http_headers({SHOWN: self.number})
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        page.route_web_socket(re.compile(rf"ws://{HOST}/"), self._connect)
        self.clear()

    def clear(self) -> None:
        """Remove the page and the errors."""
        self.show(BLANK, "", lambda socket: None)
        self.errors: list[str] = []

    def show(self, body: str, sockets: str, connect: Callable[[WebSocketRoute], None]) -> None:
        """Serve this page from now on; `connect` handles sockets matching `sockets`."""
        _host().bodies[self.number] = body
        self._sockets, self._serve = rf"ws://{HOST}{sockets}", connect

    def _connect(self, socket: WebSocketRoute) -> None:
        if re.match(self._sockets, socket.url):
            self._serve(socket)
        else:
            socket.close(code=4404, reason="nobody serves this")


SCENES: WeakKeyDictionary[Page, Scene] = WeakKeyDictionary()


def scene(page: Page) -> Scene:
    """Scene of a window, created on first use."""
    if page not in SCENES:
        SCENES[page] = Scene(page)
    return SCENES[page]


def errors_on(page: Page) -> list[str]:
    """Errors logged by scripted pages of a window since its last reset."""
    return list(SCENES[page].errors) if page in SCENES else []


def forget(page: Page, viewport: ViewportSize) -> None:
    """Empty a window and its storage, and give it this size."""
    scene(page).clear()
    page.unroute_all()
    if not page.url.startswith(f"http://{HOST}/"):
        page.goto(f"http://{HOST}/t/")
    page.evaluate(EMPTY_STORAGE)
    page.goto("about:blank")
    page.context.clear_cookies()
    page.set_viewport_size(viewport)
    page.emulate_media(media="null", color_scheme="light", reduced_motion="no-preference", forced_colors="none")
    scene(page).clear()


def blank_address() -> str:
    """URL of a blank page that can import the project's modules, in any browser."""
    return f"http://127.0.0.1:{_host().server_port}/blank"


def arguments() -> list[str]:
    """Command-line arguments that resolve the host in Chromium."""
    return ["--no-sandbox", f"--host-resolver-rules=MAP {HOST} 127.0.0.1:{_host().server_port}"]


class Host(ThreadingHTTPServer):
    """Serves all windows; `bodies` holds their pages by window number."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.bodies: dict[str, str] = {}

    def handle_error(self, *given: Any) -> None:
        """Ignore windows that close before the response is complete."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*given)


@cache
def _host() -> Host:
    """The host, shared by all tests of this process."""
    host = Host()
    Thread(target=host.serve_forever, daemon=True).start()
    return host


class _Answer(BaseHTTPRequestHandler):
    """Serves static files, and otherwise the page of the requesting window."""

    protocol_version = "HTTP/1.1"
    server: Host

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path.startswith(("/static/", "/tests/")):
            self._static(Path(settings.BASE_DIR) / path.lstrip("/"))
        elif path == "/blank":
            self._say(BLANK.encode(), "text/html; charset=utf-8")
        elif path.endswith("/qr.svg"):
            self._say(QR.encode(), TYPES[".svg"])
        elif path.startswith(("/t/", "/e/", "/hall/", "/director/")) and (number := self.headers[SHOWN]):
            page = self.server.bodies[number].encode()
            self._say(page, "text/html; charset=utf-8", {"Content-Security-Policy": CSP, "Cache-Control": "no-store"})
        else:
            self._say(b"", "text/plain", status=404)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.do_GET()

    def _static(self, file: Path) -> None:
        if file.is_file():
            self._say(file.read_bytes(), TYPES[file.suffix], {"Cache-Control": "max-age=3600"})
        else:
            self._say(b"", "text/plain", status=404)

    def _say(self, body: bytes, kind: str, more: dict[str, str] | None = None, *, status: int = 200) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *said: Any) -> None:
        """Log nothing."""
