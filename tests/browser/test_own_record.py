"""Record of a match on a player's phone: story, and pace beside earlier matches."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.broken_words import BROKEN
from tests.browser.engines import expect, shown_texts
from tests.browser.product import Product
from tests.browser.windows import Phone, Windows

PLAY = """
from clocks import desk
from clocks.desk.requests import Request
from clocks.engine.commands import parse_command
from clocks.host.server_time import now_ms
at = now_ms()
def ask(by, wait_ms, do, **more):
    global at
    at += wait_ms
    answer = desk.submit_and_wait(Request({match}, parse_command({{"do": do, **more}}), by, at))
    assert answer.ok, (do, answer.words)
ask("director", 0, "confirm")
ask("left", 1_000, "hit")
for _ in range(3):
    ask("right", {bob_ms}, "hit")
    ask("left", 20_000, "hit")
ask("right", 8_000, "double")
ask("left", 31_000, "pass")
ask("left", 1_000, "propose", what="end", winner="right")
ask("right", 1_000, "agree")
"""


def play(product: Product, phone: Phone, made: dict[str, Any], bob_ms: int, who: str = "Bob") -> str:
    """Seat the phone as Bob and play the match; return the address of its record."""
    phone.page.goto(made["url"])
    phone.sit(f"I am {who}")
    product.manage("shell", "--no-imports", "--command", PLAY.format(match=made["match"], bob_ms=bob_ms))
    return f"{product.address}/t/{made['code']}/record/{made['match']}/"


def column(page: Page) -> list[str]:
    """Figures of the earlier matches."""
    return shown_texts(page.locator("[data-earlier]"))


def test_a_phone_compares_earlier_matches_until_told_to_forget(windows: Windows, product: Product) -> None:
    first = product.newmatch()
    phone = windows.phone(first["url"])
    page = phone.page
    page.goto(play(product, phone, first, bob_ms=9_000))
    expect(page.get_by_text("Your next matches will be compared with this one.")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Earlier matches")).to_be_hidden()
    second = play(product, phone, product.newmatch(), bob_ms=14_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page.goto(second)
    expect(page.get_by_role("columnheader", name="Earlier matches (1)")).to_be_visible()
    # Three turns of 9 s, and a double after 8 s.
    assert column(page) == ["8.8 s", "8.8 s", "–", "–", "9 s", "–", "8 s"]
    page.get_by_role("button", name="Forget them, and keep no more").tap()
    expect(page.get_by_text("This phone keeps none of your figures.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Keep my figures on this phone")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Earlier matches")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('clock:own-pace')") == '{"off":true}'
    assert [line for line in asked if not line.startswith("GET ") or "?" in line] == []  # no figure was sent


def test_a_record_uses_the_screen_and_does_not_scroll_sideways(windows: Windows, product: Product) -> None:
    made = product.newmatch("--names", "Bartholomew Featherstoneh", "Wilhelmina-Aurora Lindqvi")
    phone = windows.phone(made["url"])
    phone.page.goto(play(product, phone, made, bob_ms=70_000, who="Wilhelmina-Aurora Lindqvi"))
    expect(phone.page.get_by_role("heading", name="The story")).to_be_visible()
    phone.page.get_by_text("Details", exact=True).tap()
    for width in (320, 390, 844, 1024):
        phone.page.set_viewport_size({"width": width, "height": 844})
        assert (width, phone.page.evaluate(BROKEN)) == (width, [[], 0])
        record = phone.page.locator(".own-record").bounding_box()
        assert record is not None and record["width"] > min(0.85 * width, 700)


def test_earlier_matches_break_no_word_on_the_smallest_phone(windows: Windows, product: Product) -> None:
    first = product.newmatch()
    phone = windows.phone(first["url"], viewport={"width": 320, "height": 568})
    phone.page.goto(play(product, phone, first, bob_ms=70_000))
    expect(phone.page.get_by_text("Your next matches will be compared with this one.")).to_be_visible()
    address = play(product, phone, product.newmatch(), bob_ms=70_000)
    for language in ("en", "de", "fr", "es", "da"):
        phone.page.set_extra_http_headers({"Accept-Language": language})
        phone.page.goto(address)
        expect(phone.page.locator("[data-earlier=all]")).to_have_text("54.5 s")
        lang = phone.page.evaluate("document.documentElement.lang")
        assert (lang, phone.page.evaluate(BROKEN)) == (language, [[], 0])
