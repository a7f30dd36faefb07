"""WebKitGTK over W3C WebDriver, with the parts of Playwright's interface in use.

Each context is a separate browser on its own display, so its window always has focus. It starts in half a second.
"""

import http.client
import io
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PIL import ImageGrab

from tests.browser.engines.locators import STEP_S, WAIT_MS, Finder, Locator, poll
from tests.ports import free_port

WINDOW = Path(__file__).parent / "webkit_window.py"
NEEDED = ("WebKitWebDriver", "Xvfb")
ENVIRONMENT = {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1"}
# Calls a function in the page with an argument, or evaluates an expression.
CALL = """const [text, done] = arguments;
const given = JSON.parse(text);
Promise.resolve().then(() => { const it = (%s); return typeof it === 'function' ? it(given) : it; })
    .then((value) => done({ value: value ?? null }), (error) => done({ error: `${error}\\n${error?.stack}` }));"""
SAID = re.compile(r"CONSOLE (?:\w+ )?(ERROR|WARN) (.*)")
# Warnings not caused by the page: WebKit lacks a CSP directive, and closes sockets on navigation.
NOT_OF_THE_PAGE = re.compile(
    "Unrecognized Content-Security-Policy directive 'manifest-src'|WebSocket is closed due to suspension"
)
KEYS = {
    "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Backspace": "\ue003", "Delete": "\ue017", " ": " ",
    "Space": " ", "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
    "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010",
}  # fmt: skip


class WebKitError(Exception):
    """Error reported by the driver or the page."""


class Browser:
    """Creates contexts, like Playwright's browser."""

    browser_type = SimpleNamespace(name="webkit")

    def __init__(self) -> None:
        self.contexts: list[Context] = []

    def new_context(self, **looks: Any) -> "Context":
        context = Context(self, **looks)
        self.contexts.append(context)
        return context

    def close(self) -> None:
        for context in list(self.contexts):
            context.close()


class Context:
    """A browser with its own storage and at most one page."""

    def __init__(self, browser: Browser, *, viewport: dict[str, int] | None = None, locale: str = "", **_: Any) -> None:
        self.browser = browser
        self.pages: list[Page] = []
        self.wait_ms = WAIT_MS
        self.heard: dict[str, list[Callable[[Any], None]]] = defaultdict(list)
        self._viewport = viewport or {"width": 1280, "height": 720}
        self._locale = locale or "en-GB"
        self._stack = ExitStack()

    def set_default_timeout(self, ms: int) -> None:
        self.wait_ms = ms

    def on(self, event: str, hear: Callable[[Any], None]) -> None:
        self.heard[event].append(hear)

    def tell(self, event: str, what: Any) -> None:
        for hear in self.heard[event]:
            hear(what)

    def new_page(self) -> "Page":
        """Start the browser and return its page."""
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        display = self._display()
        port = free_port()
        driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"],
            env={**os.environ, **ENVIRONMENT, "DISPLAY": display, "GDK_BACKEND": "x11"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(end, driver)
        session = Session(port, folder, self._locale)
        self._stack.callback(session.end)
        page = Page(self, session, display)
        page.set_viewport_size(self._viewport)
        self.pages.append(page)
        self.tell("page", page)
        return page

    def _display(self) -> str:
        """Start an X server; return its display name."""
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1920x1200x24", "-nolisten", "tcp"]
        server = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._stack.callback(end, server)
        os.close(writing)
        with os.fdopen(reading) as told:
            return f":{told.readline().strip()}"

    def close(self) -> None:
        """Report remaining console output and close the browser."""
        for page in self.pages:
            page.listen()
        self.pages.clear()
        self._stack.close()
        if self in self.browser.contexts:
            self.browser.contexts.remove(self)


class Session:
    """A WebKitWebDriver session over HTTP."""

    def __init__(self, port: int, folder: Path, language: str) -> None:
        self.folder = folder
        self.console = folder / "console"
        self._link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._path = ""
        options = {"binary": str(WINDOW), "args": [str(folder), language]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._path = f"/session/{self._begin(asked)['sessionId']}"

    def _begin(self, asked: dict[str, Any]) -> Any:
        deadline = time.monotonic() + 30
        while True:
            try:
                return self.ask("POST", "/session", asked)
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                self._link.close()
                time.sleep(STEP_S)

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a command; return the response value."""
        text = None if method == "GET" else json.dumps(body or {})
        self._link.request(method, self._path + path, text, {"Content-Type": "application/json"})
        answer = self._link.getresponse()
        value = json.loads(answer.read())["value"]
        if answer.status != 200:
            raise WebKitError(f"{path}: {value['error']}: {value['message']}")
        return value

    def end(self) -> None:
        """Close the window, even if the driver has already lost it."""
        with suppress(WebKitError, OSError, http.client.HTTPException):
            self.ask("DELETE", "")
        self._link.close()


class Page(Finder):
    """The page of a context, like Playwright's."""

    def __init__(self, context: Context, session: Session, display: str) -> None:
        self.page = self
        self.context = context
        self.keyboard = Keyboard(self)
        self._session = session
        self._display = display
        self._heard: dict[str, list[Callable[[Any], None]]] = defaultdict(list)
        self._read = 0

    def on(self, event: str, hear: Callable[[Any], None]) -> None:
        """Add a callback for `console`, which in WebKit includes errors.

        Callbacks for other events are never called.
        """
        self._heard[event].append(hear)

    def listen(self) -> None:
        """Report new console output of the page."""
        if not self._session.console.exists():
            return
        with self._session.console.open("rb") as console:
            console.seek(self._read)
            written, _, _ = console.read().rpartition(b"\n")
        self._read += len(written) + 1 if written else 0
        for line in written.decode(errors="replace").splitlines():
            if (found := SAID.search(line)) and not NOT_OF_THE_PAGE.search(line):
                kind, text = {"WARN": "warning"}.get(found[1], "error"), found[2]
                message = SimpleNamespace(type=kind, text=text)
                self.context.tell("console", message)
                for hear in self._heard["console"]:
                    hear(message)

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        try:
            return self._session.ask(method, path, body)
        finally:
            self.listen()

    @property
    def url(self) -> str:
        return str(self.ask("GET", "/url"))

    def title(self) -> str:
        return str(self.evaluate("document.title"))

    def goto(self, url: str) -> None:
        self.ask("POST", "/url", {"url": url})

    def reload(self) -> None:
        self.ask("POST", "/refresh")

    def go_back(self) -> None:
        self.ask("POST", "/back")

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Call a function in the page with a value, or evaluate an expression."""
        asked = {"script": CALL % script.strip().rstrip(";"), "args": [json.dumps(given)]}
        told = self.ask("POST", "/execute/async", asked)
        if "error" in told:
            raise WebKitError(told["error"])
        return told["value"]

    def eval_on_selector(self, css: str, script: str) -> Any:
        return self.locator(css).first.evaluate(script)

    def until(self, holds: Callable[[], bool], what: Callable[[], str], most_ms: float | None = None) -> None:
        """Wait until a condition holds; a WebKitError, as during navigation, is ignored."""

        def tried() -> bool:
            try:
                return holds()
            except WebKitError as error:
                said.append(str(error))
                return False

        said: list[str] = []
        poll(tried, lambda: f"{what()} {said[-1:]}", most_ms or self.context.wait_ms)

    def wait_for_function(self, script: str, *, arg: Any = None, timeout: float | None = None) -> None:
        self.until(lambda: bool(self.evaluate(script, arg)), lambda: f"never true: {script}", timeout)

    def wait_for_selector(self, css: str, *, timeout: float | None = None) -> Locator:
        self.locator(css).first.wait_for(timeout=timeout)
        return self.locator(css).first

    def wait_for_timeout(self, ms: float) -> None:
        time.sleep(ms / 1000)
        self.listen()

    def wait_for_url(self, pattern: str) -> None:
        """Wait for a URL; `**` in the pattern matches anything."""
        wanted = re.compile(".*".join(map(re.escape, pattern.split("**"))))
        self.until(lambda: bool(wanted.fullmatch(self.url)), lambda: f"{self.url} is not {pattern}")

    def set_viewport_size(self, size: dict[str, int]) -> None:
        self.ask("POST", "/window/rect", {"x": 0, "y": 0, **size})
        wanted = [size["width"], size["height"]]
        self.until(lambda: self.evaluate("[innerWidth, innerHeight]") == wanted, lambda: f"the window is {wanted}")

    def press_at(self, x: float, y: float) -> None:
        """Tap or click at a point."""
        steps = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp"}]
        steps[2]["button"] = 0
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": steps}
        self.ask("POST", "/actions", {"actions": [finger]})

    def type_keys(self, strokes: list[dict[str, str]]) -> None:
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def screenshot(self, path: str | None = None) -> bytes:
        """PNG of the viewport, captured from the display.

        The driver's own screenshot waits until the page repaints.
        """
        width, height = self.evaluate("[innerWidth, innerHeight]")
        ImageGrab.grab((0, 0, width, height), xdisplay=self._display).save(written := io.BytesIO(), "PNG")
        if path:
            Path(path).write_bytes(written.getvalue())
        return written.getvalue()

    def pdf(self, *, printers_margins: bool = False, **_: Any) -> bytes:
        """PDF of the page, printed by its window on a signal."""
        command = signal.SIGUSR2 if printers_margins else signal.SIGUSR1
        with self.expect_download() as printed:
            os.kill(int((self._session.folder / "pid").read_text()), command)
        return Path(printed.value.path).read_bytes()

    @contextmanager
    def expect_download(self) -> Iterator[Any]:
        """Wait for one download at the end of a `with` block; its value has `save_as`."""
        folder = self._session.folder / "downloads"
        before = set(folder.iterdir())
        held = SimpleNamespace()
        yield held
        self.until(lambda: set(folder.iterdir()) > before, lambda: "a download")
        (new,) = set(folder.iterdir()) - before
        held.value = SimpleNamespace(path=new, save_as=lambda path: shutil.copy(new, path))

    def close(self) -> None:
        self.context.close()


class Keyboard:
    """Keyboard of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, keys: str) -> None:
        """Press a key or a combination such as `Shift+Tab`."""
        names = keys.split("+") if len(keys) > 1 else [keys]
        values = [KEYS.get(name, name) for name in names]
        downs = [{"type": "keyDown", "value": value} for value in values]
        self._page.type_keys(downs + [{"type": "keyUp", "value": value} for value in reversed(values)])

    def type(self, text: str) -> None:
        strokes = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self._page.type_keys(strokes)


def end(process: subprocess.Popen[bytes]) -> None:
    """Terminate a process, which may already have exited."""
    process.terminate()
    process.wait()


def missing() -> list[str]:
    """Required programs that are not installed."""
    return [name for name in NEEDED if shutil.which(name) is None]
