"""Browser fixtures: engines, pages and the product's server."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Error, Locator, Page, Playwright

from tests.browser.engines import ENGINES, WITHOUT_A_PAGE, Engines
from tests.browser.engines.firefox import tap_by_click
from tests.browser.product import Product, running
from tests.browser.proxy import Network, network_to
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.served import arguments, errors_on, forget
from tests.browser.windows import PHONE, Windows, chromium


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the system's Chromium, or Playwright's if there is none."""
    found = chromium()
    return {**browser_type_launch_args, **({"executable_path": found} if found else {}), "args": arguments()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Emulate a touch-screen phone."""
    return {**browser_context_args, **PHONE}


@pytest.fixture(scope="session")
def violations() -> list[str]:
    """Violations of the content security policy, collected from all browsers."""
    return []


@pytest.fixture(scope="session")
def running_browsers() -> dict[str, Any]:
    """Running browsers, by engine."""
    return {}


@pytest.fixture(scope="session")
def browser_type(playwright: Playwright) -> BrowserType:
    """Chromium, not parametrised by `browser_name`.

    Only tests that request `browser` have that parameter. Between them and others, pytest would restart the browser and
    close the pages shared by a module's tests.
    """
    return playwright.chromium


@pytest.fixture(scope="session")
def browser(browser: Browser, violations: list[str], running_browsers: dict[str, Any]) -> Browser:
    """Chromium; collects content security policy violations on every page."""
    running_browsers["chromium"] = _watched(browser, violations)
    return browser


@pytest.fixture(scope="session")
def engines(
    request: pytest.FixtureRequest,
    running_browsers: dict[str, Any],
    violations: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Engines]:
    """Browsers of all engines; started on first use, and watched for CSP violations."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Locator, "tap", tap_by_click(Locator.tap))
        folder = tmp_path_factory.mktemp("firefox")
        engines = Engines(running_browsers, request.getfixturevalue, folder, lambda one: _watched(one, violations))
        yield engines
        engines.close()


def _watched(browser: Any, violations: list[str]) -> Any:
    """Record content security policy violations on all pages of a browser."""
    make = browser.new_context

    def new_context(**looks: Any) -> BrowserContext:
        context = make(**looks)
        context.on("console", lambda line: note(line.text))
        context.on("weberror", lambda error: note(str(error.error)))
        return context

    def note(words: str) -> None:
        if re.search("Content.Security.Policy|violates the following directive", words):  # the latter from Firefox
            violations.append(words)

    browser.new_context = new_context
    return browser


@pytest.fixture(autouse=True)
def kept_policy(violations: list[str]) -> Iterator[None]:
    """Fail a test if a page violated the content security policy (phone.md 56)."""
    violations.clear()
    yield
    assert violations == []


@pytest.fixture(autouse=True)
def heard_errors(engines: Engines) -> Iterator[None]:
    """Fail a test if the page running its modules logged an error."""
    yield
    assert engines.errors_heard() == []


@pytest.fixture(scope="module", autouse=True)
def all_is_closed(engines: Engines) -> Iterator[None]:
    """Fail if a test module left a page open, which would slow down all later tests."""
    yield
    assert engines.close_contexts() == []


@pytest.fixture(params=ENGINES, scope="module")
def module_page(request: pytest.FixtureRequest, engines: Engines) -> Page:
    """Blank page for importing modules, in each engine."""
    return engines.blank_page(request.param)


@pytest.fixture(params=WITHOUT_A_PAGE, scope="module")
def scripts(request: pytest.FixtureRequest, engines: Engines) -> Page:
    """Runtime for modules that need no page: Deno; a blank page in Firefox and WebKit."""
    return engines.blank_page(request.param)


@pytest.fixture(scope="session")
def shared_product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Server shared by most tests."""
    with running(Product(tmp_path_factory.mktemp("data"))) as product:
        yield product


@pytest.fixture(scope="module")
def product_of_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Server for one test file, whose consoles must not show events from other files."""
    with running(Product(tmp_path_factory.mktemp("data"))) as product:
        yield product


@pytest.fixture
def product(
    request: pytest.FixtureRequest, shared_product: Product, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Product]:
    """The shared server, or a new one if the test is retried."""
    if getattr(request.node, "execution_count", 1) == 1:
        yield shared_product
    else:
        with running(Product(tmp_path_factory.mktemp("data"))) as fresh:
            yield fresh


@pytest.fixture
def network(product: Product) -> Iterator[Network]:
    """Network between browser and product, with faults on demand."""
    with network_to(product.port) as network:
        yield network


@pytest.fixture
def windows(request: pytest.FixtureRequest, engines: Engines, product: Product) -> Iterator[Windows]:
    """Browser windows on the product; fails if a page or the server logs an error."""
    if "network" in request.fixturenames:
        request.getfixturevalue("network")  # set up first, so that it is torn down after the windows
    written = product.log.stat().st_size
    windows = Windows(engines.browser(getattr(request, "param", "chromium")), product)
    yield windows
    windows.close()
    assert windows.troubles == []
    assert product.complaints(written) == []


@pytest.fixture(scope="module")
def kept_pages(browser: Browser) -> Iterator[dict[str, Page]]:
    """Windows shared by a module's tests, keyed by their options."""
    kept: dict[str, Page] = {}
    yield kept
    for page in kept.values():
        page.context.close()


@pytest.fixture
def page(
    request: pytest.FixtureRequest, browser: Browser, browser_context_args: dict[str, Any], kept_pages: dict[str, Page]
) -> Iterator[Page]:
    """A shared window for scripted pages, reset between tests: a new one is slow.

    Fails if a page logs an error. Use `own_page` for state that cannot be reset: Playwright's clock, an init script, a
    touch in progress. A retried test gets a new window.
    """
    marked = request.node.get_closest_marker("browser_context_args")
    looks = {**browser_context_args, **(marked.kwargs if marked else {})}
    page = kept_pages.pop(repr(looks), None)
    if page and getattr(request.node, "execution_count", 1) > 1:
        page.context.close()
        page = None
    page = page or browser.new_context(**looks).new_page()
    try:
        yield page
        errors = errors_on(page)
        forget(page, looks["viewport"])
    except Error:
        page.context.close()
        raise
    kept_pages[repr(looks)] = page
    assert errors == []


@pytest.fixture
def own_page(context: BrowserContext) -> Iterator[Page]:
    """A window for one test only; fails if a scripted page logs an error."""
    page = context.new_page()
    yield page
    assert errors_on(page) == []


@pytest.fixture
def phone(page: Page, server: ScriptedServer) -> Iterator[Page]:
    """Ann's phone on the scripted server; fails if the page logs an error."""
    errors = open_page(page, server)
    yield page
    assert errors == []
