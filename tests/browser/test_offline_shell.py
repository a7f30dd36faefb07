"""The offline page with the last clocks, and the return to the live clock."""

import re
from threading import Event

import pytest
from playwright.sync_api import Page

from tests.browser.engines import every_engine, expect
from tests.browser.engines.locators import WAIT_MS
from tests.browser.product import Product
from tests.browser.proxy import UNAVAILABLE, Network
from tests.browser.windows import KEEPING, KEEPS, PHONE, Windows

# Shortens delays of a minute.
SOON = """() => {
    const own = window.setTimeout;
    window.setTimeout = (act, ms, ...given) => own(act, ms === 60_000 ? 100 : ms, ...given);
}"""


def kept_pages(page: Page) -> list[str]:
    """Paths cached on this phone, except static files and catalogues."""
    paths: list[str] = page.evaluate("""async () => {
        const names = await caches.keys();
        const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return kept.flat().map(({ url }) => new URL(url).pathname).filter((path) => !/^.(static|words)./.test(path));
    }""")
    return sorted(paths)


def test_41_offline_a_reload_keeps_the_clocks_the_seat_and_the_press(windows: Windows) -> None:
    made = windows.product.newmatch("--score", "1", "0", "--option", "reserve_ms=[441000, 408000]")
    phone, other = windows.phone(made["url"], **KEEPING), windows.phone(made["url"])
    for who, each in (("Ann", phone), ("Bob", other)):
        each.sit(f"I am {who}")
        each.tap("Confirm")
    other.hit("right")
    phone.shows("left", "turn")
    page = phone.page
    page.evaluate(KEEPS)
    page.context.set_offline(True)
    windows.server_is_down = True
    page.reload()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.locator("[data-age]")).to_have_text(
        re.compile(r"^These clocks are as they were \d+ seconds? ago\. The match continues without this phone\.$")
    )
    for seat, name, figures in (("left", "Ann", r"^7:(21|20|1\d)$"), ("right", "Bob", "^6:48$")):
        for part, words in ((".who", name), (".digits", re.compile(figures))):
            shown = page.locator(f"[data-seat={seat}] {part}")
            expect(shown).to_be_visible()
            expect(shown).to_have_text(words)
    expect(page.locator(".pad")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.locator("match-clock")).to_have_attribute("data-link", "open")
    phone.shows("left", "turn")

    page.context.set_offline(True)
    phone.hit("left")
    page.reload()
    halves = page.locator(".half")
    expect(halves).to_have_count(2)
    assert [half.get_attribute("data-seat") for half in halves.all()] == ["right", "left"]
    expect(page.get_by_text("Your press is kept here and will be sent.")).to_be_visible()
    expect(page.locator("[data-seat=right] .hint")).to_be_hidden()
    page.context.set_offline(False)
    expect(page.locator("match-clock")).to_have_attribute("data-link", "open")
    windows.server_is_down = False
    phone.shows("left", "wait")
    other.shows("right", "turn")


def test_41_any_other_page_says_that_there_is_no_connection(windows: Windows) -> None:
    phone = windows.phone(windows.product.newmatch()["url"], **KEEPING)
    phone.sit("One phone between us")
    page = phone.page
    page.evaluate(KEEPS)
    assert set(kept_pages(page)) <= {"/offline/", "/practice/"}, "a phone keeps no page that acts"
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "device")
    stored = page.evaluate("JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage})")
    assert ("clock:last:" in stored, token in stored) == (True, False)

    page.context.set_offline(True)
    windows.server_is_down = True
    page.goto(f"{windows.product.address}/rules/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.locator(".half")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Rules of the clock")).to_be_visible()
    windows.server_is_down = False


@every_engine
@pytest.mark.parametrize("lost", ["/sw.js", "/offline/"])
def test_41_a_cache_that_could_not_be_filled_is_filled_later(
    windows: Windows, product: Product, network: Network, lost: str
) -> None:
    failures, shortened = [UNAVAILABLE], Event()

    def instead(path: str) -> bytes | None:
        return failures.pop() if path == lost and failures and shortened.wait(WAIT_MS / 1000) else None

    network.instead = instead
    windows.server_is_down = True
    page = windows.open(**PHONE, **KEEPING)
    page.goto(f"{network.address}/practice/")
    page.evaluate(SOON)
    shortened.set()
    page.evaluate(KEEPS)
    assert failures == []
