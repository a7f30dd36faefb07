"""Errors of the blank pages on which modules run."""

from playwright.sync_api import Page

from tests.browser.engines import Engines
from tests.browser.engines.locators import poll


def test_an_error_on_the_page_of_a_module_would_be_heard(module_page: Page, engines: Engines) -> None:
    module_page.evaluate("console.error('said'), void setTimeout(() => { throw new Error('thrown'); })")

    def heard() -> bool:
        module_page.evaluate("0")
        return all(any(word in error for error in engines.errors) for word in ("said", "thrown"))

    poll(heard, lambda: f"both are heard: {engines.errors}", 5_000)
    engines.errors.clear()
