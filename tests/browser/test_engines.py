"""Browsers that all tests of a run share."""

import pytest
from playwright.sync_api import Browser

from tests.browser.engines import Engines


@pytest.fixture(scope="module")
def chromium(engines: Engines) -> Browser:
    """Chromium for a test that does not name `browser`."""
    started: Browser = engines.browser("chromium")
    return started


def test_chromium_starts_without_being_named(chromium: Browser) -> None:
    assert chromium.is_connected()


def test_chromium_stays_open_when_a_test_names_it(chromium: Browser, browser: Browser) -> None:
    assert (browser is chromium, chromium.is_connected()) == (True, True)
