"""Browser engines: Chromium, Firefox, WebKit; and Deno for modules without a page."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error
from playwright.sync_api import Locator as PlaywrightLocator
from playwright.sync_api import expect as playwright_expect

from tests.browser.engines import bidi, firefox, webkit
from tests.browser.engines.deno import Deno
from tests.browser.engines.locators import WAIT_MS, Expect, Locator
from tests.browser.modules import open_blank

ENGINES = ("chromium", "firefox", "webkit")
OTHERS = ENGINES[1:]
WITHOUT_A_PAGE = ("deno", *OTHERS)  # Deno uses Chromium's engine
# Runs a test once per engine; without this mark, `windows` is Chromium's.
every_engine = pytest.mark.parametrize("windows", ENGINES, indirect=True)
playwright_expect.set_options(timeout=WAIT_MS)  # the default of five seconds is too short for a busy machine


class Engines:
    """Browsers of a test process; each is started on first use and kept."""

    def __init__(
        self, running: dict[str, Any], fixture: Callable[[str], Any], folder: Path, watch: Callable[[Any], Any]
    ) -> None:
        self.running = running
        self._fixture = fixture
        self._folder = folder
        self._watch = watch
        self._blank: dict[str, Any] = {}
        self._in_use: Any = None
        self._errors: list[str] = []

    def browser(self, name: str) -> Any:
        """Browser of an engine. If not installed, skip the test, or fail if CI=true."""
        if name == "chromium":
            return self._fixture("browser")
        if name not in self.running:
            needed = [bidi.PROGRAM] if name == "firefox" else webkit.NEEDED
            if absent := [program for program in needed if shutil.which(program) is None]:
                message = f"{', '.join(absent)} is missing: .ci/packages installs it"
                pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
            is_firefox = name == "firefox"
            browser = firefox.launch(self._fixture("playwright"), self._folder) if is_firefox else webkit.Browser()
            self.running[name] = self._watch(browser)
        return self.running[name]

    def blank_page(self, name: str) -> Any:
        """Blank page in an engine, for running modules; kept open and reloaded each time."""
        if name not in self._blank:
            self._blank[name] = Deno() if name == "deno" else self._heard(self.browser(name).new_context().new_page())
        page = self._blank[name]
        open_blank(page)
        self._in_use = None if name == "deno" else page
        return page

    def _heard(self, page: Any) -> Any:
        """Collect a page's errors."""
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.on("console", lambda line: self._errors.append(line.text) if line.type == "error" else None)
        return page

    def errors_heard(self) -> list[str]:
        """Errors logged by the current blank page since the last call."""
        if self._in_use is not None:
            self._in_use.evaluate("0")  # errors logged before this arrive before its result
        errors, self._errors[:] = list(self._errors), []
        return errors

    def close_contexts(self) -> list[str]:
        """Close all contexts except those of blank pages; return the URLs of open pages."""
        self._in_use = None
        kept = [page.context for name, page in self._blank.items() if name != "deno"]
        left = [one for browser in self.running.values() for one in browser.contexts if one not in kept]
        addresses = [page.url for context in left for page in context.pages]
        for context in left:
            context.close()
        return addresses

    def close(self) -> None:
        """Close the browsers started here."""
        if "deno" in self._blank:
            self._blank["deno"].reload()
        for name in OTHERS:
            if browser := self.running.pop(name, None):
                with suppress(Error):  # Playwright may already have stopped, closing its browsers
                    browser.close()


class Shown:
    """Playwright's assertions; those about text ignore invisible elements."""

    def __init__(self, found: Any) -> None:
        self._found = found

    def __getattr__(self, name: str) -> Any:
        seen = self._found.filter(visible=True) if name.endswith("_text") else self._found
        return getattr(playwright_expect(seen), name)


def expect(found: Any) -> Any:
    """Retrying assertion for any engine; text assertions ignore invisible elements."""
    if isinstance(found, Locator):
        return Expect(found)
    return Shown(found) if isinstance(found, PlaywrightLocator) else playwright_expect(found)


def shown_text(found: Any) -> str:
    """Text of the only visible element of these."""
    return str(found.filter(visible=True).inner_text())


def shown_texts(found: Any) -> list[str]:
    """Texts of the visible elements of these, without waiting."""
    texts: list[str] = found.filter(visible=True).all_inner_texts()
    return texts
