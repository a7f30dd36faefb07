"""Running clocks on the director's page."""

from itertools import pairwise

from playwright.sync_api import Page, WebSocket

from tests.browser.boards import BOARD, NOW
from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.scripted import ScriptedServer
from tests.browser.windows import Windows

WRITTEN = """() => {
    const state = document.querySelector('.cell-state');
    window.written = [state.textContent];
    const keep = () => window.written.push(state.textContent);
    new MutationObserver(keep).observe(state, { childList: true, characterData: true, subtree: true });
}"""


def test_a_presence_update_does_not_set_a_running_clock_back(windows: Windows, product: Product) -> None:
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
    """Delays shown since the recording began, in whole seconds."""
    return [int(text.split()[1]) for text in page.evaluate("window.written")]


SCROLLED = """async ([snapshot, now]) => {
    const { Grid } = await import('/static/clocks/console/grid.js');
    const near = [];
    document.body.append(document.createElement('main'));
    const style = 'button { display: block; height: 100px; overflow: hidden }';
    document.head.insertAdjacentHTML('beforeend', `<style>${style}</style>`);
    const grid = new Grid(document.querySelector('main'), { open() {}, leave() {}, near: (match) => near.push(match) });
    const boards = Array.from({ length: 100 }, (_, index) => ({ ...snapshot, match: index + 1 }));
    const seats = [{ held: true, gone: false }, { held: false, gone: false }];
    const looked = () => new Promise((resolve) => {
        const last = new IntersectionObserver(() => {
            last.disconnect();
            setTimeout(resolve); // by then the grid’s own was told of the same frame
        });
        last.observe(document.querySelector('main'));
    });
    const texts = () => [1, 100].map((match) => document.querySelectorAll('.cell-state')[match - 1].textContent);
    grid.arrange(boards);
    for (const board of boards) grid.draw(board, seats, undefined, now);
    await looked();
    for (const board of boards) grid.tick(board, now + 4000);
    const before = texts();
    scrollTo(0, document.documentElement.scrollHeight);
    await looked();
    for (const board of boards) grid.tick(board, now + 6000);
    return [before, near.includes(1), near.includes(100), texts()];
}"""


def test_only_clocks_in_sight_are_updated(module_page: Page) -> None:
    seen = module_page.evaluate(SCROLLED, [{**ScriptedServer().snapshot(), **BOARD}, NOW])
    assert seen == [["delay 7 s", "delay 11 s"], False, True, ["delay 7 s", "delay 5 s"]]
