"""The clocks on the director's page while they run: they go one way only, whatever else the server tells."""

from itertools import pairwise

from playwright.sync_api import Page, WebSocket, expect

from tests.browser.product import Product
from tests.browser.windows import Windows

WRITTEN = """() => {
    const state = document.querySelector('.cell-state');
    window.written = [state.textContent];
    const keep = () => window.written.push(state.textContent);
    new MutationObserver(keep).observe(state, { childList: true, characterData: true, subtree: true });
}"""


def test_news_of_who_is_there_does_not_set_a_running_clock_back(windows: Windows, product: Product) -> None:
    made = product.newmatch("--table", "1", "--tournament", "steady", "--option", "delay_ms=60000", length=7)
    phone = windows.phone(made["url"])
    phone.sit("I am Ann")
    page = windows.director()
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    page.goto(f"{product.address}/director/steady/")
    page.locator(".cell").click()
    page.get_by_role("dialog").get_by_role("button", name="Confirm for both").click()
    phone.hit("left")
    expect(page.locator(".cell")).to_have_attribute("data-status", "running")
    page.evaluate(WRITTEN)
    with sockets[-1].expect_event("framereceived", lambda text: '"seats"' in str(text)):
        pass
    page.wait_for_function("(before) => window.written.length > before + 2", arg=len(seconds(page)))
    told = seconds(page)
    assert [(one, after) for one, after in pairwise(told) if after > one] == []


def seconds(page: Page) -> list[int]:
    """Return each delay that was written since, in whole seconds."""
    return [int(text.split()[1]) for text in page.evaluate("window.written")]
