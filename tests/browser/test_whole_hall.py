"""Stopping and resuming all, messages, moved matches and new codes on real phones."""

import re
from itertools import product as product_of
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.engines import expect, shown_text, shown_texts
from tests.browser.product import Product
from tests.browser.windows import Phone, Windows

WITHIN_MS = 20_000


def tables(product: Product, slug: str, count: int = 2) -> list[dict[str, Any]]:
    return [product.newmatch("--table", str(number), "--tournament", slug, length=7) for number in range(1, count + 1)]


def console(windows: Windows, product: Product, slug: str) -> Page:
    page = windows.director()
    page.goto(f"{product.address}/director/{slug}/")
    expect(page.locator(".cell").first).to_be_visible()
    return page


def start_shared(windows: Windows, made: dict[str, Any]) -> Phone:
    """Seat both players at one phone, confirm for both, and start Bob's clock."""
    phone = windows.phone(made["url"])
    phone.sit_between()
    phone.hit("left")
    phone.shows("right", "turn")
    return phone


def start(windows: Windows, made: dict[str, Any]) -> tuple[Phone, Phone]:
    """Seat both phones of a match, confirm on both, and start Bob's clock."""
    ann, bob = windows.phone(made["url"]), windows.phone(made["url"])
    ann.sit("I am Ann")
    bob.sit("I am Bob")
    for phone in (ann, bob):
        phone.tap("I confirm")
    bob.shows("right", "ready")
    ann.hit("left")
    bob.shows("right", "turn")
    return ann, bob


def stop_all(page: Page, reason: str) -> None:
    page.get_by_role("link", name="Stop all").click()
    page.get_by_role("dialog", name="Stop all").get_by_role("button", name=reason).click()
    expect(page.get_by_text(re.compile(rf"clocks? stopped: {reason}\. Nobody is charged\."))).to_be_visible()


def resume_all(page: Page) -> None:
    page.get_by_role("link", name="Resume all").click()
    page.get_by_role("dialog", name="Resume all").get_by_role("button", name="Resume all").click()
    expect(page.get_by_text(re.compile("Nobody was charged for the pause"))).to_be_visible()


def send(page: Page, text: str, to: str = "") -> None:
    page.get_by_role("link", name="Message").click()
    dialog = page.get_by_role("dialog", name="Message to the phones")
    dialog.get_by_label("Message", exact=True).fill(text)
    dialog.get_by_label("To the tables").fill(to)
    dialog.get_by_role("button", name="Show it on the phones").click()
    expect(page.get_by_text(f"show: “{text}”")).to_be_visible()


def test_stop_all_and_resume_all_charge_nobody_and_keep_other_stops(windows: Windows, product: Product) -> None:
    running, standing = tables(product, "alarm")
    playing, other = start_shared(windows, running), start_shared(windows, standing)
    other.tap("Stop", "To retrieve fallen dice", seat="right")
    other.shows("left", "stopped")
    page = console(windows, product, "alarm")
    stop_all(page, "Fire alarm")
    for seat in ("left", "right"):
        playing.shows(seat, "stopped")
        expect(playing.half(seat).locator(".lines p").first).to_have_text(
            "The director stopped all clocks: Fire alarm."
        )
    stopped = product.snapshot(running["code"])
    expect(page.get_by_role("link", name="Resume all · 1")).to_be_visible()
    playing.page.wait_for_timeout(1_500)  # a pause, charged to nobody
    resume_all(page)
    playing.shows("right", "turn")
    going = product.snapshot(running["code"])
    kept = ("turn", "turn_number", "used_ms", "turn_reserve_ms", "hits", "score")
    assert {name: going[name] for name in kept} == {name: stopped[name] for name in kept}
    assert (going["status"], product.snapshot(standing["code"])["stop"]["reason"]) == ("running", "dice")
    other.shows("right", "stopped")
    expect(page.get_by_role("link", name="Resume all")).to_have_count(0)
    playing.hit("right")
    playing.shows("left", "turn")


def test_a_message_reaches_its_phones_until_dismissed_or_withdrawn(windows: Windows, product: Product) -> None:
    one, two = tables(product, "lunch")
    ann = windows.phone(one["url"])
    ann.sit("I am Ann")
    between = start_shared(windows, two)
    watcher = windows.phone(one["url"] + "watch/")
    page = console(windows, product, "lunch")
    send(page, "Lunch is served in the garden.")
    banners = [phone.page.locator(".message:visible") for phone in (ann, watcher)]
    for banner in banners:
        expect(banner).to_contain_text("Lunch is served in the garden.", timeout=WITHIN_MS)
    expect(between.page.locator(".message:visible")).to_have_count(2)
    between.hit("right")
    between.shows("left", "turn")
    ann.page.get_by_role("button", name="OK").tap()
    expect(banners[0]).to_have_count(0)
    heard = len(ann.frames)
    ann.page.reload()
    expect(ann.page.locator("match-clock")).to_have_attribute("data-link", "open")
    ann.until(lambda: any(frame["t"] == "message" for frame in ann.frames[heard:]), "the message, told again")
    expect(banners[0]).to_have_count(0)
    send(page, "Table 2, please come to the desk.", "2")
    expect(between.page.locator(".message:visible").first).to_contain_text("Table 2, please come to the desk.")
    expect(banners[1]).to_contain_text("Lunch is served in the garden.")
    page.goto(f"{product.address}/director/lunch/hall/")
    page.get_by_role("button", name="Withdraw").first.click()
    expect(between.page.locator(".message:visible")).to_have_count(0, timeout=WITHIN_MS)
    told = shown_texts(page.locator("tbody .players"))
    assert told == [
        "Withdrew the message “Table 2, please come to the desk.”",
        "Message to tables 2, for 15 min: “Table 2, please come to the desk.”",
        "Message to all tables, for 15 min: “Lunch is served in the garden.”",
    ]


def test_a_match_moves_and_its_phones_follow_then_the_code_is_replaced(windows: Windows, product: Product) -> None:
    [made] = tables(product, "moving", 1)
    ann, bob = start(windows, made)
    page = console(windows, product, "moving")
    page.locator(".cell").click()
    drawer = page.get_by_role("dialog", name="Table")

    def act(button: str, whose: str = "", **fields: str) -> None:
        drawer.get_by_role("button", name=button).click()
        form = drawer.locator("form")
        if whose:
            form.get_by_label(whose).check()
        for label, value in {**fields, "Reason for the record": "the table wobbles"}.items():
            form.get_by_label(label.replace("_", " ")).fill(value)
        form.locator("button[type=submit]").click()
        expect(form).to_have_count(0)

    act("Another table", To_table="14")
    expect(page.locator(".cell-table")).to_have_text("14")
    expect(drawer.get_by_role("heading", name="Table 14")).to_be_visible()
    moved = shown_text(drawer.locator(".drawer-code"))
    assert moved != made["code"]
    for phone, seat, mode in ((ann, "left", "wait"), (bob, "right", "turn")):
        phone.page.wait_for_url(f"**/t/{moved}/clock/")
        phone.shows(seat, mode)
    bob.hit("right")
    ann.shows("left", "turn")

    act("New code")
    expect(drawer.locator(".drawer-code")).not_to_have_text(moved)
    new = shown_text(drawer.locator(".drawer-code"))
    for phone in (ann, bob):
        phone.says("The director has released this phone.")
    bob.page.goto(f"{product.address}/t/{new}/clock/")
    bob.shows("right", "wait")

    act("Release a phone", "Ann")
    expect(drawer.get_by_text("connected")).to_have_count(1)
    drawer.get_by_role("link", name="Record").click()
    page.get_by_text("Details", exact=True).click()
    beside = [text for text in shown_texts(page.locator("tbody tr")) if "the table wobbles" in text]
    assert len(beside) == 3


@pytest.fixture
def invited(windows: Windows, product: Product) -> tuple[Page, str]:
    """Window of an owner, and an invitation link for a helper."""
    product.newmatch("--table", "1", "--tournament", "hugo", length=7)
    page = windows.director()
    page.goto(f"{product.address}/director/hugo/people/")
    page.get_by_role("button", name="Create the invitation").click()
    return page, shown_text(page.locator(".made code"))


def test_a_helper_is_invited_signs_in_and_sees_only_what_a_helper_may_do(
    windows: Windows, product: Product, invited: tuple[Page, str]
) -> None:
    owner, link = invited
    helper = windows.open(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    helper.goto(link)
    helper.get_by_label("Your name").fill("hella")
    helper.get_by_label("Password", exact=True).fill("seven green doors")
    helper.get_by_label("Repeat the password").fill("seven green doors")
    helper.get_by_role("button", name="Join").tap()
    helper.locator(".cell").tap()
    drawer = helper.get_by_role("dialog", name="Table 1")
    drawer.get_by_role("button", name="Confirm for both").tap()
    expect(drawer.get_by_role("button", name="Time", exact=True)).to_be_enabled()
    labels = shown_texts(drawer.locator(".rulings .row button:visible"))
    assert labels == ["Time", "Score", "Cube", "Game result", "Undo press", "Dice penalty", "Release a phone"]
    for name in ("Stop all", "Message", "New match"):
        expect(helper.get_by_role("link", name=name)).to_have_count(0)
    owner.goto(f"{product.address}/director/hugo/people/")
    owner.get_by_text("Remove", exact=True).click()
    owner.get_by_role("button", name="Remove hella").click()
    expect(owner.get_by_text("hella has been removed.")).to_be_visible()
    expect(helper.get_by_text("You may no longer watch this tournament.")).to_be_visible(timeout=WITHIN_MS)


PAGES = ["/director/sizes-of/people/", "/director/sizes-of/hall/", "/director/password/", "/director/"]


@pytest.mark.parametrize(
    ("sizes", "scheme"), [([(390, 844), (844, 390)], "dark"), ([(1440, 900)], "light")], ids=["phone", "laptop"]
)
def test_nothing_is_cut_off_or_too_small_to_touch(
    windows: Windows, product: Product, sizes: list[tuple[int, int]], scheme: str
) -> None:
    product.newmatch("--table", "1", "--tournament", "sizes-of")
    page = windows.director(has_touch=len(sizes) > 1, color_scheme=scheme)
    for path in PAGES:
        page.goto(product.address + path)
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            sides = page.evaluate(
                "[...document.querySelectorAll('button, .button, select, summary')].filter((one) => one.offsetParent)"
                ".map((one) => Math.min(one.offsetWidth, one.offsetHeight))"
            )
            assert (path, width, over, min(sides) >= 48) == (path, width, 0, True)
    page.goto(f"{product.address}/director/sizes-of/")
    for name, (width, height) in product_of(("Stop all", "Message"), sizes):
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_role("link", name=name).click()
        dialog = page.locator("dialog[open]")
        expect(dialog).to_be_visible()
        box = dialog.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["height"] <= height
        dialog.get_by_role("button", name="Close").click()


def test_without_scripts_the_hall_is_stopped_and_resumed_by_plain_forms(windows: Windows, product: Product) -> None:
    [made] = tables(product, "plain", 1)
    start_shared(windows, made)
    page = windows.director(java_script_enabled=False)
    page.goto(f"{product.address}/director/plain/hall/")
    page.get_by_label("Another reason").fill("Power cut")
    page.get_by_role("button", name="Stop all for this reason").click()
    assert product.snapshot(made["code"])["hall_stop"]["note"] == "Power cut"
    page.goto(f"{product.address}/director/plain/hall/")
    page.get_by_role("button", name="Resume all").click()
    assert product.snapshot(made["code"])["status"] == "running"
