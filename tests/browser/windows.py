"""Browser windows on the product that record every error."""

import io
import json
import os
import re
import shutil
from collections.abc import Callable
from typing import Any

import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket

from tests.browser.engines import expect
from tests.browser.engines.locators import WAIT_MS
from tests.browser.product import Product

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 1,
    "has_touch": True,
    "is_mobile": True,
}
DIRECTOR = {
    "viewport": {"width": 1440, "height": 900},
    "device_scale_factor": 1,
    "has_touch": False,
    "is_mobile": False,
}
# Enables the offline cache, which loads all files a second time; most tests do without.
KEEPING = {"service_workers": "allow"}
KEEPS = "navigator.serviceWorker.ready.then(() => undefined)"
NOTHING_KEPT = "Service Worker registration blocked by Playwright"
# WebKit reports exceptions on the console, including those caused by a lost network, which are not the page's fault.
EXCEPTION = re.compile(
    r"\b(?:Type|Reference|Range|Syntax)Error\b"
    r"(?!: (?:Load failed|Failed to fetch|NetworkError|Importing a module script failed|error loading dynamically))"
)
LOST_SOCKET = "can’t establish a connection to the server"  # Firefox reports it as a page error
# WebKit's error for a same-origin fetch aborted by navigation, and Firefox's for a socket.
LEFT = re.compile(
    r"error on (http://[^/]+)/\S*: (Fetch API cannot load \1/\S* due to access control checks"
    r"|The connection to \S+ was interrupted while the page was loading)"
)


def chromium() -> str | None:
    """Path of the system's Chromium; None selects Playwright's own."""
    names = (os.environ.get("CHROMIUM") or "chromium-headless-shell", "chromium", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


class Windows:
    """Opens windows; collects their errors, CSP violations and failed requests."""

    def __init__(self, browser: Browser, product: Product) -> None:
        self.browser = browser
        self.product = product
        self.troubles: list[str] = []
        self.server_is_down = False  # while True, connection failures are not errors
        self.wrong_on_purpose = False  # while True, 400 responses are expected: the test sends invalid input
        self._contexts: list[BrowserContext] = []

    def open(self, **looks: Any) -> Page:
        """Open a page in a new context, by default with service workers blocked."""
        context = self.browser.new_context(**{"service_workers": "block", **looks})
        context.set_default_timeout(WAIT_MS)
        context.on("page", self._listen)
        self._contexts.append(context)
        return context.new_page()

    def _listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self._threw(f"error on {page.url}: {error}"))
        page.on("console", lambda line: self._note(f"{line.type} on {page.url}: {line.text}", line.type))
        page.on("requestfailed", lambda request: self._failed(request.url, request.failure))
        page.on("response", lambda answer: self._answered(answer.status, answer.url))

    def _threw(self, words: str) -> None:
        if not (self.server_is_down and LOST_SOCKET in words) and not LEFT.match(words):
            self.troubles.append(words)

    def _note(self, words: str, kind: str = "error") -> None:
        purpose = self.wrong_on_purpose and (words.startswith("400 ") or "status of 400" in words)
        wanted = purpose or NOTHING_KEPT in words
        lost = self.server_is_down and not EXCEPTION.search(words)
        if kind in ("error", "warning") and not lost and not wanted:
            self.troubles.append(words)

    def _answered(self, status: int, url: str) -> None:
        if status >= 400:
            self._note(f"{status} {url}")

    def _failed(self, url: str, failure: str | None) -> None:
        # A download aborts its navigation. "csp" is also reported for each preload on a page without scripts; real
        # violations appear on the console and fail in `kept_policy`.
        if failure not in ("net::ERR_ABORTED", "NS_BINDING_ABORTED", "csp"):
            self._note(f"{failure}: {url}")

    def phone(self, url: str, **looks: Any) -> "Phone":
        """Open a URL on a new phone."""
        page = self.open(**{**PHONE, **looks})
        page.goto(url)
        return Phone(page)

    def director(self, **looks: Any) -> Page:
        """Tournament list, signed in through a `manage.py directorlink` link."""
        page = self.open(**{**DIRECTOR, **looks})
        page.goto(self.product.manage("directorlink").strip())
        page.get_by_role("button", name="Sign in here").click()
        expect(page.get_by_role("heading", name="Tournaments", exact=True)).to_be_visible()
        return page

    def scan(self, code: str) -> str:
        """Decode the address in a table's QR code from a screenshot."""
        page = self.open(viewport={"width": 600, "height": 600})
        page.goto(f"{self.product.address}/t/{code}/qr.svg")
        return scanned(page)

    def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            context.close()


def scanned(page: Page, code: Locator | None = None) -> str:
    """Text of the only QR code on a page, or within the locator `code`.

    Waits for the code, because a screenshot may be taken before the page or its images are painted.
    """
    found: list[str] = []

    def seen() -> bool:
        picture = Image.open(io.BytesIO((code or page).screenshot()))
        found[:] = [barcode.text for barcode in zxingcpp.read_barcodes(picture)]
        return bool(found)

    Phone(page).until(seen, "a QR code in the picture")
    (text,) = found
    return text


class Phone:
    """Phone at a table; `frames` lists the frames its sockets received, oldest first."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.sockets = 0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        self.sockets += 1
        socket.on("framereceived", lambda text: self.frames.append(json.loads(text)))
        socket.on("framesent", lambda text: self.sent.append(_read(text)))

    def sit(self, who: str) -> None:
        """Take a seat on the table's page, which leads to the clock."""
        self.page.get_by_role("button", name=who).tap()
        expect(self.page.locator("match-clock")).to_have_attribute("data-link", "open")

    def sit_between(self) -> None:
        """Take both seats, and confirm the settings for both players."""
        self.sit("One phone between us")
        for seat in ("left", "right"):
            self.tap("Confirm", seat=seat)

    def call(self, note: str) -> None:
        """Call the director with a note."""
        self.tap("More", "Call the director …")
        self.page.get_by_label("What is it about?").fill(note)
        self.tap("Call the director")

    def half(self, seat: str) -> Locator:
        """A player's half of the page: `left` or `right`."""
        return self.page.locator(f".half[data-seat={seat}]")

    def shows(self, seat: str, mode: str) -> None:
        """Wait until a half is in a mode: turn, wait, ready, stopped, over ..."""
        expect(self.half(seat)).to_have_attribute("data-mode", mode)

    def says(self, words: str | re.Pattern[str]) -> None:
        """Wait until the page shows this text."""
        expect(self.page.locator("match-clock").get_by_text(words).filter(visible=True).first).to_be_visible()

    def hit(self, seat: str) -> None:
        """Tap a player's pad, or the opponent's name if asked who moves first."""
        self.half(seat).locator(f".pad:not([hidden]), .side[data-first]:not([data-first={seat}])").tap()

    def tap(self, *labels: str, seat: str | None = None) -> None:
        """Tap buttons by label, in order; on a shared phone, specify the seat."""
        where = f".half[data-seat={seat}], .actions[data-seat={seat}], .sheet" if seat else "body"
        scope = self.page.locator(where)
        for label in labels:
            scope.get_by_role("button", name=label).filter(visible=True).tap()

    def until_quality_is_known(self) -> None:
        """Wait until the page has measured its connection."""
        expect(self.page.locator(".bars")).to_have_attribute("aria-label", re.compile("^Connection"))

    def refusals(self) -> list[dict[str, Any]]:
        """`refused` frames received by this phone."""
        return [frame for frame in self.frames if frame["t"] == "refused"]

    def until(self, condition: Callable[[], bool], what: str, most_ms: int = WAIT_MS) -> None:
        """Let the page run until a condition outside it holds."""
        for _ in range(most_ms // 50):
            if condition():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"it never came: {what}")


def _read(text: str | bytes) -> Any:
    """Parse a frame from a page; return invalid JSON, which some tests send, as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
