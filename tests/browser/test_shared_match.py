"""Play on one shared phone, and casual matches."""

from tests.browser.engines import expect
from tests.browser.product import Product
from tests.browser.windows import PHONE, Phone, Windows, scanned

# Takes nearly all time from Ann, so that her flag falls soon.
TAKE = """
from clocks import desk
from clocks.engine.commands import parse_command
terms = {{"what": "time", "seat": "left", "by_ms": {by_ms}}}
answer = desk.submit_and_wait(desk.Request({match}, parse_command({{"do": "propose", **terms}}), "director"))
assert answer.ok, answer.words
"""


def lay_between(windows: Windows, url: str) -> Phone:
    """Take both seats on one phone, and confirm there for both players."""
    phone = windows.phone(url)
    phone.sit_between()
    phone.shows("left", "ready")
    phone.shows("right", "ready")
    return phone


def test_on_one_phone_both_play_double_take_and_agree_to_a_flag(windows: Windows, product: Product) -> None:
    made = product.newmatch("--option", "reserve_ms=[600000, 300000]", "--option", "delay_ms=1000")
    phone = lay_between(windows, made["url"])
    phone.hit("right")
    phone.shows("left", "turn")
    phone.shows("right", "wait")
    phone.hit("right")
    phone.says("Ann’s clock is running")
    phone.hit("left")
    phone.shows("right", "turn")
    phone.hit("right")
    phone.shows("left", "turn")
    phone.tap("Double", "Double to 2", seat="left")
    phone.shows("right", "asked")
    phone.tap("Take", seat="right")
    phone.shows("left", "turn")
    phone.says("Cube 2 · Bob")
    said = product.snapshot(made["code"])
    assert [said[name] for name in ("status", "turn", "hits", "cube", "score")] == [
        "running",
        "left",
        [2, 3],  # because a double and a take also press the clock
        {"value": 2, "owner": "right", "offered_by": None, "frozen": False},
        [0, 0],
    ]
    taken_ms = 1_500 - said["reserve_ms"][0]
    product.manage("shell", "--no-imports", "--command", TAKE.format(match=made["match"], by_ms=taken_ms))
    phone.shows("left", "flag")
    phone.shows("right", "flag-other")
    phone.says("Ann has used up the reserve and loses the match.")
    phone.tap("I agree", seat="left")
    phone.says("Ann has agreed.")
    phone.tap("I agree", seat="right")
    phone.shows("left", "over")
    phone.says("Bob wins the match on time, at 0–0.")
    said = product.snapshot(made["code"])
    assert [said[name] for name in ("status", "winner")] == ["over", "right"]
    left_ms, right_ms = said["reserve_ms"]
    assert (left_ms, 0 < right_ms <= 300_000) == (0, True)


def test_two_people_start_a_clock_by_themselves_and_read_the_rules(windows: Windows, product: Product) -> None:
    first = windows.phone(f"{product.address}/")
    first.page.get_by_text("Start a clock").first.tap()
    first.page.get_by_label("Left player", exact=True).fill("Chi")
    first.page.get_by_label("Right player", exact=True).fill("Dov")
    first.page.get_by_label("Points", exact=True).fill("5")
    first.page.get_by_role("button", name="Start a clock").tap()
    expect(first.page.get_by_role("heading", name="Chi – Dov")).to_be_visible()
    code = first.page.url.rstrip("/").rsplit("/", 1)[1]

    qr = first.page.get_by_role("img", name="QR code that leads to this table")
    qr.scroll_into_view_if_needed()
    address = scanned(first.page, qr)
    assert address == f"{product.address}/t/{code}/".upper()
    second = Phone(windows.open(**PHONE))
    second.page.goto(address)
    first.sit("I am Chi")
    second.sit("I am Dov")
    for phone in (first, second):
        phone.says("10:00 each")
        phone.tap("Confirm")
    second.shows("right", "ready")
    first.hit("left")
    second.shows("right", "turn")
    first.shows("left", "wait")
    first.page.locator(".bar").get_by_role("button", name="Rules of this match").tap()
    expect(first.half("left").locator(".sheet .rules li").first).to_be_visible()
    said = product.snapshot(code)
    assert [said[name] for name in ("names", "length", "tournament", "status", "turn", "hits")] == [
        ["Chi", "Dov"],
        5,
        "casual",
        "running",
        "right",
        [1, 0],
    ]
