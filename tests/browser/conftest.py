"""A real Chromium, the system's own, and the product that it looks at."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page

from tests.browser.modules import open_blank
from tests.browser.product import Product, running
from tests.browser.proxy import Network, network_to
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.served import arguments, forget
from tests.browser.windows import PHONE, Windows, chromium


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the system's Chromium where there is one; else the one that Playwright brought."""
    found = chromium()
    return {**browser_type_launch_args, **({"executable_path": found} if found else {}), "args": arguments()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Look like a phone that is touched."""
    return {**browser_context_args, **PHONE}


@pytest.fixture(scope="session")
def violations() -> list[str]:
    """Return what the pages of this run say of the content security policy, gathered by `browser`."""
    return []


@pytest.fixture(scope="session")
def browser(browser: Browser, violations: list[str]) -> Browser:
    """Return the browser; every page opened in it is listened to for violations of the content security policy."""
    make = browser.new_context

    def new_context(**looks: Any) -> BrowserContext:
        context = make(**looks)
        context.on("console", note)
        return context

    def note(line: ConsoleMessage) -> None:
        if "Content Security Policy" in line.text:
            violations.append(line.text)

    browser.new_context = new_context  # type: ignore[method-assign]
    return browser


@pytest.fixture(autouse=True)
def kept_policy(violations: list[str]) -> Iterator[None]:
    """Fail a test in which any page broke the content security policy (phone.md 56)."""
    violations.clear()
    yield
    assert violations == []


@pytest.fixture(scope="module", autouse=True)
def all_is_closed(browser: Browser) -> Iterator[None]:
    """Fail where a module leaves a page open: it goes on drawing, and every test after it pays for that."""
    yield
    left = [page.url for context in browser.contexts for page in context.pages]
    for context in browser.contexts:
        context.close()
    assert left == []


@pytest.fixture(scope="module")
def module_page(browser: Browser) -> Iterator[Page]:
    """Return a page in which the pure modules can be run."""
    page = browser.new_page()
    open_blank(page)
    yield page
    page.close()


@pytest.fixture(scope="session")
def shared_product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """Run the product's own server for all tests that ask for it."""
    with running(Product(tmp_path_factory.mktemp("data"))) as product:
        yield product


@pytest.fixture
def product(
    request: pytest.FixtureRequest, shared_product: Product, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Product]:
    """Return the product that all tests share; a second try of a test gets one that knows nothing of the first."""
    if getattr(request.node, "execution_count", 1) == 1:
        yield shared_product
    else:
        with running(Product(tmp_path_factory.mktemp("data"))) as fresh:
            yield fresh


@pytest.fixture
def network(product: Product) -> Iterator[Network]:
    """Return a network to the product, which a test can spoil."""
    with network_to(product.port) as network:
        yield network


@pytest.fixture
def windows(browser: Browser, product: Product) -> Iterator[Windows]:
    """Open windows on the product; neither they nor the server may complain of anything."""
    written = product.log.stat().st_size
    windows = Windows(browser, product)
    yield windows
    windows.close()
    assert windows.troubles == []
    assert product.complaints(written) == []


@pytest.fixture(scope="module")
def kept_pages(browser: Browser) -> Iterator[dict[str, Page]]:
    """Return the windows that the tests of a module use one after the other, by how they look."""
    kept: dict[str, Page] = {}
    yield kept
    for page in kept.values():
        page.context.close()


@pytest.fixture
def page(
    request: pytest.FixtureRequest, browser: Browser, browser_context_args: dict[str, Any], kept_pages: dict[str, Page]
) -> Iterator[Page]:
    """Return a window for scripted pages that is as good as new: to open one costs more than most tests do.

    What a window never forgets is for `own_page`: a clock of Playwright's, a script that comes first, a finger that
    rests on the glass. A second try of a test gets a new one.
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
        forget(page, looks["viewport"])
    except Error:
        page.context.close()
        raise
    kept_pages[repr(looks)] = page


@pytest.fixture
def own_page(context: BrowserContext) -> Page:
    """Return a window that no other test uses."""
    return context.new_page()


@pytest.fixture
def phone(page: Page, server: ScriptedServer) -> Iterator[Page]:
    """Return Ann's phone on the scripted server of its module; it must end without an error."""
    errors = open_page(page, server)
    yield page
    assert errors == []
