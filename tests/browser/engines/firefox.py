"""Firefox, driven by Playwright over WebDriver BiDi."""

import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Playwright

from tests.browser.engines import bidi

PREFERENCES = {"dom.w3c_touch_events.enabled": 1, "ui.prefersReducedMotion": 1}


def launch(playwright: Playwright, folder: Path) -> Browser:
    """Start Firefox; contexts with `has_touch` get a touch screen."""
    starter = folder / "firefox"
    starter.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{bidi.__file__}" "$@"\n')
    starter.chmod(0o755)
    browser = playwright.firefox.launch(channel="moz-firefox", executable_path=starter, firefox_user_prefs=PREFERENCES)
    make = browser.new_context

    def new_context(**looks: Any) -> BrowserContext:
        looks.pop("is_mobile", None)
        headers = {bidi.TOUCH: "1"} if looks.pop("has_touch", False) else {}
        return make(**looks, extra_http_headers=headers)

    browser.new_context = new_context  # type: ignore[method-assign]
    return browser


def tap_by_click(tap: Any) -> Any:
    """Wrap `Locator.tap`, which has no effect in Firefox: click there instead."""

    def tapped(self: Locator, **options: Any) -> None:
        browser = self.page.context.browser
        act = self.click if browser and browser.browser_type.name == "firefox" else tap.__get__(self)
        act(**options)

    return tapped
