"""Joining a match: from scanned code to ready clock (phone.md 51 and 54 to 56)."""

import json
from collections import Counter
from typing import Any, NamedTuple

from playwright.sync_api import CDPSession, Page

from tests.browser.engines import every_engine, expect
from tests.browser.geometry import GEOMETRY, LOOK
from tests.browser.product import Product
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.test_geometry import LONG_NAMES, SIZES
from tests.browser.windows import KEEPING, Phone, Windows

# Slow 4G as defined by Chrome and Lighthouse: bytes a second, latency in milliseconds.
SLOW_4G = {"downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8, "latency": 150, "offline": False}
MOST_BYTES = 56_600  # bytes that a clock page loads without its font, headers included
WITH_FONT = 60_000
REQUESTS = 25  # fewer requests than this precede the later scripts
LATER_SCRIPTS = 8  # scripts loaded after the clock is shown, for use offline
MOST_SHIFT = 0.05  # cumulative layout shift
TAPS = 2


def slow(page: Page) -> CDPSession:
    """Throttle a page's network to slow 4G."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    return session


class Traffic:
    """Traffic of a page: addresses, bytes transferred, and headers."""

    def __init__(self, page: Page) -> None:
        self.urls: list[str] = []
        self.bytes: Counter[str] = Counter()  # by address
        self.font_bytes = 0
        self._asked: dict[str, str] = {}  # addresses by request id
        self.headers: list[dict[str, str]] = []
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", lambda event: self._sent(event["requestId"], event["request"]))
        session.on("Network.loadingFinished", self._loaded)

    def _sent(self, number: str, request: dict[str, Any]) -> None:
        self.urls.append(request["url"])
        self.headers.append(request["headers"])
        self._asked[number] = request["url"]

    def _loaded(self, event: dict[str, Any]) -> None:
        url = self._asked.get(event["requestId"], "")
        if url.endswith(".woff2"):
            self.font_bytes += int(event["encodedDataLength"])
        else:
            self.bytes[url] += int(event["encodedDataLength"])


def expect_no_secret(phone: Phone, traffic: Traffic) -> None:
    """Expect the secret of a phone's seat nowhere but in its cookie (phone.md 54)."""
    (cookie,) = [cookie for cookie in phone.page.context.cookies() if cookie["name"] == "device"]
    assert (cookie["httpOnly"], cookie["sameSite"], len(cookie["value"]) >= 40) == (True, "Lax", True)
    readable = phone.page.evaluate(
        """async () => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, history.state,
            await indexedDB.databases(), performance.getEntries().map(({ name }) => name), document.referrer,
            document.documentElement.outerHTML])"""
    )
    referers = [value for headers in traffic.headers for name, value in headers.items() if name.lower() == "referer"]
    everything = [readable, *traffic.urls, *referers, json.dumps(phone.sent), json.dumps(phone.frames)]
    assert referers and len(traffic.urls) > 10
    assert [text for text in everything if cookie["value"] in text] == []


def test_51_54_two_taps_lead_from_the_scan_to_the_clock_and_no_secret_out(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    address = windows.scan(made["code"])
    other = windows.phone(made["url"])
    traffic = Traffic(other.page)
    other.sit("I am Bob")
    other.tap("Confirm")
    phone = Phone(windows.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True))
    slow(phone.page)
    began = phone.page.evaluate("performance.timeOrigin + performance.now()")
    phone.page.goto(address)
    taps = 0
    for name in ("I am Ann", "I confirm"):
        phone.page.get_by_role("button", name=name).tap()
        taps += 1
    phone.shows("left", "ready")
    assert phone.page.evaluate("performance.timeOrigin + performance.now()") - began < 10_000
    assert taps == TAPS
    other.page.reload()
    other.shows("right", "ready")
    other.page.get_by_role("button", name="More").tap()
    expect_no_secret(other, traffic)


def test_the_host_starts_in_three_taps_and_keeps_the_code_in_sight(windows: Windows, product: Product) -> None:
    host = Phone(windows.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True))
    host.page.goto(product.address)
    host.page.get_by_text("Start a clock").first.tap()
    leads_to = host.page.locator("[data-summary]")
    expect(leads_to).to_have_text("14:00 each, delay 12 s")
    host.page.get_by_label("Points", exact=True).fill("5")
    expect(leads_to).to_have_text("10:00 each, delay 12 s")
    host.page.get_by_label("Rules").select_option("aba-2003-standard")
    expect(leads_to).to_have_text("30:00 each, no delay")
    taps = 0
    for name in ("Start a clock", "I am White", "I confirm"):
        host.page.get_by_role("button", name=name).tap()
        taps += 1
    assert taps == 3
    host.page.get_by_text("Waiting for Black to join.").wait_for()
    qr = host.page.get_by_role("img", name="QR code that leads to this table")
    qr.wait_for()
    assert host.page.evaluate("document.querySelector('.invitation img').naturalWidth") > 0
    joiner = windows.phone(host.page.url.replace("clock/", ""))
    joiner.sit("I am Black")
    joiner.tap("I confirm")
    host.shows("left", "ready")
    expect(qr).to_have_count(0)
    host.page.goto(product.address)
    host.page.get_by_role("link", name="Go to the clock").tap()
    host.shows("left", "ready")


def test_the_host_reads_the_own_name_beside_the_way_in(page: Page) -> None:
    server = ScriptedServer(director=False, names=LONG_NAMES)
    server.devices = (1, None)
    open_page(page, server)
    page.evaluate(GEOMETRY)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for part in (".invitation", ".who"):
            expect(page.locator(f".half[data-seat=left] {part}")).to_be_in_viewport(ratio=0.98)
        assert page.evaluate(LOOK, ["DejaVu Sans"]) == []


# Number of requests before those for the later scripts; the page counts, its font does not.
FIRST_REQUESTS = """() => {
    const entries = performance.getEntriesByType('resource').filter(({ name }) => !name.endsWith('.woff2'));
    const { startTime } = entries.find(({ name }) => name.includes('equipment'));
    return 1 + entries.filter((entry) => entry.startTime < startTime).length;
}"""
LATER = """() => {
    const entries = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
    const { startTime } = entries.find(({ name }) => name.includes('equipment'));
    // Each is fetched, and then imported from the cache.
    const later = entries.filter((entry) => entry.startTime >= startTime);
    return [...new Set(later.map(({ name }) => name.split('/').at(-1).split('.')[0]))];
}"""
SHIFT = """() => new Promise((told) => {
    let shift = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => setTimeout(() => told(shift), 50));
})"""


class Loaded(NamedTuple):
    """Measurements of one load of the clock page."""

    ready_ms: float
    requests: int
    later: list[str]
    traffic: Traffic
    shift: float


def load(windows: Windows, url: str, cookies: list[Any], slowly: bool) -> Loaded:
    """Load the clock with an empty cache; return the measurements."""
    page = windows.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, **KEEPING)
    page.context.add_cookies(cookies)
    traffic = Traffic(page)
    if slowly:
        slow(page)
    page.goto(url, wait_until="commit")
    page.locator("match-clock[data-link=open]").wait_for()
    ready = float(page.evaluate("performance.now()"))
    page.wait_for_load_state("networkidle")
    requests = int(page.evaluate(FIRST_REQUESTS))
    later = page.evaluate(LATER)
    shift = float(page.evaluate(SHIFT))
    page.close()
    return Loaded(ready, requests, later, traffic, shift)


def test_55_the_clock_is_small_steady_and_loads_in_two_seconds(windows: Windows, product: Product) -> None:
    made = product.newmatch()
    phone = windows.phone(made["url"])
    phone.sit("I am Ann")
    url, cookies = f"{product.address}/t/{made['code']}/clock/", phone.page.context.cookies()
    loads = [load(windows, url, cookies, slowly=True) for _ in range(3)]
    opened = loads[0]
    assert (opened.requests < REQUESTS, opened.shift < MOST_SHIFT) == (True, True), opened
    assert len(opened.later) == LATER_SCRIPTS, opened
    traffic = opened.traffic
    assert [url for url in traffic.urls if not url.startswith((product.address, "data:"))] == []
    assert len(traffic.urls) > 20
    quick = [load(windows, url, cookies, slowly=False) for _ in range(2)]
    # Django pads each of the two pages by up to 100 random bytes.
    size = sum(min(each.traffic.bytes[url] for each in (*loads, *quick)) for url in traffic.bytes)
    assert {*traffic.bytes} == {url for each in quick for url in each.traffic.bytes}
    assert size <= MOST_BYTES
    assert (traffic.font_bytes > 0, size + traffic.font_bytes <= WITH_FONT) == (True, True), traffic.font_bytes
    # Subtract this machine's excess over a quiet one, which takes 0.4 s without network delay.
    own = min(each.ready_ms for each in quick)
    assert min(each.ready_ms for each in loads) - max(0.0, own - 400) <= 2_000


@every_engine
def test_56_a_violation_of_the_policy_and_an_error_would_be_heard(
    windows: Windows, product: Product, violations: list[str]
) -> None:
    page = windows.open()
    page.goto(product.address)
    heard = windows.troubles
    assert (violations, heard) == ([], [])
    page.evaluate("document.head.append(Object.assign(document.createElement('style'), { textContent: 'b{}' }))")
    page.evaluate("document.body.setAttribute('onclick', 'alert(1)')")
    page.evaluate("document.body.click()")
    Phone(page).until(lambda: len(violations) >= 2, "both violations are heard")
    assert len(heard) >= 2
    violations.clear()
    heard.clear()
    page.evaluate("console.error('said'), void setTimeout(() => { throw new Error('thrown'); })")
    Phone(page).until(lambda: all(any(word in one for one in heard) for word in ("said", "thrown")), "both are heard")
    heard.clear()
