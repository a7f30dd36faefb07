"""A whole practice match on one phone without network."""

import re
from typing import Any

from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.proxy import UNAVAILABLE, Network
from tests.browser.windows import KEEPING, KEEPS, PHONE, Phone, Windows

PLAIN_HTTP = "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })"


def practice(
    windows: Windows, rules: str = "us-2013", length: int = 1, script: str = "", address: str = "", **looks: Any
) -> Phone:
    """A phone with a practice clock ready to begin; `script` runs before page scripts."""
    phone = Phone(windows.open(**PHONE, **looks))
    page = phone.page
    page.add_init_script(script)
    page.clock.install()
    page.goto(f"{address or windows.product.address}/practice/")
    page.get_by_label("Rules").select_option(rules)
    page.get_by_label("Points", exact=True).fill(str(length))
    return phone


def to_the_clock(phone: Phone) -> None:
    phone.page.get_by_role("button", name="Go to the clock").tap()
    phone.shows("left", "ready")


def to_a_flag(phone: Phone) -> None:
    """Begin a match, and set the clock forward until White's time is up."""
    to_the_clock(phone)
    phone.hit("right")
    phone.page.clock.fast_forward(133_000)
    phone.shows("left", "flag")


def digits(phone: Phone, seat: str) -> str:
    return shown_text(phone.half(seat).locator(".digits"))


def away(windows: Windows, page: Page) -> None:
    """Cut the network once the offline cache is filled."""
    page.evaluate(KEEPS)
    page.context.set_offline(True)
    windows.server_is_down = True


def test_offline_practice_keeps_its_clocks_through_a_reload(
    windows: Windows,
) -> None:
    phone = practice(windows, **KEEPING)
    expect(phone.page.locator("[data-summary]")).to_have_text("2:00 each · delay 12 s")
    away(windows, phone.page)
    to_the_clock(phone)
    phone.hit("right")
    phone.shows("left", "turn")
    phone.page.clock.fast_forward(20_000)
    expect(phone.half("left").locator(".digits")).to_have_text("1:52")
    phone.hit("left")
    phone.shows("right", "turn")
    phone.tap("Stop", seat="right")
    phone.shows("left", "stopped")
    phone.page.reload()
    phone.shows("left", "stopped")
    assert re.match(r"1:5\d|2:00", digits(phone, "left"))
    phone.tap("Menu", "Corrections …", "Correct the score …", seat="left")
    expect(phone.page.get_by_role("heading", name="Correct the score")).to_be_visible()
    phone.tap("Close", seat="left")
    phone.tap("Start Black’s clock", seat="left")
    phone.shows("right", "turn")


def set_anew(phone: Phone, rules: str, length: int) -> None:
    """Leave the clock for the form, and choose other rules."""
    phone.tap("Menu", seat="left")
    phone.tap("Begin again or leave …", "Other settings …", "Other settings")
    expect(phone.page.get_by_role("heading", name="Practice clock")).to_be_visible()
    phone.page.get_by_label("Rules").select_option(rules)
    phone.page.get_by_label("Points", exact=True).fill(str(length))


def test_each_setting_gives_its_times_and_what_follows_a_flag(windows: Windows) -> None:
    phone = practice(windows, "michigan-2002", 1)
    page = phone.page
    to_the_clock(phone)
    phone.hit("right")
    phone.shows("left", "turn")
    page.clock.fast_forward(6 * 60_000 + 1_000)
    phone.shows("left", "flag")
    phone.says("No penalty. The second control starts.")
    expect(page.get_by_text("director").filter(visible=True)).to_have_count(0)
    phone.tap("I agree", seat="left")
    phone.shows("left", "stopped")
    expect(phone.half("left").locator(".digits")).to_have_text("3:00")
    expect(phone.half("right").locator(".digits")).to_have_text("9:00")
    phone.tap("Start White’s clock", seat="left")
    phone.shows("left", "turn")
    expect(phone.half("left").locator(".delay .time")).to_have_text(re.compile("1[12] s"))

    set_anew(phone, "us-2013", 1)
    to_a_flag(phone)
    phone.tap("I agree", seat="right")
    phone.shows("right", "over")
    phone.says("Black wins the match on time, at 0–0.")
    phone.tap("Menu", seat="left")
    phone.tap("Begin again or leave …", "Begin again …", "Begin again")
    phone.shows("left", "ready")
    assert (digits(phone, "left"), digits(phone, "right")) == ("2:00", "2:00")

    set_anew(phone, "modern", 1)
    page.get_by_label("Overtime in minutes").fill("1.5")
    to_a_flag(phone)
    phone.tap("I agree", seat="left")
    phone.shows("left", "stopped")
    assert digits(phone, "left") == "1:30"


def test_a_clock_left_for_another_setting_neither_runs_nor_warns(windows: Windows) -> None:
    phone = practice(windows, "custom", 5)
    page = phone.page
    page.get_by_label("Delay").select_option("bronstein")
    page.get_by_label("Seconds per turn").fill("5")
    page.get_by_label("Minutes each").fill("1.5")
    expect(page.locator("[data-summary]")).to_have_text("1:30 each · delay 5 s")
    page.get_by_label("Delay").select_option("none")
    to_the_clock(phone)
    assert digits(phone, "left") == "1:30"
    phone.hit("right")
    phone.shows("left", "turn")
    page.evaluate(
        """() => {
            window.warned = 0;
            window.frames = 0;
            document.querySelector('match-clock').listen({ low: () => { window.warned += 1; } });
        }"""
    )
    set_anew(phone, "custom", 5)
    page.evaluate(
        """() => {
            const ask = requestAnimationFrame;
            window.requestAnimationFrame = (then) => { window.frames += 1; return ask(then); };
        }"""
    )
    page.clock.fast_forward(60_000)
    page.clock.run_for(1_000)
    assert page.evaluate("[window.warned, window.frames]") == [0, 0]


def score(phone: Phone, *points: str) -> None:
    """Wait until the next game begins at this score."""
    phone.shows("left", "ready")
    expect(phone.half("left").locator(".score b")).to_have_text(points)


def test_games_end_by_agreement_a_pass_and_a_concession(windows: Windows) -> None:
    phone = practice(windows, length=9)
    to_the_clock(phone)
    phone.hit("right")
    phone.page.clock.fast_forward(72_000)
    phone.hit("left")
    phone.shows("right", "turn")
    phone.tap("Stop", seat="left")
    won = phone.page.get_by_role("group", name="White wins")
    won.get_by_role("button", name="Gammon 2 points").tap()
    phone.tap("Agree", seat="right")
    score(phone, "2", "0")
    expect(phone.half("left").locator(".digits")).to_have_text("17:00")

    phone.hit("right")
    phone.shows("left", "turn")
    phone.tap("Double", seat="left")
    phone.tap("Double to 2")
    phone.tap("Take", seat="right")
    phone.shows("left", "turn")
    expect(phone.half("left").locator(".facts")).to_contain_text("2")
    phone.hit("left")
    phone.shows("right", "turn")
    phone.tap("Undo", seat="left")
    phone.tap("Ask to undo")
    phone.tap("Agree", seat="right")
    phone.shows("left", "stopped")
    phone.tap("Start White’s clock", seat="left")
    phone.hit("left")
    phone.tap("Redouble", seat="right")
    phone.tap("Redouble to 4")
    phone.tap("Pass", seat="left")
    phone.tap("Pass: Black scores 2 points", seat="left")
    score(phone, "2", "2")

    phone.hit("right")
    phone.shows("left", "turn")
    phone.tap("Menu", seat="left")
    sheet = phone.half("left").locator(".sheet")
    assert shown_texts(sheet.locator(".answers button")) == [
        "The game is over …",
        "This game …",
        "Corrections …",
        "Begin again or leave …",
        "Rules of this match",
        "This phone …",
    ]
    phone.tap("Corrections …", seat="left")
    assert shown_texts(sheet.locator(".answers button")) == [
        "Correct the score …",
        "Correct the cube …",
        "Give back time …",
        "End the match …",
    ]
    phone.tap("Close", "Menu", "This game …", seat="left")
    assert shown_texts(sheet.locator(".answers button")) == [
        "Offer a concession …",
        "Black picked up the dice too soon …",
        "Undo Black’s press …",
    ]
    phone.tap("Black picked up the dice too soon …", "Claim the penalty")
    phone.tap("Agree", seat="right")
    expect(phone.half("right").locator(".facts")).to_have_text("Delay forfeited")
    phone.tap("Start White’s clock", seat="left")
    phone.tap("Stop", seat="left")
    expect(sheet.get_by_role("heading", name="Both clocks are stopped. Why?")).to_be_visible()
    phone.tap("Offer a concession …", seat="left")
    sheet.get_by_role("button", name=re.compile("^Gammon")).tap()
    phone.tap("Accept", seat="right")
    score(phone, "2", "4")


MOST_REQUESTS = 30
# Number of files requested before a script; the page counts, the font does not, and nor do imports from the cache.
REQUESTS_BEFORE = """(script) => {
    const entries = performance.getEntriesByType('resource').filter(({ name }) => !name.endsWith('.woff2'));
    const { startTime } = entries.find(({ name }) => name.includes(script));
    return 1 + new Set(entries.filter((entry) => entry.startTime < startTime).map(({ name }) => name)).size;
}"""


def test_a_page_makes_few_requests_at_first_and_none_once_loaded(windows: Windows) -> None:
    phone = Phone(windows.open(**PHONE))  # in real time, because a simulated clock records no requests
    page = phone.page
    page.add_init_script(PLAIN_HTTP)
    page.goto(f"{windows.product.address}/practice/")
    page.wait_for_load_state("networkidle")
    form = page.evaluate(REQUESTS_BEFORE, "/practice/clock.")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    to_the_clock(phone)
    phone.hit("right")
    phone.shows("left", "turn")
    set_anew(phone, "us-2013", 1)
    assert (asked, phone.sockets) == ([], 0)
    to_the_clock(phone)
    page.reload()
    phone.shows("left", "ready")
    page.wait_for_load_state("networkidle")
    match = page.evaluate(REQUESTS_BEFORE, "/practice/menu.")
    assert (form <= MOST_REQUESTS, match <= MOST_REQUESTS) == (True, True), (form, match)


def test_a_clock_that_did_not_load_comes_when_asked_for_again(windows: Windows, network: Network) -> None:
    gone = [UNAVAILABLE, UNAVAILABLE]
    network.instead = lambda path: gone.pop() if "/practice/clock." in path and gone else None
    windows.server_is_down = True
    phone = practice(windows, script=PLAIN_HTTP, address=network.address)
    phone.page.get_by_role("button", name="Go to the clock").tap()
    expect(phone.page.locator("[data-summary]")).to_have_text("That needs the network. Try again once it is back.")
    to_the_clock(phone)
    phone.tap("Menu", seat="left")
    phone.says("Begin again or leave …")


def test_a_kept_match_without_its_rules_says_that_it_needs_the_network(windows: Windows) -> None:
    phone = practice(windows, script=PLAIN_HTTP)
    to_the_clock(phone)
    windows.server_is_down = True
    phone.page.route("**/practice/rules.*", lambda route: route.abort())
    phone.page.reload()
    phone.shows("left", "ready")
    phone.hit("right")
    phone.page.clock.fast_forward(3_000)
    phone.says("That needs the network. Try again once it is back.")
    phone.page.unroute("**/practice/rules.*")
    phone.page.clock.fast_forward(3_000)
    phone.page.wait_for_load_state("networkidle")
    phone.hit("right")
    phone.shows("left", "turn")


def test_home_leads_to_the_practice_clock_and_its_menu_leads_home(windows: Windows) -> None:
    phone = Phone(windows.open(**PHONE))
    phone.page.goto(f"{windows.product.address}/")
    phone.page.get_by_role("link", name="Practice clock").click()
    to_the_clock(phone)
    phone.tap("Menu", seat="left")
    phone.tap("Begin again or leave …", "Leave the clock")
    expect(phone.page.get_by_role("heading", name="Two phones, one clock")).to_be_visible()
