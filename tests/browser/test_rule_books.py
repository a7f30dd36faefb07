"""Each rule book on the phones and the director's page, most on the real server."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.scripted import ScriptedServer, open_page
from tests.browser.windows import Phone, Windows

SHORT_MS = 1200  # a reserve that runs out during the test
LONG_MS = 600_000
SLUG = "rule-books"


class Hall:
    """Two phones, a director's page and a viewer, shared by the module's tests."""

    def __init__(self, windows: Windows, product: Product) -> None:
        self.product = product
        self.windows = windows
        self.ann, self.bob, self.watcher = (windows.phone(product.address) for _ in range(3))
        self.director = windows.director()
        self.made: dict[str, Any] = {}

    def begin(self, rules: str, length: int = 5, *, score: tuple[int, int] = (0, 0), **options: Any) -> None:
        """Create a match, seat Ann (left) and Bob, confirm on both phones, start it."""
        given = [part for name, value in options.items() for part in ("--option", f"{name}={value}")]
        more = ["--tournament", SLUG, "--score", *map(str, score), *given]
        self.made = self.product.newmatch(*more, rules=rules, length=length)
        for phone, seat in ((self.ann, "left"), (self.bob, "right")):
            self._sit(phone, seat)
            phone.shows(seat, "setup")
            phone.tap("I confirm")
        self.bob.shows("right", "ready")
        self.bob.hit("right")
        self.bob.shows("right", "wait")

    def _sit(self, phone: Phone, seat: str) -> None:
        """Take a seat as the table's page does, and open the clock."""
        url, request = self.made["url"], phone.page.request
        request.get(url)
        token = next(cookie["value"] for cookie in phone.page.context.cookies() if cookie["name"] == "csrftoken")
        request.post(f"{url}seat/", form={"seat": seat, "csrfmiddlewaretoken": token}, max_redirects=0)
        phone.page.goto(f"{url}clock/")

    def watch(self) -> None:
        """Open the table for a viewer."""
        self.watcher.page.goto(self.made["url"] + "watch/")
        expect(self.watcher.page.locator("match-clock")).to_have_attribute("data-link", "open")

    def console(self) -> Page:
        """Director's page with this match in its drawer."""
        self.director.goto(f"{self.product.address}/director/{SLUG}/")
        self.director.locator(f".cell[data-match='{self.made['match']}']").click()
        expect(self.director.locator("[data-drawer]")).to_be_visible()
        return self.director

    def both_agree(self) -> None:
        """Agree to the consequence of a flag on both phones."""
        self.bob.tap("I agree")
        self.ann.says("Bob has agreed.")
        self.ann.tap("I agree")

    def said(self) -> dict[str, Any]:
        """Current snapshot from the server."""
        return self.product.snapshot(self.made["code"])


@pytest.fixture(scope="module")
def opened(browser: Browser, shared_product: Product) -> Iterator[Hall]:
    """The windows that all tests of the module share."""
    windows = Windows(browser, shared_product)
    yield Hall(windows, shared_product)
    windows.close()


@pytest.fixture
def hall(opened: Hall) -> Iterator[Hall]:
    """The windows; fails a test during which they or the server logged an error."""
    written = opened.product.log.stat().st_size
    yield opened
    assert opened.windows.troubles == []
    assert opened.product.complaints(written) == []


def lines(phone: Phone, seat: str) -> Locator:
    """Sentences of the panel in a half."""
    return phone.half(seat).locator(".lines p")


def facts(phone: Phone, seat: str) -> Locator:
    """Facts below the clock in a half, such as the frozen cube."""
    return phone.half(seat).locator(".facts")


def test_a_unified_penalty_gives_points_and_time_and_freezes_the_cube(hall: Hall) -> None:
    hall.begin("unified-2001", 9, score=(6, 3), reserve_ms=[LONG_MS, SHORT_MS], lag_credit_ms=0)
    ann, bob = hall.ann, hall.bob
    ann.hit("left")
    bob.shows("right", "flag")
    ann.shows("left", "flag-other")
    left = hall.said()["reserve_ms"][0]
    minutes, seconds = divmod(-(-(left + 300_000) // 1000), 60)
    consequence = [
        "Unified 5.1: 2 points to Ann, now 8–3.",
        f"Both clocks get 5:00 more: Ann {minutes}:{seconds:02}, Bob 5:00.",
        "The cube is frozen for this game.",
    ]
    for phone, seat in ((ann, "left"), (bob, "right")):
        expect(lines(phone, seat)).to_have_text(consequence)
    expect(facts(bob, "right")).to_have_text("First offence")
    console = hall.console()
    expect(console.locator(".due")).to_contain_text("Unified 5.1 prescribes: 2 points to Ann, clocks")
    expect(console.locator(".due")).to_contain_text("cube frozen")

    hall.both_agree()
    bob.shows("right", "stopped")
    expect(facts(bob, "right")).to_have_text("Cube frozen · 1 offence")
    expect(console.locator(".drawer-facts")).to_contain_text("8–3 · game 1 · cube frozen · Bob: 1 offence")

    bob.tap("Start Bob’s clock")
    for phone, seat in ((bob, "right"), (ann, "left")):
        phone.shows(seat, "turn")
        double = phone.page.get_by_role("button", name="Double")
        expect(double).to_be_disabled()
        expect(double.locator("small")).to_have_text("Cube frozen")
        phone.hit(seat)
    said = hall.said()
    assert (said["score"], said["offences"], said["cube"]["frozen"], said["crawford"]) == ([8, 3], [0, 1], True, False)


def test_aba_gives_one_grace_at_double_match_point(hall: Hall) -> None:
    hall.begin("aba-2003-standard", 3, score=(2, 2), reserve_ms=[SHORT_MS, LONG_MS], lag_credit_ms=0)
    hall.ann.shows("left", "flag")
    expect(lines(hall.ann, "left")).to_have_text(
        [
            "ABA 5.1: This game decides the match, so there are no points this once. Ann gets one grace.",
            "Ann’s clock is set to 5:00. Bob keeps 10:00.",
        ]
    )
    console = hall.console()
    expect(console.locator(".due")).to_contain_text(
        "ABA 5.1 prescribes: one grace, no points, clocks Ann 5:00, Bob 10:00."
    )
    console.locator(".due").get_by_role("button", name="Apply").click()
    hall.ann.shows("left", "stopped")
    expect(hall.ann.half("left").locator(".digits")).to_have_text("5:00")
    said = hall.said()
    assert (said["score"], said["offences"], said["called"]) == ([2, 2], [0, 0], False)
    hall.ann.tap("Start Ann’s clock")
    hall.bob.shows("right", "wait")


def test_michigans_second_control_has_no_penalty_and_hides_times(hall: Hall) -> None:
    hall.begin("michigan-2002", reserve_ms=[SHORT_MS, LONG_MS], lag_credit_ms=0)
    hall.watch()
    ann, bob, watcher = hall.ann, hall.bob, hall.watcher
    ann.shows("left", "flag")
    expect(lines(ann, "left")).to_have_text(
        [
            "Michigan 4.2: No penalty. The second control starts.",
            "Each turn has a delay of 12 s.",
            "Both clocks get 3:00 more: Ann 3:00, Bob 13:00.",
        ]
    )
    console = hall.console()
    expect(console.locator(".due")).to_contain_text("the second control begins with a delay of 12 s")
    watcher.shows("left", "flag")
    watcher.says("Times are not shown to spectators.")
    hall.both_agree()
    expect(lines(bob, "right").filter(has_text="Second control: each turn has a delay of 12 s.")).to_be_visible()
    bob.tap("Start Ann’s clock")
    ann.shows("left", "turn")
    expect(facts(ann, "left")).to_have_text("Second control")
    expect(ann.half("left").locator(".digits")).to_have_text("3:00")
    expect(ann.half("left").locator(".delay .time")).to_have_text(re.compile(r"^\d+ s$"))
    expect(bob.half("left").locator(".digits")).to_have_text("3:00")

    watcher.shows("left", "turn")
    expect(watcher.page.locator(".digits")).to_have_text(["–:––", "–:––"])
    told = [frame for frame in watcher.frames if frame["t"] == "match"]
    timed = ("reserve_ms", "delay_ms", "turn_reserve_ms", "since", "used_ms", "flag_at")
    assert {frame[name] for frame in told for name in timed} == {None}
    assert told[-1]["control"] == 2


def test_a_declined_concession_waits_for_the_director_to_restart_the_clock(hall: Hall) -> None:
    hall.begin("us-2013")
    ann, bob = hall.ann, hall.bob
    ann.shows("left", "turn")
    ann.tap("More", "This game …", "Offer a concession …", "Single game")
    expect(lines(bob, "right")).to_have_text(
        [
            "Ann concedes: Bob wins a single game.",
            "1 point · 0–0 → 0–1",
            "US 5.1: If you reject it, the director decides.",
        ]
    )
    bob.tap("Reject")
    for phone in (ann, bob):
        phone.says("Bob declined. Waiting for the director to decide.")
    due = hall.console().locator(".due")
    expect(due).to_contain_text(
        "US 5.1: Agree if no better outcome is possible. Otherwise decline, and Ann’s clock is restarted."
    )
    due.get_by_label("Note").fill("Bob can still win a gammon")
    due.get_by_role("button", name="Dismiss").click()
    ann.shows("left", "turn")
    bob.shows("right", "wait")
    said = hall.said()
    assert (said["status"], said["turn_number"], said["score"], said["called"]) == ("running", 1, [0, 0], False)


def test_under_unified_a_rejected_player_presses_and_a_full_offer_is_final(hall: Hall) -> None:
    hall.begin("unified-2001")
    ann, bob = hall.ann, hall.bob
    ann.shows("left", "turn")
    ann.hit("left")  # a player may offer only after completing the turn
    ann.shows("left", "wait")
    ann.tap("More", "This game …", "Offer a concession …", "Single game")
    bob.says("Unified 3.6: If you reject it, roll; then Ann presses.")
    bob.tap("Reject")
    ann.shows("left", "owed")
    bob.says("Unified 3.6: Ann’s offer was rejected.")
    bob.says("Ann presses; then it is Bob’s turn.")
    assert hall.said()["since"] is None
    expect(hall.console().locator(".due")).to_contain_text("Ann presses; then it is Bob’s turn.")
    ann.hit("left")
    bob.shows("right", "turn")

    bob.tap("More", "This game …", "Offer a concession …", "Backgammon")
    ann.says("Unified 3.6: A concession of the greatest possible number of points cannot be declined.")
    expect(ann.half("left").locator(".panel button")).to_have_text(["Accept"])
    ann.tap("Accept")
    ann.shows("left", "ready")
    assert hall.said()["score"] == [3, 0]


def offered(rules: str) -> ScriptedServer:
    """A match in which Ann offers to lose a single game."""
    server = ScriptedServer(rules=rules)
    server.begin("left")
    server.play("left", "propose", what="offer", winner="right", outcome="single")
    return server


def test_a_concession_cites_each_book() -> None:
    """The books' own tests cover the consequences."""
    books = ("us-2013", "aba-2003-standard", "unified-2001", "michigan-2002", "modern")
    cited = ["US 5.1", "ABA 3.6", "Unified 3.6", "Michigan 3.6", ""]
    assert [offered(rules).snapshot()["cite"] for rules in books] == cited


def test_under_michigan_a_rejected_offer_starts_the_opponents_clock(page: Page) -> None:
    server = ScriptedServer(rules="michigan-2002")
    server.begin("left")
    phone = Phone(page)
    open_page(page, server)
    phone.tap("More", "This game …", "Offer a loss …", "Single game")
    open_page(page, server, "right")
    expect(lines(phone, "right")).to_have_text(
        [
            "Ann offers: Bob wins a single game.",
            "1 point · 0–0 → 0–1",
            "Michigan 3.6: If you reject it, your clock starts at once. A gin outcome may not be rejected.",
        ]
    )
    phone.tap("Reject")
    phone.shows("right", "turn")
    said = server.snapshot()
    assert (said["status"], said["turn"], said["score"], said["hits"]) == ("running", "right", [0, 0], [1, 1])


def test_an_overtime_is_given_once_as_a_warning_and_the_second_flag_loses(page: Page) -> None:
    short = {"reserve_ms": [SHORT_MS, LONG_MS], "overtime_ms": SHORT_MS, "delay_ms": 0, "lag_credit_ms": 0}
    server = ScriptedServer(rules="modern", options=short)
    server.begin("left", ago_ms=SHORT_MS)
    server.play("server", "expire")
    phone = Phone(page)
    open_page(page, server, "left right")
    expect(lines(phone, "right")).to_have_text(
        ["Ann gets a warning and, once, overtime.", "Ann’s clock is set to 0:01.2. Bob keeps 10:00."]
    )
    for seat in ("right", "left"):
        phone.tap("I agree", seat=seat)
    phone.shows("left", "stopped")
    expect(facts(phone, "left")).to_have_text("1 offence")
    phone.tap("Start Ann’s clock", seat="left")
    phone.shows("left", "turn")
    server.play("server", "expire", after_ms=SHORT_MS)
    expect(lines(phone, "right").first).to_have_text("Ann has used up the reserve and loses the match.")
    for seat in ("right", "left"):
        phone.tap("I agree", seat=seat)
    phone.shows("left", "over")
    expect(phone.half("right").locator(".title .words")).to_have_text("You win")
    said = server.snapshot()
    assert (said["winner"], said["score"], said["offences"]) == ("right", [0, 0], [1, 0])
