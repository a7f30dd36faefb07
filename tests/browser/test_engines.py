"""Browsers that all tests of a run share."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.engines import Engines
from tests.browser.engines.locators import poll


@pytest.fixture(scope="module")
def chromium(engines: Engines) -> Browser:
    """Chromium for a test that does not name `browser`."""
    started: Browser = engines.browser("chromium")
    return started


def test_chromium_starts_without_being_named(chromium: Browser) -> None:
    assert chromium.is_connected()


def test_chromium_stays_open_when_a_test_names_it(chromium: Browser, browser: Browser) -> None:
    assert (browser is chromium, chromium.is_connected()) == (True, True)


def test_an_error_on_the_page_of_a_module_is_heard(module_page: Page, engines: Engines) -> None:
    module_page.evaluate("console.error('said'), void setTimeout(() => { throw new Error('thrown'); })")
    heard: list[str] = []

    def both() -> bool:
        heard.extend(engines.errors_heard())
        return [any(word in error for error in heard) for word in ("said", "thrown")] == [True, True]

    poll(both, lambda: f"both are heard: {heard}", 5_000)
